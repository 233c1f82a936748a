import TernCrypto
import Testing

@Suite("NIST's vectors for RSA and ECDSA, RFC 8032's for Ed25519")
struct NISTSignatureTests {
    @Test(arguments: records(ecdsaVerificationVectors))
    func `ECDSA`(record: VectorRecord) throws {
        let key = try ECPublicKey(curve: record.curve("Curve"), x: record.hex("Qx"), y: record.hex("Qy"))
        let signature = try record.hex("R") + record.hex("S")
        #expect(try key.isValidSignature(signature, for: record.hex("Msg")) == (record.text("Result") == "P"))
    }

    @Test(arguments: records(ecPublicKeyVectors))
    func `public points`(record: VectorRecord) throws {
        let curve = try record.curve("Curve")
        let (x, y) = try (record.hex("Qx"), record.hex("Qy"))
        if try record.text("Result") == "P" {
            let key = try ECPublicKey(curve: curve, x: x, y: y)
            #expect(key.x.count == curve.coordinateByteCount && key.y.count == curve.coordinateByteCount)
        } else {
            let error = #expect(throws: CryptoError.self) { try ECPublicKey(curve: curve, x: x, y: y) }
            #expect([.invalidKey(field: "x"), .invalidKey(field: "y")].contains(error?.kind))
        }
    }

    @Test(arguments: records(rsaPKCS1VerificationVectors))
    func `RSASSA-PKCS1-v1_5`(record: VectorRecord) throws {
        let key = try RSAPublicKey(modulus: record.hex("n"), publicExponent: record.hex("e"))
        let valid = try key.isValidSignature(
            record.hex("S"), for: record.hex("Msg"), using: record.hash(), padding: .pkcs1v15)
        #expect(try valid == record.text("Result").hasPrefix("P"))
        #expect(
            try !key.isValidSignature(record.hex("S"), for: record.hex("Msg"), using: record.hash(), padding: .pss))
    }

    @Test func `PSS with another salt length is not valid`() throws {
        let record = try #require(records(rsaPSSShortSaltVector).first)
        let key = try RSAPublicKey(modulus: record.hex("n"), publicExponent: record.hex("e"))
        #expect(
            try !key.isValidSignature(record.hex("S"), for: record.hex("Msg"), using: record.hash(), padding: .pss))
    }

    @Test(arguments: records(ed25519Vectors))
    func `Ed25519`(record: VectorRecord) throws {
        let key = try Ed25519PrivateKey(rawRepresentation: record.hex("Seed"))
        let message = try record.hex("Msg")
        let signature = try record.hex("Sig")
        #expect(try key.publicKey.rawRepresentation == record.hex("Public"))
        #expect(key.publicKey.isValidSignature(signature, for: message))
        #expect(try key.publicKey.isValidSignature(key.signature(for: message), for: message))
        #if os(Linux)
            #expect(try key.signature(for: message) == signature)
        #endif
        #expect(!key.publicKey.isValidSignature(signature, for: message + [0]))
        for bit in stride(from: 0, to: signature.count * 8, by: 13) {
            #expect(!key.publicKey.isValidSignature(flipped(signature, bit: bit), for: message))
        }
    }
}
