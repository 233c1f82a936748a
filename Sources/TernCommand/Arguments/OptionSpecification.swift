/// One option of a subcommand.
struct OptionSpecification: Sendable {
    /// The name with its dashes.
    let name: String
    /// What stands for the value in the help; `nil` for an option without one.
    let value: String?
    /// One line of help.
    let help: String

    init(_ name: String, value: String? = nil, _ help: String) {
        self.name = name
        self.value = value
        self.help = help
    }
}

/// What a subcommand takes and teaches.
struct CommandSpecification: Sendable {
    let name: String
    /// One line for the list of subcommands.
    let summary: String
    /// What stands for the operands in the help, a word for each; `nil` where there is none.
    let operand: String?
    /// What the help says below the usage.
    let discussion: String
    let options: [OptionSpecification]
    /// Example calls with what they do.
    let examples: [(call: String, meaning: String)]

    init(
        _ name: String, _ summary: String, operand: String? = nil, discussion: String = "",
        options: [OptionSpecification] = [], examples: [(String, String)] = []
    ) {
        self.name = name
        self.summary = summary
        self.operand = operand
        self.discussion = discussion
        self.options = options + CommandSpecification.common
        self.examples = examples.map { (call: $0.0, meaning: $0.1) }
    }

    private static let common = [
        OptionSpecification("--json", "print JSON"),
        OptionSpecification("--store", value: "FOLDER", "where accounts are kept (or the variable TERN_STORE)"),
        OptionSpecification(
            "--trace", value: "FILE", "write what happened, without secrets, as .html, .svg or .json"),
        OptionSpecification("--help", "show this text"),
    ]
}
