/// The options and the operand of one call.
struct Arguments: Sendable {
    private let values: [String: String]
    private let flags: Set<String>
    let operands: [String]

    var operand: String? { operands.first }

    func has(_ name: String) -> Bool { flags.contains(name) }

    func value(_ name: String) -> String? { values[name] }

    /// The value of an option that must be there.
    func required(_ name: String) throws(UsageError) -> String {
        guard let value = values[name] else { throw UsageError("\(name) is missing") }
        return value
    }

    /// The value of an option that is a whole number within bounds.
    func number(_ name: String, in bounds: ClosedRange<Int>) throws(UsageError) -> Int? {
        guard let text = values[name] else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw UsageError("\(name) wants a number from \(bounds.lowerBound) to \(bounds.upperBound)")
        }
        return number
    }

    /// Reads what stands behind the subcommand's name.
    init(_ words: [String], for command: CommandSpecification) throws(UsageError) {
        var values: [String: String] = [:]
        var flags: Set<String> = []
        var operands: [String] = []
        let operandCount = command.operand?.split(separator: " ").count ?? 0
        var rest = words[...]
        var onlyOperands = false
        while let word = rest.popFirst() {
            if word == "--", !onlyOperands {
                onlyOperands = true
                continue
            }
            guard word.hasPrefix("-"), word != "-", !onlyOperands else {
                guard operands.count < operandCount else {
                    throw UsageError("\"\(UsageError.shown(word))\" is too much")
                }
                operands.append(word)
                continue
            }
            let (name, attached) = Self.split(word)
            guard let option = command.options.first(where: { $0.name == name }) else {
                throw UsageError.unknown("option", name, among: command.options.map(\.name))
            }
            guard values[name] == nil, !flags.contains(name) else { throw UsageError("\(name) stands there twice") }
            if option.value == nil {
                guard attached == nil else { throw UsageError("\(name) takes no value") }
                flags.insert(name)
            } else if let attached {
                values[name] = attached
            } else if let next = rest.first, next == "-" || !next.hasPrefix("-") {
                values[name] = next
                rest = rest.dropFirst()
            } else {
                throw UsageError("\(name) wants a value: \(name) \(option.value ?? "")")
            }
        }
        self.values = values
        self.flags = flags
        self.operands = operands
    }

    private static func split(_ word: String) -> (name: String, value: String?) {
        guard word.hasPrefix("--"), let equals = word.firstIndex(of: "=") else {
            return (word == "-h" ? "--help" : word, nil)
        }
        return (String(word[..<equals]), String(word[word.index(after: equals)...]))
    }
}

/// A call that cannot be understood.
struct UsageError: Error {
    let message: String

    init(_ message: String) { self.message = message }

    /// A word of the call, cut to what one can read.
    static func shown(_ word: String) -> String { word.count > 80 ? word.prefix(80) + "…" : word }

    static func unknown(_ kind: String, _ word: String, among known: [String]) -> UsageError {
        let suggestion = Spelling.nearest(to: word, among: known).map { "; did you mean \"\($0)\"?" } ?? ""
        return UsageError("unknown \(kind) \"\(shown(word))\"\(suggestion)")
    }
}
