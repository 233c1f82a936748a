import TernCrypto
import Testing

@Suite("HMAC (RFC 2104)")
struct HMACKeyTests {
    @Test(arguments: records(hmacVectors))
    func `RFC 2202 and RFC 4231`(record: VectorRecord) throws {
        let key = try HMACKey(record.hex("Key"))
        let message = try record.hex("Msg")
        let code = try record.hex("MD")
        let hash = try record.hash()
        #expect(key.authenticationCode(for: message, using: hash) == code)
        #expect(message.withUnsafeBytes { key.authenticationCode(for: $0, using: hash) } == code)
        #expect(key.isValid(code, for: message, using: hash))
        #expect(message.withUnsafeBytes { key.isValid(code, for: $0, using: hash) })
        #expect(!key.isValid(flipped(code, bit: 7), for: message, using: hash))
        #expect(!key.isValid(flipped(code, bit: code.count * 8 - 1), for: message, using: hash))
        #expect(!key.isValid(code, for: message + [0], using: hash))
    }

    /// Computed with Python's hmac module.
    @Test func `empty key, empty message`() throws {
        let empty = HMACKey([])
        #expect(
            try empty.authenticationCode(for: [], using: .sha1) == hex("fbdb1d1b18aa6c08324b7d64b71fb76370690e1d"))
        #expect(
            try empty.authenticationCode(for: [], using: .sha256)
                == hex("b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"))
        let ampersand = HMACKey(Array("&".utf8))
        #expect(
            try ampersand.authenticationCode(for: Array("abc".utf8), using: .sha1)
                == hex("0bd35b402d451ef269bca728c8c370d9cfbe1fa0"))
    }

    @Test func `only the whole code is valid`() {
        let key = HMACKey([1, 2, 3])
        let message = Array("message".utf8)
        let code = key.authenticationCode(for: message, using: .sha256)
        #expect(!key.isValid([], for: message, using: .sha256))
        #expect(!key.isValid(Array(code.prefix(16)), for: message, using: .sha256))
        #expect(!key.isValid(code + [0], for: message, using: .sha256))
        #expect(!key.isValid(code, for: message, using: .sha384))
        #expect(!HMACKey([1, 2, 4]).isValid(code, for: message, using: .sha256))
    }

    /// A zero byte at the end does not change the code (RFC 2104 pads with zeros), any other byte does.
    @Test func `long and padded keys`() {
        let message = Array("message".utf8)
        let short = HMACKey([9, 9]).authenticationCode(for: message, using: .sha512)
        #expect(HMACKey([9, 9, 0]).authenticationCode(for: message, using: .sha512) == short)
        #expect(HMACKey([9, 9, 1]).authenticationCode(for: message, using: .sha512) != short)
        let long = [UInt8](repeating: 3, count: 100_000)
        #expect(
            HMACKey(long).authenticationCode(for: message, using: .sha256)
                == HMACKey(HashFunction.sha256.digest(long)).authenticationCode(for: message, using: .sha256))
    }
}
