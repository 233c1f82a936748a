internal import Tern

/// `tern login`: signs in and keeps the account.
struct LoginCommand: Command {
    static let specification = CommandSpecification(
        "login", "sign in to any OpenID Connect or OAuth 2 server with discovery, or to a service of OAuth 1.0a",
        discussion: """
            Opens the page in the browser and waits on the loopback interface for the answer. The tokens are kept in files
            that only you can read. On a machine without a browser use --paste. A --redirect with a scheme of your own, such
            as com.example.app:/callback, comes back through `tern scheme install`. A service of OAuth 1.0a is one with the
            three addresses that begin with --request-token-url; there --redirect oob asks for the PIN that the page shows.
            """,
        options: [
            OptionSpecification(
                "--issuer", value: "URL", "the server, exactly as it writes its own name; or --resource names an API"),
            OptionSpecification(
                "--client-id", value: "ID",
                "the client, as it is registered there; by default the one that `tern register` made"),
            SavedClient.AuthenticationMethod.specification,
            OptionSpecification("--scope", value: "\"A B\"", "what is asked for; \"openid\" by default"),
            OptionSpecification(
                "--redirect", value: "URI", "where the answer arrives; any free loopback port by default"),
            OptionSpecification("--account", value: "NAME", "the name to keep the account under"),
            OptionSpecification("--name", value: "NAME", "the same as --account"),
            OptionSpecification("--label", value: "TEXT", "what you call the account"),
            OptionSpecification("--prompt", value: "WORD", "none, login, consent, select_account or create"),
            OptionSpecification("--login-hint", value: "TEXT", "a name that you probably log in with"),
            OptionSpecification("--no-browser", "print the address to open instead of opening it"),
            OptionSpecification("--paste", "print the address, and read the callback from standard input"),
            OptionSpecification("--timeout", value: "SECONDS", "how long to wait for you; 600 by default"),
            OptionSpecification(
                "--ca-file", value: "FILE", "certificate authorities (PEM) in the place of the system's"),
            OptionSpecification(
                "--decryption-key", value: "FILE", "your private key, where the server encrypts ID tokens (JWK or PEM)"),
        ] + ClientKeyFiles.specifications + RequestOptions.specifications + ResponseOptions.specifications
            + DeviceLogin.specifications + SavedClient.SecretSource.specifications + SavedOAuth1.specifications
            + SigningOptions.specifications,
        examples: [
            (
                "tern login --issuer https://id.example.com --client-id my-app --scope \"openid email offline_access\"",
                "sign in as a public client"
            ),
            ("tern login --issuer https://id.example.com --client-id my-app --paste", "on a machine without a browser"),
            ("tern login --issuer https://id.example.com --client-id my-tv --device", "with a phone beside you"),
        ])

