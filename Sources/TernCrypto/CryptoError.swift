/// Why a key was refused or an operation of this module failed.
///
/// The text names the member of the key and the rule that it breaks. It never holds key material, a message or a
/// signature, so it may be logged. A signature that does not fit is not an error: verification answers `false`.
public struct CryptoError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kinds of failure.
    public enum Kind: Sendable, Hashable {
        /// A key cannot be used. `field` is the name of the JWK member at fault (RFC 7518 section 6, RFC 8037
        /// section 2): `n`, `e`, `d`, `p`, `q`, `dp`, `dq`, `qi`, `x`, `y` or `k`.
        case invalidKey(field: String)
        /// The system's cryptographic library cannot do what was asked; the text names it.
        case unsupported(String)
        /// The system's cryptographic library failed in the operation that is named, for a reason of its own.
        case operationFailed(String)
    }

    /// What kind of failure it is, for a `switch`.
    public let kind: Kind

    /// What is wrong and, where something can be done, what to do. Empty when ``kind`` says everything.
    public let reason: String

    /// Makes an error. `reason` must not hold any part of a key.
    public init(_ kind: Kind, reason: String = "") {
        self.kind = kind
        self.reason = reason
    }

    /// One line that names the kind and the reason.
    public var description: String {
        let what =
            switch kind {
            case .invalidKey(let field): "invalid key, member \"\(field)\""
            case .unsupported(let feature): "unsupported: \(feature)"
            case .operationFailed(let operation): "\(operation) failed"
            }
        return reason.isEmpty ? what : "\(what): \(reason)"
    }

    static func invalidKey(_ field: String, _ reason: String) -> Self {
        Self(.invalidKey(field: field), reason: reason)
    }
}
