import Testing

@testable import Tern

@Suite("File names of records")
struct RecordFileNameTests {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~@:/%+")

    @Test(
        "Names are plain where they can be",
        arguments: [
            ("main", "main"), ("a.b-c_d~e@f+g", "a.b-c_d~e@f+g"), ("Ada", "%41da"), ("../../etc", nil),
            ("a/../../etc", "a%2f..%2f..%2fetc"), ("100%", "100%25"), ("https://x", "https%3a%2f%2fx"),
        ] as [(String, String?)])
    func plainNames(key: String, expected: String?) throws {
        #expect((try? StoreKey(key)).map(RecordFileName.encode) == expected)
    }

    @Test("A thousand random keys come back, fit a file system and stay apart without regard to case")
    func roundTrips() throws {
        var random = SeededGenerator(state: 0x7465_726E)
        var seen: [String: String] = [:]
        for _ in 0..<1_000 {
            let length = Int.random(in: 1...200, using: &random)
            let text = String((0..<length).map { _ in Self.alphabet.randomElement(using: &random) ?? "a" })
            guard let key = try? StoreKey(text) else {
                #expect(text.hasPrefix("."))
                continue
            }
            let name = RecordFileName.encode(key)
            #expect(name.utf8.count + RecordFileName.recordSuffix.utf8.count <= 255)
            #expect(name == name.lowercased() && !name.contains("/") && !name.hasPrefix("."))
            #expect(RecordFileName.decode(name) == key)
            #expect(seen[name] == nil || seen[name] == text)
            seen[name] = text
        }
    }

    @Test("The longest keys of every character fit", arguments: Self.alphabet.filter { $0 != "." })
    func longest(character: Character) throws {
        let key = try StoreKey(String(repeating: character, count: 200))
        let name = RecordFileName.encode(key)
        #expect(name.utf8.count <= RecordFileName.maximumByteCount)
        #expect(RecordFileName.decode(name) == key)
    }

    @Test(
        "A name that no key has is not taken for one",
        arguments: [
            "", "A", "%", "%4", "%4g", "%61", "%4A", "%2e", "a b", "ä", "%=", "%=a", "%=zz", "%=++++++++", ".x", "%00",
            "%+1",
        ])
    func foreignNames(name: String) {
        #expect(RecordFileName.decode(name) == nil)
    }
}

/// A generator that repeats itself (SplitMix64), for tests over many inputs.
struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
