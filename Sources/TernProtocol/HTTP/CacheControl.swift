/// What an answer says about how long it may be kept (RFC 9111 §5.2), as a private cache needs it.
public struct CacheControl: Sendable, Hashable {
    /// How long the answer is fresh; `nil` where it does not say so in a way that makes sense.
    public let maxAge: Duration?
    /// Whether it must be asked for again each time.
    public let mustRevalidate: Bool

    /// The longest lifetime believed, in seconds: a year.
    public static let maximumSeconds = 31_536_000.0

    /// Reads the fields `Cache-Control` and `Age`; directives that cannot be read are passed over.
    public init(_ fields: HTTPFields) {
        var maxAge: Double?
        var mustRevalidate = false
        for value in fields.values(of: "Cache-Control") where value.utf8.count <= 4_096 {
            for directive in value.split(separator: ",") {
                let parts = directive.split(separator: "=", maxSplits: 1).map {
                    String(String($0).trimmingASCIIWhitespace).asciiLowercased
                }
                switch parts.first {
                case "no-store", "no-cache": mustRevalidate = true
                case "max-age" where parts.count == 2: maxAge = maxAge ?? Self.seconds(parts[1])
                default: break
                }
            }
        }
        let age = fields["Age"].flatMap(Self.seconds) ?? 0
        self.maxAge = maxAge.map { .seconds(max(0, $0 - age)) }
        self.mustRevalidate = mustRevalidate
    }

    private static func seconds(_ text: String) -> Double? {
        var digits = Substring(text)
        if digits.count > 2, digits.hasPrefix("\""), digits.hasSuffix("\"") { digits = digits.dropFirst().dropLast() }
        guard (1...18).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        return Double(String(digits)).map { min($0, maximumSeconds) }
    }
}
