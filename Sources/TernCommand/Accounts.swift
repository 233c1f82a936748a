internal import Tern

/// The accounts that the command keeps: for each a credential, and beside it how its client is set up.
struct Accounts: Sendable {
    let credentials: FileStore
    private let clients: FileStore

    init(folder: String) throws(TernError) {
        credentials = try FileStore(folder: folder + "/credentials")
        clients = try FileStore(folder: folder + "/clients")
    }

    func save(_ client: SavedClient, for account: StoreKey) async throws(TernError) {
        try await clients.save(client.record, for: account)
    }

    func client(of account: StoreKey) async throws(TernError) -> SavedClient {
        guard let record = try await clients.load(account) else { throw TernError(.signedOut, at: .storage) }
        return try SavedClient(record)
    }

    func names() async throws(TernError) -> [StoreKey] { try await credentials.keys() }

    func forget(_ account: StoreKey) async throws(TernError) { try await clients.delete(account) }

    /// The named account, or the only one there is.
    func chosen(_ name: String?) async throws(TernError) -> StoreKey {
        if let name { return try StoreKey(name) }
        let all = try await names()
        guard let first = all.first else { throw TernError(.signedOut, at: .storage) }
        guard all.count == 1 else {
            throw TernError(
                .invalidConfiguration(
                    field: "--account",
                    problem: "there are several accounts; name one of \(all.map(\.name).joined(separator: ", "))"),
                at: .configuration)
        }
        return first
    }
}

/// How the client of an account is set up; its secret is not kept, only the name of the variable that holds it.
struct SavedClient: Sendable {
    var issuer: String
    var clientID: String
    var scope: Scope
    var redirectURI: String
    var authentication: AuthenticationMethod
    var secretVariable: String?
    /// A file with the certificate authorities that the server's certificate is held against.
    var authoritiesFile: String?

    enum AuthenticationMethod: String, CaseIterable, Sendable {
        case none, basic, post
        case rawBasic = "raw-basic"

        func with(_ secret: ClientSecret) -> ClientAuthentication {
            switch self {
            case .none: .none
            case .basic: .basic(secret)
            case .post: .post(secret)
            case .rawBasic: .rawBasic(secret)
            }
        }
    }

    var record: StoredRecord {
        var object: JSONObject = [
            "issuer": .string(issuer), "client_id": .string(clientID), "scope": .string(scope.text),
            "redirect_uri": .string(redirectURI), "client_auth": .string(authentication.rawValue),
        ]
        object["client_secret_env"] = secretVariable.map(JSON.string)
        object["ca_file"] = authoritiesFile.map(JSON.string)
        return StoredRecord(JSON.object(object).serialized())
    }

    init(
        issuer: String, clientID: String, scope: Scope, redirectURI: String, authentication: AuthenticationMethod,
        secretVariable: String?, authoritiesFile: String?
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.scope = scope
        self.redirectURI = redirectURI
        self.authentication = authentication
        self.secretVariable = secretVariable
        self.authoritiesFile = authoritiesFile
    }

    init(_ record: StoredRecord) throws(TernError) {
        guard let object = try? JSON(parsing: record.exposedBytes).object, let issuer = object["issuer"]?.string,
            let clientID = object["client_id"]?.string
        else { throw TernError(.corruptedRecord("the settings of its client cannot be read"), at: .storage) }
        self.issuer = issuer
        self.clientID = clientID
        scope = Scope(object["scope"]) ?? []
        redirectURI = object["redirect_uri"]?.string ?? OAuthClient.loopbackRedirect
        authentication = object["client_auth"]?.string.flatMap(AuthenticationMethod.init) ?? .none
        secretVariable = object["client_secret_env"]?.string
        authoritiesFile = object["ca_file"]?.string
    }

    /// The client, with its secret from the variable.
    func client(
        account: StoreKey, store: FileStore, timeLimit: Int? = nil
    ) throws(TernError) -> OAuthClient {
        let secret = try secretVariable.map { (name) throws(TernError) -> ClientSecret in
            guard let text = Process.environment(name), !text.isEmpty else {
                throw TernError(
                    .invalidConfiguration(
                        field: "--client-secret-env", problem: "the variable \(name) is not set or empty"),
                    at: .configuration)
            }
            return ClientSecret(text)
        }
        var policy = TransportPolicy()
        if let authoritiesFile {
            guard let pem = SmallFile.read(authoritiesFile) else {
                throw TernError(
                    .invalidConfiguration(field: "--ca-file", problem: "it cannot be read"), at: .configuration)
            }
            policy.certificateAuthorities = pem
        }
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(issuer)), clientID: clientID, redirectURI: try RedirectURI(redirectURI),
            scope: scope, authentication: secret.map(authentication.with) ?? .none)
        configuration.account = account
        if let timeLimit { configuration.signInTimeLimit = .seconds(timeLimit) }
        return OAuthClient(
            configuration, in: Environment(transport: SystemTransport(policy: policy), store: store))
    }
}
