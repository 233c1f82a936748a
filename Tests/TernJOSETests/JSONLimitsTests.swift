import Testing

@testable import TernJOSE

@Suite("Limits of the JSON reader")
struct JSONLimitsTests {
    private func kind(_ text: some Sequence<UInt8>, _ limits: JSONLimits = .standard) -> JSONError.Kind? {
        do throws(JSONError) {
            _ = try JSON(parsing: Array(text), limits: limits)
            return nil
        } catch {
            return error.kind
        }
    }

    @Test("Depth", arguments: ["[", "{\"a\":"])
    func depth(opening: String) {
        let closing = opening == "[" ? "]" : "}"
        func text(_ depth: Int) -> String {
            String(repeating: opening, count: depth) + "1" + String(repeating: closing, count: depth)
        }
        #expect(kind(text(64).utf8) == nil)
        #expect(kind(text(65).utf8) == .tooDeep)
        #expect(kind(text(10_000).utf8) == .tooDeep)
        #expect(kind(String(repeating: opening, count: 10_000).utf8) == .tooDeep)
        #expect(kind(text(3).utf8, JSONLimits(maximumDepth: 2)) == .tooDeep)
        #expect(kind(text(256).utf8, JSONLimits(maximumDepth: .max)) == nil)
        #expect(kind(text(257).utf8, JSONLimits(maximumDepth: .max)) == .tooDeep)
        #expect(kind("1".utf8, JSONLimits(maximumDepth: 0)) == nil)
    }

    @Test("Size")
    func size() {
        let text = [UInt8](repeating: UInt8(ascii: " "), count: JSONLimits.standardByteCount) + [UInt8(ascii: "1")]
        #expect(kind(text) == .tooLarge)
        #expect(kind(text.dropFirst()) == nil)
        #expect(kind("12345".utf8, JSONLimits(maximumByteCount: 4)) == .tooLarge)
    }

    @Test("Number of values")
    func values() {
        #expect(kind("[1,2,3]".utf8, JSONLimits(maximumValueCount: 4)) == nil)
        #expect(kind("[1,2,3,4]".utf8, JSONLimits(maximumValueCount: 4)) == .tooManyValues)
        #expect(kind(#"{"a":{"b":[]}}"#.utf8, JSONLimits(maximumValueCount: 2)) == .tooManyValues)
        #expect(kind(("[" + String(repeating: "0,", count: 100_000) + "0]").utf8) == .tooManyValues)
    }

    @Test("Byte-order mark")
    func byteOrderMark() {
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        #expect(kind(mark + Array(" {}".utf8)) == nil)
        #expect(kind(mark + Array("{}".utf8), JSONLimits(allowsByteOrderMark: false)) == .unexpectedByte)
        #expect(kind(mark + mark + Array("{}".utf8)) == .unexpectedByte)
        #expect(kind(Array(" ".utf8) + mark + Array("{}".utf8)) == .unexpectedByte)
        #expect(kind(mark) == .unexpectedEnd)
    }

    @Test("No change of a text makes the reader trap, and what it reads it writes alike")
    func mutations() throws {
        let seeds = [
            #"{"iss":"https://idp.example","aud":["a","b"],"exp":1750003600.811,"nested":{"t":true,"n":null}}"#,
            #"[1e3,-0.5,"\u00e9\ud83d\ude00 \"q\" \\","long text that is read eight bytes at a time €",{"":[]}]"#,
        ].map { Array($0.utf8) }
        var generator = Generator(state: 0x7E52)
        let interesting = Array("{}[]\",:\\u0e+-.dD8 \n\0".utf8) + [0x7F, 0x80, 0xBF, 0xC2, 0xE0, 0xED, 0xF4, 0xFF]
        var accepted = 0
        for round in 0..<20_000 {
            var text = seeds[round % seeds.count]
            for _ in 0...Int.random(in: 0..<4, using: &generator) where !text.isEmpty {
                let place = Int.random(in: 0..<text.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: text.remove(at: place)
                case 1: text.insert(interesting[Int.random(in: 0..<interesting.count, using: &generator)], at: place)
                case 2: text[place] = interesting[Int.random(in: 0..<interesting.count, using: &generator)]
                default: text.removeSubrange(place...)
                }
            }
            guard let value = try? JSON(parsing: text) else { continue }
            accepted += 1
            #expect(try JSON(parsing: value.serialized()) == value)
        }
        #expect(accepted > 100)
    }

    /// SplitMix64, for the same numbers in every run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
            return mixed ^ mixed >> 31
        }
    }
}
