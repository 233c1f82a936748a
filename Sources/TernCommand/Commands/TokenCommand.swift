internal import Tern

/// `tern token`: a fresh access token for scripts.
struct TokenCommand: Command {
    static let specification = CommandSpecification(
        "token", "print a fresh access token, and nothing else, on standard output",
        discussion: "A token that is about to end is renewed first; one that is still good is printed without any "
            + "network.",
        options: [.account, OptionSpecification("--refresh", "renew the token even if it is still good")],
        examples: [
            ("curl -H \"Authorization: Bearer $(tern token)\" https://api.example.com/", "use it in a script")
        ])

    private let account: String?
    private let refreshes: Bool

    init(_ arguments: Arguments) {
        account = arguments.value("--account")
        refreshes = arguments.has("--refresh")
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (session, token) = try await context.withSession(account) { (session) async throws(TernError) in
            if refreshes { try await session.refresh() }
            return (session, try await session.accessToken())
        }
        guard context.console.isJSON else {
            context.console.print(token.exposedText)
            return .success
        }
        let credential = try await session.credential()
        var object: JSONObject = [
            "access_token": .string(token.exposedText), "token_type": "Bearer", "scope": .string(credential.scope.text),
            "account": .string(session.account.name),
        ]
        object["expires_at"] = credential.expiration.map { .string($0.description) }
        context.console.print(object)
        return .success
    }
}
