/// Reads a JSON text in one pass over its bytes.
///
/// The parser never looks at a byte outside the buffer, never goes deeper than the limit, and makes each text straight
/// from the buffer unless it has escapes.
struct JSONParser {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let maximumDepth: Int
    private var position = 0
    private var valuesLeft: Int

    static func parse(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) throws(JSONError) -> JSON {
        guard bytes.count <= limits.maximumByteCount else { throw JSONError(.tooLarge, at: 0) }
        var parser = JSONParser(bytes, limits: limits)
        if limits.allowsByteOrderMark, bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF {
            parser.position = 3
        }
        parser.skipWhiteSpace()
        let value = try parser.value(depth: 1)
        parser.skipWhiteSpace()
        guard parser.position == bytes.count else { throw JSONError(.trailingBytes, at: parser.position) }
        return value
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, limits: JSONLimits) {
        self.bytes = bytes
        maximumDepth = min(limits.maximumDepth, JSONLimits.greatestDepth)
        valuesLeft = limits.maximumValueCount
    }

    private mutating func skipWhiteSpace() {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            default: return
            }
        }
    }

    /// The byte at the current place, which must exist.
    private func currentByte() throws(JSONError) -> UInt8 {
        guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
        return bytes[position]
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSON {
        guard valuesLeft > 0 else { throw JSONError(.tooManyValues, at: position) }
        valuesLeft -= 1
        switch try currentByte() {
        case UInt8(ascii: "\""): return .string(try string())
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number(try number())
        case UInt8(ascii: "t"):
            try word("true")
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false")
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null")
            return .null
        default: throw JSONError(.unexpectedByte, at: position)
        }
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard try currentByte() == word.utf8Start[index] else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
        }
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSON] {
        guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: position) }
        position += 1
        skipWhiteSpace()
        var values: [JSON] = []
        if try currentByte() == UInt8(ascii: "]") {
            position += 1
            return values
        }
        while true {
            values.append(try value(depth: depth + 1))
            if try endsOrContinues(with: UInt8(ascii: "]")) { return values }
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        guard depth <= maximumDepth else { throw JSONError(.tooDeep, at: position) }
        position += 1
        skipWhiteSpace()
        if try currentByte() == UInt8(ascii: "}") {
            position += 1
            return JSONObject()
        }
        var members: [JSONObject.Member] = []
        // Only the outermost object guesses from the length, so that many small objects do not take much memory.
        members.reserveCapacity(depth == 1 ? min(24, 2 + bytes.count / 24) : 4)
        var names = MemberNames()
        while true {
            let start = position
            guard try currentByte() == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: position) }
            let name = try string()
            guard names.insert(name, after: members) else {
                throw JSONError(.repeatedMember(name), at: start)
            }
            skipWhiteSpace()
            guard try currentByte() == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
            skipWhiteSpace()
            members.append(JSONObject.Member(name: name, value: try value(depth: depth + 1)))
            if try endsOrContinues(with: UInt8(ascii: "}")) { return JSONObject(uncheckedMembers: members) }
        }
    }

    /// Steps over a comma and to what follows it (false), or over the closing byte (true).
    private mutating func endsOrContinues(with closing: UInt8) throws(JSONError) -> Bool {
        skipWhiteSpace()
        let byte = try currentByte()
        guard byte == closing || byte == UInt8(ascii: ",") else { throw JSONError(.unexpectedByte, at: position) }
        position += 1
        if byte == closing { return true }
        skipWhiteSpace()
        return false
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if bytes[position] == UInt8(ascii: "-") { position += 1 }
        let firstDigit = position
        skipDigits()
        let digitCount = position - firstDigit
        guard digitCount > 0, digitCount == 1 || bytes[firstDigit] != UInt8(ascii: "0") else {
            throw JSONError(.invalidNumber, at: start)
        }
        if position < bytes.count, bytes[position] == UInt8(ascii: ".") {
            position += 1
            let fraction = position
            skipDigits()
            guard position > fraction else { throw JSONError(.invalidNumber, at: start) }
        }
        if position < bytes.count, bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            if position < bytes.count, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
                position += 1
            }
            let exponent = position
            skipDigits()
            guard position > exponent else { throw JSONError(.invalidNumber, at: start) }
        }
        return JSONNumber(uncheckedText: text(from: start, to: position))
    }

    private mutating func skipDigits() {
        while position < bytes.count, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    }

    private func text(from start: Int, to end: Int) -> String {
        String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<end]), as: UTF8.self)
    }

    /// Reads a string from its opening quotation mark on.
    private mutating func string() throws(JSONError) -> String {
        position += 1
        let start = position
        while position < bytes.count {
            skipPlainWords()
            guard position < bytes.count else { break }
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return text(from: start, to: position - 1)
            case UInt8(ascii: "\\"):
                return try stringWithEscapes(from: start)
            case 0..<0x20:
                throw JSONError(.invalidString, at: position)
            case 0x80...:
                position += try scalarLength(at: position)
            default:
                position += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: position)
    }

    /// Steps over eight bytes at a time as long as all of them are ASCII that stands for itself in a string.
    private mutating func skipPlainWords() {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highBits: UInt64 = 0x8080_8080_8080_8080
        let raw = UnsafeRawBufferPointer(bytes)
        while bytes.count - position >= 8 {
            let word = raw.loadUnaligned(fromByteOffset: position, as: UInt64.self)
            // A difference that borrows into a high bit marks a byte below the one compared with; other bytes may be
            // marked falsely, which only ends the quick steps early.
            let controls = word &- ones &* 0x20
            let quotes = (word ^ ones &* UInt64(UInt8(ascii: "\""))) &- ones
            let backslashes = (word ^ ones &* UInt64(UInt8(ascii: "\\"))) &- ones
            guard (word | controls | quotes | backslashes) & highBits == 0 else { return }
            position += 8
        }
    }

    /// Reads on from the first escape of a string that began at `start`.
    private mutating func stringWithEscapes(from start: Int) throws(JSONError) -> String {
        var decoded = [UInt8](bytes[start..<position])
        while position < bytes.count {
            let byte = bytes[position]
            switch byte {
            case UInt8(ascii: "\""):
                position += 1
                return String(decoding: decoded, as: UTF8.self)
            case UInt8(ascii: "\\"):
                decoded.append(contentsOf: UTF8.encode(try escapedScalar()) ?? UTF8.encodedReplacementCharacter)
            case 0..<0x20:
                throw JSONError(.invalidString, at: position)
            case 0x80...:
                let length = try scalarLength(at: position)
                decoded.append(contentsOf: bytes[position..<position + length])
                position += length
            default:
                decoded.append(byte)
                position += 1
            }
        }
        throw JSONError(.unexpectedEnd, at: position)
    }

    /// Reads an escape from its backslash on.
    private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
        let start = position
        position += 1
        let letter = try currentByte()
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(letter)
        case UInt8(ascii: "b"): return "\u{8}"
        case UInt8(ascii: "f"): return "\u{C}"
        case UInt8(ascii: "n"): return "\n"
        case UInt8(ascii: "r"): return "\r"
        case UInt8(ascii: "t"): return "\t"
        case UInt8(ascii: "u"):
            var code = try fourHexadecimalDigits()
            if code & 0xFC00 == 0xD800 {
                guard try currentByte() == UInt8(ascii: "\\") else { throw JSONError(.invalidString, at: start) }
                position += 1
                guard try currentByte() == UInt8(ascii: "u") else { throw JSONError(.invalidString, at: start) }
                position += 1
                let low = try fourHexadecimalDigits()
                guard low & 0xFC00 == 0xDC00 else { throw JSONError(.invalidString, at: start) }
                code = 0x10000 + (code & 0x3FF) << 10 + low & 0x3FF
            }
            // What is left without a scalar is the second half of a pair alone.
            guard let scalar = Unicode.Scalar(code) else { throw JSONError(.invalidString, at: start) }
            return scalar
        default: throw JSONError(.invalidString, at: start)
        }
    }

    private mutating func fourHexadecimalDigits() throws(JSONError) -> UInt32 {
        var code: UInt32 = 0
        for _ in 0..<4 {
            let byte = try currentByte()
            let digit: UInt8
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = byte - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = byte - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = byte - UInt8(ascii: "A") + 10
            default: throw JSONError(.invalidString, at: position)
            }
            code = code << 4 | UInt32(digit)
            position += 1
        }
        return code
    }

    /// The length of the well-formed UTF-8 sequence of two to four bytes at a place (RFC 3629 §4): no overlong form, no
    /// surrogate, nothing above U+10FFFF.
    private func scalarLength(at place: Int) throws(JSONError) -> Int {
        let first = bytes[place]
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0: (length, second) = (3, 0xA0...0xBF)
        case 0xED: (length, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: length = 3
        case 0xF0: (length, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: length = 4
        case 0xF4: (length, second) = (4, 0x80...0x8F)
        default: throw JSONError(.invalidString, at: place)
        }
        guard bytes.count - place >= length, second.contains(bytes[place + 1]) else {
            throw JSONError(.invalidString, at: place)
        }
        for index in 2..<max(2, length) where bytes[place + index] & 0xC0 != 0x80 {
            throw JSONError(.invalidString, at: place)
        }
        return length
    }
}

