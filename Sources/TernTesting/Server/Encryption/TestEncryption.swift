public import TernJOSE

/// How a test server encrypts what it tells a client (OpenID Connect Registration 1.0 §2, the `…_encrypted_response_…`
/// members).
public struct TestEncryption: Sendable, Hashable {
    /// How the content's key reaches the client.
    public var algorithm: KeyManagementAlgorithm
    /// How the content is encrypted; A128CBC-HS256 by default, as in the standard.
    public var encryption: ContentEncryption
    /// The client's public key, or a shared one; `nil` for the key that the client's secret stands for.
    public var key: JWK?

    /// Describes an encryption.
    public init(
        _ algorithm: KeyManagementAlgorithm, _ encryption: ContentEncryption = .a128CBCHS256, key: JWK? = nil
    ) {
        self.algorithm = algorithm
        self.encryption = encryption
        self.key = key
    }

    /// Two are equal when the algorithms, the key ID and the public half of the key are.
    public static func == (one: TestEncryption, other: TestEncryption) -> Bool {
        one.algorithm == other.algorithm && one.encryption == other.encryption && one.key?.keyID == other.key?.keyID
            && one.key?.thumbprint() == other.key?.thumbprint()
    }

    /// Hashes the algorithms.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(algorithm)
        hasher.combine(encryption)
    }
}
