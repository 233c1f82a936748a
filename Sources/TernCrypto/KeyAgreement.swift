extension ECPrivateKey {
    /// The secret that this key shares with a public key of the same curve (ECDH, NIST SP 800-56A section 5.7.1.2): the x
    /// coordinate of the common point, as long as the curve's coordinates are. It is no key yet; derive one from it, for
    /// example with ``ConcatKDF``.
    ///
    /// - Throws: ``CryptoError`` with `unsupported` for a key of another curve, or with `operationFailed`.
    public func sharedSecret(with other: ECPublicKey) throws(CryptoError) -> [UInt8] {
        guard other.curve == curve else { throw CryptoError(.unsupported("ECDH of two curves")) }
        guard let secret = handle.sharedSecret(with: other.handle, byteCount: curve.coordinateByteCount) else {
            throw CryptoError(.operationFailed("ECDH"))
        }
        return secret
    }
}

/// A public key for X25519 (RFC 7748), the key agreement on Curve25519 that JOSE has under RFC 8037.
public struct X25519PublicKey: Sendable, Hashable {
    /// The length of a key, and of a shared secret, in bytes.
    public static let byteCount = 32

    /// The 32 bytes of the key as RFC 7748 section 5 writes them: the JWK member `x`.
    public let rawRepresentation: [UInt8]

    fileprivate let handle: X25519PublicKeyHandle

    /// Makes a key from its 32 bytes; any 32 bytes are a key. One of small order is refused when it is used.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `x` when the length is another.
    public init(rawRepresentation: [UInt8]) throws(CryptoError) {
        guard rawRepresentation.count == Self.byteCount else {
            throw .invalidKey("x", "\(rawRepresentation.count) bytes instead of \(Self.byteCount)")
        }
        self.rawRepresentation = rawRepresentation
        handle = try X25519PublicKeyHandle(rawRepresentation)
    }

    /// Two keys are equal when their bytes are.
    public static func == (one: Self, other: Self) -> Bool { one.rawRepresentation == other.rawRepresentation }

    /// Hashes the bytes of the key.
    public func hash(into hasher: inout Hasher) { hasher.combine(rawRepresentation) }
}

/// A private key for X25519 (RFC 7748). It prints nothing of itself.
public struct X25519PrivateKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half.
    public let publicKey: X25519PublicKey

    /// The 32 bytes of the key: the JWK member `d` (RFC 8037 section 2).
    public let rawRepresentation: [UInt8]

    private let handle: X25519PrivateKeyHandle

    /// Makes a key from its 32 bytes; any 32 bytes are a key.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `d` when the length is another.
    public init(rawRepresentation: [UInt8]) throws(CryptoError) {
        guard rawRepresentation.count == X25519PublicKey.byteCount else {
            throw .invalidKey("d", "\(rawRepresentation.count) bytes instead of \(X25519PublicKey.byteCount)")
        }
        self.rawRepresentation = rawRepresentation
        handle = try X25519PrivateKeyHandle(rawRepresentation)
        publicKey = try X25519PublicKey(rawRepresentation: handle.publicKey())
    }

    /// Makes a new key.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public static func generate() throws(CryptoError) -> Self {
        try Self(rawRepresentation: SystemRandomSource().bytes(X25519PublicKey.byteCount))
    }

    /// The secret of 32 bytes that this key shares with a public key (RFC 7748 section 6.1). It is no key yet; derive one
    /// from it.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the other key has a small order, so that the secret would be
    ///   zero whatever this key is.
    public func sharedSecret(with other: X25519PublicKey) throws(CryptoError) -> [UInt8] {
        guard let secret = handle.sharedSecret(with: other.handle), secret.contains(where: { $0 != 0 }) else {
            throw CryptoError(.operationFailed("X25519"))
        }
        return secret
    }

    /// Says that a private key is here, and nothing of it.
    public var description: String { "<X25519 private key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
