internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Sign-out (OpenID Connect RP-Initiated Logout 1.0): a page asks, and then the browser goes to the registered
    /// address, with `state`.
    mutating func endSession(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        let parameters = request.method == .post ? request.formParameters : request.queryParameters ?? [:]
        guard let parameters, parameters.repeatedName == nil else {
            return Pages.problem("The request cannot be read.")
        }
        if let id = parameters.value("sign_out") { return decideSignOut(id, parameters, request, at: now) }

        let hint = parameters.value("id_token_hint")
        let known = hint.flatMap { state.idTokens[$0] }
        guard hint == nil || known != nil else {
            return Pages.problem("The request carries an ID token that is not from here.")
        }
        let named = parameters.value("client_id")
        if let named, let known, named != known.clientID {
            return Pages.problem("The request names another client than its ID token.")
        }
        var redirect: String?
        if let address = parameters.value("post_logout_redirect_uri") {
            guard let client = client(known?.clientID ?? named),
                TestClient.isRegistered(address, in: client.postLogoutRedirectURIs)
            else { return Pages.problem("The address to go to after signing out is not registered.") }
            var answer: FormParameters = [:]
            answer.append("state", ifPresent: parameters.value("state"))
            redirect = URI(address)?.appendingQuery(answer) ?? address
        }
        guard let browser = request.cookie(cookieName), let session = state.sessions[browser],
            session.expiresAt > now, !session.accounts.isEmpty
        else { return Self.afterSignOut(redirect) }
        guard settings.asksBeforeSigningOut else { return signOut(browser, redirect) }
        let id = token("sign-out")
        state.signOuts[id] = SignOut(
            browser: browser, redirect: redirect, expiresAt: now + Self.interactionLifetime)
        return Pages.confirmSignOut(
            id, action: address(of: .endSession), user: session.current.flatMap { user($0.subject) })
    }

    private mutating func decideSignOut(
        _ id: String, _ parameters: FormParameters, _ request: HTTPRequest, at now: NumericDate
    ) -> HTTPResponse {
        guard request.method == .post, let pending = state.signOuts.removeValue(forKey: id), pending.expiresAt > now,
            request.cookie(cookieName) == pending.browser
        else { return Pages.problem("This page is too old.") }
        guard parameters.value("decision") == "sign-out" else { return Pages.stillSignedIn() }
        return signOut(pending.browser, pending.redirect)
    }

    private mutating func signOut(_ browser: String, _ redirect: String?) -> HTTPResponse {
        state.sessions[browser] = nil
        var response = Self.afterSignOut(redirect)
        response.fields.append(
            "Set-Cookie",
            "\(cookieName)=; Path=\(pathPrefix.isEmpty ? "/" : pathPrefix); Max-Age=0; HttpOnly; SameSite=Lax"
                + (issuer.isSecure ? "; Secure" : ""))
        return response
    }

    private static func afterSignOut(_ redirect: String?) -> HTTPResponse {
        redirect.map(HTTPResponse.redirect) ?? Pages.signedOut()
    }
}
