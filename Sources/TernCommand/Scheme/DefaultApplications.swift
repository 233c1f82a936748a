/// The text of a `mimeapps.list`, which names the applications that open things, the preferred ones first (Association
/// between MIME types and applications 1.0). Everything else in it stays as it is.
struct DefaultApplications: Equatable {
    private(set) var text: String

    private static let group = "[Default Applications]"

    init(_ text: String) { self.text = text }

    func applications(for mediaType: String) -> [String] {
        let lines = text.lines
        guard let index = Self.line(of: mediaType, in: lines) else { return [] }
        return Self.list(in: lines[index])
    }

    /// Puts an application first; those that stood there come after it.
    mutating func prefer(_ application: String, for mediaType: String) {
        let others = applications(for: mediaType).filter { $0 != application }
        set([application] + others, for: mediaType)
    }

    /// Takes an application out.
    mutating func remove(_ application: String, for mediaType: String) {
        let all = applications(for: mediaType)
        if all.contains(application) { set(all.filter { $0 != application }, for: mediaType) }
    }

    private mutating func set(_ applications: [String], for mediaType: String) {
        var lines = text.lines
        let line = applications.isEmpty ? nil : "\(mediaType)=" + applications.map { $0 + ";" }.joined()
        if let index = Self.line(of: mediaType, in: lines) {
            if let line { lines[index] = line } else { lines.remove(at: index) }
        } else if let line, let head = lines.firstIndex(where: { $0.trimmed == Self.group }) {
            lines.insert(line, at: head + 1)
        } else if let line {
            if lines.last == "" { lines.removeLast() }
            if !lines.isEmpty { lines.append("") }
            lines += [Self.group, line, ""]
        }
        text = lines.joined(separator: "\n")
    }

    private static func line(of mediaType: String, in lines: [String]) -> Int? {
        var isInGroup = false
        for (index, line) in lines.enumerated() {
            if line.hasPrefix("[") {
                isInGroup = line.trimmed == group
            } else if isInGroup, let equals = line.firstIndex(of: "="), String(line[..<equals]).trimmed == mediaType {
                return index
            }
        }
        return nil
    }

    private static func list(in line: String) -> [String] {
        let value = line.drop { $0 != "=" }.dropFirst()
        return value.split(separator: ";").map { String($0).trimmed }.filter { !$0.isEmpty }
    }
}

extension String {
    fileprivate var lines: [String] {
        isEmpty ? [] : split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    fileprivate var trimmed: String {
        func isBlank(_ character: Character) -> Bool { character == " " || character == "\t" || character == "\r" }
        let start = drop(while: isBlank)
        return String(start.reversed().drop(while: isBlank).reversed())
    }
}
