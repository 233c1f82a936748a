/// A public key for Ed25519 (RFC 8032), the curve of EdDSA in JOSE (RFC 8037), ready to verify with. Any number of threads
/// may verify with it at the same time.
public struct Ed25519PublicKey: Sendable, Hashable {
    /// The length of a key in bytes.
    public static let byteCount = 32

    /// The length of a signature in bytes.
    public static let signatureByteCount = 64

    /// The 32 bytes of the key as RFC 8032 section 5.1.5 writes them: the JWK member `x`.
    public let rawRepresentation: [UInt8]

    private let handle: Ed25519PublicKeyHandle

    /// Makes a key from its 32 bytes. Whether they stand for a point of the curve shows when a signature is verified.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `x` when the length is another.
    public init(rawRepresentation: [UInt8]) throws(CryptoError) {
        guard rawRepresentation.count == Self.byteCount else {
            throw .invalidKey("x", "\(rawRepresentation.count) bytes instead of \(Self.byteCount)")
        }
        self.rawRepresentation = rawRepresentation
        handle = try Ed25519PublicKeyHandle(rawRepresentation)
    }

    /// Whether `signature` is this key's signature of `message`.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        message.withUnsafeBytes { isValidSignature(signature, for: $0) }
    }

    /// Whether `signature` is this key's signature of `message`, which is not copied.
    public func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == Self.signatureByteCount else { return false }
        return handle.isValidSignature(signature, for: message)
    }

    /// Two keys are equal when their bytes are.
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }

    /// Hashes the bytes of the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawRepresentation) }
}

/// A private key for Ed25519 (RFC 8032), ready to sign with. Any number of threads may sign with it at the same time. It
/// prints nothing of itself.
public struct Ed25519PrivateKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half.
    public let publicKey: Ed25519PublicKey

    /// The 32 bytes from which the key follows: the JWK member `d` (RFC 8037 section 2).
    public let rawRepresentation: [UInt8]

    private let handle: Ed25519PrivateKeyHandle

    /// Makes a key from its 32 bytes; any 32 bytes are a key.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `d` when the length is another.
    public init(rawRepresentation: [UInt8]) throws(CryptoError) {
        guard rawRepresentation.count == Ed25519PublicKey.byteCount else {
            throw .invalidKey("d", "\(rawRepresentation.count) bytes instead of \(Ed25519PublicKey.byteCount)")
        }
        self.rawRepresentation = rawRepresentation
        handle = try Ed25519PrivateKeyHandle(rawRepresentation)
        publicKey = try Ed25519PublicKey(rawRepresentation: handle.publicKey())
    }

    /// Makes a new key.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public static func generate() throws(CryptoError) -> Self {
        try Self(rawRepresentation: SystemRandomSource().bytes(Ed25519PublicKey.byteCount))
    }

    /// Signs a message; the signature is 64 bytes long.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try handle.signature(for: message)
    }

    /// Says that a private key is here, and nothing of it.
    public var description: String { "<Ed25519 private key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
