/// One variant of Base64 with its tables.
struct Base64Codec: Sendable {
    static let url = Base64Codec(last: ("-", "_"), padded: false)
    static let standard = Base64Codec(last: ("+", "/"), padded: true)

    private let alphabet: [UInt8]
    /// Four tables of 256 entries, one for each place in a group of four characters: the character's six bits, already
    /// shifted to their place in the group's 24. A character outside the alphabet has ``invalid``.
    private let values: [UInt32]
    private let padded: Bool

    private static let invalid: UInt32 = 1 << 31
    private static let padding = UInt8(ascii: "=")

    private init(last: (Unicode.Scalar, Unicode.Scalar), padded: Bool) {
        alphabet =
            Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8) + [
                UInt8(ascii: last.0), UInt8(ascii: last.1),
            ]
        var values = [UInt32](repeating: Self.invalid, count: 4 * 256)
        for (value, character) in alphabet.enumerated() {
            for place in 0..<4 { values[place * 256 + Int(character)] = UInt32(value) << UInt32(18 - 6 * place) }
        }
        self.values = values
        self.padded = padded
    }

    func encode(_ bytes: UnsafeRawBufferPointer) -> String {
        let (groups, rest) = bytes.count.quotientAndRemainder(dividingBy: 3)
        let restLength = rest == 0 ? 0 : padded ? 4 : rest + 1
        return String(unsafeUninitializedCapacity: groups * 4 + restLength) { text in
            alphabet.withUnsafeBufferPointer { alphabet in
                var write = 0
                func put(_ group: UInt32, _ count: Int) {
                    for place in 0..<count {
                        text[write &+ place] = alphabet[Int((group >> UInt32(18 &- 6 &* place)) & 63)]
                    }
                    write &+= count
                }
                var read = 0
                for _ in 0..<groups {
                    let group =
                        UInt32(bytes[read]) << 16 | UInt32(bytes[read &+ 1]) << 8 | UInt32(bytes[read &+ 2])
                    put(group, 4)
                    read &+= 3
                }
                if rest == 1 { put(UInt32(bytes[read]) << 16, 2) }
                if rest == 2 { put(UInt32(bytes[read]) << 16 | UInt32(bytes[read &+ 1]) << 8, 3) }
                while write < groups * 4 + restLength {
                    text[write] = Self.padding
                    write &+= 1
                }
                return write
            }
        }
    }

    func decode(_ text: UnsafeRawBufferPointer) -> [UInt8]? {
        var length = text.count
        if padded {
            guard length % 4 == 0 else { return nil }
            if length > 0, text[length - 1] == Self.padding { length -= text[length - 2] == Self.padding ? 2 : 1 }
        }
        let (groups, rest) = length.quotientAndRemainder(dividingBy: 4)
        guard rest != 1 else { return nil }
        // Every character's table entry is collected, so that the loop has no branch for a bad one.
        var seen: UInt32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: groups * 3 + (rest == 0 ? 0 : rest - 1)) { bytes, filled in
            values.withUnsafeBufferPointer { values in
                var read = 0
                var write = 0
                for _ in 0..<groups {
                    let group =
                        values[Int(text[read])] | values[256 &+ Int(text[read &+ 1])]
                        | values[512 &+ Int(text[read &+ 2])] | values[768 &+ Int(text[read &+ 3])]
                    seen |= group
                    bytes[write] = UInt8(truncatingIfNeeded: group >> 16)
                    bytes[write &+ 1] = UInt8(truncatingIfNeeded: group >> 8)
                    bytes[write &+ 2] = UInt8(truncatingIfNeeded: group)
                    read &+= 4
                    write &+= 3
                }
                if rest > 0 {
                    var group = values[Int(text[read])] | values[256 &+ Int(text[read &+ 1])]
                    if rest == 3 { group |= values[512 &+ Int(text[read &+ 2])] }
                    bytes[write] = UInt8(truncatingIfNeeded: group >> 16)
                    if rest == 3 { bytes[write &+ 1] = UInt8(truncatingIfNeeded: group >> 8) }
                    write &+= rest &- 1
                    let unused: UInt32 = rest == 2 ? 0xffff : 0xff
                    if group & unused != 0 { group |= Self.invalid }
                    seen |= group
                }
                filled = write
            }
        }
        return seen & Self.invalid == 0 ? bytes : nil
    }
}
