/// Reads a property list that is written as XML: the elements of its document type, no entities but the five of XML and
/// character references, and nothing that would have to be fetched.
struct XMLPropertyList {
    private let bytes: [UInt8]
    private var at = 0
    private var valueCount = 0

    static func read(_ bytes: [UInt8]) throws(PropertyListError) -> PropertyListValue {
        var reader = XMLPropertyList(bytes: bytes)
        return try reader.document()
    }

    private init(bytes: [UInt8]) { self.bytes = bytes }

    private struct Tag {
        enum Kind { case opening, closing, empty }
        var name: String
        var kind: Kind
        var offset: Int
    }

    private mutating func document() throws(PropertyListError) -> PropertyListValue {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { at = 3 }
        guard !bytes.starts(with: [0xFE, 0xFF]), !bytes.starts(with: [0xFF, 0xFE]) else {
            throw problem("it is not UTF-8")
        }
        let root = try tag()
        guard root.name == "plist", root.kind == .opening else {
            throw PropertyListError("it does not begin with <plist>", at: root.offset)
        }
        let value = try value(try tag(), depth: 0)
        try close("plist")
        try skipMarkup()
        guard at == bytes.count else { throw problem("something follows </plist>") }
        return value
    }

    private mutating func value(_ tag: Tag, depth: Int) throws(PropertyListError) -> PropertyListValue {
        valueCount += 1
        guard depth < PropertyListValue.maximumDepth else { throw problem("it is nested too deeply") }
        guard valueCount <= PropertyListValue.maximumValueCount else { throw problem("it holds too many values") }
        guard tag.kind != .closing else {
            throw PropertyListError("</\(Shown.text(tag.name))> has no beginning", at: tag.offset)
        }
        switch tag.name {
        case "true", "false":
            if tag.kind == .opening { try close(tag.name) }
            return .bool(tag.name == "true")
        case "string": return .string(try text(of: tag))
        case "integer", "real":
            guard let number = Self.number(try text(of: tag)) else {
                throw PropertyListError("a number cannot be read", at: tag.offset)
            }
            return .number(number)
        case "date", "data":
            _ = try text(of: tag)
            return .other
        case "array": return .array(try list(tag, depth: depth))
        case "dict": return .dictionary(try dictionary(tag, depth: depth))
        default: throw PropertyListError("<\(Shown.text(tag.name))> is not known", at: tag.offset)
        }
    }

    private mutating func list(_ tag: Tag, depth: Int) throws(PropertyListError) -> [PropertyListValue] {
        var values: [PropertyListValue] = []
        guard tag.kind == .opening else { return values }
        while true {
            let next = try self.tag()
            if next.name == "array", next.kind == .closing { return values }
            values.append(try value(next, depth: depth + 1))
        }
    }

    private mutating func dictionary(
        _ tag: Tag, depth: Int
    ) throws(PropertyListError) -> [String: PropertyListValue] {
        var values: [String: PropertyListValue] = [:]
        guard tag.kind == .opening else { return values }
        while true {
            let next = try self.tag()
            if next.name == "dict", next.kind == .closing { return values }
            guard next.name == "key", next.kind != .closing else {
                throw PropertyListError("a <key> is missing", at: next.offset)
            }
            let key = try text(of: next)
            // Readers differ in which of two they take, so neither can be believed.
            guard values[key] == nil else {
                throw PropertyListError("the key \"\(Shown.text(key))\" occurs twice", at: next.offset)
            }
            values[key] = try value(try self.tag(), depth: depth + 1)
        }
    }

    private static func number(_ text: String) -> Double? {
        let word = text.split { $0.isWhitespace }
        guard word.count == 1, let first = word.first else { return nil }
        let sign: Double = first.hasPrefix("-") ? -1 : 1
        let digits = first.drop { $0 == "+" || $0 == "-" }
        guard first.count - digits.count <= 1 else { return nil }
        if digits.hasPrefix("0x") || digits.hasPrefix("0X") {
            return UInt64(digits.dropFirst(2), radix: 16).map { sign * Double($0) }
        }
        return Double(digits).map { sign * $0 }
    }

    // MARK: Tags and text

    private mutating func close(_ name: String) throws(PropertyListError) {
        let next = try tag()
        guard next.name == name, next.kind == .closing else {
            throw PropertyListError("</\(name)> is missing", at: next.offset)
        }
    }

