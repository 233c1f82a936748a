internal import Tern

/// `tern token --client-credentials`: a token of the client's own, kept as an account.
struct ServiceToken: Sendable {
    static let specifications =
        [
            OptionSpecification(
                "--client-credentials", "get a token of the client's own, without a user, and keep it as an account"),
            OptionSpecification("--issuer", value: "URL", "with --client-credentials: the server"),
            OptionSpecification(
                "--client-id", value: "ID",
                "with --client-credentials: the client; by default the one that `tern register` made"),
            SavedClient.AuthenticationMethod.specification,
            OptionSpecification("--scope", value: "\"A B\"", "with --client-credentials: what is asked for"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
        ] + ClientKeyFiles.specifications + SavedClient.SecretSource.specifications

    private let settings: SavedClient
    private let registered: RegisteredClientUse?

    /// `nil` where it is not asked for.
    init?(_ arguments: Arguments) throws(UsageError) {
        guard arguments.has("--client-credentials") else {
            if let other = Self.specifications.map(\.name).first(where: { arguments.value($0) != nil }) {
                throw UsageError("\(other) wants --client-credentials; an account's client is kept already")
            }
            return nil
        }
        let secret = try SavedClient.SecretSource(arguments)
        let keys = try ClientKeyFiles(arguments)
        let clientID = arguments.value("--client-id")
        let method = try SavedClient.AuthenticationMethod(arguments, secret, keys, knowsAudience: clientID != nil)
        var settings = SavedClient(
            issuer: try arguments.required("--issuer"), clientID: clientID ?? "",
            scope: Scope(arguments.value("--scope") ?? ""), redirectURI: OAuthClient.loopbackRedirect,
            authentication: method, secret: secret, authoritiesFile: arguments.value("--ca-file"))
        settings.keys = keys
        registered = try RegisteredClientUse(arguments)
        guard clientID == nil || method != .none else {
            throw UsageError(
                "a public client gets no tokens of its own; --client-secret-env or --client-key is missing")
        }
        self.settings = settings
    }

    /// The session of the client; what is still good is taken from the store.
    func session(_ account: String?, _ context: CommandContext) async throws(TernError) -> Session {
        let accounts = try context.accounts()
        var settings = try await registered?.complete(settings, accounts) ?? settings
        // What users are asked for is not what the client may do by itself.
        settings.scope = self.settings.scope
        let client = try await settings.client(account: nil, store: accounts.credentials)
        let access = RequestedAccess(scope: settings.scope.isEmpty ? nil : settings.scope)
        let session = try await client.clientCredentials(
            access, account: try account.map { (name) throws(TernError) in try StoreKey(name) })
        settings.note(client.acceptedAuthentication)
        guard try await accounts.clients.load(session.account) != settings.record else { return session }
        try await accounts.save(settings, for: session.account)
        try await accounts.directory.noteSignIn(
            try await session.credential(), to: session.account, at: SystemWallClock().now)
        try await accounts.directory.update(session.account) { [issuer = settings.issuer] in $0.issuer = issuer }
        return session
    }
}
