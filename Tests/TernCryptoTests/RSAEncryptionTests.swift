import TernCrypto
import Testing

@Suite("RSAES-OAEP (RFC 8017 §7.1)")
struct RSAEncryptionTests {
    private static let key = try? RSAPrivateKey.generate()

    @Test(
        "What is encrypted comes back, with the same hash function and the same key alone",
        arguments: HashFunction.allCases)
    func roundTrip(hash: HashFunction) throws {
        let key = try #require(Self.key)
        let longest = key.publicKey.maximumMessageByteCount(using: hash)
        #expect(longest == 256 - 2 * hash.byteCount - 2)
        for count in [0, 1, 32, longest] {
            let message = [UInt8](repeating: 0x42, count: count)
            let encrypted = try key.publicKey.encrypted(message, using: hash)
            #expect(encrypted.count == 256)
            #expect(key.decrypted(encrypted, using: hash) == message)
            for other in HashFunction.allCases where other != hash {
                #expect(key.decrypted(encrypted, using: other) == nil)
            }
        }
        #expect(throws: CryptoError.self) {
            try key.publicKey.encrypted([UInt8](repeating: 0, count: longest + 1), using: hash)
        }
    }

    @Test("What was changed, cut or lengthened comes to nothing")
    func altered() throws {
        let key = try #require(Self.key)
        let encrypted = try key.publicKey.encrypted([1, 2, 3], using: .sha256)
        for bit in stride(from: 0, to: encrypted.count * 8, by: 41) {
            #expect(key.decrypted(flipped(encrypted, bit: bit), using: .sha256) == nil)
        }
        for changed in [
            [], Array(encrypted.dropLast()), encrypted + [0], [UInt8](repeating: 0, count: 256),
            [UInt8](repeating: 255, count: 256),
        ] {
            #expect(key.decrypted(changed, using: .sha256) == nil)
        }
        #expect(try encrypted != key.publicKey.encrypted([1, 2, 3], using: .sha256))
    }
}
