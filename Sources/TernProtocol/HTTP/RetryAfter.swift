internal import TernJOSE

/// How long a server asks to wait (RFC 9110 §10.2.3), in seconds or as a date; nonsense is ignored.
public struct RetryAfter: Sendable, Hashable {
    /// The wait from the answer on.
    public let delay: Duration

    /// The longest wait believed, in seconds: a day.
    public static let maximumSeconds = 86_400.0

    /// Reads the field. A date is held against the answer's own `Date`, so that a wrong clock here does not matter.
    public init?(_ fields: HTTPFields) {
        guard let text = fields["Retry-After"], text.utf8.count <= 64 else { return nil }
        let seconds: Double
        if text.utf8.allSatisfy(\.isASCIIDigit), let number = Double(text) {
            seconds = number
        } else if let date = HTTPDate(text)?.date, let now = fields["Date"].flatMap({ HTTPDate($0)?.date }) {
            seconds = date.secondsSince1970 - now.secondsSince1970
        } else {
            return nil
        }
        guard seconds >= 0 else { return nil }
        delay = .seconds(min(seconds, Self.maximumSeconds))
    }
}
