internal import Tern

/// `tern call`: a request with the access token, like curl.
struct CallCommand: Command {
    static let specification = CommandSpecification(
        "call", "call an API with the access token", operand: "URL",
        discussion: """
            The body of the answer goes to standard output. A 401 leads to one refresh and one repeat. Redirects are handed
            over, or with --follow followed, without the token where they lead to another origin. The status is 1 unless
            the answer's is 2xx.
            """,
        options: [
            .account,
            OptionSpecification("--method", value: "METHOD", "GET, or POST when there is a body"),
            OptionSpecification("--header", value: "\"NAME: VALUE\"", "one further header field"),
            OptionSpecification("--data-stdin", "send what is on standard input as the body"),
            OptionSpecification("--follow", "follow redirects, at most \(Session.maximumRedirects)"),
            OptionSpecification("--include", "print the status and the header fields too, on standard error"),
        ],
        examples: [("tern call https://api.example.com/me", "read something as the user")])

    /// The largest body that is sent, in bytes.
    private static let maximumBodyByteCount = 16 << 20

    private let account: String?
    private let request: HTTPRequest
    private let readsBody: Bool
    private let followsRedirects: Bool
    private let includesHead: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        guard let address = arguments.operand else { throw UsageError("the address is missing: tern call URL") }
        guard let url = URI(address) else { throw UsageError("\"URL\" is not an absolute address") }
        account = arguments.value("--account")
        readsBody = arguments.has("--data-stdin")
        followsRedirects = arguments.has("--follow")
        includesHead = arguments.has("--include")
        var request = HTTPRequest(
            HTTPMethod(rawValue: arguments.value("--method") ?? (readsBody ? "POST" : "GET")), url)
        if let header = arguments.value("--header") {
            let parts = header.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2, request.fields.append(parts[0], parts[1]) else {
                throw UsageError("--header wants \"NAME: VALUE\"")
            }
        }
        self.request = request
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        var request = request
        if readsBody {
            let body = Process.standardInput(limit: Self.maximumBodyByteCount)
            guard body.count <= Self.maximumBodyByteCount else {
                throw TernError(
                    .invalidConfiguration(
                        field: "--data-stdin", problem: "there are more than \(Self.maximumBodyByteCount) bytes"),
                    at: .configuration)
            }
            request.body = .bytes(body)
        }
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
