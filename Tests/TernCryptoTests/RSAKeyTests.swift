import TernCrypto
import Testing

@Suite("RSA keys")
struct RSAKeyTests {
    private func components() throws -> RSAPrivateComponents {
        try rsaComponents(#require(records(rfc7520Vectors).first))
    }

    private func kind(_ modulus: [UInt8], _ exponent: [UInt8]) -> CryptoError.Kind? {
        #expect(throws: CryptoError.self) { try RSAPublicKey(modulus: modulus, publicExponent: exponent) }?.kind
    }

    @Test func `leading zero bytes do not matter`() throws {
        let numbers = try components()
        let plain = try RSAPublicKey(modulus: numbers.modulus, publicExponent: [1, 0, 1])
        let padded = try RSAPublicKey(modulus: [0, 0] + numbers.modulus, publicExponent: [0, 1, 0, 1])
        #expect(plain == padded)
        #expect(plain.hashValue == padded.hashValue)
        #expect(padded.modulus == numbers.modulus)
        #expect(padded.publicExponent == [1, 0, 1])
        #expect(padded.bitCount == 2048)
        let record = try #require(records(rfc7520Vectors).first)
        #expect(
            try padded.isValidSignature(
                record.base64URL("sig"), for: record.bytes("input"), using: .sha256, padding: .pkcs1v15))
    }

    @Test func `modulus out of range`() throws {
        let modulus = try components().modulus
        let n = CryptoError.Kind.invalidKey(field: "n")
        #expect(kind([], [1, 0, 1]) == n)
        #expect(kind([0, 0, 0], [1, 0, 1]) == n)
        #expect(kind(Array(modulus.prefix(255)), [1, 0, 1]) == n)
        #expect(kind([0x7f] + modulus.dropFirst(), [1, 0, 1]) == n)
        #expect(kind([UInt8](repeating: 0xff, count: 128), [1, 0, 1]) == n)
        #expect(kind([UInt8](repeating: 0xff, count: 2049), [1, 0, 1]) == n)
        #expect(kind([UInt8](repeating: 0xff, count: 1_000_000), [1, 0, 1]) == n)
        #expect(kind(modulus.dropLast() + [modulus[255] & 0xfe], [1, 0, 1]) == n)
        #expect(kind([UInt8](repeating: 0, count: 1_000_000), [1, 0, 1]) == n)
    }

    @Test func `exponent out of range`() throws {
        let modulus = try components().modulus
        let e = CryptoError.Kind.invalidKey(field: "e")
        for exponent: [UInt8] in [
            [], [0], [1], [2], [1, 0, 0], [0, 0, 1], [UInt8](repeating: 0xff, count: 9), modulus,
        ] {
            #expect(kind(modulus, exponent) == e)
        }
        #expect(throws: Never.self) { try RSAPublicKey(modulus: modulus, publicExponent: [3]) }
        #expect(throws: Never.self) { try RSAPublicKey(modulus: modulus, publicExponent: [17]) }
    }

    @Test func `the largest modulus verifies without harm`() throws {
        let key = try RSAPublicKey(modulus: [UInt8](repeating: 0xff, count: 2048), publicExponent: [1, 0, 1])
        #expect(key.bitCount == 16384)
        let signature = [UInt8](repeating: 0x7f, count: 2048)
        #expect(!key.isValidSignature(signature, for: [], using: .sha256, padding: .pkcs1v15))
        #expect(!key.isValidSignature(signature, for: [], using: .sha512, padding: .pss))
    }

    @Test func `signatures out of range are not valid`() throws {
        let key = try RSAPublicKey(modulus: components().modulus, publicExponent: [1, 0, 1])
        for padding in RSAPadding.allCases {
            for signature: [UInt8] in [
                [UInt8](repeating: 0, count: 256), [UInt8](repeating: 0xff, count: 256), key.modulus,
                [UInt8](repeating: 0, count: 255) + [1], [UInt8](repeating: 0, count: 1_000_000), [],
            ] {
                for hash in HashFunction.allCases {
                    #expect(!key.isValidSignature(signature, for: [1], using: hash, padding: padding))
                }
            }
        }
    }

