/// A moment, in seconds since 1970-01-01T00:00:00Z without leap seconds: the `NumericDate` of RFC 7519 §2.
///
/// Fractions of a second are kept, because issuers write them. No value traps: a date beyond the calendar compares,
/// adds and prints like any other. A date that is not a number comes after nothing and before nothing, so do not make one;
/// dates read from tokens are always finite.
public struct NumericDate: Sendable, Hashable, Comparable, Codable, CustomStringConvertible {
    /// Seconds since the start of 1970 in UTC; negative before it.
    public var secondsSince1970: Double

    /// A moment so many seconds after the start of 1970 in UTC.
    public init(_ secondsSince1970: Double) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Reads a single number of seconds.
    ///
    /// - Throws: what the decoder throws.
    public init(from decoder: any Decoder) throws {
        secondsSince1970 = try decoder.singleValueContainer().decode(Double.self)
    }

    /// Writes a single number of seconds.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(secondsSince1970)
    }

    /// Whether one moment is before another.
    public static func < (one: NumericDate, other: NumericDate) -> Bool {
        one.secondsSince1970 < other.secondsSince1970
    }

    /// The moment that comes `duration` later.
    public static func + (date: NumericDate, duration: Duration) -> NumericDate {
        NumericDate(date.secondsSince1970 + seconds(of: duration))
    }

    /// The moment that was `duration` earlier.
    public static func - (date: NumericDate, duration: Duration) -> NumericDate {
        NumericDate(date.secondsSince1970 - seconds(of: duration))
    }

    /// How long it takes from `earlier` to this moment; negative when `earlier` is later.
    ///
    /// Cut off at 10^18 seconds in both directions, which is more than the age of the universe.
    public func duration(since earlier: NumericDate) -> Duration {
        let difference = secondsSince1970 - earlier.secondsSince1970
        guard !difference.isNaN else { return .zero }
        return .seconds(max(-1e18, min(1e18, difference)))
    }

    /// The moment in UTC as ISO 8601 writes it, `2025-06-15T15:06:40Z`, with the fraction cut off.
    ///
    /// A moment outside the years 0 to 9999 is written as its number of seconds.
    public var description: String {
        let seconds = secondsSince1970.rounded(.down)
        guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return "\(secondsSince1970) s since 1970" }
        let whole = Int64(seconds)
        var days = whole / 86_400
        var rest = whole % 86_400
        if rest < 0 {
            rest += 86_400
            days -= 1
        }
        let (year, month, day) = Self.civilDate(daysSince1970: days)
        let date = "\(Self.padded(year, to: 4))-\(Self.padded(month, to: 2))-\(Self.padded(day, to: 2))"
        let hour = Self.padded(rest / 3600, to: 2)
        let minute = Self.padded(rest / 60 % 60, to: 2)
        return "\(date)T\(hour):\(minute):\(Self.padded(rest % 60, to: 2))Z"
    }

    private static func seconds(of duration: Duration) -> Double {
        let (seconds, attoseconds) = duration.components
        return Double(seconds) + Double(attoseconds) * 1e-18
    }

    private static func padded(_ number: Int64, to width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
    }

    /// The date in the Gregorian calendar, for the years 0 to 9999.
    ///
    /// Whole cycles of 400 years (146,097 days) are taken off first, and the rest is walked year by year: at most 400
    /// steps, which is quick enough for a text that people read.
    private static func civilDate(daysSince1970: Int64) -> (year: Int64, month: Int64, day: Int64) {
        // From 0000-01-01 to 1970-01-01.
        let days = daysSince1970 + 719_528
        var year = days / 146_097 * 400
        var rest = days % 146_097
        while true {
            let length: Int64 = isLeap(year) ? 366 : 365
            if rest < length { break }
            rest -= length
            year += 1
        }
        var month: Int64 = 1
        for length in [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as [Int64] {
            if rest < length { break }
            rest -= length
            month += 1
        }
        return (year, month, rest + 1)
    }

    private static func isLeap(_ year: Int64) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }
}
