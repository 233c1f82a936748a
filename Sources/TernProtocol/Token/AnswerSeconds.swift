internal import TernJOSE

extension JSON {
    /// A time in seconds, as a number or as digits in quotes; `nil` for what makes no sense: zero, negative, absurd.
    var positiveSeconds: Duration? {
        let seconds: Double? =
            switch self {
            case .number(let number): number.double
            case .string(let digits) where !digits.isEmpty && digits.utf8.allSatisfy(\.isASCIIDigit): Double(digits)
            default: nil
            }
        guard let seconds, seconds > 0, seconds <= TokenResponse.maximumLifetime else { return nil }
        return .seconds(seconds)
    }
}

extension ServerError {
    /// How long a server that was asked too often wants to wait between two questions (RFC 8628 §3.5); `nil` where it does
    /// not say so.
    public var interval: Duration? { members["interval"]?.positiveSeconds }
}
