import TernJOSE
import TernProtocol
import Testing

@Suite("Dates, waits and lifetimes of HTTP")
struct HTTPDateTests {
    // The three forms of RFC 9110 §5.6.7.
    @Test(
        "All three forms are read",
        arguments: ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])
    func forms(text: String) {
        #expect(HTTPDate(text)?.date == NumericDate(784_111_777))
    }

    @Test(
        "The preferred form is written",
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_750_000_000.9, "Sun, 15 Jun 2025 15:06:40 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ])
    func writing(seconds: Double, expected: String) {
        #expect(HTTPDate(date: NumericDate(seconds)).description == expected)
        #expect(HTTPDate(expected)?.date == NumericDate(seconds.rounded(.down)))
    }

    @Test(
        "Nonsense is refused",
        arguments: [
            "", "now", "Sun, 06 Nov 1994", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:60:00 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nop 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49 GMT", "Sun, 06 Nov -994 08:49:37 GMT", "Sun, 06 Nov 99999999999 08:49:37 GMT",
            "::::", ", , , , :",
            "Sun, 06 Nov 1994 +8:49:37 GMT", "Sun, 31 Feb 2025 08:49:37 GMT", "Sat, 29 Feb 2025 08:49:37 GMT",
        ])
    func nonsense(text: String) {
        #expect(HTTPDate(text) == nil)
    }

    @Test("A time beyond the calendar does not trap", arguments: [Double.infinity, -.infinity, 1e300, -1e300, .nan])
    func absurd(seconds: Double) {
        #expect(!HTTPDate(date: NumericDate(seconds)).description.isEmpty)
    }

    @Test(
        "Waits: seconds, clamped, and nothing for nonsense",
        arguments: [
            ("120", 120.0), ("0", 0), (" 7 ", 7), ("999999999999999999999", RetryAfter.maximumSeconds), ("-1", nil),
            ("1.5", nil),
            ("soon", nil), ("", nil), ("0x10", nil), ("1e3", nil),
        ] as [(String, Double?)])
    func waits(text: String, expected: Double?) {
        #expect(RetryAfter(["Retry-After": text])?.delay == expected.map { .seconds($0) })
    }

    @Test(
        "A date is held against the server's own",
        arguments: [
            ("Sun, 06 Nov 1994 08:51:37 GMT", 120.0), ("Sunday, 06-Nov-94 08:51:37 GMT", 120),
            ("Sun, 06 Nov 1994 08:49:36 GMT", nil), ("Tue, 06 Nov 2040 08:49:36 GMT", RetryAfter.maximumSeconds),
        ] as [(String, Double?)])
    func waitsUntil(text: String, expected: Double?) {
        let fields: HTTPFields = ["Date": "Sun, 06 Nov 1994 08:49:37 GMT", "Retry-After": text]
        #expect(RetryAfter(fields)?.delay == expected.map { .seconds($0) })
        #expect(RetryAfter(["Retry-After": text]) == nil)
    }

    @Test(
        "Lifetimes",
        arguments: [
            (["max-age=3600"], 3_600.0, false), (["Public, Max-Age=\"60\" , must-revalidate"], 60, false),
            (["max-age=60", "no-cache"], 60, true), (["no-store"], nil, true), (["max-age=-1"], nil, false),
            (["max-age"], nil, false), (["max-age=x, max-age=5"], 5, false), (["s-maxage=9"], nil, false),
            (["max-age=99999999999999999999"], nil, false),
            (["max-age=99999999999"], CacheControl.maximumSeconds, false),
            ([], nil, false), (["private=\"max-age=1\", max-age=2"], 2, false), ([",,=,max-age=3"], 3, false),
        ] as [([String], Double?, Bool)])
    func lifetimes(values: [String], maxAge: Double?, mustRevalidate: Bool) {
        var fields = HTTPFields()
        for value in values { fields.append("Cache-Control", value) }
        let control = CacheControl(fields)
        #expect(control.maxAge == maxAge.map { .seconds($0) })
        #expect(control.mustRevalidate == mustRevalidate)
    }

    @Test("The age that an answer has already counts against its lifetime")
    func age() {
        #expect(CacheControl(["Cache-Control": "max-age=100", "Age": "30"]).maxAge == .seconds(70))
        #expect(CacheControl(["Cache-Control": "max-age=100", "Age": "300"]).maxAge == .zero)
        #expect(CacheControl(["Cache-Control": "max-age=100", "Age": "-5"]).maxAge == .seconds(100))
    }
}