/// Finds out whether a name occurred before in an object, cheaply for few members and never quadratically for many.
private struct MemberNames {
    private struct Key: Hashable {
        let name: String
        static func == (one: Key, other: Key) -> Bool { hasSameCodePoints(one.name, other.name) }
        func hash(into hasher: inout Hasher) { hasher.combine(name) }
    }

    private static let linearLimit = 32
    private var marks: UInt64 = 0
    private var many: Set<Key> = []

    /// Notes a name; false when it was there already.
    mutating func insert(_ name: String, after members: [JSONObject.Member]) -> Bool {
        if members.count >= Self.linearLimit {
            if many.isEmpty { many = Set(members.map { Key(name: $0.name) }) }
            return many.insert(Key(name: name)).inserted
        }
        // One bit of 64 for each name: when it is still free the name is new, and nothing needs to be compared.
        let mark: UInt64 = 1 << (Self.digest(of: name) & 63)
        if marks & mark != 0, members.contains(where: { hasSameCodePoints($0.name, name) }) { return false }
        marks |= mark
        return true
    }

    /// A number that is the same for equal names and mostly differs for others, from the length and three bytes.
    private static func digest(of name: String) -> UInt64 {
        var name = name
        return name.withUTF8 { bytes in
            guard let first = bytes.first, let last = bytes.last else { return 0 }
            let middle = UInt64(bytes[bytes.count / 2])
            return UInt64(bytes.count) &* 7 &+ UInt64(first) &* 13 &+ middle &* 29 &+ UInt64(last) &* 37
        }
    }
}
