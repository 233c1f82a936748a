internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Introspection (RFC 7662), with a signed answer where that is asked for (RFC 9701).
    ///
    /// A client learns of its own tokens alone; one that ``TestClient/isProtectedResource`` learns of all. Whatever it may not
    /// know is inactive (§2.2).
    mutating func introspect(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let parameters = try Self.form(of: request)
            let asker = try introspectionAsker(request, parameters, at: now)
            guard let token = parameters.value("token") else {
                throw EndpointFailure("invalid_request", "token is missing")
            }
            let members = members(of: token, for: asker, at: now)
            guard request.acceptsSignedIntrospection else { return .json(members) }
            let claims: JSONObject = [
                "iss": .string(issuer.text), "aud": .string(asker.clientID), "iat": .date(now),
                "token_introspection": .object(members),
            ]
            let signed = try sign(claims, asker.introspectionAlgorithm, type: "token-introspection+jwt")
            return HTTPResponse(
                status: 200,
                fields: ["Content-Type": "application/token-introspection+jwt", "Cache-Control": "no-store"],
                body: Array(signed.utf8))
        } catch {
            return error.response
        }
    }

    /// Who asks: a client with a secret or a proof, or whoever has an access token with the scope for it (§2.1).
    private mutating func introspectionAsker(
        _ request: HTTPRequest, _ parameters: FormParameters, at now: NumericDate
    ) throws(EndpointFailure) -> TestClient {
        if request.credentials(of: "Bearer") != nil {
            let bearer = try checkBearer(
                of: request, formAllowed: false, scope: settings.introspectionScope, at: now)
            guard let client = client(bearer.grant.clientID) else { throw EndpointFailure.internalTrouble }
            return client
        }
        let client = try authenticate(request, parameters)
        guard !client.isPublic else {
            // Else anybody could try out tokens (§4).
            throw EndpointFailure(
                "invalid_client", "this client has no proof of who it is", status: 401,
                challenge: "Basic realm=\"introspection\"")
        }
        return client
    }

    private func members(of token: String, for asker: TestClient, at now: NumericDate) -> JSONObject {
        let access = state.accessTokens[token]
        guard let issued = access ?? state.refreshTokens[token], let grant = state.grants[issued.grantID],
            asker.isProtectedResource && access != nil || grant.clientID == asker.clientID, !grant.isRevoked,
            let user = user(grant.subject), issued.expiresAt > now, issued.usedAt == nil
        else { return ["active": false] }
        var members: JSONObject = [
            "active": true, "client_id": .string(grant.clientID), "username": .string(user.username),
            "sub": .string(grant.subject), "iss": .string(issuer.text), "exp": .date(issued.expiresAt),
        ]
        if !issued.scopes.isEmpty { members["scope"] = .string(issued.scopes.joined(separator: " ")) }
        guard access != nil else { return members }
        members["token_type"] = issued.thumbprint == nil ? "Bearer" : "DPoP"
        var confirmation: JSONObject = [:]
        confirmation["jkt"] = issued.thumbprint.map(JSON.string)
        confirmation["x5t#S256"] = issued.certificate.map { .string($0.text) }
        if !confirmation.isEmpty { members["cnf"] = .object(confirmation) }
        if let claims = try? JWT(compact: token).claims {
            for name in ["aud", "iat", "jti"] { members[name] = claims[name] }
        }
        return members
    }
}

extension HTTPRequest {
    fileprivate var acceptsSignedIntrospection: Bool {
        fields.values(of: "Accept").flatMap { $0.split(separator: ",") }.contains { range in
            let type = range.split(separator: ";").first.map { $0.filter { $0 != " " }.lowercased() }
            return type == "application/token-introspection+jwt"
        }
    }
}
