internal import TernCrypto
public import TernJOSE
internal import TernProtocol

/// What the access tokens of a test server look like.
public enum AccessTokenFormat: Sendable, Hashable {
    /// Random text that only the server understands.
    case opaque
    /// JWTs (RFC 9068) for an audience, signed with an algorithm; without an audience they are for the server's own API.
    case jwt(audience: String? = nil, algorithm: SignatureAlgorithm = .rs256)
}

extension AuthorizationServer {
    /// The text of a new access token. The server remembers it, whatever it looks like.
    mutating func makeAccessToken(
        of grant: Grant, scopes: [String], resources: [String], thumbprint: String?,
        certificate: CertificateThumbprint?, at now: NumericDate
    ) throws(EndpointFailure) -> String {
        guard case .jwt(let audience, let algorithm) = settings.accessTokenFormat else { return token("access") }
        var claims: JSONObject = [
            "iss": .string(issuer.text),
            "sub": .string(grant.subject),
            "aud": resources.count > 1
                ? .array(resources.map(JSON.string)) : .string(resources.first ?? audience ?? address(of: .api)),
            "client_id": .string(grant.clientID),
            "iat": .date(now),
            "exp": .date(now + settings.accessTokenLifetime),
            "jti": .string(token("jti")),
            "auth_time": .date(grant.authenticatedAt),
        ]
        claims["authorization_details"] = grant.authorizationDetails
        claims["acr"] = grant.authenticationContext.map(JSON.string)
        if !scopes.isEmpty { claims["scope"] = .string(scopes.joined(separator: " ")) }
        // RFC 9068 §2.2.3.1: what an API needs to know of the user beside the scope.
        for name in ["roles", "groups", "entitlements"] { claims[name] = user(grant.subject)?.claims[name] }
        var confirmation: JSONObject = [:]
        confirmation["jkt"] = thumbprint.map(JSON.string)
        confirmation["x5t#S256"] = certificate.map { .string($0.text) }
        if !confirmation.isEmpty { claims["cnf"] = .object(confirmation) }
        return try sign(claims, algorithm, type: "at+jwt")
    }

    /// Signs claims with the server's key.
    mutating func sign(
        _ claims: JSONObject, _ algorithm: SignatureAlgorithm, type: String
    ) throws(EndpointFailure) -> String {
        do throws(JOSEError) {
            let key = try keys.key(for: algorithm)
            let header = JWSHeader(algorithm: algorithm, keyID: key.keyID, type: type)
            return try JWS.sign(payload: claims.serialized(), header: header, key: key)
        } catch {
            throw EndpointFailure.internalTrouble
        }
    }
}
