import TernCrypto
import Testing

/// The known answers of the JOSE documents, verified and, where the algorithm has one answer only, signed.
@Suite("Signatures of RFC 7515, RFC 7520 and RFC 8037")
struct JOSESignatureTests {
    static let all = records(rfc7515Vectors) + records(rfc7520Vectors) + records(rfc8037Vector)

    @Test(arguments: all)
    func `known answer`(record: VectorRecord) throws {
        let message = try record.bytes("input")
        let signature = try record.base64URL("sig")
        let verify = try verifier(record)
        #expect(verify(signature, message))
        #expect(!verify(signature, message + [0]))
        #expect(!verify(signature, Array(message.dropLast())))
        #expect(!verify(signature, []))
        #expect(!verify([], message))
        #expect(!verify(signature + [0], message))
        #expect(!verify([0] + signature, message))
        #expect(!verify(Array(signature.dropLast()), message))
        #expect(!verify(Array(signature.dropFirst()), message))
        for bit in stride(from: 0, to: signature.count * 8, by: 37) {
            #expect(!verify(flipped(signature, bit: bit), message))
        }
        for bit in stride(from: 0, to: message.count * 8, by: 101) {
            #expect(!verify(signature, flipped(message, bit: bit)))
        }
    }

    @Test(arguments: all.filter { $0.fields["d"] != nil })
    func `signing again`(record: VectorRecord) throws {
        let message = try record.bytes("input")
        let expected = try record.base64URL("sig")
        switch try record.text("alg") {
        case "RS256":
            let key = try RSAPrivateKey(rsaComponents(record))
            #expect(try key.signature(for: message, using: .sha256, padding: .pkcs1v15) == expected)
        case "ES256", "ES512":
            let key = try ECPrivateKey(
                curve: record.curve("crv"), privateScalar: record.base64URL("d"), x: record.base64URL("x"),
                y: record.base64URL("y"))
            let signature = try key.signature(for: message)
            #expect(signature.count == expected.count)
            #expect(try verifier(record)(signature, message))
        case "EdDSA":
            let key = try Ed25519PrivateKey(rawRepresentation: record.base64URL("d"))
            #expect(try key.publicKey.rawRepresentation == record.base64URL("x"))
            #expect(try verifier(record)(key.signature(for: message), message))
            #if os(Linux)
                #expect(try key.signature(for: message) == expected)
            #endif
        default: throw UnknownName()
        }
    }

    @Test func `RSA without primes signs the same`() throws {
        let record = try #require(records(rfc7520Vectors).first)
        let whole = try rsaComponents(record)
        let components = RSAPrivateComponents(
            modulus: whole.modulus, publicExponent: whole.publicExponent, privateExponent: whole.privateExponent)
        #if os(Linux)
            let key = try RSAPrivateKey(components)
            let signature = try key.signature(for: record.bytes("input"), using: .sha256, padding: .pkcs1v15)
            #expect(try signature == record.base64URL("sig"))
        #else
            #expect(throws: CryptoError.self) { try RSAPrivateKey(components) }
        #endif
    }

    private func verifier(_ record: VectorRecord) throws -> (_ signature: [UInt8], _ message: [UInt8]) -> Bool {
        switch try record.text("alg") {
        case "HS256":
            let key = try HMACKey(record.base64URL("k"))
            return { key.isValid($0, for: $1, using: .sha256) }
        case "RS256":
            let key = try RSAPublicKey(modulus: record.base64URL("n"), publicExponent: record.base64URL("e"))
            return { key.isValidSignature($0, for: $1, using: .sha256, padding: .pkcs1v15) }
        case "PS384":
            let key = try RSAPublicKey(modulus: record.base64URL("n"), publicExponent: record.base64URL("e"))
            return { key.isValidSignature($0, for: $1, using: .sha384, padding: .pss) }
        case "ES256", "ES512":
            let key = try ECPublicKey(
                curve: record.curve("crv"), x: record.base64URL("x"), y: record.base64URL("y"))
            return { key.isValidSignature($0, for: $1) }
        case "EdDSA":
            let key = try Ed25519PublicKey(rawRepresentation: record.base64URL("x"))
            return { key.isValidSignature($0, for: $1) }
        default: throw UnknownName()
        }
    }
}

/// The numbers of a record that is named as a JWK.
func rsaComponents(_ record: VectorRecord) throws -> RSAPrivateComponents {
    let primes = try RSAPrimeComponents(
        firstPrimeFactor: record.base64URL("p"), secondPrimeFactor: record.base64URL("q"),
        firstFactorExponent: record.base64URL("dp"), secondFactorExponent: record.base64URL("dq"),
        firstCoefficient: record.base64URL("qi"))
    return try RSAPrivateComponents(
        modulus: record.base64URL("n"), publicExponent: record.base64URL("e"), privateExponent: record.base64URL("d"),
        primes: primes)
}
