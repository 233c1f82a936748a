import Testing

@testable import TernJOSE

@Suite("NumericDate (RFC 7519 §2)")
struct NumericDateTests {
    @Test(
        arguments: [
            (0.0, "1970-01-01T00:00:00Z"),
            (1_750_000_000, "2025-06-15T15:06:40Z"),
            (1_709_164_800, "2024-02-29T00:00:00Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
            (-1, "1969-12-31T23:59:59Z"),
            (-0.5, "1969-12-31T23:59:59Z"),
            (1_750_003_600.811, "2025-06-15T16:06:40Z"),
            (253_402_300_799, "9999-12-31T23:59:59Z"),
            (-62_167_219_200, "0000-01-01T00:00:00Z"),
        ] as [(Double, String)])
    func description(seconds: Double, text: String) {
        #expect(NumericDate(seconds).description == text)
    }

    @Test(
        "No value traps", arguments: [1e300, -1e300, .infinity, -.infinity, .nan, 9.3e18, 253_402_300_800] as [Double])
    func absurd(seconds: Double) {
        let date = NumericDate(seconds)
        #expect(date.description.hasSuffix("s since 1970"))
        _ = date + .seconds(30)
        _ = date - .seconds(30)
        _ = date.duration(since: NumericDate(0))
        _ = NumericDate(0).duration(since: date)
    }

    @Test func arithmetic() {
        let date = NumericDate(1000)
        #expect(date + .milliseconds(1500) == NumericDate(1001.5))
        #expect(date - .seconds(2000) == NumericDate(-1000))
        #expect(NumericDate(1001.5).duration(since: date) == .milliseconds(1500))
        #expect(date.duration(since: NumericDate(1001.5)) == .milliseconds(-1500))
        #expect(NumericDate(1e300).duration(since: date) == .seconds(1e18))
        #expect(date < NumericDate(1000.25))
    }
}
