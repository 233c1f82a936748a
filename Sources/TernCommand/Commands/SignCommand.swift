internal import Tern

/// `tern sign`: the signature of OAuth 1.0a for a request that something else sends.
struct SignCommand: Command {
    static let specification = CommandSpecification(
        "sign", "print the signature of OAuth 1.0a for a request", operand: "URL",
        discussion: """
            Prints the field Authorization for one request, with a new nonce; with the placement query the whole address, with
            the placement form the whole body. It signs with an account, or, with --client-id, as a client without a user. The
            signature is good for this request alone: method, address and form must be sent as they were signed.
            """,
        options: [.account] + RequestArguments.specifications + [
            OptionSpecification("--client-id", value: "ID", "sign as this client, without a user")
        ] + SavedClient.SecretSource.specifications + [SigningOptions.keySpecification]
            + SigningOptions.specifications + [
                OptionSpecification("--base-string", "print the text that is signed, to compare it with the service's")
            ],
        examples: [
            (
                "curl -H \"$(tern sign https://api.example.com/me)\" https://api.example.com/me",
                "call an API as the user with another program"
            ),
            ("tern sign https://api.example.com/me --base-string", "see what is signed, when a service refuses it"),
        ])

    private let account: String?
    private let request: RequestArguments
    private let client: Client?
    private let printsBaseString: Bool

    private struct Client: Sendable {
        let id: String
        let secret: SavedClient.SecretSource?
        let signing: SigningOptions
    }

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        request = try RequestArguments(arguments, for: "sign")
        printsBaseString = arguments.has("--base-string")
        let secret = try SavedClient.SecretSource(arguments)
        guard let id = arguments.value("--client-id") else {
            guard secret == nil, !SigningOptions.areThere(arguments), arguments.value("--client-key") == nil else {
                throw UsageError("how an account signs is kept since its login; the other options want --client-id")
            }
            client = nil
            return
        }
        guard account == nil else { throw UsageError("--account and --client-id exclude each other") }
        client = Client(id: id, secret: secret, signing: try SigningOptions(arguments))
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let bare = try request.request()
        let signed: HTTPRequest
        if let client {
            let secret = try client.secret.map { (source) throws(TernError) in try source.read() }
            var signer = OAuth1Signer(clientID: client.id, try client.signing.key(secret))
            signer.placement = client.signing.placement
            signer.realm = client.signing.realm
            var environment = Environment(transport: SystemTransport(), store: MemoryStore())
            environment.events = TraceFile.events
            signed = try await OAuth1Authorizer(signer, in: environment).authorize(bare)
        } else {
            signed = try await context.withSession(account) { [bare] (session) async throws(TernError) in
                try await session.authorize(bare)
            }
        }
        guard let read = try OAuth1SignedRequest(reading: signed) else {
            throw TernError(
                .unsupported("signing: the account is one of OAuth 2, whose requests carry a token: tern token"),
                at: .resourceRequest)
        }
        context.console.print(read, signed, bare, printsBaseString)
        return .success
    }
}

extension Console {
    fileprivate func print(
        _ read: OAuth1SignedRequest, _ signed: HTTPRequest, _ bare: HTTPRequest, _ printsBaseString: Bool
    ) {
        let text: String
        switch read.placement {
        case .header: text = "Authorization: " + (signed.fields["Authorization"] ?? "")
        case .query: text = signed.url.text
        case .form: text = String(decoding: signed.bodyBytes ?? [], as: UTF8.self)
        }
        guard isJSON else { return print(printsBaseString ? read.baseString : text) }
        var object: JSONObject = ["method": .string(signed.method.rawValue), "url": .string(signed.url.text)]
        object["authorization"] = signed.fields["Authorization"].map(JSON.string)
        if signed.body != bare.body { object["body"] = .string(text) }
        if printsBaseString { object["base_string"] = .string(read.baseString) }
        print(object)
    }
}
