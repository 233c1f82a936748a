internal import Tern

/// `tern token`: a fresh access token for scripts.
struct TokenCommand: Command {
    static let specification = CommandSpecification(
        "token", "print a fresh access token, and nothing else, on standard output",
        discussion: """
            A token that is about to end is renewed first; one that is still good is printed without any network. With
            --client-credentials a program signs in as itself; the account that is kept then renews itself too.
            """,
        options: [.account, OptionSpecification("--refresh", "renew the token even if it is still good")]
            + ServiceToken.specifications,
        examples: [
            ("curl -H \"Authorization: Bearer $(tern token)\" https://api.example.com/", "use it in a script"),
            (
                "tern token --client-credentials --issuer https://id.example.com --client-id job --client-key job.jwk",
                "a token for a program that acts for nobody"
            ),
        ])

    private let account: String?
    private let refreshes: Bool
    private let service: ServiceToken?

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        refreshes = arguments.has("--refresh")
        service = try ServiceToken(arguments)
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let session: Session
        if let service {
            session = try await service.session(account, context)
        } else {
            session = try await context.session(account)
        }
        let token = try await context.with(session) { (session) async throws(TernError) in
            if refreshes { try await session.refresh() }
            return try await session.accessToken()
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
