import Foundation
import Tern
import TernTesting
import Testing

@testable import TernCommand

/// `tern register` with the built command.
@Suite("tern register", .serialized, .timeLimit(.minutes(4)))
struct RegisterRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/store", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        run = CommandRun(store: folder.path + "/store", variables: ["INITIAL": "initial-token"])
    }

    private func server(_ change: (inout ServerSettings) -> Void = { _ in }) throws -> TestServer {
        var server = AuthorizationServer(clients: [])
        server.settings.registration = .open
        change(&server.settings)
        return try TestServer.start(server)
    }

    private func register(_ server: TestServer, _ options: String...) async throws -> CommandRun.Outcome {
        try await run(words: ["register", "--issuer", server.issuer.text, "--json"] + options) { _ in nil }
    }

    private func login(_ server: TestServer, _ options: String...) async throws -> CommandRun.Outcome {
        let words = ["login", "--issuer", server.issuer.text, "--no-browser", "--json"]
        return try await run(words: words + options) { page in
            _ = try? await RobotBrowser(transport: SystemTransport()).signIn(at: page, stoppingAt: nil)
            return nil
        }
    }

    private func kept(_ server: TestServer) async throws -> ClientInformation? {
        try await FileStore(folder: folder.path + "/store/credentials")
            .registration(at: Issuer(server.issuer.text))
    }

    @Test("Registered, used without a client ID, looked at, changed and deleted; nothing secret is said")
    func life() async throws {
        let server = try server()
        var said = ""
        func checked(_ outcome: CommandRun.Outcome) throws -> JSON {
            #expect(outcome.status == 0, "\(outcome.errors)")
            said += outcome.output + outcome.errors
            return try JSON(parsing: outcome.output)
        }
        let made = try checked(
            try await register(server, "--redirect", "http://127.0.0.1/callback", "--name", "My app"))
        let clientID = try #require(made["client_id"]?.string)
        #expect(made["has_secret"] == false && made["manageable"] == true)
        #expect(made["metadata"]?["client_name"] == "My app" && made["metadata"]?["application_type"] == "native")
        var secrets = [try #require(try await kept(server)?.registrationAccessToken?.exposedText)]
        _ = try checked(try await login(server))
        #expect(try await run("token", "--refresh").status == 0)
        #expect(server.requests(to: .token).allSatisfy { $0.parameters["client_id"] == clientID })

        #expect(try checked(try await register(server, "--show"))["client_id"]?.string == clientID)
        let changed = try checked(
            try await register(server, "--update", "--name", "Other name", "--redirect", "com.example.app:/callback"))
        #expect(changed["metadata"]?["client_name"] == "Other name")
        #expect(changed["metadata"]?["redirect_uris"] == ["com.example.app:/callback"])
        #expect(server.served.server.clients.first?.name == "Other name")
        // The server gives a new token with each answer.
        secrets.append(try #require(try await kept(server)?.registrationAccessToken?.exposedText))
        let other = try await register(server, "--delete", "another-client")
        #expect(other.status == 2 && server.served.server.clients.count == 1)
        #expect(try checked(try await register(server, "--delete", clientID))["deleted"] == true)
        #expect(server.served.server.clients.isEmpty)
        #expect(try await kept(server) == nil)
        #expect(try await login(server).status == 2)
        #expect(!secrets.contains { said.contains($0) })
        await server.stop()
    }

    @Test(
        "A client with a secret, which lies with the credentials alone",
        arguments: ["basic", "post", "client-secret-jwt"])
    func secret(method: String) async throws {
        let server = try server { $0.registeredSecretLifetime = .seconds(86_400) }
        let made = try await register(server, "--client-auth", method)
        #expect(made.status == 0, "\(made.errors)")
        let secret = try #require(try await kept(server)?.clientSecret?.exposedText)
        #expect(try JSON(parsing: made.output)["secret_expires_at"] != nil)
        let login = try await login(server, "--account", "work")
        #expect(login.status == 0, "\(login.errors)")
        #expect(try await run("token", "--refresh").status == 0)
        #expect(!(made.output + made.errors + login.output + login.errors).contains(secret))
        let clients = folder.path + "/store/clients"
        for name in try FileManager.default.contentsOfDirectory(atPath: clients) {
            #expect(try !String(contentsOfFile: clients + "/" + name, encoding: .utf8).contains(secret))
        }
        #expect(try await run("accounts", "--names").output == "work\n")

        #expect(try await register(server, "--forget").status == 0)
        let lost = try await run("token", "--refresh", "--json")
        #expect(lost.status == 2 && lost.errors.contains("registered"))
        #expect(try await run("logout").status == 0)
        await server.stop()
    }

    @Test("A client that signs: the public half is registered, and the file is found again")
    func key() async throws {
        let server = try server()
        let file = folder.path + "/key.jwk"
        #expect(try await run("keys", "generate", file, "--alg", "ES256").status == 0)
        let made = try await register(server, "--client-key", file)
        #expect(made.status == 0, "\(made.errors)")
        let metadata = try JSON(parsing: made.output)["metadata"]
        #expect(metadata?["token_endpoint_auth_method"] == "private_key_jwt")
        #expect(metadata?["jwks"]?["keys"]?.array?.first?["d"] == nil)
        #expect(try await login(server).status == 0)
        #expect(server.requests(to: .token).first?.parameters["client_assertion"] != nil)
        await server.stop()
    }

    @Test("A client with a certificate of its own is registered by it")
    func certificate() async throws {
        let server = try server()
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/c.pem")
        let made = try await run.shell(
            "umask 077; openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=c "
                + "-keyout '\(key)' -out '\(certificate)' 2>/dev/null")
        try #require(made.status == 0)
        let outcome = try await register(server, "--client-certificate", certificate, "--client-key", key)
        #expect(outcome.status == 0, "\(outcome.errors)")
        let thumbprint = try CertificateThumbprint(
            pem: Array(FileManager.default.contents(atPath: certificate) ?? Data()))
        #expect(server.served.server.clients.first?.authentication == .tls(thumbprint.text))
        #expect(server.served.server.clients.first?.bindsTokensToCertificate == true)
        let byAuthority = try await register(
            server, "--client-auth", "tls", "--client-certificate", certificate, "--client-key", key)
        #expect(byAuthority.status == 2)
        await server.stop()
    }

    @Test("A client that acts for nobody")
    func service() async throws {
        let server = try server()
        let made = try await register(
            server, "--grant", "client_credentials", "--client-auth", "basic", "--scope", "api")
        #expect(made.status == 0, "\(made.errors)")
        #expect(try JSON(parsing: made.output)["metadata"]?["redirect_uris"] == nil)
        let token = try await run(
            "token", "--client-credentials", "--issuer", server.issuer.text, "--scope", "api", "--account", "job")
        #expect(token.status == 0, "\(token.errors)")
        #expect(try await run("token", "--account", "job", "--refresh").status == 0)
        await server.stop()
    }

    @Test("Limits that the server sets are told")
    func limits() async throws {
        let server = try server { $0.registrationChanges = ["scope": "openid"] }
        let made = try await register(server, "--scope", "openid email")
        let difference = try JSON(parsing: made.output)["differences"]?.array?.first
        #expect(difference?["name"] == "scope" && difference?["registered"] == "openid")
        let shown = try await run("register", "--issuer", server.issuer.text, "--show")
        #expect(shown.output.contains("client ID: ") && shown.output.contains("it can be changed and deleted"))
        let twice = try await register(server)
        #expect(twice.status == 2 && twice.errors.contains("--update"))
        #expect(server.served.server.clients.count == 1)
        await server.stop()
    }

    @Test("Who may register is the server's to say")
    func permission() async throws {
        let closed = try server { $0.registration = .closed }
        #expect(try await register(closed).lastError?["error"]?["code"] == "missing_metadata")
        let server = try server { $0.registration = .withToken("initial-token") }
        let stranger = try await register(server)
        #expect(stranger.status == 1 && stranger.lastError?["error"]?["code"] == "invalid_token")
        #expect(try await register(server, "--initial-token-env", "UNSET").status == 2)
        let known = try await register(server, "--initial-token-env", "INITIAL")
        #expect(known.status == 0, "\(known.errors)")
        #expect(!(known.output + known.errors).contains("initial-token"))
        await closed.stop()
        await server.stop()
    }

    @Test("A software statement vouches for the client")
    func statement() async throws {
        let key = try SigningKey(try JWK.generate(for: .es256, keyID: "s"))
        let server = try server {
            $0.softwareStatementIssuers = ["https://trust.example": PublicKeys(JWKSet([key.publicKey]))]
        }
        let text = try SoftwareStatement.sign(
            ClientMetadata(name: "Vouched for"), issuer: "https://trust.example",
            issuedAt: NumericDate(Date().timeIntervalSince1970), key: key)
        let file = folder.path + "/statement"
        try Data((text + "\n").utf8).write(to: URL(fileURLWithPath: file))
        let made = try await register(server, "--name", "Mine", "--software-statement-file", file)
        #expect(made.status == 0, "\(made.errors)")
        #expect(server.served.server.clients.first?.name == "Vouched for")
        #expect(!made.output.contains(text))
        await server.stop()
    }

    @Test("The document of a client whose ID is its address")
    func document() async throws {
        let address = "https://app.example.com/client.json"
        let printed = try await run("register", "--metadata-document", address, "--name", "My app")
        #expect(printed.status == 0, "\(printed.errors)")
        let document = try ClientIDMetadataDocument(parsing: Array(printed.output.utf8), at: address)
        #expect(document.metadata.name == "My app" && document.metadata.authenticationMethod == "none")
        for words in [["http://app.example.com/c"], ["https://app.example.com"], [address, "--client-auth", "basic"]] {
            #expect(try await run(words: ["register", "--metadata-document"] + words) { _ in nil }.status == 2)
        }
    }

    @Test(
        "Calls that cannot be meant",
        arguments: [
            [], ["--issuer", "https://id.example", "a-client"], ["--issuer", "https://id.example", "--update"],
            ["--issuer", "https://id.example", "--show", "--delete"],
            ["--issuer", "https://id.example", "--show", "--name", "x"],
            ["--issuer", "https://id.example", "--delete", "--initial-token-env", "INITIAL"],
            ["--issuer", "https://id.example", "--client-auth", "private-key-jwt"],
            ["--metadata-document"], ["--metadata-document", "https://a.example/c", "--issuer", "https://id.example"],
            ["--issuer", "https://id.example", "--show"],
        ])
    func wrongCalls(words: [String]) async throws {
        #expect(try await run(words: ["register"] + words) { _ in nil }.status == 2)
    }

    @Test("The test server lets clients register, and says so")
    func serve() async throws {
        #expect(ServeCommand.specification.discussion.contains("tern register"))
        let serving = try run.start("serve", "--json")
        for await line in serving.output {
            let said = try JSON(parsing: line)
            #expect(said["registration"] == "open")
            let issuer = try #require(said["issuer"]?.string)
            let made = try await run("register", "--issuer", issuer, "--json")
            #expect(made.status == 0, "\(made.errors)")
            serving.signal(15)
        }
        _ = serving.status()
    }
}
