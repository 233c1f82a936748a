import Foundation
import Tern
import TernTesting
import Testing

/// Clients of the command that prove themselves with keys, secrets and certificates.
@Suite("Client authentication of the command", .serialized, .timeLimit(.minutes(4)))
struct ClientIdentityRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        try FileManager.default.createDirectory(
            atPath: folder.path + "/store", withIntermediateDirectories: false,
            attributes: [.posixPermissions: 0o700])
        run = CommandRun(
            store: folder.path + "/store",
            variables: ["CLIENT_SECRET": "a-secret-of-more-than-thirty-two-bytes", "EMPTY": ""])
    }

    private var keyFile: String { folder.path + "/client.jwk" }

    private func makeKey(_ options: String...) async throws -> SigningKey {
        let made = try await run(words: ["keys", "generate", keyFile, "--alg", "ES256"] + options) { _ in nil }
        try #require(made.status == 0, "\(made.errors)")
        let data = try #require(FileManager.default.contents(atPath: keyFile))
        return try SigningKey(try JWK(parsing: Array(data)))
    }

    private func server(
        _ authentication: TestClient.Authentication, _ audience: AssertionAudience = .issuer
    ) throws -> TestServer {
        var server = AuthorizationServer(clients: [TestClient("web", authentication: authentication)])
        server.settings.assertionAudiences = [audience]
        return try TestServer.start(server)
    }

    private func login(_ server: TestServer, _ options: String...) async throws -> CommandRun.Outcome {
        let words = ["login", "--issuer", server.issuer.text, "--client-id", "web", "--no-browser", "--json"]
        return try await run(words: words + ["--scope", "openid api"] + options) { page in
            _ = try? await RobotBrowser(transport: SystemTransport()).signIn(at: page, stoppingAt: nil)
            return nil
        }
    }

    /// All that the command has written into a folder of its store.
    private func kept(_ name: String) -> String {
        let path = folder.path + "/store/" + name
        let files = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return files.compactMap { try? String(contentsOfFile: path + "/" + $0, encoding: .utf8) }.joined()
    }

    @Test("private_key_jwt: every call of the account proves itself anew, and no key is kept")
    func privateKey() async throws {
        let key = try await makeKey()
        let server = try server(.privateKeyJWT(key))
        let login = try await login(server, "--client-key", keyFile)
        #expect(login.status == 0, "\(login.errors)")
        for call in [
            ["token", "--refresh"], ["whoami"], ["call", server.apiAddress("notes")], ["introspect"],
            ["exchange", "--audience", "orders"], ["revoke", "--type", "access"], ["logout"],
        ] {
            let outcome = try await run(words: call) { _ in nil }
            #expect(outcome.status == 0, "\(call): \(outcome.errors)")
        }
        #expect(server.requests(to: .token).allSatisfy { $0.parameters["client_assertion"] != nil })
        #expect(server.count(of: .revocation) >= 2 && server.count(of: .introspection) == 1)
        await server.stop()
    }

    @Test("The file of the key is kept by its path")
    func path() async throws {
        let key = try await makeKey()
        let server = try server(.privateKeyJWT(key))
        #expect(try await login(server, "--client-key", keyFile).status == 0)
        let settings = kept("clients")
        #expect(settings.contains(keyFile) && settings.contains("private-key-jwt"))
        let secret = try #require(
            try JSON(parsing: Array(FileManager.default.contents(atPath: keyFile) ?? Data()))["d"]?.string)
        #expect(!settings.contains(secret) && !kept("credentials").contains(secret))
        try FileManager.default.removeItem(atPath: keyFile)
        let gone = try await run("token", "--refresh", "--json")
        #expect(gone.status == 2 && gone.errors.contains("--client-key"))
        // A key that is lost keeps nobody signed in.
        #expect(try await run("logout").status == 0)
        await server.stop()
    }

    @Test("A PEM key serves too; one that others may read does not")
    func pem() async throws {
        let path = folder.path + "/client.pem"
        let made = try await run.shell(
            "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 > '\(path)' 2>/dev/null; chmod 600 '\(path)'"
        )
        try #require(made.status == 0)
        let data = try #require(FileManager.default.contents(atPath: path))
        let server = try server(.privateKeyJWT(try SigningKey(try JWK(pem: Array(data)))))
        #expect(try await login(server, "--client-key", path, "--client-auth", "private-key-jwt").status == 0)
        for mode in [0o640, 0o604] {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
            let open = try await login(server, "--client-key", path)
            #expect(open.status == 2 && open.errors.contains("chmod 600"))
        }
        await server.stop()
    }

    @Test("Whatever audience the server wants is found out once and kept", arguments: AssertionAudience.allCases)
    func audience(audience: AssertionAudience) async throws {
        let server = try server(.privateKeyJWT(try await makeKey()), audience)
        #expect(try await login(server, "--client-key", keyFile).status == 0)
        #expect(server.count(of: .token) == (audience == .issuer ? 1 : 2))
        let before = server.count(of: .token)
        #expect(try await run("token", "--refresh").status == 0)
        #expect(server.count(of: .token) == before + 1)
        #expect(try JSON(parsing: try await run("logout", "--json").output)["revocation"] == "done")
        await server.stop()
    }

    @Test("--audience says it at once; a refusal names it")
    func audienceOption() async throws {
        let server = try server(.privateKeyJWT(try await makeKey()), .tokenEndpoint)
        #expect(try await login(server, "--client-key", keyFile, "--audience", "token-endpoint").status == 0)
        #expect(server.count(of: .token) == 1)
        let refused = try await login(server, "--client-key", keyFile, "--audience", "https://elsewhere.example")
        #expect(refused.status == 1 && refused.lastError?["error"]?["code"] == "invalid_client")
        #expect(refused.errors.contains("--audience token-endpoint"))
        await server.stop()
    }

    @Test("client_secret_jwt: the secret is never sent")
    func secretJWT() async throws {
        let server = try server(.secretJWT("a-secret-of-more-than-thirty-two-bytes"))
        let login = try await login(
            server, "--client-auth", "client-secret-jwt", "--client-secret-env", "CLIENT_SECRET")
        #expect(login.status == 0, "\(login.errors)")
        #expect(try await run("token", "--refresh").status == 0)
        for entry in server.requests(to: .token) {
            #expect(entry.parameters["client_assertion"] != nil && entry.parameters["client_secret"] == nil)
            #expect(entry.request.fields["Authorization"] == nil)
        }
        await server.stop()
    }

    @Test("An API asks about a token with a key of its own")
    func introspection() async throws {
        let key = try await makeKey()
        var api = TestClient("api", authentication: .privateKeyJWT(key), redirectURIs: [])
        api.isProtectedResource = true
        let server = try TestServer.start(AuthorizationServer(clients: [.app, api]))
        try await run.login(at: server)
        let asked = try await run.shell(
            "tern token | tern introspect --json --issuer \(server.issuer) --client-id api --client-key '\(keyFile)'")
        #expect(asked.status == 0)
        #expect(try JSON(parsing: asked.output)["active"] == true)
        await server.stop()
    }

    #if os(Linux)
        @Test("A server that asks for a certificate is shown it, also in later calls")
        func certificate() async throws {
            let path = folder.path
            let made = try await run.shell(
                """
                umask 077; cd '\(path)'
                for name in server client; do
                  openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=127.0.0.1 \
                    -addext subjectAltName=IP:127.0.0.1 -keyout $name.key -out $name.pem 2>/dev/null || exit 1
                done
                """)
            try #require(made.status == 0)
            let (server, port) = try Self.tlsServer(path)
            defer { server.terminate() }
            let words = [
                "login", "--issuer", "https://127.0.0.1:\(port)", "--client-id", "web", "--no-browser", "--json",
                "--ca-file", path + "/server.pem",
            ]
            let stranger = try await run(words: words) { _ in nil }
            #expect(stranger.lastError?["error"]?["code"] == "network")
            // The server answers with a page about the connection: the handshake was good.
            let known = try await run(
                words: words + ["--client-certificate", path + "/client.pem", "--client-key", path + "/client.key"]
            ) { _ in nil }
            #expect(known.lastError?["error"]?["code"] == "discovery_not_json", "\(known.errors)")
            _ = try await makeKey()
            for (certificate, key) in [(keyFile, "client.key"), ("client.pem", "client.jwk"), ("client.pem", "none")] {
                let file = certificate == keyFile ? keyFile : path + "/" + certificate
                let wrong = try await run(
                    words: words + ["--client-certificate", file, "--client-key", path + "/" + key]
                ) { _ in nil }
                #expect(wrong.status == 2, "\(wrong.errors)")
            }
        }

        /// A server of OpenSSL's that demands a certificate, and its port.
        private static func tlsServer(_ path: String) throws -> (Foundation.Process, String) {
            let server = Foundation.Process()
            server.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
            server.arguments = [
                "s_server", "-accept", "127.0.0.1:0", "-cert", path + "/server.pem", "-key", path + "/server.key",
                "-Verify", "1", "-verify_return_error", "-CAfile", path + "/client.pem", "-www",
            ]
            let output = Pipe()
            server.standardOutput = output
            server.standardError = FileHandle.nullDevice
            try server.run()
            var said = ""
            while !said.contains("\n") || !said.contains("ACCEPT") {
                let data = output.fileHandleForReading.availableData
                try #require(!data.isEmpty, "openssl says \(said)")
                said += String(decoding: data, as: UTF8.self)
            }
            let line = try #require(said.split(separator: "\n").first { $0.contains("ACCEPT") })
            return (server, String(try #require(line.split(separator: ":").last)))
        }
    #endif

    @Test(
        "Options that do not fit are wrong calls",
        arguments: [
            ["--client-auth", "basic"], ["--client-auth", "client-secret-jwt"], ["--client-auth", "private-key-jwt"],
            ["--client-auth", "tls"], ["--client-auth", "self-signed-tls", "--client-key", "k"],
            ["--client-auth", "privat-key-jwt", "--client-key", "k"], ["--client-certificate", "c"],
            ["--audience", "issuer"], ["--client-key", "k", "--audience", "isuer"],
            ["--client-key", "/nowhere/key.jwk"], ["--client-certificate", "/nowhere/c.pem", "--client-key", "k"],
        ])
    func wrongCalls(options: [String]) async throws {
        let words = ["login", "--issuer", "https://id.example", "--client-id", "web", "--no-browser"]
        let outcome = try await run(words: words + options) { _ in nil }
        #expect(outcome.status == 2, "\(outcome.errors)")
    }

    @Test("Where the metadata does not say where devices begin, the call can")
    func deviceEndpoint() async throws {
        var authorizationServer = AuthorizationServer()
        authorizationServer.settings.metadataChanges.updateValue(nil, forKey: "device_authorization_endpoint")
        authorizationServer.settings.pollInterval = .seconds(1)
        let server = try TestServer.start(authorizationServer)
        let words = ["login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--json"]
        let silent = try await run(words: words + ["--device"]) { _ in nil }
        #expect(silent.lastError?["error"]?["code"] == "missing_metadata")
        let address = server.served.server.address(of: .deviceAuthorization)
        let login = try run.start(words: words + ["--device", "--device-authorization-url", address])
        for await line in login.output {
            let event = try JSON(parsing: line)
            guard event["event"] == "device_code" else { continue }
            let page = try #require(event["verification_uri"]?.string.flatMap { URI($0) })
            _ = try await RobotBrowser(transport: SystemTransport())
                .approve(try #require(event["user_code"]?.string), at: page)
        }
        #expect(login.status() == 0)
        let plain = try await run(
            words: words + ["--device", "--device-authorization-url", "http://id.example/d"]
        ) { _ in nil }
        #expect(plain.lastError?["error"]?["code"] == "insecure_endpoint")
        await server.stop()
    }
}

/// `tern token --client-credentials`.
@Suite("Tokens of the command's clients themselves", .serialized, .timeLimit(.minutes(2)))
struct ServiceTokenRunTests {
    @Test("The token is kept as an account, which renews itself; a public client gets none")
    func clientCredentials() async throws {
        let server = try TestServer.start(
            AuthorizationServer(clients: [TestClient("job", authentication: .basic("job-secret"), redirectURIs: [])]))
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path, variables: ["JOB_SECRET": "job-secret"])
        let words = [
            "token", "--client-credentials", "--issuer", server.issuer.text, "--client-id", "job", "--scope", "api",
            "--account", "nightly",
        ]
        let bare = try await run(words: words) { _ in nil }
        #expect(bare.status == 2 && server.count(of: .token) == 0)
        let first = try await run(words: words + ["--client-secret-env", "JOB_SECRET"]) { _ in nil }
        #expect(first.status == 0, "\(first.errors)")
        #expect(first.output.filter { $0 == "\n" }.count == 1)
        let again = try await run(words: words + ["--client-secret-env", "JOB_SECRET"]) { _ in nil }
        #expect(again.output == first.output && server.count(of: .token) == 1)

        #expect(try await run("token", "--account", "nightly").output == first.output)
        let renewed = try await run("token", "--account", "nightly", "--refresh", "--json")
        let json = try JSON(parsing: renewed.output)
        #expect(json["account"] == "nightly" && json["scope"] == "api" && server.count(of: .token) == 2)
        #expect(try await run("call", server.apiAddress("notes"), "--account", "nightly").status == 0)
        let listed = try JSON(parsing: try await run("accounts", "--json").output)["accounts"]?.array?.first
        #expect(listed?["account"] == "nightly" && listed?["issuer"]?.string == server.issuer.text)
        #expect(try await run("logout", "--account", "nightly").status == 0)
        await server.stop()
    }

    @Test("The other options want --client-credentials")
    func wrongCalls() async throws {
        let run = CommandRun(store: try TemporaryFolder().path)
        for words in [
            ["--issuer", "https://id.example"], ["--client-key", "k"], ["--client-secret-env", "S"],
            ["--client-credentials"], ["--client-credentials", "--issuer", "https://id.example", "--client-id", "c"],
        ] {
            #expect(try await run(words: ["token"] + words) { _ in nil }.status == 2, "\(words)")
        }
    }
}
