/// A piece of HTML or SVG. What is put into it by interpolation is escaped, unless it is markup itself.
struct Markup: ExpressibleByStringInterpolation, Sendable {
    private(set) var text: String

    init(stringLiteral value: String) { text = value }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// For a text that is known to be markup, such as a style sheet.
    init(known text: String) { self.text = text }

    init(joining pieces: some Sequence<Markup>) { text = pieces.reduce(into: "") { $0 += $1.text } }

    static func + (one: Markup, other: Markup) -> Markup { Markup(known: one.text + other.text) }

    static func += (one: inout Markup, other: Markup) { one.text += other.text }

    struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }

        mutating func appendInterpolation(_ number: Int) { text += String(number) }

        mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }
    }

    /// The text as it can stand between tags and between quotation marks, in HTML and in XML.
    static func escaped(_ text: String) -> String {
        var out = ""
        out.reserveCapacity(text.utf8.count)
        for scalar in text.visible.unicodeScalars {
            switch scalar {
            case "&": out += "&amp;"
            case "<": out += "&lt;"
            case ">": out += "&gt;"
            case "\"": out += "&quot;"
            case "'": out += "&#39;"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }
}

extension String {
    /// The text with every character shown that would otherwise be invisible, change the order of its neighbours, or be
    /// forbidden in XML: controls as their pictures, the others by number, such as `⟨U+202E⟩`.
    var visible: String {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return self }
        var out = ""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0..<0x20: out.unicodeScalars.append(Unicode.Scalar(0x2400 + scalar.value) ?? scalar)
            case 0x7F: out += "\u{2421}"
            case _ where scalar.isInvisible: out += "⟨U+\(scalar.hexadecimal)⟩"
            default: out.unicodeScalars.append(scalar)
            }
        }
        return out
    }

    /// The text, or its beginning and its end where it is longer than `length` characters, and how many there are.
    func cut(to length: Int) -> String {
        // Counted in code points, since one character can have any number of them.
        let count = unicodeScalars.count
        guard count > length, length > 24 else { return self }
        let tail = length / 5
        // A tag that is cut in two could be found nowhere else; it stays out as a whole.
        var start = unicodeScalars.prefix(length - tail)
        if let open = start.lastIndex(of: "‹"), !start[open...].contains("›") { start = start[..<open] }
        var end = unicodeScalars.suffix(tail)
        if let close = end.firstIndex(of: "›"), !end[..<close].contains("‹") { end = end[end.index(after: close)...] }
        return "\(String(start)) … \(String(end)) (\(count) characters)"
    }
}

extension Unicode.Scalar {
    fileprivate var hexadecimal: String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
    }

    /// Whether it cannot be seen for itself: C1 controls, format characters (bidirectional ones, joiners, tags), separators
    /// of lines, private use, and code points that are no characters. Spaces of an unusual width count as well.
    fileprivate var isInvisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned, .surrogate: true
        case .spaceSeparator: value != 0x20
        default:
            // Letters that are blank, and variation selectors.
            [0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0].contains(value)
                || (0xFE00...0xFE0F).contains(value) || (0xE0100...0xE01EF).contains(value)
        }
    }
}
