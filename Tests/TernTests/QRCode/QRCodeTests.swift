@testable import Tern
import TernCrypto
import Testing

/// The matrices were made by another implementation (segno 1.6.6), one for each mask. Texts fill their codes, since that
/// implementation pads others with a zero byte more than the standard has.
@Suite("QR codes")
struct QRCodeTests {
    struct Known: Sendable, CustomTestStringConvertible {
        let count: Int
        let correction: QRCode.Correction
        let version: Int
        /// The beginnings of the SHA-256 of the rows, `#` for dark and `.` for light, by mask.
        let digests: [String]

        var testDescription: String { "version \(version), \(correction)" }
    }

    static let known: [Known] = [
        Known(
            count: 14, correction: .medium, version: 1,
            digests: [
                "23da55eb800956cd", "a038238dac0c6211", "a15da73d7889c228", "8c85bce7e4d1cab0",
                "650a3e0090136c50", "17630e5869ca18ed", "52362ea25ede165f", "c1e0bbd0d20f1a26",
            ]),
        Known(
            count: 17, correction: .low, version: 1,
            digests: [
                "b00401918b05a7e0", "429e757e82389fd2", "a34b84dab0649b35", "f7940c38ceb56edd",
                "df76d6ceb2ba5891", "5c14585970db6fd5", "0297d8d575ca449d", "fd849f628d4723ce",
            ]),
        Known(
            count: 84, correction: .medium, version: 5,
            digests: [
                "2f8060a5a5ed406d", "9ef89a72d013f506", "86eebb77c6b995f6", "0d29fb66204647c2",
                "25110cf22c9a25bb", "10f9571331e2906e", "4babd134e7836732", "f0de000c8f58cad7",
            ]),
        Known(
            count: 122, correction: .medium, version: 7,
            digests: [
                "00acb6a2e646106d", "089665d5ed414a35", "0188a51229b517e8", "f193d7f1a93915c3",
                "fbb3d6e231045c21", "eccccc4214d42cf2", "7db566f43057d978", "9534a9509d2b7f29",
            ]),
        Known(
            count: 106, correction: .low, version: 5,
            digests: [
                "300c416538c88f34", "4cabaafbe06d8828", "f795b9f40767d85f", "d684e3e286187bb2",
                "60a80a013bc76163", "cf60a2447524c29c", "80c4c9f3dcbc414f", "10110776e1fef491",
            ]),
        Known(
            count: 152, correction: .medium, version: 8,
            digests: [
                "157969d4a64f9f2f", "2fcbd6c571d65262", "660a809b92df04b4", "f279fc1bb240ff78",
                "bf71c0d7f50a63d6", "aa1b62a42386c0e1", "106528e14637d489", "57c05d131d2cdf04",
            ]),
        Known(
            count: 180, correction: .medium, version: 9,
            digests: [
                "7b3ea1ea00a2df6e", "bb46ed3bfeb4ab6c", "032f28b6541821f3", "fc1d7ebefc07cc89",
                "bfcba0eae20ba574", "8e985ebe3270d0f9", "d2dd1b72bbb604d6", "41db2b198acab1e6",
            ]),
        Known(
            count: 213, correction: .medium, version: 10,
            digests: [
                "964549b4fd4ca594", "3aa2c8f8d75a781b", "9854abe8d3a97a26", "ccff1667f2cdcc38",
                "7db47894df9426a6", "4efa48f2e2686c4a", "ccb3382251e95db3", "e7c0db5b3e1d30d5",
            ]),
        Known(
            count: 271, correction: .low, version: 10,
            digests: [
                "259129518ad9d917", "58c81d3c274f1db5", "9d46b1a743545b9a", "e89efcad7e33c881",
                "26fe8596337478ec", "74ad9a0b680833e5", "962c117c3fdb5dba", "a877f14a1d02cee0",
            ]),
    ]

    @Test("Every module is where another implementation has it, with every mask", arguments: known)
    func matrices(known: Known) throws {
        let text =
            "https://id.example.com/device?user_code=WDJB-MJHT&"
            + String(repeating: "0123456789abcdefghijklmnopqrstuvwxyz", count: 8)
        for (mask, digest) in known.digests.enumerated() {
            let code = try #require(QRCode(String(text.prefix(known.count)), known.correction, mask: mask))
            #expect(code.size == 17 + 4 * known.version)
            let hash = HashFunction.sha256.digest(Array(Self.rows(code).joined(separator: "\n").utf8))
            #expect(hash.prefix(8).map(Self.hex).joined() == digest, "mask \(mask)")
        }
    }

    @Test("The mask with the least penalty is taken, and a text that is too long is refused")
    func choice() throws {
        let code = try #require(QRCode("https://id.example.com/device", correction: .low))
        let forced = try #require(QRCode("https://id.example.com/device", .low, mask: code.mask))
        #expect(code == forced)
        #expect(QRCode(String(repeating: "a", count: QRCode.maximumByteCount), correction: .low)?.size == 57)
        #expect(QRCode(String(repeating: "a", count: QRCode.maximumByteCount + 1), correction: .low) == nil)
        #expect(!code.isDark(-1, 0) && !code.isDark(0, code.size) && code.isDark(0, 0))
    }

    @Test("In characters it has four light modules around it")
    func lines() throws {
        let code = try #require(QRCode("A"))
        #expect(code.lines.count == 15)
        #expect(code.lines.allSatisfy { $0.count == 29 })
        #expect(code.lines.prefix(2).allSatisfy { $0.allSatisfy { $0 == "\u{2588}" } })
    }

    private static func rows(_ code: QRCode) -> [String] {
        (0..<code.size).map { y in String((0..<code.size).map { x -> Character in code.isDark(x, y) ? "#" : "." }) }
    }

    private static func hex(_ byte: UInt8) -> String {
        let digits = Array("0123456789abcdef")
        return String([digits[Int(byte >> 4)], digits[Int(byte & 15)]])
    }
}
