extension UInt8 {
    var isASCIIDigit: Bool { self &- 0x30 < 10 }
    var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }
    var isHexDigit: Bool { isASCIIDigit || (self | 0x20) &- 0x61 < 6 }
    /// RFC 3986 §2.3.
    @inline(__always)
    package var isUnreserved: Bool {
        // One bit for each character: digits and -. in the lower word, letters and _~ in the upper one.
        let word: UInt64 = self < 64 ? 0x03FF_6000_0000_0000 : 0x47FF_FFFE_87FF_FFFE
        return self < 128 && (word &>> UInt64(self & 63)) & 1 == 1
    }
    /// RFC 3986 §3.1, from the second character on.
    var isSchemeByte: Bool { isASCIILetter || isASCIIDigit || self == 0x2B || self == 0x2D || self == 0x2E }
    /// RFC 3986 §3.2.2: a registered name in ASCII.
    var isHostByte: Bool {
        switch self {
        case 0x21, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2A, 0x2B, 0x2C, 0x3B, 0x3D: true
        default: isUnreserved
        }
    }
    /// RFC 9110 §5.6.2.
    var isTokenByte: Bool {
        switch self {
        case 0x21, 0x23, 0x24, 0x25, 0x26, 0x27, 0x2A, 0x2B, 0x2D, 0x2E, 0x5E, 0x5F, 0x60, 0x7C, 0x7E: true
        default: isASCIILetter || isASCIIDigit
        }
    }
    package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

extension String {
    /// The text's UTF-8, without copying it where the text is contiguous already.
    @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
        var copy = self
        return copy.withUTF8(body)
    }

    /// Whether two texts are the same octets. `==` also takes texts for equal that differ in their code points but look
    /// alike (canonical equivalence), which is no way to compare issuers and subjects.
    package func hasSameOctets(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }

    /// The text with its ASCII letters in lower case and everything else untouched.
    package var asciiLowercased: String {
        utf8.contains { $0 &- 0x41 < 26 } ? String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) : self
    }

    /// Whether two texts differ at most in the case of ASCII letters.
    package func equalsIgnoringASCIICase(_ other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        var one = utf8.makeIterator()
        var two = other.utf8.makeIterator()
        while let a = one.next(), let b = two.next() {
            if a.asciiLowercased != b.asciiLowercased { return false }
        }
        return true
    }

    /// The text with every occurrence of another one replaced, compared byte by byte.
    package func replacingEvery(_ other: String, with replacement: String) -> String {
        let text = Array(utf8)
        let wanted = Array(other.utf8)
        guard !wanted.isEmpty, wanted.count <= text.count else { return self }
        var out: [UInt8] = []
        var at = 0
        while at < text.count {
            if at + wanted.count <= text.count, text[at..<(at + wanted.count)].elementsEqual(wanted) {
                out.append(contentsOf: replacement.utf8)
                at += wanted.count
            } else {
                out.append(text[at])
                at += 1
            }
        }
        return String(decoding: out, as: UTF8.self)
    }

    /// The text with its end replaced where that is the beginning of another one, four bytes of it or more.
    func replacingTail(of other: String, with replacement: String) -> String {
        let text = Array(utf8)
        let wanted = Array(other.utf8)
        var length = min(text.count, wanted.count)
        while length >= 4 {
            if text.suffix(length).elementsEqual(wanted.prefix(length)) {
                return String(decoding: text.dropLast(length), as: UTF8.self) + replacement
            }
            length -= 1
        }
        return self
    }

    /// The text without leading and trailing ASCII blanks and line ends.
    package var trimmingASCIIWhitespace: Substring {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        guard let first = utf8.firstIndex(where: { !isBlank($0) }), let last = utf8.lastIndex(where: { !isBlank($0) })
        else { return "" }
        return self[first...last]
    }
}

/// A dotted IPv4 address, as far as the loopback rules need it.
struct IPv4Address {
    let octets: [UInt8]

    init?(_ text: String) {
        let pieces = text.split(separator: ".", omittingEmptySubsequences: false)
        let octets = pieces.compactMap { $0.utf8.allSatisfy(\.isASCIIDigit) ? UInt8($0) : nil }
        guard pieces.count == 4, octets.count == 4 else { return nil }
        self.octets = octets
    }

    var isLoopback: Bool { octets.first == 127 }
}

enum PathSegments {
    /// Removes `.` and `..` segments from a path that begins with a slash; query and fragment stay (RFC 3986 §5.2.4).
    static func withoutDots(_ reference: String) -> String {
        let end = reference.firstIndex { $0 == "?" || $0 == "#" } ?? reference.endIndex
        var kept: [Substring] = []
        let segments = reference[..<end].split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            switch segment {
            case ".": if isLast { kept.append("") }
            case "..":
                if !kept.isEmpty { kept.removeLast() }
                if isLast { kept.append("") }
            default: kept.append(segment)
            }
        }
        return "/" + kept.joined(separator: "/") + reference[end...]
    }
}
