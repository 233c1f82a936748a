public import TernCrypto

/// The bytes of a key that both sides know (`oct`, RFC 7518 §6.4), ready for HMAC. It prints nothing of itself.
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

    /// Says that a key is here, and nothing of it.
    public var description: String { "<symmetric key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
