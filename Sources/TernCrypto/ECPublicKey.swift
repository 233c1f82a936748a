/// A public key on a NIST curve, for ECDSA and ECDH, checked and ready to verify with. Copies share one parsed key, and any number
/// of threads may verify with it at the same time.
public struct ECPublicKey: Sendable, Hashable {
    /// The curve.
    public let curve: EllipticCurve

    /// The x coordinate, as long as the curve's coordinates are, most significant byte first.
    public let x: [UInt8]

    /// The y coordinate, as long as the curve's coordinates are, most significant byte first.
    public let y: [UInt8]

    let handle: ECPublicKeyHandle

    /// Makes a key from a point, coordinates most significant byte first.
    ///
    /// RFC 7518 section 6.2.1.2 wants coordinates of full length, but some writers drop leading zero bytes and others
    /// add one; both are accepted.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `x` or `y` when the coordinate is too long, and for `x` when the
    ///   point is not on the curve.
    public init(curve: EllipticCurve, x: [UInt8], y: [UInt8]) throws(CryptoError) {
        let size = curve.coordinateByteCount
        guard let x = BigEndian.padded(x, to: size) else { throw .invalidKey("x", "longer than \(size) bytes") }
        guard let y = BigEndian.padded(y, to: size) else { throw .invalidKey("y", "longer than \(size) bytes") }
        self.curve = curve
        self.x = x
        self.y = y
        handle = try ECPublicKeyHandle(curve: curve, x: x, y: y)
    }

    /// Whether `signature` is this key's signature of `message`, hashed as the curve asks.
    ///
    /// - Parameters:
    ///   - signature: r and s, each of the full length, one after the other (RFC 7518 section 3.4). Anything else, the
    ///     ASN.1 form included, is not valid.
    ///   - message: The message itself, not its digest.
    public func isValidSignature(_ signature: [UInt8], for message: [UInt8]) -> Bool {
        message.withUnsafeBytes { isValidSignature(signature, for: $0) }
    }

    /// Whether `signature` is this key's signature of `message`, which is not copied.
    public func isValidSignature(_ signature: [UInt8], for message: UnsafeRawBufferPointer) -> Bool {
        guard signature.count == 2 * curve.coordinateByteCount else { return false }
        return handle.isValidSignature(signature, for: message)
    }

    /// Two keys are equal when curve and point are.
    public static func == (one: Self, other: Self) -> Bool {
        one.curve == other.curve && one.x == other.x && one.y == other.y
    }

    /// Hashes the curve and the point.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(curve)
        hasher.combine(x)
        hasher.combine(y)
    }
}
