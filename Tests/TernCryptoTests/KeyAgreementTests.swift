import TernCrypto
import Testing

@Suite("Key agreement (ECDH, RFC 7748, RFC 7518 §4.6)")
struct KeyAgreementTests {
    private static func aliceAndBob() throws -> (alice: ECPrivateKey, bob: ECPrivateKey) {
        let alice = try ECPrivateKey(
            curve: .p256, privateScalar: base64URL("0_NxaRPUMQoAJt50Gz8YiTr8gRTwyEaCumd-MToTmIo"),
            x: base64URL("gI0GAILBdu7T53akrFmMyGcsF3n5dO7MmwNBHKW5SV0"),
            y: base64URL("SLW_xSffzlPWrHEVI30DHM_4egVwt3NQqeUD7nMFpps"))
        let bob = try ECPrivateKey(
            curve: .p256, privateScalar: base64URL("VEmDZpDXXK8p8N0Cndsxs924q6nS1RXFASRl6BfUqdw"),
            x: base64URL("weNJy2HscCSM6AEDTDg04biOvhFhyyWvOHQfeF_PxMQ"),
            y: base64URL("e8lnCO-AlStT-NJVX-crhB7QRYhiix03illJOVAOyck"))
        return (alice, bob)
    }

    @Test("The example of RFC 7518 appendix C")
    func appendixC() throws {
        let (alice, bob) = try Self.aliceAndBob()
        let secret = try alice.sharedSecret(with: bob.publicKey)
        #expect(try secret == bob.sharedSecret(with: alice.publicKey))
        #expect(secret.prefix(4) == [158, 86, 217, 29])
        let key = ConcatKDF.key(
            from: secret, algorithm: "A128GCM", partyU: Array("Alice".utf8), partyV: Array("Bob".utf8), byteCount: 16)
        #expect(try key == base64URL("VqqN6vgjbSBcIijNcacQGg"))
    }

    @Test("Parties, algorithm and length all change the derived key")
    func derivation() {
        let secret = [UInt8](repeating: 9, count: 32)
        let keys = [
            ConcatKDF.key(from: secret, algorithm: "A256GCM", byteCount: 32),
            ConcatKDF.key(from: secret, algorithm: "A256KW", byteCount: 32),
            ConcatKDF.key(from: secret, algorithm: "A256GCM", partyU: [1], byteCount: 32),
            ConcatKDF.key(from: secret, algorithm: "A256GCM", partyV: [1], byteCount: 32),
            ConcatKDF.key(from: secret + [0], algorithm: "A256GCM", byteCount: 32),
            Array(ConcatKDF.key(from: secret, algorithm: "A256GCM", byteCount: 64).prefix(32)),
        ]
        #expect(Set(keys).count == keys.count)
        #expect(ConcatKDF.key(from: secret, algorithm: "A256CBC-HS512", byteCount: 64).count == 64)
        #expect(ConcatKDF.key(from: secret, algorithm: "x", byteCount: -1).isEmpty)
    }

    @Test("Two keys of a curve agree, and those of different curves do not", arguments: EllipticCurve.allCases)
    func curves(curve: EllipticCurve) throws {
        let (one, other) = (try ECPrivateKey.generate(curve), try ECPrivateKey.generate(curve))
        let secret = try one.sharedSecret(with: other.publicKey)
        #expect(secret.count == curve.coordinateByteCount)
        #expect(try secret == other.sharedSecret(with: one.publicKey))
        let third = try ECPrivateKey.generate(curve)
        #expect(try secret != third.sharedSecret(with: one.publicKey))
        let stranger = try ECPrivateKey.generate(curve == .p256 ? .p384 : .p256)
        #expect(throws: CryptoError.self) { try one.sharedSecret(with: stranger.publicKey) }
    }

    @Test("X25519: the example of RFC 7748 §6.1")
    func x25519() throws {
        let alice = try X25519PrivateKey(
            rawRepresentation: hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a"))
        let bob = try X25519PrivateKey(
            rawRepresentation: hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb"))
        #expect(
            try alice.publicKey.rawRepresentation
                == hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a"))
        #expect(
            try bob.publicKey.rawRepresentation
                == hex("de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f"))
        let secret = try hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742")
        #expect(try alice.sharedSecret(with: bob.publicKey) == secret)
        #expect(try bob.sharedSecret(with: alice.publicKey) == secret)
        #expect("\(alice)" == "<X25519 private key>")
    }

    @Test("X25519: a point of small order shares nothing")
    func smallOrder() throws {
        let key = try X25519PrivateKey.generate()
        let points = [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
        for point in points {
            let other = try X25519PublicKey(rawRepresentation: hex(point))
            #expect(throws: CryptoError.self) { try key.sharedSecret(with: other) }
        }
        #expect(throws: CryptoError.self) { try X25519PublicKey(rawRepresentation: [1, 2, 3]) }
        #expect(throws: CryptoError.self) { try X25519PrivateKey(rawRepresentation: [1, 2, 3]) }
    }
}
