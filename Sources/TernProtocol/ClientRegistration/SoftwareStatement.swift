internal import TernCrypto
public import TernJOSE

/// Metadata of a client that somebody vouches for with a signature (RFC 7591 §2.3). A client passes it on as it is, with
/// ``ClientMetadata/softwareStatement``; a server reads it here.
public struct SoftwareStatement: Sendable, Hashable {
    /// Who vouches.
    public let issuer: String
    /// What is vouched for.
    public let metadata: ClientMetadata

    private static let registeredClaims = ["iss", "sub", "aud", "exp", "nbf", "iat", "jti"]

    /// Checks a statement.
    ///
    /// - Parameters:
    ///   - text: the statement, a JWT.
    ///   - keys: the keys of those who may vouch, by the issuer they are known as.
    ///   - audience: who reads it; a statement with an `aud` must name it.
    ///   - now: the time.
    ///   - allowed: the algorithms; never one whose key both sides know.
    /// - Throws: ``TernError`` with a `serverError` to answer with: `invalid_software_statement`, or
    ///   `unapproved_software_statement` for an issuer that is not among the keys.
    public init(
        verifying text: String, keys: [String: JWKSet], audience: String? = nil, now: NumericDate,
        allowed: Set<SignatureAlgorithm> = SignatureAlgorithm.asymmetric
    ) throws(TernError) {
        func refusal(_ detail: String, _ code: String = "invalid_software_statement") -> TernError {
            TernError(.serverError(ServerError(code: code, detail: detail)), at: .registration)
        }
        guard let jwt = try? JWT(compact: text) else { throw refusal("it is not a signed JWT") }
        guard let issuer = try? jwt.claims.issuer else { throw refusal("it names no issuer") }
        guard let known = keys[issuer] else {
            throw refusal("its issuer is not trusted", "unapproved_software_statement")
        }
        do { try jwt.jws.verify(with: known, allowed: allowed.intersection(SignatureAlgorithm.asymmetric)) } catch {
            throw refusal("its signature is not valid")
        }
        do throws(JOSEError) {
            if let end = try jwt.claims.expiration, end <= now { throw JOSEError.malformedClaim("exp") }
            if let begin = try jwt.claims.notBefore, begin > now { throw JOSEError.malformedClaim("nbf") }
            if let readers = try jwt.claims.audience, let audience, !readers.contains(audience) {
                throw JOSEError.malformedClaim("aud")
            }
        } catch {
            throw refusal("one of its claims exp, nbf and aud does not allow it here")
        }
        self.issuer = issuer
        var members: JSONObject = [:]
        for (name, value) in jwt.claims.members where !Self.registeredClaims.contains(name) { members[name] = value }
        metadata = ClientMetadata(members: members)
    }

    /// Metadata in which what is vouched for takes precedence (RFC 7591 §2.3).
    public func applied(to plain: ClientMetadata) -> ClientMetadata {
        var members = plain.members
        for (name, value) in metadata.members { members[name] = value }
        return ClientMetadata(members: members)
    }

    /// Vouches for metadata.
    ///
    /// - Throws: what `JWT.sign` throws.
    public static func sign(
        _ metadata: ClientMetadata, issuer: String, issuedAt: NumericDate, key: SigningKey
    ) throws(JOSEError) -> String {
        var claims: JSONObject = ["iss": .string(issuer), "iat": .number(JSONNumber(issuedAt.wholeSeconds))]
        for (name, value) in metadata.members where !registeredClaims.contains(name) { claims[name] = value }
        return try JWT.sign(JWTClaims(claims), type: "JWT", key: key)
    }
}
