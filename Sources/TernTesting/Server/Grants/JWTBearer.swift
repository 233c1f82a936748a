public import TernJOSE
internal import TernProtocol

/// Somebody whose assertions a test server takes (RFC 7523 §3).
public struct TrustedIssuer: Sendable, Hashable {
    /// The name (`iss`).
    public let issuer: String
    /// The public keys, as a key set.
    public let keys: JSONObject

    /// Trusts a name with the public half of a key.
    public init(_ issuer: String, key: SigningKey) {
        self.issuer = issuer
        keys = JWKSet([key.publicKey]).publicJSON()
    }
}

extension AuthorizationServer {
    /// The longest time that an assertion may be good for.
    private static let longestAssertion = Duration.seconds(3_600)

    /// Assertions (RFC 7523 §2.1): about a user, or about the issuer itself as a service.
    mutating func grantForAssertion(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let text = parameters.value("assertion") else {
            throw EndpointFailure("invalid_request", "assertion is missing")
        }
        let claims = try checkedClaims(text, at: now)
        guard let issuer = claims["iss"]?.string, let subject = claims["sub"]?.string,
            let isOfClient = subject == issuer ? true : user(subject).map({ _ in false })
        else { throw EndpointFailure("invalid_grant", "the subject is not known") }
        // What was recorded somewhere must be worth nothing.
        guard let id = claims["jti"]?.string,
            state.usedAssertions.use("grant \(issuer) \(id)", until: now + Self.longestAssertion)
        else {
            throw EndpointFailure("invalid_grant", "the assertion has no identifier of its own")
        }
        let scopes = try scopes(parameters, among: client.scopes.subtracting(["openid", "offline_access"]))
        return try issue(
            newGrant(client, subject: subject, scopes, at: now, isOfClient: isOfClient), client, scopes: scopes,
            withRefreshToken: false, isFirst: true, at: now)
    }

    private func checkedClaims(_ text: String, at now: NumericDate) throws(EndpointFailure) -> JSONObject {
        func refused(_ problem: String) -> EndpointFailure { EndpointFailure("invalid_grant", problem) }
        guard let jws = try? JWS(compact: text), let claims = try? JWTClaims(parsing: jws.payload),
            let name = try? claims.issuer
        else { throw refused("the assertion cannot be read") }
        guard let trusted = settings.trustedIssuers.first(where: { $0.issuer == name }),
            let keys = try? JWKSet(.object(trusted.keys))
        else { throw refused("the issuer is not trusted") }
        let asymmetric = Set(SignatureAlgorithm.allCases.filter(\.isAsymmetric))
        do { _ = try jws.verify(with: keys, allowed: asymmetric) } catch { throw refused("the signature is wrong") }
        guard let audience = try? claims.audience,
            !Set(audience).isDisjoint(with: [issuer.text, address(of: .token)])
        else { throw refused("the assertion is for somebody else") }
        guard let end = try? claims.expiration, end > now, end <= now + Self.longestAssertion else {
            throw refused("the assertion is over, or good for too long")
        }
        if let start = try? claims.date("nbf"), start > now { throw refused("the assertion is not good yet") }
        return claims.members
    }
}
