internal import Tern

/// Findings as people or machines read them, on standard output.
struct FindingReport: Sendable {
    let findings: [Finding]

    init(_ findings: [Finding]) { self.findings = findings }

    func count(_ level: Finding.Level) -> Int { findings.count { $0.level == level } }

    /// Prints the findings; as one JSON object where the call wants that.
    ///
    /// - Parameter facts: further members of the object.
    func print(to console: Console, adding facts: JSONObject = [:]) {
        guard !console.isJSON else { return console.print(json(adding: facts)) }
        for finding in findings {
            for line in lines(of: finding, console) { console.print(line) }
        }
    }

    /// The counts of the levels in words, such as "12 passed, 1 warning, 1 failed".
    var summary: String {
        let parts = Finding.Level.allCases.map { (level: $0, count: count($0)) }.filter { $0.count > 0 }
        return parts.map { "\($0.count) \($0.level.counted($0.count))" }.joined(separator: ", ")
    }

    func json(adding facts: JSONObject = [:]) -> JSONObject {
        var json = facts
        for level in Finding.Level.allCases { json[level.rawValue] = .number(JSONNumber(Int64(count(level)))) }
        json["findings"] = .array(findings.map { .object($0.json) })
        return json
    }

    /// The lines of one finding: the level, what was looked at and what was found; below it what to do, and the texts that
    /// should be the same. Whatever a server said is made fit for a terminal.
    func lines(of finding: Finding, _ console: Console) -> [String] {
        let level = finding.level
        let head = console.styled("\(level.mark) \(level.word.padded(to: Self.width))", level.style)
        let detail = finding.detail.map { ": " + Console.plain($0) } ?? ""
        var lines = ["\(head)  \(Console.plain(finding.title))\(detail)"]
        let indent = String(repeating: " ", count: Self.width + 4)
        if let fix = finding.fix { lines.append("\(indent)fix: \(Console.plain(fix))") }
        for line in finding.comparison?.lines ?? [] { lines.append(indent + Console.plain(line)) }
        return lines
    }

    private static let width = Finding.Level.allCases.map(\.word.count).max() ?? 0
}

extension Finding.Level {
    fileprivate var mark: String {
        switch self {
        case .passed: "✓"
        case .note: "·"
        case .warning: "!"
        case .unchecked: "?"
        case .failed: "✗"
        }
    }

    fileprivate var word: String { self == .unchecked ? "could not check" : rawValue }

    fileprivate var style: Console.Style {
        switch self {
        case .passed: .good
        case .failed: .bad
        case .warning: .strong
        case .note, .unchecked: .faint
        }
    }

    fileprivate func counted(_ count: Int) -> String {
        switch self {
        case .note, .warning: count == 1 ? word : word + "s"
        case .unchecked: "not checked"
        case .passed, .failed: word
        }
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
