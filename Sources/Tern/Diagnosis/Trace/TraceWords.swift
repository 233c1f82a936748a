internal import TernJOSE

extension Trace.Party {
    /// The name that people see.
    var name: String {
        switch self {
        case .user: "User"
        case .app: "App"
        case .browser: "Browser"
        case .authorizationServer: "Authorization server"
        case .api: "API"
        }
    }
}

extension Trace.Entry {
    /// Whether it is a decision of one party, and no message.
    var isNote: Bool { from == to }

    /// Who to whom, in words.
    var way: String { isNote ? "\(from.name) decides" : "\(from.name) to \(to.name)" }

    /// When, how long, with which answer.
    var circumstances: String {
        var parts = ["\(offset.shortText) in"]
        if let duration { parts.append("took \(duration.shortText)") }
        if let status { parts.append("status \(status)") }
        if let byteCount { parts.append(Self.size(byteCount)) }
        return parts.joined(separator: ", ")
    }

    /// The step in sentences, for those who hear the picture.
    func sentences(_ number: Int) -> String {
        var parts = ["\(number). \(way): \(title) (\(circumstances))."]
        if !checks.isEmpty { parts.append("Checked: \(checks.joined(separator: "; ")).") }
        if let failure {
            parts.append("Failed: \(failure.whatHappened)")
            if !failure.likelyCauses.isEmpty {
                parts.append("Likely: \(failure.likelyCauses.joined(separator: "; ")).")
            }
            if !failure.whatToDo.isEmpty { parts.append("To do: \(failure.whatToDo.joined(separator: "; ")).") }
        }
        return parts.joined(separator: " ")
    }

    static func size(_ bytes: Int) -> String {
        bytes == 1 ? "1 byte" : bytes < 10_000 ? "\(bytes) bytes" : "\(bytes / 1_000) kB"
    }
}

extension Trace {
    /// The parties that take part, from left to right.
    var parties: [Party] { Party.allCases.filter { party in entries.contains { $0.from == party || $0.to == party } } }

    /// Where a party was reached. A browser has no address: what stands with its steps is that of the page.
    func origins(of party: Party) -> [String] {
        guard party != .browser else { return [] }
        var known: Set<String> = []
        return entries.compactMap { $0.to == party && $0.from != party ? $0.origin : nil }
            .filter { known.insert($0).inserted }
    }

    /// How it went, in a sentence.
    var outcome: String {
        guard let last = entries.last else { return "Nothing was recorded." }
        let checks = entries.reduce(0) { $0 + $1.checks.count }
        let failed = entries.indices.filter { entries[$0].failure != nil }.map { String($0 + 1) }
        let length = (last.offset + (last.duration ?? .zero)).shortText
        let size = entries.count == 1 ? "1 step" : "\(entries.count) steps"
        let end = "\(checks == 1 ? "1 check" : "\(checks) checks"), \(length)"
        return failed.isEmpty
            ? "No step failed: \(size), \(end)."
            : "Failed at step \(failed.joined(separator: ", ")): \(size), \(end)."
    }
}

extension Duration {
    /// The time in the unit that suits it.
    var shortText: String {
        let (seconds, attoseconds) = components
        guard (0..<360_000).contains(seconds), attoseconds >= 0 else { return "\(seconds) s" }
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        switch microseconds {
        case 0: return "0 ms"
        case ..<10_000: return "\(microseconds / 1_000).\(microseconds % 1_000 / 100) ms"
        case ..<1_000_000: return "\(microseconds / 1_000) ms"
        case ..<60_000_000:
            let hundredths = microseconds / 10_000 % 100
            return "\(seconds).\(hundredths < 10 ? "0" : "")\(hundredths) s"
        default: return "\(seconds / 60) min \(seconds % 60) s"
        }
    }
}
