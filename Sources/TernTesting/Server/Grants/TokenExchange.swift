internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// What is known of a token that was handed in.
    private struct Presented {
        let subject: String
        let scopes: Set<String>?
        let isOfClient: Bool
        let actor: JSONObject?
    }

    /// Token exchange (RFC 8693). Access tokens and ID tokens of this server are taken; access tokens and JWTs are issued.
    mutating func exchangeToken(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        if parameters.value("actor_token_type") == Self.deviceSecretType {
            return try exchangeSharedSignIn(parameters, client, at: now)
        }
        guard let token = parameters.value("subject_token"), let type = parameters.value("subject_token_type") else {
            throw EndpointFailure("invalid_request", "subject_token or subject_token_type is missing")
        }
        let actorToken = parameters.value("actor_token")
        let actorType = parameters.value("actor_token_type")
        guard (actorToken == nil) == (actorType == nil) else {
            throw EndpointFailure("invalid_request", "actor_token and actor_token_type belong together")
        }
        let subject = try presented(token, type, at: now)
        var act = subject.actor
        if let actorToken, let actorType {
            let actor = try presented(actorToken, actorType, at: now)
            guard settings.delegations[subject.subject]?.contains(actor.subject) ?? false else {
                throw EndpointFailure("invalid_request", "this actor may not act for the subject")
            }
            // Who acted before stays visible, inside (§4.1).
            var member: JSONObject = ["sub": .string(actor.subject)]
            if let earlier = subject.actor { member["act"] = .object(earlier) }
            act = member
        }
        let targets = parameters.values(of: "audience") + parameters.values(of: "resource")
        if let known = settings.exchangeTargets, let unknown = targets.first(where: { !known.contains($0) }) {
            throw EndpointFailure("invalid_target", "\(unknown) is not known")
        }
        let allowed = (subject.scopes ?? client.scopes).intersection(client.scopes)
        let wanted = try scopes(parameters, among: allowed)
        let scopes = wanted.isEmpty ? (subject.scopes.map { _ in allowed.sorted() } ?? []) : wanted
        let requested = parameters.value("requested_token_type") ?? TokenType.accessToken.rawValue
        switch requested {
        case TokenType.accessToken.rawValue:
            let id = newGrant(
                client, subject: subject.subject, scopes, at: now, isOfClient: subject.isOfClient, actor: act)
            let plain = scopes.filter { $0 != "openid" }
            let response = try issue(id, client, scopes: plain, withRefreshToken: false, isFirst: true, at: now)
            guard var members = try? JSON(parsing: response.body).object else { throw EndpointFailure.internalTrouble }
            members["issued_token_type"] = .string(requested)
            return .json(members)
        case TokenType.jwt.rawValue:
            var claims: JSONObject = [
                "iss": .string(issuer.text), "sub": .string(subject.subject),
                "aud": .array((targets.isEmpty ? [issuer.text] : targets).map(JSON.string)),
                "client_id": .string(client.clientID), "iat": .date(now),
                "exp": .date(now + settings.accessTokenLifetime), "jti": .string(self.token("jti")),
                "scope": .string(scopes.joined(separator: " ")),
            ]
            claims["act"] = act.map(JSON.object)
            return .json([
                "access_token": .string(try sign(claims, .rs256, for: client)),
                "issued_token_type": .string(requested), "token_type": "N_A",
                "expires_in": .number(JSONNumber(settings.accessTokenLifetime.wholeSeconds)),
            ])
        default: throw EndpointFailure("invalid_request", "this kind of token is not issued")
        }
    }

    private func presented(
        _ token: String, _ type: String, at now: NumericDate
    ) throws(EndpointFailure) -> Presented {
        switch type {
        case TokenType.accessToken.rawValue:
            guard let issued = state.accessTokens[token], let grant = state.grants[issued.grantID], !grant.isRevoked,
                issued.expiresAt > now
            else { throw EndpointFailure("invalid_request", "the access token is not good") }
            return Presented(
                subject: grant.subject, scopes: Set(issued.scopes), isOfClient: grant.isOfClient, actor: grant.actor)
        case TokenType.idToken.rawValue:
            guard let known = state.idTokens[token],
                let claims = (try? JWS(compact: token)).flatMap({ try? JWTClaims(parsing: $0.payload) }),
                let end = try? claims.expiration, end > now
            else { throw EndpointFailure("invalid_request", "the ID token is not good") }
            return Presented(subject: known.subject, scopes: nil, isOfClient: false, actor: nil)
        default: throw EndpointFailure("invalid_request", "this kind of token is not taken")
        }
    }
}
