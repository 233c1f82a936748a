internal import Tern

/// `tern introspect`: asks the server what a token is worth.
struct IntrospectCommand: Command {
    static let specification = CommandSpecification(
        "introspect", "ask the server what a token is worth (RFC 7662)",
        discussion: """
            Asks about an account's access token, or, with --stdin, about one on standard input. Most servers answer only
            clients that prove who they are; with --issuer another client asks than an account's, such as an API's. The status
            is 1 for a token that is not active. With --signed the answer must be a signed one (RFC 9701).
            """,
        options: TokenSubject.specifications + [
            OptionSpecification("--signed", "ask for a signed answer and verify it"),
            OptionSpecification("--audience", value: "NAME", "whom a signed answer must be for; the client by default"),
        ],
        examples: [
            ("tern introspect", "whether the account's access token is still good"),
            (
                "tern introspect --issuer https://id.example.com --client-id api --client-secret-env API_SECRET < token",
                "what an API would learn of a token"
            ),
        ])

    private let subject: TokenSubject
    private let isSigned: Bool
    private let audience: String?

    init(_ arguments: Arguments) throws(UsageError) {
        subject = try TokenSubject(arguments)
        isSigned = arguments.has("--signed")
        audience = arguments.value("--audience")
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (client, token, _) = try await subject.resolve(context, prefersRefresh: false)
        var options = OAuthClient.IntrospectionOptions()
        options.signed = isSigned
        options.audience = audience
        let answer =
            switch token {
            case .access(let token): try await client.introspect(token, options)
            case .refresh(let token): try await client.introspect(token, options)
            }
        let console = context.console
        if console.isJSON {
            console.print(TokenText.json(answer.members))
        } else {
            console.print(
                answer.isActive
                    ? console.styled("active", .good)
                    : console.styled("not active", .bad) + ": over, revoked, unknown, or not for this client to know")
            let shown = answer.isActive ? answer.members.removing("active") : [:]
            for line in TokenText.lines(shown, now: SystemWallClock().now) { console.print(line) }
        }
        return answer.isActive ? .success : .refused
    }
}
