import TernCrypto
import Testing

@Suite("Ed25519 keys")
struct Ed25519KeyTests {
    @Test func `generate, sign and verify`() throws {
        let key = try Ed25519PrivateKey.generate()
        #expect(try Ed25519PrivateKey.generate().rawRepresentation != key.rawRepresentation)
        for message: [UInt8] in [[], [0], [UInt8](repeating: 7, count: 100_000)] {
            let signature = try key.signature(for: message)
            #expect(signature.count == 64)
            #expect(key.publicKey.isValidSignature(signature, for: message))
            #expect(message.withUnsafeBytes { key.publicKey.isValidSignature(signature, for: $0) })
            #expect(!key.publicKey.isValidSignature(signature, for: message + [1]))
            for wrong: [UInt8] in [
                [], Array(signature.dropLast()), signature + [0], [UInt8](repeating: 1, count: 1_000_000),
            ] {
                #expect(!key.publicKey.isValidSignature(wrong, for: message))
            }
        }
        let copy = try Ed25519PublicKey(rawRepresentation: key.publicKey.rawRepresentation)
        #expect(copy == key.publicKey)
        #expect(copy.hashValue == key.publicKey.hashValue)
    }

    @Test(arguments: [0, 1, 31, 33, 57, 64, 1_000_000])
    func `other lengths are refused`(length: Int) {
        let bytes = [UInt8](repeating: 1, count: length)
        let x = #expect(throws: CryptoError.self) { try Ed25519PublicKey(rawRepresentation: bytes) }
        #expect(x?.kind == .invalidKey(field: "x"))
        let d = #expect(throws: CryptoError.self) { try Ed25519PrivateKey(rawRepresentation: bytes) }
        #expect(d?.kind == .invalidKey(field: "d"))
    }

    /// 32 bytes that are not a point of the curve: y = 2 has no x (RFC 8032 section 5.1.3).
    @Test func `bytes that are no point verify nothing`() throws {
        let signature = try Ed25519PrivateKey.generate().signature(for: [1])
        let key = try? Ed25519PublicKey(rawRepresentation: [2] + [UInt8](repeating: 0, count: 31))
        #expect(key?.isValidSignature(signature, for: [1]) != true)
    }

    /// s must be less than the order of the group (RFC 8032 section 5.1.7), or each signature would have a second form.
    @Test func `s beyond the order is not valid`() throws {
        let key = try Ed25519PrivateKey.generate()
        let signature = try key.signature(for: [1])
        // The order, least significant byte first (RFC 8032 section 5.1).
        let order = try hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        var carry = 0
        let sum = zip(signature.suffix(32), order).map { a, b in
            carry = Int(a) + Int(b) + carry >> 8
            return UInt8(truncatingIfNeeded: carry)
        }
        #expect(!key.publicKey.isValidSignature(Array(signature.prefix(32)) + sum, for: [1]))
    }
}
