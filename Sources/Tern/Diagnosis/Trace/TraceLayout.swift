internal import TernProtocol

/// Where everything of the sequence diagram stands, in units of SVG: a pure value.
struct TraceLayout: Sendable {
    /// How a line of text looks.
    enum Style: String, Sendable { case title, meta, fact, check, alarm, plain }

    /// One line of text.
    struct Line: Sendable, Hashable {
        let style: Style
        let text: String
        let x: Int
        let y: Int
    }

    /// One arrow or note with its words below it.
    struct Step: Sendable, Hashable {
        /// From 1 on.
        let number: Int
        let fromX: Int
        let toX: Int
        let y: Int
        let lines: [Line]
        /// The top and the bottom of the box that explains the failure.
        let failure: ClosedRange<Int>?
    }

    static let width = 800
    static let margin = 20
    private static let lineHeight = 18
    private static let mostFacts = 12

    let lanes: [(party: Trace.Party, x: Int)]
    let steps: [Step]
    let height: Int

    init(_ trace: Trace) {
        let parties = trace.parties
        let room = (Self.width - 2 * Self.margin) / max(1, parties.count)
        let lanes = parties.enumerated().map { (party: $0.element, x: Self.margin + room / 2 + $0.offset * room) }
        func x(_ party: Trace.Party) -> Int { lanes.first { $0.party == party }?.x ?? Self.margin }
        var y = 130
        var steps: [Step] = []
        for (index, entry) in trace.entries.enumerated() {
            let (fromX, toX) = (x(entry.from), x(entry.to))
            let top = y
            let left = max(Self.margin, min(min(fromX, toX) + 14, Self.width - Self.margin - 380))
            let columns = (Self.width - Self.margin - left) / 8
            var lines: [Line] = []
            func add(_ style: Style, _ text: String, at x: Int, columns: Int, most: Int = 3) {
                for line in Self.wrapped(text.visible, to: columns, most: most) {
                    y += Self.lineHeight
                    lines.append(Line(style: style, text: line, x: x, y: y))
                }
            }
            // Bold letters are wider.
            add(.title, "\(index + 1). \(entry.title)", at: left, columns: columns * 5 / 6)
            add(.meta, entry.circumstances, at: left, columns: columns)
            for fact in entry.facts.prefix(Self.mostFacts) {
                add(.fact, "\(fact.name) \(fact.value)", at: left, columns: columns, most: 2)
            }
            if entry.facts.count > Self.mostFacts {
                add(.meta, "and \(entry.facts.count - Self.mostFacts) more", at: left, columns: columns)
            }
            for check in entry.checks.prefix(Self.mostFacts) {
                add(.check, "✓ \(check)", at: left, columns: columns, most: 2)
            }
            if entry.checks.count > Self.mostFacts {
                add(.meta, "and \(entry.checks.count - Self.mostFacts) more checks", at: left, columns: columns)
            }
            var box: ClosedRange<Int>?
            if let failure = entry.failure {
                y += 14
                let start = y
                let inner = (Self.width - 2 * Self.margin - 32) / 8
                func inBox(_ style: Style, _ text: String) {
                    add(style, text, at: Self.margin + 16, columns: inner, most: 6)
                }
                y += 4
                inBox(.alarm, "✕ Failed here: \(failure.code)")
                inBox(.plain, failure.whatHappened)
                for comparison in failure.comparisons.prefix(4) {
                    inBox(.fact, "\(comparison.firstLabel): \(comparison.first)")
                    inBox(.fact, "\(comparison.secondLabel): \(comparison.second)")
                    if let difference = comparison.difference { inBox(.meta, difference.description) }
                }
                for (name, texts) in [("Likely causes", failure.likelyCauses), ("What to do", failure.whatToDo)]
                where !texts.isEmpty {
                    inBox(.alarm, name)
                    for text in texts.prefix(6) { inBox(.plain, "• \(text)") }
                }
                y += 14
                box = start...y
            }
            steps.append(Step(number: index + 1, fromX: fromX, toX: toX, y: top, lines: lines, failure: box))
            y += 36
        }
        self.lanes = lanes
        self.steps = steps
        height = y + Self.margin
    }

    /// The text in lines of so many characters, broken at spaces where there are any; cut where it takes too many lines.
    static func wrapped(_ text: String, to columns: Int, most: Int) -> [String] {
        let columns = max(8, columns)
        var lines: [String] = []
        var rest = text.unicodeScalars[...]
        while !rest.isEmpty {
            if rest.count <= columns {
                lines.append(String(rest))
                break
            }
            if lines.count == most - 1 {
                lines.append(String(rest.prefix(columns - 1)) + "…")
                break
            }
            let line = rest.prefix(columns)
            // A tag is not torn apart, since its text is what one looks for.
            let open = line.lastIndex(of: "‹").flatMap { line[$0...].contains("›") || $0 == line.startIndex ? nil : $0 }
            let end = open ?? line.lastIndex(of: " ").flatMap { $0 == line.startIndex ? nil : $0 } ?? line.endIndex
            lines.append(String(line[..<end]))
            rest = rest[end...]
            if rest.first == " " { rest = rest.dropFirst() }
        }
        return lines
    }
}