    /// The next tag; there may be nothing but blanks and comments before it.
    private mutating func tag() throws(PropertyListError) -> Tag {
        try skipMarkup()
        let offset = at
        guard at < bytes.count else { throw problem("it ends too early") }
        guard bytes[at] == UInt8(ascii: "<") else { throw problem("a tag was expected") }
        at += 1
        var kind = Tag.Kind.opening
        if at < bytes.count, bytes[at] == UInt8(ascii: "/") {
            kind = .closing
            at += 1
        }
        let nameStart = at
        while at < bytes.count, Self.isNameByte(bytes[at]) { at += 1 }
        let name = String(decoding: bytes[nameStart..<at], as: UTF8.self)
        guard let end = bytes[at...].firstIndex(of: UInt8(ascii: ">")) else { throw problem("a tag does not end") }
        if bytes[at..<end].last == UInt8(ascii: "/") { kind = .empty }
        at = end + 1
        return Tag(name: name, kind: kind, offset: offset)
    }

    /// The text up to the closing tag, with the references in it replaced.
    private mutating func text(of tag: Tag) throws(PropertyListError) -> String {
        guard tag.kind == .opening else { return "" }
        var out: [UInt8] = []
        while true {
            guard at < bytes.count else { throw problem("it ends too early") }
            switch bytes[at] {
            case UInt8(ascii: "&"): try reference(&out)
            case UInt8(ascii: "<"):
                if try skip("<!--", upTo: "-->") != nil { continue }
                if let range = try skip("<![CDATA[", upTo: "]]>") {
                    out += bytes[range]
                    continue
                }
                try close(tag.name)
                let text = String(decoding: out, as: UTF8.self)
                guard text.utf8.elementsEqual(out) else {
                    throw PropertyListError("a text is not UTF-8", at: tag.offset)
                }
                return text
            default:
                out.append(bytes[at])
                at += 1
            }
        }
    }

    private mutating func reference(_ out: inout [UInt8]) throws(PropertyListError) {
        let start = at
        guard let end = bytes[start...].prefix(16).firstIndex(of: UInt8(ascii: ";")) else {
            throw problem("an ampersand is not written as &amp;")
        }
        let name = String(decoding: bytes[(start + 1)..<end], as: UTF8.self)
        at = end + 1
        switch name {
        case "lt": out.append(UInt8(ascii: "<"))
        case "gt": out.append(UInt8(ascii: ">"))
        case "amp": out.append(UInt8(ascii: "&"))
        case "quot": out.append(UInt8(ascii: "\""))
        case "apos": out.append(UInt8(ascii: "'"))
        default:
            let code =
                name.hasPrefix("#x")
                ? UInt32(name.dropFirst(2), radix: 16)
                : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
            guard let scalar = code.flatMap(Unicode.Scalar.init) else {
                throw PropertyListError("an entity is not known", at: start)
            }
            out += Array(String(scalar).utf8)
        }
    }

    /// Skips blanks, comments, processing instructions and the document type.
    private mutating func skipMarkup() throws(PropertyListError) {
        while at < bytes.count {
            if [0x20, 0x09, 0x0A, 0x0D].contains(bytes[at]) {
                at += 1
                continue
            }
            if try skip("<!--", upTo: "-->") != nil { continue }
            if try skip("<?", upTo: "?>") != nil { continue }
            let start = at
            guard let range = try skip("<!DOCTYPE", upTo: ">") else { return }
            guard !bytes[range].contains(UInt8(ascii: "[")) else {
                throw PropertyListError("its document type has declarations of its own", at: start)
            }
        }
    }

    /// Skips something that begins and ends with given words.
    ///
    /// - Returns: what is between them; `nil` when something else stands here.
    private mutating func skip(_ opening: String, upTo closing: String) throws(PropertyListError) -> Range<Int>? {
        guard bytes[at...].starts(with: opening.utf8) else { return nil }
        let start = at + opening.utf8.count
        var end = start
        while end < bytes.count, !bytes[end...].starts(with: closing.utf8) { end += 1 }
        guard end < bytes.count else { throw problem("\(opening) does not end") }
        at = end + closing.utf8.count
        return start..<end
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }

    private func problem(_ words: String) -> PropertyListError { PropertyListError(words, at: at) }
}
