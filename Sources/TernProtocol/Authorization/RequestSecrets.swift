public import TernCrypto

/// What ties an answer to its request, made anew for each: 256 random bits for every part, in letters, digits, `-` and
/// `_` alone, since some servers give other characters back changed.
public struct RequestSecrets: Sendable, Hashable {
    /// Ties the callback to the request (RFC 6749 §10.12).
    public let state: String
    /// Ties the ID token to the request (OpenID Connect Core 1.0 §15.5.2).
    public let nonce: String
    /// Ties the code to this application (RFC 7636).
    public let codeVerifier: CodeVerifier

    /// Makes them from one draw of random bytes.
    public init(from random: some RandomSource = SystemRandomSource()) {
        let bytes = random.bytes(96)
        state = Base64URL.encode(Array(bytes.prefix(32)))
        nonce = Base64URL.encode(Array(bytes.dropFirst(32).prefix(32)))
        codeVerifier = CodeVerifier(randomBytes: Array(bytes.suffix(32)))
    }
}

extension RequestSecrets: CustomStringConvertible, CustomReflectable {
    /// Says what they are.
    public var description: String { "<request secrets>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
