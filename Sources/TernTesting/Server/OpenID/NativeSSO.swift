internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Sign-ins that applications of one maker share on a device (OpenID Connect Native SSO for Mobile Apps 1.0): the scope
/// `device_sso` brings a device secret, and an ID token with `ds_hash`; both together are exchanged for another
/// application's tokens.
extension AuthorizationServer {
    static let deviceSecretType = "urn:openid:params:token-type:device-secret"

    /// Gives a grant its device secret, where the scope asks for one. One that the device showed and that is known stays
    /// (§3.3), so that several users can share a device.
    mutating func noteDeviceSecret(of grantID: String, _ scopes: [String]) {
        guard Set(scopes).isSuperset(of: ["openid", "device_sso"]), let grant = state.grants[grantID],
            grant.deviceSecret == nil
        else { return }
        let shown = state.shownDeviceSecret.flatMap { secret in
            state.grants.values.contains { $0.deviceSecret == secret && !$0.isRevoked } ? secret : nil
        }
        let secret = shown ?? token("device-secret")
        state.grants[grantID]?.deviceSecret = secret
    }

    /// What ties an ID token to a device secret; the profile leaves the kind of hash to the server (§3.4).
    static func hash(ofDeviceSecret secret: String) -> String {
        Base64URL.encode(HashFunction.sha256.digest(Array(secret.utf8)))
    }

    /// The exchange of another application's ID token and the device secret (§4).
    mutating func exchangeSharedSignIn(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let idToken = parameters.value("subject_token"),
            parameters.value("subject_token_type") == TokenType.idToken.rawValue
        else { throw EndpointFailure("invalid_request", "a device secret goes with an ID token") }
        guard let secret = parameters.value("actor_token") else {
            throw EndpointFailure("invalid_request", "the device secret is missing")
        }
        let audiences = parameters.values(of: "audience")
        guard !audiences.isEmpty else { throw EndpointFailure("invalid_request", "audience is missing") }
        guard audiences == [issuer.text] else { throw EndpointFailure("invalid_target", "audience is not this server") }
        let requested = parameters.value("requested_token_type") ?? TokenType.accessToken.rawValue
        guard requested == TokenType.accessToken.rawValue else {
            throw EndpointFailure("invalid_request", "this kind of token is not issued")
        }
        let shared = try sharedSession(idToken, secret, with: client)
        let wanted = try scopes(parameters, among: client.scopes)
        let scopes = wanted.isEmpty ? shared.scopes.filter(client.scopes.contains) : wanted
        let id = newGrant(
            client, subject: shared.subject, scopes, at: shared.authenticatedAt, sessionID: shared.sessionID,
            authenticationContext: shared.authenticationContext)
        // The next application may come with these tokens.
        state.grants[id]?.deviceSecret = secret
        let response = try issue(
            id, client, scopes: scopes, withRefreshToken: wantsRefreshToken(client, scopes), isFirst: true, at: now)
        guard var members = try? JSON(parsing: response.body).object else { throw EndpointFailure.internalTrouble }
        members["issued_token_type"] = .string(requested)
        return .json(members)
    }

    /// A grant that still holds the session which an ID token names. The token's end does not count (§4.3).
    private func sharedSession(
        _ idToken: String, _ secret: String, with client: TestClient
    ) throws(EndpointFailure) -> Grant {
        guard let known = state.idTokens[idToken],
            let claims = (try? JWS(compact: idToken)).flatMap({ try? JWTClaims(parsing: $0.payload) })
        else { throw EndpointFailure("invalid_request", "the ID token is not from here") }
        guard let hash = claims["ds_hash"]?.string, hash == Self.hash(ofDeviceSecret: secret) else {
            throw EndpointFailure("invalid_request", "the device secret does not belong to the ID token")
        }
        let maker = self.client(known.clientID)?.maker
        guard known.clientID == client.clientID || maker != nil && maker == client.maker else {
            throw EndpointFailure("unauthorized_client", "this client is of another maker")
        }
        let grant = state.grants.values.first { grant in
            grant.sessionID == known.sessionID && grant.deviceSecret == secret && !grant.isRevoked
        }
        guard let grant, user(grant.subject) != nil else {
            throw EndpointFailure("invalid_grant", "the session is over")
        }
        return grant
    }

    /// What the metadata says of it.
    var metadataOfSharedSignIns: JSONObject {
        ["native_sso_supported": .bool(clients.contains { $0.scopes.contains("device_sso") })]
    }
}
