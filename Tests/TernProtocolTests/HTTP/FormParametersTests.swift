import TernProtocol
import Testing

@Suite("Form parameters (RFC 6749 appendix B)")
struct FormParametersTests {
    @Test("Everything but unreserved characters is encoded")
    func encoding() {
        let parameters: FormParameters = ["a b": "1+2=3&4", "é": "~-._", "": "%"]
        #expect(parameters.encoded == "a%20b=1%2B2%3D3%264&%C3%A9=~-._&=%25")
    }

    // RFC 6749 appendix B: the value of its example.
    @Test("The example of the standard")
    func example() {
        let value = "\u{20}\u{25}\u{26}\u{2B}\u{A3}\u{20AC}"
        #expect(PercentCodec.encode(value) == "%20%25%26%2B%C2%A3%E2%82%AC")
        #expect(PercentCodec.decodeForm("+%25%26%2B%C2%A3%E2%82%AC") == value)
    }

    @Test("CB-04: a code is decoded once and encoded once")
    func decodeOnce() throws {
        let query = "code=4%2F0Ab_c%2Bd&state=st-open-1&scope=email+profile&authuser=0&prompt=none"
        let parameters = try #require(FormParameters(decoding: query))
        #expect(parameters["code"] == "4/0Ab_c+d")
        #expect(parameters["scope"] == "email profile")
        #expect(parameters.count == 5)
        let body: FormParameters = ["code": try #require(parameters["code"])]
        #expect(body.encoded == "code=4%2F0Ab_c%2Bd")
        #expect(FormParameters(decoding: "code=a%252Fb")?["code"] == "a%2Fb")
    }

    @Test(
        "CB-05: text that cannot be decoded stays as it came",
        arguments: [
            ("User+said+no%3A+%C3%A9%20ok", "User said no: é ok"), ("100%", "100%"), ("100%+sure", "100%+sure"),
            ("%4", "%4"),
            ("%zz", "%zz"), ("%FF+x", "%FF+x"), ("%C3", "%C3"), ("%C3%A9", "é"), ("%c3%a9", "é"), ("%00", "\u{0}"),
            ("é", "é"),
            ("%ED%A0%80", "%ED%A0%80"), ("%C0%AF", "%C0%AF"), ("", ""), ("+", " "),
        ])
    func undecodable(text: String, expected: String) throws {
        #expect(FormParameters(decoding: "error_description=\(text)&x=1")?["error_description"] == expected)
        #expect(FormParameters(decoding: "error_description=\(text)&x=1")?["x"] == "1")
    }

    @Test("Pairs are split before they are decoded")
    func splitting() throws {
        let parameters = try #require(FormParameters(decoding: "&&a=b%26c%3Dd&e=f=g=&h&=i&a=2&"))
        let pairs = parameters.parameters.map { "\($0.name)|\($0.value)" }
        #expect(pairs == ["a|b&c=d", "e|f=g=", "h|", "|i", "a|2"])
        #expect(parameters.values(of: "a") == ["b&c=d", "2"])
        #expect(FormParameters(decoding: "")?.isEmpty == true)
    }

    @Test("Setting a name leaves one of it in its place; appending repeats it")
    func editing() {
        var parameters: FormParameters = ["a": "1", "b": "2", "a": "3", "c": "4", "a": "5"]
        parameters["a"] = "9"
        #expect(parameters.encoded == "a=9&b=2&c=4")
        parameters["b"] = nil
        parameters["d"] = "5"
        parameters.append("a", "6")
        parameters.append("e", ifPresent: nil)
        #expect(parameters.encoded == "a=9&c=4&d=5&a=6")
    }

    @Test("A thousand pairs are read, a hundred thousand refused at once")
    func limits() throws {
        func pairs(_ count: Int) -> String { (0..<count).map { "p\($0)=\($0)" }.joined(separator: "&") }
        #expect(FormParameters(decoding: pairs(1_000))?.count == 1_000)
        #expect(FormParameters(decoding: pairs(1_001)) == nil)
        let hostile = pairs(100_000)
        let time = ContinuousClock().measure { #expect(FormParameters(decoding: hostile) == nil) }
        // An unoptimised build on a busy machine; the figure that counts is in the benchmarks.
        #expect(time < .milliseconds(500))
    }

    @Test("Random text comes back")
    func roundTrips() throws {
        var random = SeededGenerator(state: 0x666F_726D)
        for _ in 0..<500 {
            func text() -> String {
                let scalars = (0..<Int.random(in: 0...20, using: &random)).compactMap { _ in
                    Unicode.Scalar(
                        UInt32.random(in: 0...0x10_FFFF, using: &random) >> UInt32.random(in: 0...14, using: &random))
                }
                return String(String.UnicodeScalarView(scalars))
            }
            let parameters = FormParameters((0..<5).map { _ in .init(name: text(), value: text()) })
            let decoded = try #require(FormParameters(decoding: parameters.encoded))
            #expect(
                decoded.parameters.map { Array($0.value.utf8) } == parameters.parameters.map { Array($0.value.utf8) })
            #expect(decoded.parameters.map { Array($0.name.utf8) } == parameters.parameters.map { Array($0.name.utf8) })
            #expect(parameters.encoded.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F })
        }
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
