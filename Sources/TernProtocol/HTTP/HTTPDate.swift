public import TernJOSE

/// A date of HTTP (RFC 9110 §5.6.7): the preferred form and both obsolete ones are read, the preferred one is written.
public struct HTTPDate: Sendable, Hashable, CustomStringConvertible {
    /// The time, in whole seconds.
    public let date: NumericDate

    /// Takes a time.
    public init(date: NumericDate) { self.date = NumericDate(date.secondsSince1970.rounded(.down)) }

    /// Reads a date such as `Sun, 06 Nov 1994 08:49:37 GMT`.
    public init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
        guard words.count >= 5, let clock = words.first(where: { $0.contains(":") }) else { return nil }
        let isAsctime = words[1].first?.isLetter == true
        let (day, month, year) = isAsctime ? (words[2], words[1], words[4]) : (words[1], words[2], words[3])
        let time = clock.split(separator: ":", omittingEmptySubsequences: false).map { Self.number(String($0)) }
        guard let day = Self.number(day), [2, 4].contains(year.utf8.count), var year = Self.number(year),
            let month = Self.months.firstIndex(of: month).map({ $0 + 1 }), time.count == 3,
            let hour = time[0], let minute = time[1], let second = time[2],
            hour < 24, minute < 60, second <= 60
        else { return nil }
        // RFC 9110: two digits mean the last year with these digits that is not more than 50 years ahead.
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let days = Self.days(year: year, month: month, day: day)
        guard Self.civil(days) == (year, month, day) else { return nil }
        date = NumericDate(Double(days * 86_400 + hour * 3_600 + minute * 60 + second))
    }

    /// The preferred form.
    public var description: String {
        let seconds = Int(max(-6e10, min(2.5e11, date.secondsSince1970)))
        let days = seconds >= 0 ? seconds / 86_400 : (seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        let (year, month, day) = Self.civil(days)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let weekday = Self.weekdays[((days + 4) % 7 + 7) % 7]
        return "\(weekday), \(two(day)) \(Self.months[month - 1]) \(year) "
            + "\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)) GMT"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]

    private static func number(_ text: String) -> Int? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Int(text)
    }

    /// Days since 1970-01-01 in the proleptic Gregorian calendar, counted in years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}
