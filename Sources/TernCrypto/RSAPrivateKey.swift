/// An RSA private key, checked and ready to sign with. Copies share one parsed key, and any number of threads may sign
/// with it at the same time. It prints nothing of itself.
public struct RSAPrivateKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The public half.
    public let publicKey: RSAPublicKey

    /// The numbers of the key, for whoever stores it.
    public let components: RSAPrivateComponents

    let handle: RSAPrivateKeyHandle

    /// Makes a key from its numbers and proves with one signature that they belong together.
    ///
    /// On Apple's systems the primes are needed; elsewhere a key without them works and signs about seven times slower.
    ///
    /// - Throws: ``CryptoError`` with `invalidKey` for the member at fault, as
    ///   ``RSAPublicKey/init(modulus:publicExponent:)`` does for `n` and `e`, or with `unsupported` when the system needs
    ///   the primes and they are missing.
    public init(_ components: RSAPrivateComponents) throws(CryptoError) {
        publicKey = try RSAPublicKey(modulus: components.modulus, publicExponent: components.publicExponent)
        self.components = components
        try Self.checkSizes(components)
        handle = try RSAPrivateKeyHandle(components)
        let probe = Array("pairwise consistency".utf8)
        let signature: [UInt8]
        do {
            signature = try self.signature(for: probe, using: .sha256, padding: .pkcs1v15)
        } catch {
            throw .invalidKey("d", "the numbers of the key do not belong together")
        }
        guard publicKey.isValidSignature(signature, for: probe, using: .sha256, padding: .pkcs1v15) else {
            throw .invalidKey("d", "the private key does not belong to the public one")
        }
    }

    /// Makes a new key with the exponent 65537.
    ///
    /// - Parameter bitCount: The length of the modulus, a multiple of 8 from 2048 to 16384. Each doubling takes about
    ///   ten times as long; 4096 bits take up to some seconds.
    /// - Throws: ``CryptoError`` with `unsupported` for another length, or with `operationFailed`.
    public static func generate(bitCount: Int = 2048) throws(CryptoError) -> Self {
        guard bitCount % 8 == 0, (RSAPublicKey.minimumBitCount...RSAPublicKey.maximumBitCount).contains(bitCount) else {
            throw CryptoError(
                .unsupported("an RSA key of \(bitCount) bits"), reason: "use a multiple of 8 from 2048 to 16384")
        }
        return try Self(RSAPrivateKeyHandle.generate(bitCount: bitCount))
    }

    /// Signs a message. The signature is as long as the modulus.
    ///
    /// - Throws: ``CryptoError`` with `operationFailed` when the system's library fails.
    public func signature(
        for message: [UInt8], using hash: HashFunction, padding: RSAPadding
    ) throws(CryptoError) -> [UInt8] {
        try handle.signature(forDigest: hash.digest(message), using: hash, padding: padding)
    }

    /// Says that a private key is here, and nothing of it.
    public var description: String { "<RSA private key, \(publicKey.bitCount) bits>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }

    /// Refuses numbers that no key can have before any work is spent on them.
    private static func checkSizes(_ components: RSAPrivateComponents) throws(CryptoError) {
        let modulusSize = components.modulus.count
        func check(_ field: String, _ number: [UInt8], odd: Bool) throws(CryptoError) {
            guard let last = number.last, number.count <= modulusSize, !odd || last & 1 == 1 else {
                throw .invalidKey(field, odd ? "it must be odd and shorter than n" : "it must not be 0 or exceed n")
            }
        }
        try check("d", components.privateExponent, odd: true)
        guard let primes = components.primes else { return }
        try check("p", primes.firstPrimeFactor, odd: true)
        try check("q", primes.secondPrimeFactor, odd: true)
        guard primes.firstPrimeFactor != [1] else { throw .invalidKey("p", "1 is not a prime") }
        guard primes.secondPrimeFactor != [1] else { throw .invalidKey("q", "1 is not a prime") }
        try check("dp", primes.firstFactorExponent, odd: true)
        try check("dq", primes.secondFactorExponent, odd: true)
        try check("qi", primes.firstCoefficient, odd: false)
    }
}
