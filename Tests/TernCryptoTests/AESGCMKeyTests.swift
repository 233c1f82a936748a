import TernCrypto
import Testing

@Suite("AES-256-GCM (NIST SP 800-38D)")
struct AESGCMKeyTests {
    /// Gives the same bytes always, whatever the number that was asked for.
    private struct FixedBytes: RandomSource {
        let fixed: [UInt8]
        func bytes(_ count: Int) -> [UInt8] { fixed }
    }

    @Test(arguments: records(aesGCMVectors))
    func `test cases of the mode's authors`(record: VectorRecord) throws {
        let key = try AESGCMKey(record.hex("Key"))
        let (nonce, message, data) = (try record.hex("IV"), try record.hex("PT"), try record.hex("AAD"))
        let sealed = try nonce + record.hex("CT") + record.hex("Tag")
        #expect(try key.seal(message, authenticating: data, random: FixedBytes(fixed: nonce)) == sealed)
        #expect(key.open(sealed, authenticating: data) == message)
        for bit in 0..<(sealed.count * 8) {
            #expect(key.open(flipped(sealed, bit: bit), authenticating: data) == nil, "bit \(bit)")
        }
        #expect(key.open(sealed, authenticating: data + [0]) == nil)
        if !data.isEmpty { #expect(key.open(sealed) == nil) }
    }

    @Test func `what is too short, too long or cut opens to nothing`() throws {
        let key = try AESGCMKey([UInt8](repeating: 7, count: 32))
        let sealed = try key.seal(Array("message".utf8))
        #expect(sealed.count == 7 + AESGCMKey.overhead)
        for count in 0..<sealed.count { #expect(key.open(Array(sealed.prefix(count))) == nil) }
        #expect(key.open(sealed + [0]) == nil)
        #expect(try AESGCMKey([UInt8](repeating: 8, count: 32)).open(sealed) == nil)
    }

    @Test func `every seal has a nonce of its own`() throws {
        let key = try AESGCMKey([UInt8](repeating: 7, count: 32))
        let message = [UInt8](repeating: 0x61, count: 100_000)
        let (one, other) = (try key.seal(message), try key.seal(message))
        let areDifferent = one != other && one.prefix(12) != other.prefix(12)
        #expect(areDifferent)
        let isBack = key.open(one) == message && key.open(other) == message
        #expect(isBack)
    }

    @Test(arguments: [0, 11, 13])
    func `a random source that gives another number of bytes is refused`(count: Int) throws {
        let key = try AESGCMKey([UInt8](repeating: 7, count: 32))
        #expect(throws: CryptoError.self) {
            try key.seal([1], random: FixedBytes(fixed: [UInt8](repeating: 0, count: count)))
        }
    }

    @Test(arguments: [0, 15, 17, 25, 31, 33, 64])
    func `a key of another length is refused`(count: Int) {
        let error = #expect(throws: CryptoError.self) { try AESGCMKey([UInt8](repeating: 1, count: count)) }
        #expect(error?.kind == .invalidKey(field: "k"))
    }

    @Test func `a key prints nothing of itself`() throws {
        let key = try AESGCMKey([UInt8](repeating: 0xAB, count: 32))
        var dumped = ""
        dump([key], to: &dumped)
        for text in ["\(key)", String(reflecting: key), dumped] { #expect(!text.contains("171")) }
        #expect("\(key)" == "<AES-GCM key>")
    }

    @Test func `many threads use one key`() async throws {
        let key = try AESGCMKey([UInt8](repeating: 7, count: 32))
        try await withThrowingTaskGroup(of: Bool.self) { group in
            for number in 0..<200 {
                group.addTask {
                    let message = [UInt8](repeating: UInt8(number), count: number)
                    return try key.open(
                        key.seal(message, authenticating: [UInt8(number)]), authenticating: [UInt8(number)])
                        == message
                }
            }
            for try await isBack in group { #expect(isBack) }
        }
    }
}
