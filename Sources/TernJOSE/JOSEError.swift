/// Why a key, a key set, a signed token or its claims were refused.
///
/// The error never holds a token, a key, a signature or the value of a claim; the texts in it are names of parts, claims
/// and rules, and at most 64 code points of the name of an algorithm, escaped where they are not printable ASCII.
public enum JOSEError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The named part is not what its RFC says: `token`, `header`, `header.alg`, `payload`, `signature`, `keys` and so on.
    case malformed(String)
    /// The token has five parts: it is encrypted (RFC 7516), and a signed one was expected; ``JWE`` opens it.
    case encrypted
    /// The algorithm is unknown (`none` counts as unknown), or not among those that are allowed.
    case unsupportedAlgorithm(String)
    /// No key fits the header of the token. `hasKeyID` tells whether the header named a key; fetching the key set once
    /// more may help.
    case unknownKey(hasKeyID: Bool)
    /// A key fits, and the signature is not its.
    case invalidSignature
    /// The named claim has another type than its specification says.
    case malformedClaim(String)
    /// The header demands an extension that is not understood (`crit`, RFC 7515 §4.1.11, or `b64`, RFC 7797).
    case criticalHeader
    /// The token cannot be decrypted: the key is another one, or something was changed. Which of the two is not told, so that
    /// nobody can learn anything about the key by asking often (RFC 7516 §11.5).
    case decryptionFailed
    /// The content was compressed before it was encrypted (`zip`, RFC 7516 §4.1.3), which is not taken: a small token could
    /// unfold to any size.
    case compressed
    /// The token is longer than the limit.
    case tooLarge
    /// A part is not JSON, or repeats a member.
    case json(JSONError)
    /// The key cannot be used, for this at least; the text says why.
    case keyUnusable(String)

    /// What is wrong, in a sentence that is fit for a log.
    public var description: String {
        switch self {
        case .malformed(let part): "malformed JOSE value: \(part)"
        case .encrypted: "the token is encrypted (five parts) where a signed one was expected"
        case .unsupportedAlgorithm(let name): "the algorithm \"\(name)\" is not supported or not allowed"
        case .unknownKey(hasKeyID: true): "no usable key has the key ID that the token names"
        case .unknownKey(hasKeyID: false): "no usable key fits the token, which names no key ID"
        case .invalidSignature: "the signature is not valid"
        case .malformedClaim(let name): "the claim \"\(name)\" has the wrong type"
        case .criticalHeader: "the header demands an extension that is not understood"
        case .decryptionFailed: "the token cannot be decrypted"
        case .compressed: "the token is compressed (zip), which is not supported"
        case .tooLarge: "the token is too large"
        case .json(let error): error.description
        case .keyUnusable(let reason): "the key cannot be used: \(reason)"
        }
    }

    /// Names an algorithm that came from outside.
    static func unsupported(algorithm name: String) -> JOSEError {
        .unsupportedAlgorithm(quotable(name))
    }
}
