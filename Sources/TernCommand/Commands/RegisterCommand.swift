internal import Tern

/// `tern register`: makes a client at a server, and looks after it.
struct RegisterCommand: Command {
    static let specification = CommandSpecification(
        "register", "register a client at a server that lets clients do that (RFC 7591, RFC 7592)",
        operand: "[CLIENT-ID]",
        discussion: """
            What the server gives, a secret too, is kept with the accounts and never shown; `tern login --issuer URL` without
            --client-id then signs in as this client. There is one such client for each server. With --metadata-document
            nothing is registered: the operand is the https address at which the client's document will lie, which is its
            client ID, and the document is printed.
            """,
        options: [
            OptionSpecification("--issuer", value: "URL", "the server, exactly as it writes its own name")
        ] + RegistrationWishes.specifications + [
            OptionSpecification(
                "--initial-token-env", value: "NAME", "the variable that holds what allows to register"),
            OptionSpecification(
                "--initial-token-file", value: "FILE", "the file whose first line is what allows to register"),
            OptionSpecification("--show", "ask the server what is registered"),
            OptionSpecification("--update", "change what the other options say, and leave the rest"),
            OptionSpecification("--delete", "delete the client at the server, and forget it here"),
            OptionSpecification("--forget", "forget the client here alone, whatever the server has"),
            OptionSpecification("--metadata-document", "print the document of a client whose ID is its address"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
        ],
        examples: [
            (
                "tern register --issuer https://id.example.com --name \"My app\" --scope \"openid email\"",
                "register a public client; then: tern login --issuer https://id.example.com"
            ),
            (
                "tern register --issuer https://id.example.com --client-auth private-key-jwt --client-key key.jwk",
                "register a client that signs its proofs; `tern keys generate` makes the key"
            ),
            ("tern register --issuer https://id.example.com --delete", "delete it"),
            (
                "tern register --metadata-document https://app.example.com/client.json --name \"My app\"",
                "the document to serve there"
            ),
        ])

    private enum Action: String, CaseIterable {
        case register
        case show = "--show"
        case update = "--update"
        case delete = "--delete"
        case forget = "--forget"
        case document = "--metadata-document"
    }

    private let action: Action
    private let issuer: String
    private let clientID: String?
    private let wishes: RegistrationWishes
    private let initialToken: SavedClient.SecretSource?
    private let authoritiesFile: String?

    init(_ arguments: Arguments) throws(UsageError) {
        let actions = Action.allCases.filter { arguments.has($0.rawValue) }
        guard actions.count < 2 else {
            throw UsageError("\(actions[0].rawValue) and \(actions[1].rawValue) exclude each other")
        }
        action = actions.first ?? .register
        wishes = try RegistrationWishes(arguments)
        clientID = arguments.operand
        authoritiesFile = arguments.value("--ca-file")
        switch (arguments.value("--initial-token-env"), arguments.value("--initial-token-file")) {
        case (nil, nil): initialToken = nil
        case (let name?, nil): initialToken = .variable(name)
        case (nil, let path?): initialToken = .file(path)
        case (_?, _?): throw UsageError("--initial-token-env and --initial-token-file exclude each other")
        }
        switch action {
        case .document:
            guard clientID != nil else {
                throw UsageError("the address is missing: tern register --metadata-document URL")
            }
            guard arguments.value("--issuer") == nil, initialToken == nil else {
                throw UsageError("nothing is registered with --metadata-document, so that it knows no --issuer")
            }
            issuer = ""
            return
        case .register:
            guard clientID == nil else {
                throw UsageError("the server chooses the client ID, so that none can be given")
            }
        case .update:
            guard !wishes.isEmpty else { throw UsageError("--update wants something to change, such as --redirect") }
        case .show, .delete, .forget:
            guard wishes.isEmpty else { throw UsageError("nothing can be changed with \(action.rawValue)") }
        }
        guard action == .register || initialToken == nil else {
            throw UsageError("what allows to register has no use with \(action.rawValue)")
        }
        issuer = try arguments.required("--issuer")
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let console = context.console
        guard action != .document else { return try printDocument(console) }
        let issuer = try Issuer(issuer)
        let accounts = try context.accounts()
        let before = try await accounts.registeredClient(at: issuer)
        var environment = Environment(
            transport: SystemTransport(policy: try transportPolicy(before)), store: accounts.credentials)
        environment.events = TraceFile.events
        let registrar = ClientRegistrar(server: .issuer(issuer), in: environment)
        let desk = RegistrationDesk(
            issuer: issuer, registrar: registrar, store: accounts.credentials, clientID: clientID)
        let report: RegistrationReport
        switch action {
        case .register:
            let token = try initialToken.map { (source) throws(TernError) in
                InitialAccessToken(try source.read(called: "--initial-token").exposedText)
            }
            report = try await desk.register(try wishes.metadata(), token)
        case .show: report = try await desk.show(console)
        case .update: report = try await desk.update(wishes)
        case .delete, .forget, .document:
            let isDeleted = action == .delete
            let clientID = try await isDeleted ? desk.delete() : desk.forget()
            try await accounts.forgetRegistered(at: issuer)
            tell(clientID, isDeleted: isDeleted, issuer, console)
            return .success
        }
        let settings = wishes.settings(
            report.information, at: issuer, authoritiesFile: authoritiesFile, before: before)
        try await accounts.saveRegistered(settings, at: issuer)
        tell(report, issuer, console)
        return .success
    }

    private func transportPolicy(_ before: SavedClient?) throws(TernError) -> TransportPolicy {
        var settings = SavedClient(
            issuer: issuer, clientID: "", scope: [], redirectURI: "", authentication: .none, secret: nil,
            authoritiesFile: authoritiesFile ?? before?.authoritiesFile)
        // A certificate is shown for the client's tokens, and registration asks for none.
        settings.keys = ClientKeyFiles()
        return try settings.transportPolicy()
    }

    private func printDocument(_ console: Console) throws(TernError) -> ExitStatus {
        let document = try ClientIDMetadataDocument(clientID: clientID ?? "", metadata: try wishes.metadata())
        console.print(document.json)
        console.note("Serve it at \(Console.plain(document.clientID)) as application/json.")
        return .success
    }

    private func tell(_ report: RegistrationReport, _ issuer: Issuer, _ console: Console) {
        guard !console.isJSON else { return console.print(report.json) }
        switch action {
        case .register: console.print("Registered a client at \(issuer).")
        case .update: console.print("Changed the client at \(issuer).")
        case .show, .delete, .forget, .document: break
        }
        for line in report.lines(now: SystemWallClock().now) { console.print(line) }
        if action == .register { console.note("Next: tern login --issuer \(issuer)") }
    }

    private func tell(_ clientID: String?, isDeleted: Bool, _ issuer: Issuer, _ console: Console) {
        guard !console.isJSON else {
            var object: JSONObject = ["issuer": .string(issuer.text), "deleted": .bool(isDeleted), "forgotten": true]
            object["client_id"] = clientID.map(JSON.string)
            return console.print(object)
        }
        console.print(
            isDeleted
                ? "Deleted the client at \(issuer)."
                : "The client at \(issuer) is forgotten here; the server may still have it.")
    }
}
