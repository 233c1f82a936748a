internal import TernProtocol

/// The parameters of a request as its signature wants them (RFC 5849 §3.4.1.3): each name and each value percent-encoded,
/// then sorted by name and by value, octet by octet.
///
/// Everything is kept in one array of bytes: texts would be far slower than the signature itself.
struct NormalizedParameters {
    private struct Entry {
        let start: Int
        let middle: Int
        let end: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    init(reserving count: Int) {
        bytes.reserveCapacity(count)
        entries.reserveCapacity(24)
    }

    mutating func append(_ name: String, _ value: String) {
        let start = bytes.count
        PercentCodec.append(name, to: &bytes)
        let middle = bytes.count
        PercentCodec.append(value, to: &bytes)
        entries.append(Entry(start: start, middle: middle, end: bytes.count))
    }

    mutating func append(_ parameters: FormParameters) {
        for parameter in parameters.parameters { append(parameter.name, parameter.value) }
    }

    /// Appends what a query or a form holds, decoded and encoded again: there `+` is a blank, and the case of escapes does
    /// not count (§3.4.1.3.1).
    mutating func append(form: UnsafeBufferPointer<UInt8>) {
        var at = 0
        while at < form.count {
            var end = at
            var equals: Int?
            while end < form.count, form[end] != UInt8(ascii: "&") {
                if equals == nil, form[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > at {
                let start = bytes.count
                PercentCodec.append(form: UnsafeBufferPointer(rebasing: form[at..<(equals ?? end)]), to: &bytes)
                let middle = bytes.count
                PercentCodec.append(
                    form: UnsafeBufferPointer(rebasing: form[min((equals ?? end) + 1, end)..<end]), to: &bytes)
                entries.append(Entry(start: start, middle: middle, end: bytes.count))
            }
            at = end + 1
        }
    }

    mutating func sort() {
        bytes.withUnsafeBufferPointer { bytes in
            entries.sort { one, other in
                let names = bytes.order(one.start..<one.middle, other.start..<other.middle)
                return (names != 0 ? names : bytes.order(one.middle..<one.end, other.middle..<other.end)) < 0
            }
        }
    }

    /// A text with names and values behind it, joined by `=` and `&` and all of it percent-encoded once more, as the base
    /// string has it.
    func encoded(after head: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: head.count + bytes.count * 3 + entries.count * 6) { out, end in
            for byte in head { out.write(byte, at: &end) }
            bytes.withUnsafeBufferPointer { bytes in
                for (index, entry) in entries.enumerated() {
                    if index > 0 { out.writeEscape("2", "6", at: &end) }
                    out.write(bytes[entry.start..<entry.middle], at: &end)
                    out.writeEscape("3", "D", at: &end)
                    out.write(bytes[entry.middle..<entry.end], at: &end)
                }
            }
        }
    }
}

extension UnsafeMutableBufferPointer<UInt8> {
    @inline(__always)
    fileprivate func write(_ byte: UInt8, at end: inout Int) {
        self[end] = byte
        end += 1
    }

    @inline(__always)
    fileprivate func writeEscape(_ high: Unicode.Scalar, _ low: Unicode.Scalar, at end: inout Int) {
        write(UInt8(ascii: "%"), at: &end)
        write(UInt8(ascii: high), at: &end)
        write(UInt8(ascii: low), at: &end)
    }

    /// Writes what is encoded once already, so that only its percent signs have to be.
    fileprivate func write(_ encoded: Slice<UnsafeBufferPointer<UInt8>>, at end: inout Int) {
        var at = end
        for byte in encoded {
            if byte == UInt8(ascii: "%") { writeEscape("2", "5", at: &at) } else { write(byte, at: &at) }
        }
        end = at
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// Less than zero, zero or more, as the one run of bytes stands before, at or behind the other.
    fileprivate func order(_ one: Range<Int>, _ other: Range<Int>) -> Int {
        var (at, against) = (one.lowerBound, other.lowerBound)
        while at < one.upperBound, against < other.upperBound {
            if self[at] != self[against] { return Int(self[at]) - Int(self[against]) }
            at += 1
            against += 1
        }
        return one.count - other.count
    }
}