    @Test(arguments: HashFunction.allCases, RSAPadding.allCases)
    func `sign and verify`(hash: HashFunction, padding: RSAPadding) throws {
        let key = try RSAPrivateKey(components())
        for message: [UInt8] in [[], [0], Array("message".utf8), [UInt8](repeating: 7, count: 100_000)] {
            let signature = try key.signature(for: message, using: hash, padding: padding)
            #expect(signature.count == 256)
            #expect(key.publicKey.isValidSignature(signature, for: message, using: hash, padding: padding))
            #expect(
                message.withUnsafeBytes {
                    key.publicKey.isValidSignature(signature, for: $0, using: hash, padding: padding)
                })
            for other in HashFunction.allCases where other != hash {
                #expect(!key.publicKey.isValidSignature(signature, for: message, using: other, padding: padding))
            }
            for other in RSAPadding.allCases where other != padding {
                #expect(!key.publicKey.isValidSignature(signature, for: message, using: hash, padding: other))
            }
            #expect(!key.publicKey.isValidSignature(signature, for: message + [1], using: hash, padding: padding))
        }
    }

    @Test func `PSS signatures differ from each other`() throws {
        let key = try RSAPrivateKey(components())
        let one = try key.signature(for: [1], using: .sha256, padding: .pss)
        let other = try key.signature(for: [1], using: .sha256, padding: .pss)
        #expect(one != other)
    }

    @Test(arguments: [2048, 3072])
    func `generate`(bitCount: Int) throws {
        let key = try RSAPrivateKey.generate(bitCount: bitCount)
        #expect(key.publicKey.bitCount == bitCount)
        #expect(key.publicKey.publicExponent == [1, 0, 1])
        #expect(key.components.primes != nil)
        let copy = try RSAPrivateKey(key.components)
        #expect(copy.publicKey == key.publicKey)
        let signature = try copy.signature(for: [1, 2], using: .sha512, padding: .pss)
        #expect(key.publicKey.isValidSignature(signature, for: [1, 2], using: .sha512, padding: .pss))
    }

    @Test(arguments: [Int.min, -1, 0, 512, 1024, 2047, 2049, 2052, 16385, 32768, Int.max])
    func `lengths that are refused`(bitCount: Int) {
        let error = #expect(throws: CryptoError.self) { try RSAPrivateKey.generate(bitCount: bitCount) }
        #expect(error?.kind == .unsupported("an RSA key of \(bitCount) bits"))
    }

    #if os(Linux)
        @Test func `private numbers that do not belong together`() throws {
            let good = try components()
            let primes = try #require(good.primes)
            let other = try RSAPrivateKey.generate().components
            let otherPrimes = try #require(other.primes)
            func kind(
                d: [UInt8]? = nil, p: [UInt8]? = nil, q: [UInt8]? = nil, dp: [UInt8]? = nil, dq: [UInt8]? = nil,
                qi: [UInt8]? = nil
            ) -> CryptoError.Kind? {
                let numbers = RSAPrivateComponents(
                    modulus: good.modulus, publicExponent: good.publicExponent,
                    privateExponent: d ?? good.privateExponent,
                    primes: RSAPrimeComponents(
                        firstPrimeFactor: p ?? primes.firstPrimeFactor,
                        secondPrimeFactor: q ?? primes.secondPrimeFactor,
                        firstFactorExponent: dp ?? primes.firstFactorExponent,
                        secondFactorExponent: dq ?? primes.secondFactorExponent,
                        firstCoefficient: qi ?? primes.firstCoefficient))
                return #expect(throws: CryptoError.self) { try RSAPrivateKey(numbers) }?.kind
            }
            #expect(kind(d: []) == .invalidKey(field: "d"))
            #expect(kind(d: other.privateExponent) == .invalidKey(field: "d"))
            #expect(kind(d: [UInt8](repeating: 0xff, count: 10_000)) == .invalidKey(field: "d"))
            #expect(kind(p: []) == .invalidKey(field: "p"))
            #expect(kind(p: otherPrimes.firstPrimeFactor) == .invalidKey(field: "p"))
            #expect(kind(p: [1], q: good.modulus) == .invalidKey(field: "p"))
            #expect(kind(q: [2]) == .invalidKey(field: "q"))
            #expect(kind(q: otherPrimes.secondPrimeFactor) == .invalidKey(field: "p"))
            #expect(kind(dp: [0]) == .invalidKey(field: "dp"))
            #expect(kind(dp: otherPrimes.firstFactorExponent) == .invalidKey(field: "dp"))
            #expect(kind(dq: otherPrimes.secondFactorExponent) == .invalidKey(field: "dq"))
            #expect(kind(qi: []) == .invalidKey(field: "qi"))
            #expect(kind(qi: otherPrimes.firstCoefficient) == .invalidKey(field: "qi"))
        }
    #endif

    @Test func `a private exponent of another key without primes`() throws {
        let good = try components()
        let other = try RSAPrivateKey.generate().components
        let numbers = RSAPrivateComponents(
            modulus: good.modulus, publicExponent: good.publicExponent, privateExponent: other.privateExponent)
        #expect(throws: CryptoError.self) { try RSAPrivateKey(numbers) }
    }

    /// One prime shorter by leading zero bytes is the same prime.
    @Test func `private numbers with leading zero bytes`() throws {
        let good = try components()
        let primes = try #require(good.primes)
        let key = try RSAPrivateKey(
            RSAPrivateComponents(
                modulus: [0] + good.modulus, publicExponent: [0] + good.publicExponent,
                privateExponent: [0, 0] + good.privateExponent,
                primes: RSAPrimeComponents(
                    firstPrimeFactor: [0] + primes.firstPrimeFactor, secondPrimeFactor: [0] + primes.secondPrimeFactor,
                    firstFactorExponent: [0] + primes.firstFactorExponent,
                    secondFactorExponent: [0] + primes.secondFactorExponent,
                    firstCoefficient: [0] + primes.firstCoefficient)))
        #expect(key.components.privateExponent == good.privateExponent)
    }
}
