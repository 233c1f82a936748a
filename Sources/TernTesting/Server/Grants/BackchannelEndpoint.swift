internal import TernCrypto
public import TernJOSE
public import TernProtocol

extension TestClient {
    /// How a client gets the tokens of users that are asked elsewhere (OpenID Connect CIBA Core 1.0 §5).
    public enum BackchannelDelivery: Sendable, Hashable {
        /// It asks for them.
        case poll
        /// It is called at this address, and asks then.
        case ping(String)
        /// They are brought to this address.
        case push(String)
    }
}

/// A user who is being asked on a device of theirs.
public struct BackchannelQuestion: Sendable, Hashable {
    /// What the request is known by (`auth_req_id`).
    public let requestID: String
    /// Which client asks.
    public let clientID: String
    /// Who is asked (`sub`).
    public let subject: String
    /// The scopes.
    public let scopes: [String]
    /// What the user sees on both devices.
    public let bindingMessage: String?
}

extension AuthorizationServer {
    /// The longest binding message, in characters.
    public static let maximumBindingMessageLength = 60

    /// The users that are being asked and have not answered, the newest last.
    public var backchannelQuestions: [BackchannelQuestion] {
        state.backchannels.filter { $0.value.grant.answer == nil }
            .sorted { ($0.value.grant.expiresAt, $0.key) < ($1.value.grant.expiresAt, $1.key) }
            .map { id, waiting in
                BackchannelQuestion(
                    requestID: id, clientID: waiting.grant.clientID, subject: waiting.subject,
                    scopes: waiting.grant.scopes, bindingMessage: waiting.bindingMessage)
            }
    }

    /// The user says yes or no on their device.
    ///
    /// - Parameters:
    ///   - requestID: which question.
    ///   - allowing: what the user says.
    ///   - now: the time.
    /// - Returns: the call at the client's notification endpoint; `nil` for a client that polls, or where nobody is asked. The
    ///   server opens no socket: whoever plays the user delivers it.
    @discardableResult
    public mutating func answerBackchannel(
        _ requestID: String, allowing: Bool = true, at now: NumericDate
    ) -> HTTPRequest? {
        guard let waiting = state.backchannels[requestID], waiting.grant.answer == nil, waiting.grant.expiresAt > now,
            let client = client(waiting.grant.clientID)
        else { return nil }
        let sessionID = token("sid")
        state.backchannels[requestID]?.grant.answer =
            allowing ? .allowed(subject: waiting.subject, authenticatedAt: now, sessionID: sessionID) : .denied
        var members: JSONObject = ["auth_req_id": .string(requestID)]
        let address: String
        switch client.backchannelDelivery {
        case .poll: return nil
        case .ping(let endpoint): address = endpoint
        case .push(let endpoint):
            address = endpoint
            if allowing, let tokens = pushedTokens(requestID, waiting, client, at: now) {
                for (name, value) in tokens { members[name] = value }
            } else {
                members["error"] = "access_denied"
            }
            state.backchannels[requestID]?.grant.isUsed = true
        }
        guard let url = URI(address) else { return nil }
        return HTTPRequest(
            .post, url,
            fields: [
                "Authorization": "Bearer " + (waiting.notificationToken ?? ""), "Content-Type": "application/json",
            ], body: .bytes(members.serialized()))
    }

    /// The tokens with an ID token that is tied to them and to the request (§10.3.1).
    private mutating func pushedTokens(
        _ requestID: String, _ waiting: WaitingBackchannel, _ client: TestClient, at now: NumericDate
    ) -> JSONObject? {
        let scopes = waiting.grant.scopes
        let id = newGrant(
            client, subject: waiting.subject, scopes, at: now,
            authenticationContext: waiting.grant.authenticationContext)
        guard
            let response = try? issue(
                id, client, scopes: scopes, withRefreshToken: wantsRefreshToken(client, scopes), isFirst: true, at: now),
            var members = try? JSON(parsing: response.body).object,
            let plain = members["id_token"]?.string.flatMap({ try? JWS(compact: $0) }),
            var claims = try? JWTClaims(parsing: plain.payload)
        else { return nil }
        claims["urn:openid:params:jwt:claim:auth_req_id"] = .string(requestID)
        if let refresh = members["refresh_token"]?.string {
            claims["urn:openid:params:jwt:claim:rt_hash"] = .string(
                Self.leftHalf(of: refresh, hashedFor: client.idTokenAlgorithm))
        }
        guard let token = try? sign(claims.members, client.idTokenAlgorithm, for: client) else { return nil }
        members["id_token"] = .string(token)
        return members
    }

