/// Percent-encoding as OAuth wants it: everything but unreserved characters is encoded (RFC 3986 §2, RFC 5849 §3.6).
public enum PercentCodec {
    /// Encodes every byte that is not a letter, a digit or one of `-._~`; a blank becomes `%20`.
    public static func encode(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            String(unsafeUninitializedCapacity: encodedByteCount(of: bytes)) { out in
                var end = 0
                write(bytes, to: out, at: &end)
                return end
            }
        }
    }

    /// How many bytes the encoded form takes.
    static func encodedByteCount(of bytes: UnsafeBufferPointer<UInt8>) -> Int {
        var count = bytes.count
        for byte in bytes where !byte.isUnreserved { count += 2 }
        return count
    }

    /// Writes the encoded form into a buffer that has room for it, and moves `end` behind it.
    static func write(_ bytes: UnsafeBufferPointer<UInt8>, to out: UnsafeMutableBufferPointer<UInt8>, at end: inout Int)
    {
        var at = end
        for byte in bytes {
            if byte.isUnreserved {
                out[at] = byte
                at += 1
            } else {
                out[at] = 0x25
                out[at + 1] = digit(byte >> 4)
                out[at + 2] = digit(byte & 15)
                at += 3
            }
        }
        end = at
    }

    /// Appends the encoded form of a text.
    package static func append(_ text: String, to out: inout [UInt8]) {
        text.withBytes { append($0, to: &out) }
    }

    /// Appends the encoded form of bytes. What stays as it is is copied in runs.
    package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        var at = 0
        while at < bytes.count {
            var end = at
            while end < bytes.count, bytes[end].isUnreserved { end += 1 }
            if end > at { out.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[at..<end])) }
            guard end < bytes.count else { return }
            appendEscape(bytes[end], to: &out)
            at = end + 1
        }
    }

    /// Appends the encoded form of form data: decoded once, then encoded. Data with a broken escape counts as it stands.
    package static func append(form bytes: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
        let start = out.count
        var at = 0
        while at < bytes.count {
            var byte = bytes[at]
            if byte == 0x2B {
                byte = 0x20
            } else if byte == 0x25 {
                guard at + 2 < bytes.count, let high = nibble(bytes[at + 1]), let low = nibble(bytes[at + 2]) else {
                    out.removeLast(out.count - start)
                    return append(bytes, to: &out)
                }
                byte = high << 4 | low
                at += 2
            }
            if byte.isUnreserved { out.append(byte) } else { appendEscape(byte, to: &out) }
            at += 1
        }
    }

    @inline(__always)
    private static func appendEscape(_ byte: UInt8, to out: inout [UInt8]) {
        out.append(0x25)
        out.append(digit(byte >> 4))
        out.append(digit(byte & 15))
    }

    @inline(__always)
    private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? nibble &+ 0x30 : nibble &+ 0x37 }

    /// Decodes form data once: `+` is a blank and `%XX` a byte. Text with a broken escape or that is not UTF-8
    /// afterwards comes back as it was.
    public static func decodeForm(_ text: String) -> String {
        var copy = text
        return copy.withUTF8 { decodeForm($0) }
    }

    static func decodeForm(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
        guard bytes.contains(where: { $0 == 0x25 || $0 == 0x2B }) else { return String(decoding: bytes, as: UTF8.self) }
        var out: [UInt8] = []
        out.reserveCapacity(bytes.count)
        var at = 0
        while at < bytes.count {
            switch bytes[at] {
            case 0x2B: out.append(0x20)
            case 0x25:
                guard at + 2 < bytes.count, let high = nibble(bytes[at + 1]), let low = nibble(bytes[at + 2]) else {
                    return String(decoding: bytes, as: UTF8.self)
                }
                out.append(high << 4 | low)
                at += 2
            default: out.append(bytes[at])
            }
            at += 1
        }
        let text = String(decoding: out, as: UTF8.self)
        return text.utf8.elementsEqual(out) ? text : String(decoding: bytes, as: UTF8.self)
    }

    private static func nibble(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte &- 0x30
        case 0x41...0x46, 0x61...0x66: (byte | 0x20) &- 0x57
        default: nil
        }
    }
}
