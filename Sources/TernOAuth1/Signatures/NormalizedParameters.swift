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
        name.withBytes { bytes.appendEncoded($0) }
        let middle = bytes.count
        value.withBytes { bytes.appendEncoded($0) }
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
                bytes.appendRecoded(UnsafeBufferPointer(rebasing: form[at..<(equals ?? end)]))
                let middle = bytes.count
                bytes.appendRecoded(UnsafeBufferPointer(rebasing: form[min((equals ?? end) + 1, end)..<end]))
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

    /// How many bytes the encoded form takes at most.
    var maximumEncodedByteCount: Int { bytes.count * 3 + entries.count * 6 }

    /// Writes names and values joined by `=` and `&`, and all of it percent-encoded once more, as the base string has it.
    func write(to out: inout [UInt8]) {
        bytes.withUnsafeBufferPointer { bytes in
            for (index, entry) in entries.enumerated() {
                if index > 0 { out.append(contentsOf: [0x25, 0x32, 0x36]) }
                out.appendEncoded(UnsafeBufferPointer(rebasing: bytes[entry.start..<entry.middle]))
                out.append(contentsOf: [0x25, 0x33, 0x44])
                out.appendEncoded(UnsafeBufferPointer(rebasing: bytes[entry.middle..<entry.end]))
            }
        }
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

extension [UInt8] {
    mutating func append(_ text: String) { text.withBytes { append(contentsOf: $0) } }

    mutating func append(encoded text: String) { text.withBytes { appendEncoded($0) } }

    mutating func appendEncoded(_ bytes: UnsafeBufferPointer<UInt8>) {
        for byte in bytes { appendEncoded(byte) }
    }

    @inline(__always)
    private mutating func appendEncoded(_ byte: UInt8) {
        if byte.isUnreserved {
            append(byte)
        } else {
            append(0x25)
            append(Self.digit(byte >> 4))
            append(Self.digit(byte & 15))
        }
    }

    /// A name or value with a broken escape counts as it stands.
    fileprivate mutating func appendRecoded(_ bytes: UnsafeBufferPointer<UInt8>) {
        let start = count
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case UInt8(ascii: "+"): appendEncoded(0x20)
            case UInt8(ascii: "%"):
                guard at + 2 < bytes.count, let high = bytes[at + 1].hexValue, let low = bytes[at + 2].hexValue else {
                    removeLast(count - start)
                    return appendEncoded(bytes)
                }
                appendEncoded(high << 4 | low)
                at += 2
            default: appendEncoded(bytes[at])
            }
            at += 1
        }
    }

    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? nibble &+ 0x30 : nibble &+ 0x37 }
}

extension UInt8 {
    fileprivate var hexValue: UInt8? {
        switch self {
        case 0x30...0x39: self &- 0x30
        case 0x41...0x46, 0x61...0x66: (self | 0x20) &- 0x57
        default: nil
        }
    }
}
