import Foundation

/// What two translations of one page must have in common: everything but the sentences.
struct ReadmePage {
    /// The levels of the headings, in their order.
    var headingLevels: [Int] = []
    /// The blocks between fences with their language, without comments.
    var blocks: [String] = []
    /// The rows of the tables, as cells. A rule between head and body is a row too.
    var rows: [[String]] = []
    /// Where the links lead, in their order.
    var links: [String] = []
    /// The code spans and the figures of each section's sentences, sorted, since sentences are ordered otherwise in another
    /// language.
    var terms: [[String]] = [[]]

    init(_ text: String) {
        var block: [Substring]?
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("```") {
                if let opened = block { blocks.append(opened.joined(separator: "\n")) }
                block = block == nil ? [line] : nil
            } else if block != nil {
                let code = Self.withoutComment(line)
                if !code.isEmpty { block?.append(code) }
            } else if line.hasPrefix("|") {
                // A row ends with a bar, so that there is one piece too many at both ends.
                rows.append(Self.cells(of: line))
                links += Self.links(in: line)
            } else {
                if line.hasPrefix("#") {
                    headingLevels.append(line.prefix { $0 == "#" }.count)
                    terms.append([])
                }
                terms[terms.count - 1] += Self.codeSpans(in: line) + Self.figures(in: line)
                links += Self.links(in: line)
            }
        }
        terms = terms.map { $0.sorted() }
        // A block that is never closed must not pass for none.
        if block != nil { blocks.append("a block without an end") }
    }

    /// A comment is translated; it begins with a mark that has a blank before it or stands first, so that neither the two
    /// slashes of an address nor the mark of a fragment count.
    static func withoutComment(_ line: Substring) -> Substring {
        let code = line.firstRange(of: /(^|\s+)(\/\/|#)\s.*$/).map { line[..<$0.lowerBound] } ?? line
        return code.replacing(/\s+$/, with: "")[...]
    }

    static func codeSpans(in text: some StringProtocol) -> [String] {
        String(text).matches(of: /`[^`]+`/).map { String($0.output) }
    }

    /// Figures outside code, which hold the numbers of RFCs and of versions.
    static func figures(in text: some StringProtocol) -> [String] {
        String(text).replacing(/`[^`]+`/, with: " ").matches(of: /[0-9]+(\.[0-9]+)*/).map { String($0.output.0) }
    }

    /// The words in Latin letters, code and figures included; without the plural's letter, which other languages lack.
    static func words(in text: String) -> [String] {
        text.matches(of: /[A-Za-z0-9_.]*[A-Za-z0-9]/).map { match in
            String(match.output.hasSuffix("s") ? match.output.dropLast() : match.output)
        }
    }

    /// Words that no translation changes: with a figure, an underline, or two capital letters.
    static func names(in text: String) -> [String] {
        words(in: text).filter { word in
            word.contains { $0.isNumber || $0 == "_" } || word.filter(\.isUppercase).count > 1
        }
    }

    private static func cells(of line: Substring) -> [String] {
        line.split(separator: "|", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private static func links(in text: Substring) -> [String] {
        text.matches(of: /\]\(([^)]+)\)/).map { String($0.output.1) }
    }
}
