/// How an RSA signature is padded (RFC 8017 section 8).
public enum RSAPadding: Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5, of RS256, RS384 and RS512 and of OAuth 1.0's RSA-SHA1.
    case pkcs1v15
    /// RSASSA-PSS, of PS256, PS384 and PS512: MGF1 with the same hash and a salt as long as the hash (RFC 7518
    /// section 3.5). A signature with a salt of another length is not valid.
    case pss
}

/// An RSA public key, checked and ready to verify with. Copies share one parsed key, and any number of threads may verify
/// with it at the same time.
public struct RSAPublicKey: Sendable, Hashable {
    /// The fewest bits that a modulus may have: RFC 7518 sections 3.3 and 3.5.
    public static let minimumBitCount = 2048

    /// The most bits that a modulus may have, so that a hostile key cannot buy an arbitrary amount of work.
    public static let maximumBitCount = 16384

    /// The modulus `n`, most significant byte first, without leading zero bytes.
    public let modulus: [UInt8]

    /// The public exponent `e`, most significant byte first, without leading zero bytes.
    public let publicExponent: [UInt8]

    let handle: RSAPublicKeyHandle

    /// The length of the modulus in bits.
    public var bitCount: Int { BigEndian.bitCount(minimal: modulus) }

    /// Makes a key from its numbers, most significant byte first. Leading zero bytes are accepted, since many writers of
    /// key sets put one there.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for `n` when the modulus is even or has fewer than
    ///   ``minimumBitCount`` or more than ``maximumBitCount`` bits, and for `e` when the exponent is even, less than 3 or
    ///   longer than 64 bits.
    public init(modulus: [UInt8], publicExponent: [UInt8]) throws(CryptoError) {
        let modulus = BigEndian.minimal(modulus)
        let exponent = BigEndian.minimal(publicExponent)
        let bits = BigEndian.bitCount(minimal: modulus)
        guard bits >= Self.minimumBitCount else {
            throw .invalidKey("n", "the modulus has \(bits) bits, at least \(Self.minimumBitCount) are needed")
        }
        guard bits <= Self.maximumBitCount else {
            throw .invalidKey("n", "the modulus has \(bits) bits, at most \(Self.maximumBitCount) are accepted")
        }
        guard let last = modulus.last, last & 1 == 1 else { throw .invalidKey("n", "the modulus is even") }
        guard let low = exponent.last, low & 1 == 1, exponent != [1] else {
            throw .invalidKey("e", "the exponent must be odd and at least 3")
        }
        guard exponent.count <= 8 else { throw .invalidKey("e", "the exponent is longer than 64 bits") }
        self.modulus = modulus
        self.publicExponent = exponent
        handle = try RSAPublicKeyHandle(modulus: modulus, publicExponent: exponent)
    }

    /// Whether `signature` is this key's signature of `message`. A signature whose length is not that of the modulus is
    /// never valid (RFC 8017 section 8).
    public func isValidSignature(
        _ signature: [UInt8], for message: [UInt8], using hash: HashFunction, padding: RSAPadding
    ) -> Bool {
        message.withUnsafeBytes { isValidSignature(signature, for: $0, using: hash, padding: padding) }
    }

    /// Whether `signature` is this key's signature of `message`, which is not copied.
    public func isValidSignature(
        _ signature: [UInt8], for message: UnsafeRawBufferPointer, using hash: HashFunction, padding: RSAPadding
    ) -> Bool {
        guard signature.count == modulus.count else { return false }
        return handle.isValidSignature(signature, for: message, using: hash, padding: padding)
    }

    /// Two keys are equal when their numbers are.
    public static func == (one: Self, other: Self) -> Bool {
        one.modulus == other.modulus && one.publicExponent == other.publicExponent
    }

    /// Hashes the numbers of the key.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(modulus)
        hasher.combine(publicExponent)
    }
}
