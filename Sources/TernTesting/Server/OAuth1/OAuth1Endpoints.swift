internal import TernCrypto
internal import TernJOSE
internal import TernOAuth1
internal import TernProtocol

extension AuthorizationServer {
    /// The first leg (RFC 5849 §2.1).
    mutating func issueTemporaryCredentials(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(OAuth1Problem) {
            let (signed, client) = try checkOAuth1(request, at: now) { _ in nil }
            guard let callback = signed["oauth_callback"] else {
                throw OAuth1Problem(code: "parameter_absent", status: 400)
            }
            guard callback == Self.outOfBand || TestClient.isRegistered(callback, in: client.redirectURIs) else {
                throw OAuth1Problem(code: "parameter_rejected", status: 400)
            }
            let (token, secret) = (token("temporary"), token("secret"))
            state.temporaryCredentials[token] = TemporaryCredential(
                clientID: client.clientID, secret: secret, callback: callback,
                expiresAt: now + Self.interactionLifetime)
            return .form([
                "oauth_token": token, "oauth_token_secret": secret, "oauth_callback_confirmed": "true",
            ])
        } catch {
            return error.response
        }
    }

    /// The page of the second leg (§2.2), which is the one of OAuth 2.
    mutating func authorizeOAuth1(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        guard let token = request.queryParameters?.value("oauth_token"),
            let credential = state.temporaryCredentials[token], credential.expiresAt > now, credential.allowed == nil
        else {
            return Pages.problem("The request is not known or too old. Go back to the application and start again.")
        }
        let (browser, cookie) = session(of: request, at: now)
        let id = self.token("interaction")
        state.interactions[id] = Interaction(
            input: AuthorizationInput(temporaryToken: token, credential), browser: browser,
            expiresAt: now + Self.interactionLifetime)
        var response = advance(id, at: now)
        if let cookie { response.fields.append("Set-Cookie", cookie) }
        return response
    }

    /// The end of the second leg: back to the client, or the PIN for the user to type.
    mutating func answerOAuth1(_ token: String, subject: String) -> HTTPResponse {
        guard let callback = state.temporaryCredentials[token]?.callback else {
            return Pages.problem("The request is too old. Go back to the application and start again.")
        }
        let digits = random.bytes(8).map { String($0 % 10) }.joined()
        let verifier = callback == Self.outOfBand ? digits : self.token("verifier")
        state.temporaryCredentials[token]?.allowed = (verifier, subject)
        guard callback != Self.outOfBand else { return Pages.pin(verifier) }
        return answerOAuth1(at: callback, ["oauth_token": token, "oauth_verifier": verifier])
    }

    /// What a client hears when the user says no.
    mutating func denyOAuth1(_ token: String) -> HTTPResponse {
        guard let callback = state.temporaryCredentials.removeValue(forKey: token)?.callback,
            callback != Self.outOfBand
        else { return Pages.problem("Access was denied. You can close this page.", status: 200) }
        return answerOAuth1(at: callback, ["oauth_token": token, "oauth_problem": "user_refused"])
    }

    private func answerOAuth1(at callback: String, _ parameters: FormParameters) -> HTTPResponse {
        .redirect(to: URI(callback)?.appendingQuery(parameters) ?? callback)
    }

    /// The third leg (§2.3), and xAuth for clients that may.
    mutating func issueTokenCredentials(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(OAuth1Problem) {
            let temporary = state.temporaryCredentials
            let (signed, client) = try checkOAuth1(request, at: now) { temporary[$0.exposedText]?.secret }
            guard let token = signed.token?.exposedText else { return try issueForPassword(request, client) }
            guard let credential = temporary[token], credential.clientID == client.clientID, credential.expiresAt > now
            else { throw OAuth1Problem(code: "token_rejected") }
            guard let allowed = credential.allowed else { throw OAuth1Problem(code: "permission_unknown") }
            guard let verifier = signed["oauth_verifier"], constantTimeEqual(verifier.utf8, allowed.verifier.utf8)
            else { throw OAuth1Problem(code: "verifier_invalid") }
            // One use alone: whoever comes second came too late.
            state.temporaryCredentials[token] = nil
            return issue(to: client, allowed.subject)
        } catch {
            return error.response
        }
    }

    private mutating func issueForPassword(
        _ request: HTTPRequest, _ client: TestClient
    ) throws(OAuth1Problem) -> HTTPResponse {
        guard client.oauth1?.allowsPasswords == true, let form = request.formParameters,
            form.value("x_auth_mode") == "client_auth"
        else { throw OAuth1Problem(code: "parameter_absent", status: 400) }
        let password = Secret<TestUser>(form["x_auth_password"] ?? "")
        guard let user = users.first(where: { $0.username == form["x_auth_username"] && $0.password == password })
        else {
            throw OAuth1Problem(code: "permission_denied")
        }
        return issue(to: client, user.subject)
    }

    private mutating func issue(to client: TestClient, _ subject: String) -> HTTPResponse {
        let (token, secret) = (token("oauth1"), token("secret"))
        state.oauth1Grants[token] = OAuth1Grant(clientID: client.clientID, secret: secret, subject: subject)
        return .form([
            "oauth_token": token, "oauth_token_secret": secret, "user_id": subject,
            "screen_name": user(subject)?.username ?? "",
        ])
    }

    private static let outOfBand = RedirectURI.outOfBand.text
}

extension AuthorizationInput {
    /// What the pages need for OAuth 1.0a: there is no scope and nothing else to ask for.
    init(temporaryToken: String, _ credential: TemporaryCredential) {
        self.temporaryToken = temporaryToken
        keyThumbprint = nil
        clientID = credential.clientID
        target = AnswerTarget(redirectURI: credential.callback, mode: .query, state: nil)
        redirectWasSent = true
        scopes = []
        nonce = nil
        challenge = nil
        prompts = []
        maximumAge = nil
        loginHint = nil
        idTokenHint = nil
        authenticationContext = nil
    }
}

extension HTTPResponse {
    fileprivate static func form(_ parameters: FormParameters) -> HTTPResponse {
        HTTPResponse(
            status: 200, fields: ["Content-Type": "application/x-www-form-urlencoded", "Cache-Control": "no-store"],
            body: Array(parameters.encoded.utf8))
    }
}
