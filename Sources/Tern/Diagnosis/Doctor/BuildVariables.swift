/// The build variables of a project, such as `$(PRODUCT_BUNDLE_IDENTIFIER)`, which stand in its files until it is
/// built. A text with one that is not known can be compared with nothing.
struct BuildVariables: Sendable, Hashable {
    private var values: [String: String] = [:]

    /// - Parameters:
    ///   - prefix: the first part of the app identifier, without a dot.
    ///   - bundleIdentifier: the rest of it.
    init(prefix: String?, bundleIdentifier: String?) {
        if let prefix {
            for name in ["AppIdentifierPrefix", "TeamIdentifierPrefix"] { values[name] = prefix + "." }
            values["DEVELOPMENT_TEAM"] = prefix
        }
        if let bundleIdentifier {
            for name in ["PRODUCT_BUNDLE_IDENTIFIER", "CFBundleIdentifier"] { values[name] = bundleIdentifier }
        }
    }

    /// The text with the known variables replaced.
    func expanding(_ text: String) -> String {
        var out = ""
        var rest = Substring(text)
        while let found = Self.next(in: rest) {
            out += rest[..<found.range.lowerBound]
            out += values[found.name] ?? String(rest[found.range])
            rest = rest[found.range.upperBound...]
        }
        return out + rest
    }

    /// The first variable in a text, with its sign and brackets.
    static func first(in text: String) -> String? {
        next(in: Substring(text)).map { String(text[$0.range]) }
    }

    private static func next(in text: Substring) -> (name: String, range: Range<Substring.Index>)? {
        var start = text.startIndex
        while let sign = text[start...].firstIndex(of: "$") {
            let open = text.index(after: sign)
            if open < text.endIndex, text[open] == "(" || text[open] == "{",
                let end = text[open...].firstIndex(of: text[open] == "(" ? ")" : "}")
            {
                return (String(text[text.index(after: open)..<end]), sign..<text.index(after: end))
            }
            start = open
        }
        return nil
    }
}
