/// What a token states: the claims of RFC 7519 §4, all kept, the registered ones with their types.
///
/// A claim that is missing is `nil`; one of the wrong type is an error when it is asked for, because a check that passes
/// over it would be no check. `null` is of the wrong type.
public struct JWTClaims: Sendable, Hashable {
    /// All claims in their order.
    public var members: JSONObject

    /// Wraps claims.
    public init(_ members: JSONObject = [:]) { self.members = members }

    /// Reads claims from the payload of a token.
    ///
    /// - Throws: ``JOSEError/json(_:)`` when the payload is not JSON or repeats a claim, ``JOSEError/malformed(_:)`` with
    ///   `payload` when it is not an object.
    public init(parsing payload: [UInt8]) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: payload, limits: .jose) } catch { throw .json(error) }
        guard let object = json.object else { throw .malformed("payload") }
        members = object
    }

    /// Any claim by its name. Setting `nil` removes it.
    public subscript(name: String) -> JSON? {
        get { members[name] }
        set { members[name] = newValue }
    }

    /// The `iss` (RFC 7519 §4.1.1): who made the token.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a text.
    public var issuer: String? { get throws(JOSEError) { try text("iss") } }

    /// The `sub` (RFC 7519 §4.1.2): whom the token is about.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a text.
    public var subject: String? { get throws(JOSEError) { try text("sub") } }

    /// The `aud` (RFC 7519 §4.1.3): for whom the token is, one text or a list of them.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is neither.
    public var audience: [String]? {
        get throws(JOSEError) {
            guard let value = members["aud"] else { return nil }
            if let one = value.string { return [one] }
            guard let list = value.array else { throw .malformedClaim("aud") }
            let texts = list.compactMap(\.string)
            guard texts.count == list.count else { throw .malformedClaim("aud") }
            return texts
        }
    }

    /// The `exp` (RFC 7519 §4.1.4): when the token ends.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a number.
    public var expiration: NumericDate? { get throws(JOSEError) { try date("exp") } }

    /// The `nbf` (RFC 7519 §4.1.5): from when on the token counts.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a number.
    public var notBefore: NumericDate? { get throws(JOSEError) { try date("nbf") } }

    /// The `iat` (RFC 7519 §4.1.6): when the token was made.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a number.
    public var issuedAt: NumericDate? { get throws(JOSEError) { try date("iat") } }

    /// The `jti` (RFC 7519 §4.1.7): the name of this one token.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a text.
    public var tokenID: String? { get throws(JOSEError) { try text("jti") } }

    /// A claim that must be a text, `nil` when it is missing.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is something else.
    public func text(_ name: String) throws(JOSEError) -> String? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { throw .malformedClaim(name) }
        return text
    }

    /// A claim that must be a `NumericDate`, whole or with a fraction, `nil` when it is missing. Digits in quotes are a
    /// text and no date.
    ///
    /// - Throws: ``JOSEError/malformedClaim(_:)`` when it is not a number, or one beyond the range of `Double`.
    public func date(_ name: String) throws(JOSEError) -> NumericDate? {
        guard let value = members[name] else { return nil }
        guard let seconds = value.double else { throw .malformedClaim(name) }
        return NumericDate(seconds)
    }
}
