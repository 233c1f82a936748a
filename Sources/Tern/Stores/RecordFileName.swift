/// The file name of a record, without its suffix, and the way back.
///
/// A name holds lower-case letters only, since many file systems take `A` and `a` for the same. Bytes beyond the plain
/// ones are `%` and two lower-case hexadecimal digits. A name that would become too long for a file system that way is
/// packed: `%=`, then eight characters for every seven of the key.
enum RecordFileName {
    static let recordSuffix = ".record"
    static let lockSuffix = ".lock"
    static let temporarySuffix = ".tmp"

    /// What file systems allow is 255 bytes, the suffix included.
    static let maximumByteCount = 255 - recordSuffix.utf8.count

    private static let plain = Array("abcdefghijklmnopqrstuvwxyz0123456789-_.@~+".utf8)
    private static let keyBytes = Array("abcdefghijklmnopqrstuvwxyz0123456789-_.@~+ABCDEFGHIJKLMNOPQRSTUVWXYZ:/%".utf8)
    private static let packedMark = "%="
    private static let packedKeyBlock = 7

    static func encode(_ key: StoreKey) -> String {
        let escaped = escape(key.name.utf8)
        return escaped.utf8.count <= maximumByteCount ? escaped : packedMark + pack(Array(key.name.utf8))
    }

    /// The key whose file name this is; `nil` for any other name.
    static func decode(_ name: String) -> StoreKey? {
        let bytes = Array(name.utf8)
        let decoded = name.hasPrefix(packedMark) ? unpack(bytes.dropFirst(packedMark.utf8.count)) : unescape(bytes)
        guard let decoded, let key = try? StoreKey(String(decoding: decoded, as: UTF8.self)) else { return nil }
        return encode(key) == name ? key : nil
    }

    private static func escape(_ bytes: String.UTF8View) -> String {
        let digits = Array("0123456789abcdef".utf8)
        var out: [UInt8] = []
        for byte in bytes {
            if plain.contains(byte) {
                out.append(byte)
            } else {
                out += [0x25, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static func unescape(_ bytes: [UInt8]) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = bytes[...]
        while let byte = rest.popFirst() {
            guard byte == 0x25 else {
                out.append(byte)
                continue
            }
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            guard rest.count >= 2, let escaped = UInt8(digits, radix: 16) else { return nil }
            out.append(escaped)
            rest = rest.dropFirst(2)
        }
        return out
    }

    // 71^n is less than 42^(n+1) for every n up to 7, so n bytes of a key always fit into n + 1 plain ones.
    private static func pack(_ bytes: [UInt8]) -> String {
        let packed = convert(bytes[...], block: packedKeyBlock, from: keyBytes, to: plain) { $0 + 1 }
        return String(decoding: packed ?? [], as: UTF8.self)
    }

    private static func unpack(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        convert(bytes, block: packedKeyBlock + 1, from: plain, to: keyBytes) { $0 - 1 }
    }

    private static func convert(
        _ bytes: ArraySlice<UInt8>, block: Int, from source: [UInt8], to target: [UInt8], length: (Int) -> Int
    ) -> [UInt8]? {
        var out: [UInt8] = []
        var rest = bytes
        while !rest.isEmpty {
            var value: UInt64 = 0
            let piece = rest.prefix(block)
            for byte in piece {
                guard let digit = source.firstIndex(of: byte) else { return nil }
                value = value * UInt64(source.count) + UInt64(digit)
            }
            var digits: [UInt8] = []
            for _ in 0..<length(piece.count) {
                digits.append(target[Int(value % UInt64(target.count))])
                value /= UInt64(target.count)
            }
            out += digits.reversed()
            rest = rest.dropFirst(block)
        }
        return out
    }
}
