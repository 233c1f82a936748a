public import TernCrypto

/// The bytes of a key that both sides know (`oct`, RFC 7518 §6.4), ready for HMAC and encryption. It prints nothing of itself.
public struct SymmetricKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key itself. Whoever reads it answers for where it goes.
    public let exposedBytes: [UInt8]

    let hmac: HMACKey

    /// Wraps the bytes of a key.
    public init(_ bytes: [UInt8]) {
        exposedBytes = bytes
        hmac = HMACKey(bytes)
    }

    /// The key that a shared secret stands for: its UTF-8 (OpenID Connect Core 1.0 §10.1).
    public init<Purpose>(secret: Secret<Purpose>) {
        self.init(Array(secret.exposedText.utf8))
    }

    /// The key for encryption that a shared secret stands for: the beginning of the SHA-2 digest of its UTF-8, SHA-256 for up
    /// to 32 bytes, SHA-384 for up to 48 and SHA-512 for up to 64 (OpenID Connect Core 1.0 §10.2). `nil` for more than 64.
    public init?<Purpose>(encryptingWith secret: Secret<Purpose>, byteCount: Int) {
        let hash: HashFunction
        switch byteCount {
        case 1...32: hash = .sha256
        case 33...48: hash = .sha384
        case 49...64: hash = .sha512
        default: return nil
        }
        self.init(Array(hash.digest(Array(secret.exposedText.utf8)).prefix(byteCount)))
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<symmetric key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
