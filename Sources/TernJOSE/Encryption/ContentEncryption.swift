internal import TernCrypto

/// How the content of a token is encrypted: the `enc` values of RFC 7518 §5.1. Each tells when something was changed.
public enum ContentEncryption: String, Sendable, Hashable, CaseIterable {
    /// AES-128 in Galois/Counter Mode.
    case a128GCM = "A128GCM"
    /// AES-192 in Galois/Counter Mode.
    case a192GCM = "A192GCM"
    /// AES-256 in Galois/Counter Mode.
    case a256GCM = "A256GCM"
    /// AES-128 in CBC mode with HMAC-SHA-256.
    case a128CBCHS256 = "A128CBC-HS256"
    /// AES-192 in CBC mode with HMAC-SHA-384.
    case a192CBCHS384 = "A192CBC-HS384"
    /// AES-256 in CBC mode with HMAC-SHA-512.
    case a256CBCHS512 = "A256CBC-HS512"

    /// The length of the key in bytes.
    public var keyByteCount: Int {
        switch self {
        case .a128GCM: 16
        case .a192GCM: 24
        case .a256GCM, .a128CBCHS256: 32
        case .a192CBCHS384: 48
        case .a256CBCHS512: 64
        }
    }

    /// The length of the initialization vector in bytes.
    var vectorByteCount: Int { isGCM ? AESGCMKey.nonceByteCount : AESCBCHMACKey.vectorByteCount }

    /// The length of the tag in bytes.
    var tagByteCount: Int { isGCM ? AESGCMKey.tagByteCount : keyByteCount / 2 }

    private var isGCM: Bool {
        switch self {
        case .a128GCM, .a192GCM, .a256GCM: true
        case .a128CBCHS256, .a192CBCHS384, .a256CBCHS512: false
        }
    }

    /// What comes out of an encryption.
    struct Sealed {
        let vector: [UInt8]
        let text: [UInt8]
        let tag: [UInt8]
    }

    /// Encrypts; the key has its length.
    func seal(
        _ message: [UInt8], with key: [UInt8], authenticating data: [UInt8], random: any RandomSource
    ) throws(CryptoError) -> Sealed {
        let sealed =
            isGCM
            ? try AESGCMKey(key).seal(message, authenticating: data, random: random)
            : try AESCBCHMACKey(key).seal(message, authenticating: data, random: random)
        return Sealed(
            vector: Array(sealed.prefix(vectorByteCount)),
            text: Array(sealed.dropFirst(vectorByteCount).dropLast(tagByteCount)),
            tag: Array(sealed.suffix(tagByteCount)))
    }

    /// Decrypts; `nil` when the tag does not fit or something has the wrong length.
    func open(_ sealed: Sealed, with key: [UInt8], authenticating data: [UInt8]) -> [UInt8]? {
        guard key.count == keyByteCount, sealed.vector.count == vectorByteCount, sealed.tag.count == tagByteCount
        else { return nil }
        let bytes = sealed.vector + sealed.text + sealed.tag
        return isGCM
            ? (try? AESGCMKey(key))?.open(bytes, authenticating: data)
            : (try? AESCBCHMACKey(key))?.open(bytes, authenticating: data)
    }
}
