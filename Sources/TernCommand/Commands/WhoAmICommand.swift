internal import Tern

/// `tern whoami`: what the server says about the user.
struct WhoAmICommand: Command {
    static let specification = CommandSpecification(
        "whoami", "ask the server who is signed in",
        discussion: """
            The answer's sub is compared with the ID token's, so that it cannot be about somebody else. OAuth 1.0a has no
            such question: there it is what the service said of the user with the token.
            """,
        options: [.account])

    private let account: String?

    init(_ arguments: Arguments) { account = arguments.value("--account") }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let claims = try await context.withSession(account) { (session) async throws(TernError) in
            let credential = try await session.credential()
            return credential.tokenSecret == nil ? try await session.userInfo().claims : credential.additionalMembers
        }
        guard !context.console.isJSON else {
            context.console.print(claims)
            return .success
        }
        if claims.isEmpty { context.console.note("The service has said nothing about the user.") }
        for (name, value) in claims {
            let name = context.console.styled(Console.plain(name), .strong)
            context.console.print("\(name): \(Console.plain(value.string ?? value.text))")
        }
        return .success
    }
}
