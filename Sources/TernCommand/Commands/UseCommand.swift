internal import Tern

/// `tern use`: chooses the default account.
struct UseCommand: Command {
    static let specification = CommandSpecification(
        "use", "choose the account that is used where none is named", operand: "ACCOUNT",
        discussion: "ACCOUNT is the name or the label of an account that `tern accounts` shows.",
        examples: [("tern use work", "tern token and the others speak for \"work\" from now on")])

    private let word: String

    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments.operand else { throw UsageError("the account is missing: tern use ACCOUNT") }
        self.word = word
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        let account = try await accounts.chosen(word, context.console)
        try await accounts.directory.setDefaultAccount(account)
        if context.console.isJSON {
            context.console.print(["default": .string(account.name)])
        } else {
            context.console.print("The default account is \(account) now.")
        }
        return .success
    }
}
