internal import Tern

/// `tern call`: a request with the access token, like curl.
struct CallCommand: Command {
    static let specification = CommandSpecification(
        "call", "call an API with the access token, or signed with it", operand: "URL",
        discussion: """
            The body of the answer goes to standard output. A 401 leads to one refresh and one repeat. Redirects are handed
            over, or with --follow followed, without the token where they lead to another origin. The status is 1 unless
            the answer's is 2xx.
            """,
        options: [.account] + RequestArguments.specifications + [
            OptionSpecification("--follow", "follow redirects, at most \(Session.maximumRedirects)"),
            OptionSpecification("--include", "print the status and the header fields too, on standard error"),
        ],
        examples: [("tern call https://api.example.com/me", "read something as the user")])

    private let account: String?
    private let request: RequestArguments
    private let followsRedirects: Bool
    private let includesHead: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        request = try RequestArguments(arguments, for: "call")
        followsRedirects = arguments.has("--follow")
        includesHead = arguments.has("--include")
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let request = try request.request()
        let response = try await context.withSession(account) { [request] (session) async throws(TernError) in
            try await session.send(request, followingRedirects: followsRedirects)
        }
        if includesHead {
            context.console.note("HTTP \(response.status)")
            for field in response.fields.fields { context.console.note("\(field.name): \(Console.plain(field.value))") }
        }
        if context.console.isJSON {
            context.console.print([
                "status": .number(JSONNumber(Int64(response.status))),
                "body": (try? JSON(parsing: response.body))
                    ?? .string(String(decoding: response.body, as: UTF8.self)),
            ])
        } else {
            context.console.output(response.body)
            if !response.isSuccess { context.console.note("tern: HTTP status \(response.status)") }
            if let scope = response.wantedScope {
                context.console.note(
                    "tern: the token's scope does not suffice"
                        + (scope.isEmpty ? "" : "; wanted: \(Console.plain(scope.text))"))
            }
        }
        return response.isSuccess ? .success : .refused
    }
}