    private let settings: SavedClient
    private let account: String?
    private let label: String?
    private let prompt: [AuthorizationRequest.Prompt]
    private let loginHint: String?
    private let timeLimit: Int?
    private let pastes: Bool
    private let announces: Bool
    private let device: DeviceLogin?
    private let registered: RegisteredClientUse?
    private let setsScope: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        let secret = try SavedClient.SecretSource(arguments)
        let isOAuth1 = SavedOAuth1.isMeant(arguments)
        if isOAuth1,
            let name = [
                "--issuer", "--scope", "--client-auth", "--client-certificate", "--audience", "--prompt",
                "--login-hint",
            ].first(where: { arguments.value($0) != nil })
        {
            throw UsageError("OAuth 1.0a knows no \(name)")
        }
        if !isOAuth1, SigningOptions.areThere(arguments) {
            throw UsageError("signatures are for OAuth 1.0a, which wants --request-token-url")
        }
        let keys = isOAuth1 ? ClientKeyFiles() : try ClientKeyFiles(arguments)
        var settings = SavedClient(
            issuer: isOAuth1 || arguments.value("--resource") != nil
                ? arguments.value("--issuer") : try arguments.required("--issuer"),
            oauth1: isOAuth1 ? try SavedOAuth1(arguments) : nil,
            clientID: isOAuth1 ? try arguments.required("--client-id") : arguments.value("--client-id") ?? "",
            scope: isOAuth1 ? [] : Scope(arguments.value("--scope") ?? "openid"),
            redirectURI: arguments.value("--redirect") ?? OAuthClient.loopbackRedirect,
            authentication: isOAuth1
                ? .none
                : try SavedClient.AuthenticationMethod(
                    arguments, secret, keys, knowsAudience: arguments.value("--client-id") != nil),
            secret: secret, authoritiesFile: arguments.value("--ca-file"),
            decryptionKeyFile: arguments.value("--decryption-key"), responses: try ResponseOptions(arguments))
        settings.keys = keys
        settings.requests = try RequestOptions(arguments)
        self.settings = settings
        setsScope = arguments.value("--scope") != nil
        registered = isOAuth1 ? nil : try RegisteredClientUse(arguments)
        account = arguments.value("--account") ?? arguments.value("--name")
        label = arguments.value("--label")
        prompt =
            try arguments.value("--prompt").map { (word) throws(UsageError) -> [AuthorizationRequest.Prompt] in
                guard let prompt = AuthorizationRequest.Prompt(rawValue: word) else {
                    throw UsageError.unknown(
                        "prompt", word, among: AuthorizationRequest.Prompt.allCases.map(\.rawValue))
                }
                return [prompt]
            } ?? []
        loginHint = arguments.value("--login-hint")
        timeLimit = try arguments.number("--timeout", in: 1...86_400)
        pastes = arguments.has("--paste")
        announces = arguments.has("--no-browser")
        device = try DeviceLogin(arguments)
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        var settings = try await settings.requests.complete(settings, setsScope: setsScope, context.console)
        settings = try await registered?.complete(settings, accounts) ?? settings
        let redirect = try RedirectURI(settings.redirectURI)
        for warning in redirect.warnings { context.console.note("note: \(warning)") }
        let client = try await settings.client(
            account: try account.map { (name) throws(TernError) in try StoreKey(name) }, store: accounts.credentials,
            timeLimit: timeLimit)
        let name = client.configuration.account
        var options = SignInOptions()
        options.prompt = prompt
        options.loginHint = loginHint
        let session: Session
        if let device {
            session = try await device.signIn(client, context.console)
        } else if redirect.kind == .privateUseScheme, !pastes {
            options.attachment = settings.attachment
            SchemeCommand.warn(unlessInstalled: redirect, context)
            session = try await client.signIn(
                options, opening: Agents.browser(announcing: announces, console: context.console))
        } else {
            let agent: any UserAgent =
                pastes || redirect.kind == .outOfBand
                ? Agents.paste(console: context.console, isPIN: redirect.kind == .outOfBand)
                : Agents.loopback(announcing: announces, console: context.console)
            session = try await client.signIn(options, with: agent)
        }
        settings.note(client.acceptedAuthentication)
        try await accounts.save(settings, for: name)
        let credential = try await session.credential()
        await note(credential, name, accounts, context.console)
        if context.console.isJSON {
            var object: JSONObject = [
                "account": .string(name.name),
                "scope": .string(credential.scope.text), "refreshable": .bool(credential.refreshToken != nil),
            ]
            if device != nil { object["event"] = "signed_in" }
            object["issuer"] = settings.issuer.map(JSON.string)
            object["sub"] = credential.subject.map(JSON.string)
            object["expires_at"] = credential.expiration.map { .string($0.description) }
            context.console.print(object)
        } else {
            let user = Console.plain(credential.subject ?? "a user")
            context.console.print("Signed in as \(user), kept as \(name.name).")
            context.console.note(
                settings.oauth1 == nil
                    ? "Next: tern whoami, tern token, tern call URL, tern logout"
                    : "Next: tern call URL, tern sign URL, tern logout")
        }
        return .success
    }

    /// Puts the account into the directory. The user is signed in, also where that fails.
    private func note(
        _ credential: Credential, _ account: StoreKey, _ accounts: Accounts, _ console: Console
    ) async {
        do throws(TernError) {
            let directory = accounts.directory
            try await directory.noteSignIn(credential, to: account, at: SystemWallClock().now)
            if let label { try await directory.update(account) { $0.label = label } }
            guard let standard = try await directory.defaultAccount() else { return }
            // The first account stays the default when others come.
            try await directory.setDefaultAccount(standard)
            if standard != account {
                console.remark("The default account is still \(standard); `tern use` changes it.")
            }
        } catch {
            console.note("note: the account could not be entered in the list. \(error.explanation.whatHappened)")
        }
    }
}
