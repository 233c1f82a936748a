/// A signed JSON Web Token (RFC 7519): a signature over claims.
///
/// Reading it checks its form only. Nothing in ``claims`` may be trusted before ``JWS/verify(with:allowed:)-(JWK,_)`` of
/// ``jws`` has succeeded and the claims have been checked against what was expected. A JWT prints nothing of itself.
public struct JWT: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The signed token.
    public let jws: JWS

    /// What the token states.
    public let claims: JWTClaims

    /// Reads a token in its compact form.
    ///
    /// - Throws: What ``JWS/init(compact:maximumByteCount:)`` and ``JWTClaims/init(parsing:)`` throw.
    public init(
        compact: String, maximumByteCount: Int = JWS.standardMaximumByteCount
    ) throws(JOSEError) {
        jws = try JWS(compact: compact, maximumByteCount: maximumByteCount)
        claims = try JWTClaims(parsing: jws.payload)
    }

    /// Signs claims and writes the token in its compact form.
    ///
    /// - Throws: What ``JWS/sign(payload:header:key:)`` throws.
    public static func sign(_ claims: JWTClaims, header: JWSHeader, key: JWK) throws(JOSEError) -> String {
        try JWS.sign(payload: claims.members.serialized(), header: header, key: key)
    }

    /// The header of the token.
    public var header: JWSHeader { jws.header }

    /// Says that a token is here, and nothing of it.
    public var description: String { "<JWT>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
