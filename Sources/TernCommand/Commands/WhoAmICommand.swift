internal import Tern

/// `tern whoami`: what the server says about the user.
struct WhoAmICommand: Command {
    static let specification = CommandSpecification(
        "whoami", "ask the server who is signed in",
        discussion: "The answer's sub is compared with the ID token's, so that it cannot be about somebody else.",
        options: [.account])

    private let account: String?

    init(_ arguments: Arguments) { account = arguments.value("--account") }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let info = try await context.withSession(account) { (session) async throws(TernError) in
            try await session.userInfo()
        }
        guard !context.console.isJSON else {
            context.console.print(info.claims)
            return .success
        }
        for (name, value) in info.claims {
            let name = context.console.styled(Console.plain(name), .strong)
            context.console.print("\(name): \(Console.plain(value.string ?? value.text))")
        }
        return .success
    }
}
