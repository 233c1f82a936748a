/// A private key on a NIST curve, for ECDSA and ECDH, checked and ready to sign with. Copies share one parsed key, and any number
/// of threads may sign with it at the same time. It prints nothing of itself.
public struct ECPrivateKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half.
    public let publicKey: ECPublicKey

    /// The private scalar `d`, as long as the curve's coordinates are, most significant byte first.
    public let privateScalar: [UInt8]

    let handle: ECPrivateKeyHandle

    /// The curve.
    public var curve: EllipticCurve { publicKey.curve }

    /// Makes a key from its numbers, most significant byte first (RFC 7518 section 6.2.2). Leading zero bytes may be
    /// missing or too many.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `x` or `y` as ``ECPublicKey/init(curve:x:y:)`` does, and for `d`
    ///   when it is 0, not less than the order of the curve, or does not belong to the point.
    public init(curve: EllipticCurve, privateScalar: [UInt8], x: [UInt8], y: [UInt8]) throws(CryptoError) {
        publicKey = try ECPublicKey(curve: curve, x: x, y: y)
        guard let scalar = BigEndian.padded(privateScalar, to: curve.coordinateByteCount),
            scalar.contains(where: { $0 != 0 }), BigEndian.isLess(scalar, than: curve.order)
        else { throw .invalidKey("d", "it must be from 1 to the order of the curve less 1") }
        self.privateScalar = scalar
        handle = try ECPrivateKeyHandle(curve: curve, privateScalar: scalar, x: publicKey.x, y: publicKey.y)
    }

    /// Makes a new key.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public static func generate(_ curve: EllipticCurve) throws(CryptoError) -> Self {
        let numbers = try ECPrivateKeyHandle.generate(curve)
        return try Self(curve: curve, privateScalar: numbers.privateScalar, x: numbers.x, y: numbers.y)
    }

    /// Signs a message, hashed as the curve asks. The signature is r and s, each of the full length, one after the other
    /// (RFC 7518 section 3.4). It differs from call to call.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public func signature(for message: [UInt8]) throws(CryptoError) -> [UInt8] {
        try handle.signature(for: message)
    }

    /// Says that a private key is here, and nothing of it.
    public var description: String { "<EC private key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
