/// The two primes of an RSA private key and what follows from them (RFC 7518 sections 6.3.2.2 to 6.3.2.6). With them a
/// signature takes about a seventh of the time.
///
/// The numbers are unsigned, most significant byte first. They print nothing of themselves.
public struct RSAPrimeComponents: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The first prime factor, `p`.
    public let firstPrimeFactor: [UInt8]
    /// The second prime factor, `q`.
    public let secondPrimeFactor: [UInt8]
    /// The first factor's CRT exponent, `dp`.
    public let firstFactorExponent: [UInt8]
    /// The second factor's CRT exponent, `dq`.
    public let secondFactorExponent: [UInt8]
    /// The first CRT coefficient, `qi`.
    public let firstCoefficient: [UInt8]

    /// Collects the five numbers. They are checked when a key is made from them.
    public init(
        firstPrimeFactor: [UInt8], secondPrimeFactor: [UInt8], firstFactorExponent: [UInt8],
        secondFactorExponent: [UInt8], firstCoefficient: [UInt8]
    ) {
        self.firstPrimeFactor = BigEndian.minimal(firstPrimeFactor)
        self.secondPrimeFactor = BigEndian.minimal(secondPrimeFactor)
        self.firstFactorExponent = BigEndian.minimal(firstFactorExponent)
        self.secondFactorExponent = BigEndian.minimal(secondFactorExponent)
        self.firstCoefficient = BigEndian.minimal(firstCoefficient)
    }

    /// Says that numbers of a private key are here, and nothing of them.
    public var description: String { "<RSA primes>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

/// The numbers that make up an RSA private key (RFC 7518 section 6.3), unsigned, most significant byte first. They print
/// nothing of themselves.
public struct RSAPrivateComponents: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The modulus, `n`.
    public let modulus: [UInt8]
    /// The public exponent, `e`.
    public let publicExponent: [UInt8]
    /// The private exponent, `d`.
    public let privateExponent: [UInt8]
    /// The primes and what follows from them: all five numbers or none (RFC 7518 section 6.3.2).
    public let primes: RSAPrimeComponents?

    /// Collects the numbers. They are checked when a key is made from them.
    public init(
        modulus: [UInt8], publicExponent: [UInt8], privateExponent: [UInt8], primes: RSAPrimeComponents? = nil
    ) {
        self.modulus = BigEndian.minimal(modulus)
        self.publicExponent = BigEndian.minimal(publicExponent)
        self.privateExponent = BigEndian.minimal(privateExponent)
        self.primes = primes
    }

    /// Says that numbers of a private key are here, and nothing of them.
    public var description: String { "<RSA private components>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
