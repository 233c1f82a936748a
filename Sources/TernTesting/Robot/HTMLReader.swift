/// Splits HTML into tags and text, tolerant of whatever comes: nothing is an error.
struct HTMLReader {
    enum Token {
        case open(name: String, attributes: [String: String])
        case close(name: String)
        case text(String)
    }

    private let bytes: [UInt8]
    private var at = 0
    private var rawElement: String?

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    static func tokens(of bytes: [UInt8]) -> [Token] {
        var reader = HTMLReader(bytes)
        var tokens: [Token] = []
        while let token = reader.next() { tokens.append(token) }
        return tokens
    }

    private mutating func next() -> Token? {
        while at < bytes.count {
            if let element = rawElement {
                rawElement = nil
                return .text(rawText(of: element))
            }
            guard bytes[at] == UInt8(ascii: "<") else { return .text(text()) }
            if has("<!--") {
                at = find("-->", from: at + 4).map { $0 + 3 } ?? bytes.count
            } else if has("<!") || has("<?") {
                at = find(">", from: at).map { $0 + 1 } ?? bytes.count
            } else if at + 1 < bytes.count, Self.isLetter(bytes[at + 1]) {
                at += 1
                return openTag()
            } else if has("</") {
                at += 2
                let name = name()
                at = find(">", from: at).map { $0 + 1 } ?? bytes.count
                return .close(name: name)
            } else {
                at += 1
                return .text("<")
            }
        }
        return nil
    }

    private mutating func text() -> String {
        let start = at
        while at < bytes.count, bytes[at] != UInt8(ascii: "<") { at += 1 }
        return HTMLEntities.decode(String(decoding: bytes[start..<at], as: UTF8.self))
    }

    /// What stands in an element whose content holds no tags, up to its end tag.
    private mutating func rawText(of element: String) -> String {
        let start = at
        while at < bytes.count {
            if has("</"), matchesName(element, from: at + 2) { break }
            at += 1
        }
        let text = String(decoding: bytes[start..<at], as: UTF8.self)
        return element == "textarea" || element == "title" ? HTMLEntities.decode(text) : text
    }

    private mutating func openTag() -> Token {
        let name = name()
        var attributes: [String: String] = [:]
        while at < bytes.count, bytes[at] != UInt8(ascii: ">") {
            let byte = bytes[at]
            if Self.isBlank(byte) || byte == UInt8(ascii: "/") {
                at += 1
                continue
            }
            let start = at
            let (attribute, value) = attribute()
            if attributes[attribute] == nil { attributes[attribute] = value }
            if at == start { at += 1 }
        }
        at = min(at + 1, bytes.count)
        if ["script", "style", "textarea", "title"].contains(name) { rawElement = name }
        return .open(name: name, attributes: attributes)
    }

    private mutating func attribute() -> (String, String) {
        let start = at
        while at < bytes.count, !Self.isBlank(bytes[at]), ![0x3D, 0x3E, 0x2F].contains(bytes[at]) { at += 1 }
        let name = String(decoding: bytes[start..<at], as: UTF8.self).lowercased()
        skipBlanks()
        guard at < bytes.count, bytes[at] == UInt8(ascii: "=") else { return (name, "") }
        at += 1
        skipBlanks()
        guard at < bytes.count else { return (name, "") }
        let quote = bytes[at]
        let valueStart: Int
        let valueEnd: Int
        if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
            valueStart = at + 1
            valueEnd = bytes[valueStart...].firstIndex(of: quote) ?? bytes.count
            at = min(valueEnd + 1, bytes.count)
        } else {
            valueStart = at
            while at < bytes.count, !Self.isBlank(bytes[at]), bytes[at] != UInt8(ascii: ">") { at += 1 }
            valueEnd = at
        }
        return (name, HTMLEntities.decode(String(decoding: bytes[valueStart..<valueEnd], as: UTF8.self)))
    }

    private mutating func name() -> String {
        let start = at
        while at < bytes.count, !Self.isBlank(bytes[at]), bytes[at] != UInt8(ascii: ">"), bytes[at] != UInt8(ascii: "/")
        { at += 1 }
        return String(decoding: bytes[start..<at], as: UTF8.self).lowercased()
    }

    private mutating func skipBlanks() { while at < bytes.count, Self.isBlank(bytes[at]) { at += 1 } }

    private func has(_ text: StaticString) -> Bool { isAt(at, text) }

    private func isAt(_ place: Int, _ text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard place + count <= bytes.count else { return false }
        for index in 0..<count where bytes[place + index] != text.utf8Start[index] { return false }
        return true
    }

    private func find(_ text: StaticString, from start: Int) -> Int? {
        guard start < bytes.count else { return nil }
        return (start..<bytes.count).first { isAt($0, text) }
    }

    private func matchesName(_ name: String, from start: Int) -> Bool {
        let end = start + name.utf8.count
        guard end <= bytes.count else { return false }
        return zip(bytes[start..<end], name.utf8).allSatisfy { $0 | 0x20 == $1 }
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}

/// Character references, as far as pages of sign-in servers use them.
enum HTMLEntities {
    private static let named: [Substring: String] = [
        "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}",
    ]

    static func decode(_ text: String) -> String {
        guard text.contains("&") else { return text }
        var out = ""
        var rest = text[...]
        while let mark = rest.firstIndex(of: "&") {
            out += rest[..<mark]
            rest = rest[mark...]
            guard let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: mark)..<end])
            else {
                out += "&"
                rest = rest.dropFirst()
                continue
            }
            out += character
            rest = rest[rest.index(after: end)...]
        }
        return out + rest
    }

    private static func character(_ name: Substring) -> String? {
        guard name.hasPrefix("#") else { return named[name] }
        let digits = name.dropFirst()
        let code = digits.lowercased().hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return code.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
    }
}
