internal import TernCrypto

/// How the key that encrypts a token reaches the recipient: the `alg` values of RFC 7518 §4.1 that are supported.
///
/// The raw value is the exact spelling. RSA1_5 is not here, because a server that decrypts it can be made to give its
/// answers away (RFC 8017 §7.2), nor are the PBES2 algorithms, which are for passwords that people choose and let a token
/// demand any amount of work.
public enum KeyManagementAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSAES-OAEP with SHA-1, which is not weak in this use.
    case rsaOAEP = "RSA-OAEP"
    /// RSAES-OAEP with SHA-256.
    case rsaOAEP256 = "RSA-OAEP-256"
    /// RSAES-OAEP with SHA-384.
    case rsaOAEP384 = "RSA-OAEP-384"
    /// RSAES-OAEP with SHA-512.
    case rsaOAEP512 = "RSA-OAEP-512"
    /// Key agreement on P-256, P-384, P-521 or X25519; what is agreed on encrypts the content.
    case ecdhES = "ECDH-ES"
    /// Key agreement; what is agreed on wraps a key with AES-128.
    case ecdhESA128KW = "ECDH-ES+A128KW"
    /// Key agreement; what is agreed on wraps a key with AES-192.
    case ecdhESA192KW = "ECDH-ES+A192KW"
    /// Key agreement; what is agreed on wraps a key with AES-256.
    case ecdhESA256KW = "ECDH-ES+A256KW"
    /// AES Key Wrap with a shared key of 16 bytes.
    case a128KW = "A128KW"
    /// AES Key Wrap with a shared key of 24 bytes.
    case a192KW = "A192KW"
    /// AES Key Wrap with a shared key of 32 bytes.
    case a256KW = "A256KW"
    /// The key is encrypted with AES-GCM and a shared key of 16 bytes.
    case a128GCMKW = "A128GCMKW"
    /// The key is encrypted with AES-GCM and a shared key of 24 bytes.
    case a192GCMKW = "A192GCMKW"
    /// The key is encrypted with AES-GCM and a shared key of 32 bytes.
    case a256GCMKW = "A256GCMKW"
    /// A shared key encrypts the content itself.
    case direct = "dir"

    /// The families of algorithms.
    enum Family {
        case rsa(HashFunction)
        case agreement
        case agreementWithKeyWrap
        case keyWrap
        case gcmKeyWrap
        case direct
    }

    var family: Family {
        switch self {
        case .rsaOAEP: .rsa(.sha1)
        case .rsaOAEP256: .rsa(.sha256)
        case .rsaOAEP384: .rsa(.sha384)
        case .rsaOAEP512: .rsa(.sha512)
        case .ecdhES: .agreement
        case .ecdhESA128KW, .ecdhESA192KW, .ecdhESA256KW: .agreementWithKeyWrap
        case .a128KW, .a192KW, .a256KW: .keyWrap
        case .a128GCMKW, .a192GCMKW, .a256GCMKW: .gcmKeyWrap
        case .direct: .direct
        }
    }

    /// Whether the key that decrypts is private to the recipient; `false` where both sides know it.
    public var isAsymmetric: Bool {
        switch family {
        case .rsa, .agreement, .agreementWithKeyWrap: true
        case .keyWrap, .gcmKeyWrap, .direct: false
        }
    }

    /// Whether two keys agree on a secret.
    var isAgreement: Bool {
        switch family {
        case .agreement, .agreementWithKeyWrap: true
        case .rsa, .keyWrap, .gcmKeyWrap, .direct: false
        }
    }

    /// The length in bytes of the AES key that wraps; `nil` where no AES key wraps another key.
    var wrappingKeyByteCount: Int? {
        switch self {
        case .ecdhESA128KW, .a128KW, .a128GCMKW: 16
        case .ecdhESA192KW, .a192KW, .a192GCMKW: 24
        case .ecdhESA256KW, .a256KW, .a256GCMKW: 32
        case .rsaOAEP, .rsaOAEP256, .rsaOAEP384, .rsaOAEP512, .ecdhES, .direct: nil
        }
    }

    /// The length in bytes of the key that both sides know; `nil` where there is none.
    public func sharedKeyByteCount(for encryption: ContentEncryption) -> Int? {
        guard !isAsymmetric else { return nil }
        return wrappingKeyByteCount ?? encryption.keyByteCount
    }
}
