import Testing

@testable import TernCrypto

@Suite("ASN.1 forms of RSA keys (RFC 8017 appendix A.1)")
struct PKCS1Tests {
    /// The key of RFC 7515 appendix A.2. What Python's cryptography writes for it (TraditionalOpenSSL) has this digest.
    @Test func `private key`() throws {
        let record = try #require(records(rfc7515Vectors).first { $0.fields["alg"] == "RS256" })
        let components = try rsaComponents(record)
        let encoded = try PKCS1.privateKey(components, #require(components.primes))
        #expect(encoded.count == 1191)
        let digest = "3dad339ffec4b52d3fc6247e7a2df8fd3c4bb66700c5ab7ffe0ff463a1a84266"
        #expect(try HashFunction.sha256.digest(encoded) == hex(digest))
        let decoded = try #require(PKCS1.components(ofPrivateKey: encoded))
        #expect(decoded.modulus == components.modulus)
        #expect(decoded.publicExponent == components.publicExponent)
        #expect(decoded.privateExponent == components.privateExponent)
        let (one, other) = try (#require(decoded.primes), #require(components.primes))
        #expect(one.firstPrimeFactor == other.firstPrimeFactor)
        #expect(one.secondPrimeFactor == other.secondPrimeFactor)
        #expect(one.firstFactorExponent == other.firstFactorExponent)
        #expect(one.secondFactorExponent == other.secondFactorExponent)
        #expect(one.firstCoefficient == other.firstCoefficient)
    }

    @Test func `public key`() throws {
        let record = try #require(records(rfc7515Vectors).first { $0.fields["alg"] == "RS256" })
        let components = try rsaComponents(record)
        let encoded = PKCS1.publicKey(modulus: components.modulus, publicExponent: components.publicExponent)
        #expect(encoded.count == 270)
        let digest = "4d45852a70eef278cafe4a2cdfcc544827b7b35f4475c4feca270e3e4d069e01"
        #expect(try HashFunction.sha256.digest(encoded) == hex(digest))
    }

    @Test func `short numbers`() {
        #expect(PKCS1.publicKey(modulus: [0x7f], publicExponent: [3]) == [0x30, 6, 2, 1, 0x7f, 2, 1, 3])
        #expect(PKCS1.publicKey(modulus: [0x80], publicExponent: []) == [0x30, 7, 2, 2, 0, 0x80, 2, 1, 0])
    }

    @Test func `damaged bytes are refused`() throws {
        let record = try #require(records(rfc7515Vectors).first { $0.fields["alg"] == "RS256" })
        let components = try rsaComponents(record)
        let encoded = try PKCS1.privateKey(components, #require(components.primes))
        for length in 0..<encoded.count {
            #expect(PKCS1.components(ofPrivateKey: Array(encoded.prefix(length))) == nil)
        }
        #expect(PKCS1.components(ofPrivateKey: encoded + [0]) == nil)
        for bytes: [UInt8] in [[0x30], [0x30, 0x80], [0x30, 0x84, 0xff, 0xff, 0xff, 0xff], [0x30, 0xff], [0x30, 0]] {
            #expect(PKCS1.components(ofPrivateKey: bytes) == nil)
        }
        for index in 0..<encoded.count {
            var bytes = encoded
            bytes[index] ^= 0xff
            _ = PKCS1.components(ofPrivateKey: bytes)
        }
    }
}
