/// A number of a JSON text, kept exactly as it was written (RFC 8259 §6).
///
/// Two numbers are equal when they are written alike: `1` and `1.0` differ here, and agree in ``int64`` and ``double``.
public struct JSONNumber: Sendable, Hashable, CustomStringConvertible {
    /// The number as it was written, for example `12345678901234567890` or `1.0e3`.
    public let text: String

    /// For texts that are known to follow the grammar.
    init(uncheckedText text: String) { self.text = text }

    /// The number with the usual decimal digits.
    public init(_ value: Int64) { text = String(value) }

    /// The shortest text that reads back as the same value, without a fraction when it is whole; `nil` for values that
    /// JSON cannot write (infinities and not-a-number).
    public init?(_ value: Double) {
        guard value.isFinite else { return nil }
        if let whole = Int64(exactly: value), abs(value) < 9_007_199_254_740_992 {
            text = String(whole)
        } else {
            text = value.description
        }
    }

    /// The exact value when it is a whole number of the range of `Int64`, however it was written: `1.0e3` is 1000,
    /// `1.5` is `nil`.
    public var int64: Int64? {
        if let plain = Int64(text) { return plain }
        return exactInteger()
    }

    /// The nearest floating-point value; `nil` when it is beyond the range of `Double` (`1e999`).
    public var double: Double? {
        if text.utf8.count <= 15, let whole = Int64(text) { return Double(whole) }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    /// The same as ``text``.
    public var description: String { text }

    /// Takes the number apart into digits and a power of ten, which stays exact where `Double` would round.
    private func exactInteger() -> Int64? {
        var digits: [UInt8] = []
        var scale = 0
        var exponent = 0
        var exponentIsNegative = false
        var isNegative = false
        var part = 0
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "-"):
                if part == 2 { exponentIsNegative = true } else { isNegative = true }
            case UInt8(ascii: "."): part = 1
            case UInt8(ascii: "e"), UInt8(ascii: "E"): part = 2
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                let digit = byte - UInt8(ascii: "0")
                if part == 2 {
                    // Saturated: an exponent of this size decides nothing but "too large" or "too small".
                    exponent = min(exponent * 10 + Int(digit), 1_000_000_000)
                } else {
                    if part == 1 { scale -= 1 }
                    digits.append(digit)
                }
            default: break
            }
        }
        scale += exponentIsNegative ? -exponent : exponent
        while digits.last == 0 {
            digits.removeLast()
            scale += 1
        }
        if digits.isEmpty { return 0 }
        guard scale >= 0, scale < 20 else { return nil }
        var value: Int64 = 0
        for digit in digits + [UInt8](repeating: 0, count: scale) {
            let (product, overflowed) = value.multipliedReportingOverflow(by: 10)
            // Built up on the negative side, whose range is the larger one.
            let (difference, underflowed) = product.subtractingReportingOverflow(Int64(digit))
            guard !overflowed, !underflowed else { return nil }
            value = difference
        }
        if isNegative { return value }
        return value == Int64.min ? nil : -value
    }
}
