internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension TestClient {
    /// The grants beside code and refresh token.
    public enum FurtherGrant: String, Sendable, Hashable, CaseIterable {
        /// Tokens of the client's own (RFC 6749 §4.4); refused to public clients.
        case clientCredentials = "client_credentials"
        /// A user's password (RFC 6749 §4.3); refused unless ``ServerSettings/allowsPasswordGrant`` is set.
        case password
        /// Codes for a device (RFC 8628).
        case deviceCode = "urn:ietf:params:oauth:grant-type:device_code"
        /// Tokens for tokens (RFC 8693).
        case tokenExchange = "urn:ietf:params:oauth:grant-type:token-exchange"
        /// Assertions of the ``ServerSettings/trustedIssuers`` (RFC 7523 §2.1).
        case jwtBearer = "urn:ietf:params:oauth:grant-type:jwt-bearer"
        /// Users that are asked on their devices (OpenID Connect CIBA Core 1.0); refused to public clients.
        case backchannel = "urn:openid:params:grant-type:ciba"
    }
}

extension AuthorizationServer {
    /// The grants that have no callback.
    mutating func furtherGrant(
        _ type: String, _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let grant = TestClient.FurtherGrant(rawValue: type), offeredGrants.contains(grant) else {
            throw EndpointFailure("unsupported_grant_type", "this grant is not offered")
        }
        guard client.furtherGrants.contains(grant) else {
            throw EndpointFailure("unauthorized_client", "this client is not registered for this grant")
        }
        switch grant {
        case .clientCredentials: return try grantToClient(parameters, client, at: now)
        case .password: return try grantForPassword(parameters, client, at: now)
        case .deviceCode: return try grantToDevice(parameters, client, at: now)
        case .tokenExchange: return try exchangeToken(parameters, client, at: now)
        case .jwtBearer: return try grantForAssertion(parameters, client, at: now)
        case .backchannel: return try grantOverBackchannel(parameters, client, at: now)
        }
    }

    var offeredGrants: [TestClient.FurtherGrant] {
        TestClient.FurtherGrant.allCases.filter { $0 != .password || settings.allowsPasswordGrant }
    }

    /// The scopes of a request, which must be among those of the client.
    func scopes(
        _ parameters: FormParameters, among allowed: Set<String>
    ) throws(EndpointFailure) -> [String] {
        let scopes = (parameters.value("scope") ?? "").split(separator: " ").map(String.init)
        if let unknown = scopes.first(where: { !allowed.contains($0) }) {
            throw EndpointFailure("invalid_scope", "the scope \(unknown) is not for this client")
        }
        return scopes
    }

    /// Client credentials (RFC 6749 §4.4).
    private mutating func grantToClient(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard !client.isPublic else {
            throw EndpointFailure("unauthorized_client", "a public client gets no tokens of its own")
        }
        let scopes = try scopes(parameters, among: client.scopes.subtracting(["openid", "offline_access"]))
        return try issue(
            newGrant(client, subject: client.clientID, scopes, at: now, isOfClient: true), client, scopes: scopes,
            withRefreshToken: false, isFirst: true, at: now)
    }

    /// A user's name and password (RFC 6749 §4.3).
    private mutating func grantForPassword(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let username = parameters.value("username"), let password = parameters.value("password") else {
            throw EndpointFailure("invalid_request", "username or password is missing")
        }
        guard let user = users.first(where: { $0.username == username }), user.password.exposedText == password else {
            throw EndpointFailure("invalid_grant", "the user name or the password is wrong")
        }
        let scopes = try scopes(parameters, among: client.scopes)
        return try issue(
            newGrant(client, subject: user.subject, scopes, at: now), client, scopes: scopes,
            withRefreshToken: client.refreshTokens == .always, isFirst: true, at: now)
    }

    /// Notes a grant that came of no authorization request.
    mutating func newGrant(
        _ client: TestClient, subject: String, _ scopes: [String], at time: NumericDate, sessionID: String? = nil,
        authenticationContext: String? = nil, isOfClient: Bool = false, actor: JSONObject? = nil
    ) -> String {
        let id = token("grant")
        var grant = Grant(
            clientID: client.clientID, subject: subject, scopes: scopes, authenticatedAt: time,
            sessionID: sessionID ?? token("sid"), authenticationContext: authenticationContext, nonce: nil)
        grant.isOfClient = isOfClient
        grant.actor = actor
        state.grants[id] = grant
        return id
    }

    func wantsRefreshToken(_ client: TestClient, _ scopes: [String]) -> Bool {
        switch client.refreshTokens {
        case .always: true
        case .withOfflineAccess: scopes.contains("offline_access")
        case .never: false
        }
    }

    /// What the metadata says of the grants here.
    var metadataOfGrants: JSONObject {
        let grants = ["authorization_code", "refresh_token"] + offeredGrants.map(\.rawValue)
        return [
            "grant_types_supported": .array(grants.map(JSON.string)),
            "device_authorization_endpoint": .string(address(of: .deviceAuthorization)),
            "backchannel_authentication_endpoint": .string(address(of: .backchannelAuthentication)),
            "backchannel_token_delivery_modes_supported": ["poll", "ping", "push"],
            "backchannel_user_code_parameter_supported": .bool(!settings.backchannelUserCodes.isEmpty),
        ]
    }
}