    /// The backchannel authentication endpoint (§7.1).
    mutating func authenticateOverBackchannel(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let parameters = try Self.form(of: request)
            let client = try authenticate(request, parameters)
            guard client.furtherGrants.contains(.backchannel), !client.isPublic else {
                throw EndpointFailure("unauthorized_client", "this client may not have users asked")
            }
            let scopes = try scopes(parameters, among: client.scopes)
            guard scopes.contains("openid") else { throw EndpointFailure("invalid_request", "openid is missing") }
            let user = try hintedUser(parameters)
            try checkUserCode(parameters.value("user_code"), of: user)
            let message = parameters.value("binding_message")
            guard (message?.count ?? 0) <= Self.maximumBindingMessageLength else {
                throw EndpointFailure("invalid_binding_message", "the message is too long")
            }
            let wanted = parameters.value("requested_expiry").map { Int64($0) ?? 0 }
            guard wanted.map({ $0 > 0 }) ?? true else {
                throw EndpointFailure("invalid_request", "requested_expiry is not a number of seconds")
            }
            let notificationToken = parameters.value("client_notification_token")
            guard client.backchannelDelivery == .poll || notificationToken != nil else {
                throw EndpointFailure("invalid_request", "client_notification_token is missing")
            }
            let lifetime =
                wanted.map { min(.seconds($0), settings.backchannelLifetime) } ?? settings.backchannelLifetime
            let id = token("auth-req")
            state.backchannels[id] = WaitingBackchannel(
                subject: user.subject, bindingMessage: message, notificationToken: notificationToken,
                grant: WaitingGrant(
                    clientID: client.clientID, scopes: scopes,
                    authenticationContext: parameters.value("acr_values")?.split(separator: " ").first.map(String.init),
                    expiresAt: now + lifetime, interval: settings.pollInterval))
            var members: JSONObject = [
                "auth_req_id": .string(id), "expires_in": .number(JSONNumber(lifetime.wholeSeconds)),
            ]
            if case .push = client.backchannelDelivery {
            } else {
                members["interval"] = .number(JSONNumber(settings.pollInterval.wholeSeconds))
            }
            return .json(members)
        } catch {
            return error.response
        }
    }

    /// Whom exactly one hint names.
    private func hintedUser(_ parameters: FormParameters) throws(EndpointFailure) -> TestUser {
        let names = ["login_hint", "login_hint_token", "id_token_hint"].filter { parameters.value($0) != nil }
        guard names.count == 1, let name = names.first, let hint = parameters.value(name) else {
            throw EndpointFailure("invalid_request", "exactly one hint is wanted")
        }
        let user: TestUser?
        switch name {
        case "login_hint":
            user = users.first { [$0.username, $0.subject, $0.claims["email"]?.string].contains(hint) }
        case "login_hint_token":
            guard let subject = settings.loginHintTokens[hint] else {
                throw EndpointFailure("expired_login_hint_token", "the token is not good")
            }
            user = self.user(subject)
        default: user = state.idTokens[hint].flatMap { self.user($0.subject) }
        }
        guard let user else { throw EndpointFailure("unknown_user_id", "nobody is known by this hint") }
        return user
    }

    private func checkUserCode(_ code: String?, of user: TestUser) throws(EndpointFailure) {
        guard let expected = settings.backchannelUserCodes[user.subject] else { return }
        guard let code else { throw EndpointFailure("missing_user_code", "this user is asked only with a code") }
        guard code == expected else { throw EndpointFailure("invalid_user_code", "the code is wrong") }
    }

    /// The client's question at the token endpoint (§10.1).
    mutating func grantOverBackchannel(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        if case .push = client.backchannelDelivery {
            throw EndpointFailure("unauthorized_client", "the tokens of this client are pushed")
        }
        guard let id = parameters.value("auth_req_id") else {
            throw EndpointFailure("invalid_request", "auth_req_id is missing")
        }
        guard let waiting = state.backchannels[id], waiting.grant.clientID == client.clientID else {
            throw EndpointFailure("invalid_grant", "the request is not known")
        }
        var grant = waiting.grant
        defer { state.backchannels[id]?.grant = grant }
        let (subject, time, sessionID) = try grant.question(at: now)
        let grantID = newGrant(
            client, subject: subject, grant.scopes, at: time, sessionID: sessionID,
            authenticationContext: grant.authenticationContext)
        return try issue(
            grantID, client, scopes: grant.scopes, withRefreshToken: wantsRefreshToken(client, grant.scopes),
            isFirst: true, at: now)
    }
}
