internal import Tern

/// How the client of an account is set up; its secret is not kept, only where it is.
struct SavedClient: Sendable {
    /// The server's name; `nil` for one of OAuth 1.0a, which has none.
    var issuer: String?
    /// The service, with OAuth 1.0a.
    var oauth1: SavedOAuth1?
    var clientID: String
    var scope: Scope
    var redirectURI: String
    var authentication: AuthenticationMethod
    var secret: SecretSource?
    /// A file with the certificate authorities that the server's certificate is held against.
    var authoritiesFile: String?
    /// A file with the private keys that open what the server encrypts for the client.
    var decryptionKeyFile: String?
    /// What it signs with and shows in TLS.
    var keys = ClientKeyFiles()
    /// Whether it is the one that is registered here at the server, so that its secret is kept with its registration.
    var isRegistered = false
    /// How answers come back.
    var responses = ResponseOptions()
    /// How requests reach the server, and what tokens are good for.
    var requests = RequestOptions()

    /// Where the client's secret is.
    enum SecretSource: Sendable {
        /// In a variable of the environment.
        case variable(String)
        /// In a file, as its first line.
        case file(String)

        static let specifications = [
            OptionSpecification("--client-secret-env", value: "NAME", "the variable that holds the client's secret"),
            OptionSpecification(
                "--client-secret-file", value: "FILE", "the file whose first line is the client's secret"),
        ]

        init?(_ arguments: Arguments) throws(UsageError) {
            switch (arguments.value("--client-secret-env"), arguments.value("--client-secret-file")) {
            case (nil, nil): return nil
            case (let name?, nil): self = .variable(name)
            case (nil, let path?): self = .file(path)
            case (_?, _?): throw UsageError("--client-secret-env and --client-secret-file exclude each other")
            }
        }

        /// - Parameter name: what its options are called, without their endings.
        func read(called name: String = "--client-secret") throws(TernError) -> ClientSecret {
            let (option, text): (String, String?) =
                switch self {
                case .variable(let variable): (name + "-env", Process.environment(variable))
                case .file(let path):
                    (
                        name + "-file",
                        SmallFile.read(path).map {
                            String(decoding: $0.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
                        }
                    )
                }
            guard let text, !text.isEmpty else {
                throw TernError(
                    .invalidConfiguration(field: option, problem: "there is no secret in it"), at: .configuration)
            }
            return ClientSecret(text)
        }
    }

    var record: StoredRecord {
        var object: JSONObject = [
            "client_id": .string(clientID), "scope": .string(scope.text), "redirect_uri": .string(redirectURI),
            "client_auth": .string(authentication.rawValue),
        ]
        object["issuer"] = issuer.map(JSON.string)
        object["oauth1"] = oauth1.map { .object($0.json) }
        switch secret {
        case .variable(let name): object["client_secret_env"] = .string(name)
        case .file(let path): object["client_secret_file"] = .string(path)
        case nil: break
        }
        object["ca_file"] = authoritiesFile.map(JSON.string)
        object["decryption_key_file"] = decryptionKeyFile.map(JSON.string)
        keys.write(to: &object)
        if isRegistered { object["registered"] = true }
        responses.write(to: &object)
        requests.write(to: &object)
        return StoredRecord(JSON.object(object).serialized())
    }

    init(
        issuer: String?, oauth1: SavedOAuth1? = nil, clientID: String, scope: Scope, redirectURI: String,
        authentication: AuthenticationMethod, secret: SecretSource?, authoritiesFile: String?,
        decryptionKeyFile: String? = nil, responses: ResponseOptions = ResponseOptions()
    ) {
        self.issuer = issuer
        self.oauth1 = oauth1
        self.clientID = clientID
        self.scope = scope
        self.redirectURI = redirectURI
        self.authentication = authentication
        self.secret = secret
        self.authoritiesFile = authoritiesFile
        self.decryptionKeyFile = decryptionKeyFile
        self.responses = responses
    }

    init(_ record: StoredRecord) throws(TernError) {
        guard let object = try? JSON(parsing: record.exposedBytes).object, let clientID = object["client_id"]?.string,
            object["issuer"]?.string != nil || object["oauth1"]?.object != nil
        else { throw TernError(.corruptedRecord("the settings of its client cannot be read"), at: .storage) }
        issuer = object["issuer"]?.string
        oauth1 = try object["oauth1"]?.object.map { (saved) throws(TernError) in try SavedOAuth1(saved) }
        self.clientID = clientID
        scope = Scope(object["scope"]) ?? []
        redirectURI = object["redirect_uri"]?.string ?? OAuthClient.loopbackRedirect
        authentication = object["client_auth"]?.string.flatMap(AuthenticationMethod.init) ?? .none
        secret =
            object["client_secret_env"]?.string.map(SecretSource.variable)
            ?? object["client_secret_file"]?.string.map(SecretSource.file)
        authoritiesFile = object["ca_file"]?.string
        decryptionKeyFile = object["decryption_key_file"]?.string
        keys = ClientKeyFiles(object)
        isRegistered = object["registered"]?.bool ?? false
        responses = ResponseOptions(object)
        requests = RequestOptions(object)
    }

    /// What the server is called in lists: its issuer, or the address of its tokens.
    var serverName: String { issuer ?? oauth1?.accessTokenURL ?? "" }

    /// The client, with its secret read anew.
    ///
    /// - Parameters:
    ///   - account: the name to keep its account under; one made of client and server where it is `nil`.
    ///   - store: where its account is kept, and its registration.
    func client(
        account: StoreKey?, store: any CredentialStore, timeLimit: Int? = nil
    ) async throws(TernError) -> OAuthClient {
        let server: ClientConfiguration.Server
        let proof: ClientAuthentication
        if let oauth1 {
            let secret = try secret.map { (source) throws(TernError) in try source.read() }
            server = .oauth1(try oauth1.server(), try oauth1.signing.key(secret))
            proof = .none
        } else {
            let issuer = try Issuer(issuer ?? "")
            server = .issuer(issuer)
            proof = try self.proof(isRegistered ? try await registration(at: issuer, in: store) : nil)
        }
        let policy = try transportPolicy()
        var configuration = try ClientConfiguration(
            server: server, clientID: clientID, redirectURI: try RedirectURI(redirectURI),
            scope: scope, authentication: proof)
        configuration.wantsCertificateBoundTokens = policy.clientIdentity != nil
        if let decryptionKeyFile {
            configuration.decryptionKeys = try KeyFile.read(decryptionKeyFile, called: "--decryption-key")
        }
        responses.apply(to: &configuration)
        try requests.apply(to: &configuration, keys)
        // What idpyoidc calls the bearer token of a client's own.
        configuration.tokenAnswerFormat.bearerLikeTypes = ["access_token"]
        if let account { configuration.account = account }
        if let timeLimit { configuration.signInTimeLimit = .seconds(timeLimit) }
        var environment = Environment(transport: SystemTransport(policy: policy), store: store)
        environment.events = TraceFile.events
        return OAuthClient(configuration, in: environment)
    }

    /// Whom the client trusts, and what it shows in TLS.
    func transportPolicy() throws(TernError) -> TransportPolicy {
        var policy = TransportPolicy()
        if let authoritiesFile {
            guard let pem = SmallFile.read(authoritiesFile) else {
                throw TernError(
                    .invalidConfiguration(field: "--ca-file", problem: "it cannot be read"), at: .configuration)
            }
            policy.certificateAuthorities = pem
        }
        policy.clientIdentity = try keys.identity()
        return policy
    }
}
