/// Helpers for unsigned integers that are written as bytes, most significant first.
enum BigEndian {
    /// The number without leading zero bytes; zero is an empty array.
    static func minimal(_ bytes: [UInt8]) -> [UInt8] {
        bytes.first == 0 ? Array(bytes.drop { $0 == 0 }) : bytes
    }

    /// The number in exactly `count` bytes: zero bytes are put in front or taken away. `nil` when it does not fit.
    static func padded(_ bytes: [UInt8], to count: Int) -> [UInt8]? {
        if bytes.count == count { return bytes }
        let digits = minimal(bytes)
        guard digits.count <= count else { return nil }
        return [UInt8](repeating: 0, count: count - digits.count) + digits
    }

    /// The number of bits of a number without leading zero bytes.
    static func bitCount(minimal bytes: [UInt8]) -> Int {
        guard let first = bytes.first else { return 0 }
        return bytes.count * 8 - first.leadingZeroBitCount
    }

    /// Whether `one` is less than `other`; both have the same length. Takes the same time for all numbers of a length.
    static func isLess(_ one: [UInt8], than other: [UInt8]) -> Bool {
        var borrow = 0
        for (a, b) in zip(one.reversed(), other.reversed()) {
            borrow = (Int(a) - Int(b) - borrow) < 0 ? 1 : 0
        }
        return borrow == 1
    }
}
