import Tern
import TernTesting
import Testing

/// The built command with OAuth 1.0a, against the test server on loopback.
@Suite("The command with OAuth 1.0a", .serialized, .timeLimit(.minutes(2)))
struct OAuth1RunTests {
    private func words(_ server: TestServer, _ more: String...) -> [String] {
        let base = server.issuer.text + "/oauth1/"
        return [
            "login", "--request-token-url", base + "request_token", "--authorize-url", base + "authorize",
            "--access-token-url", base + "access_token", "--client-id", TestClient.oauth1App.clientID,
            "--client-secret-env", "CONSUMER_SECRET", "--no-browser",
        ] + more
    }

    private func run(_ folder: TemporaryFolder) -> CommandRun {
        CommandRun(store: folder.path, variables: ["CONSUMER_SECRET": "test-secret"])
    }

    private static func visit(_ consent: RobotBrowser.Consent = .give) -> @Sendable (URI) async -> String? {
        { page in
            let robot = RobotBrowser(transport: SystemTransport(), consent: consent)
            _ = try? await robot.signIn(at: page, stoppingAt: nil)
            return nil
        }
    }

    @Test("login, call, sign, whoami, accounts and logout, in every place", arguments: ["header", "form", "query"])
    func roundTrip(placement: String) async throws {
        let server = try TestServer.start(AuthorizationServer(clients: [.oauth1App]))
        let folder = try TemporaryFolder()
        let run = run(folder)
        let login = try await run(
            words: words(server, "--placement", placement, "--signature-method", "HMAC-SHA256", "--account", "old"),
            visit: Self.visit())
        #expect(login.status == 0, "\(login.errors)")
        #expect(login.output.contains("kept as old"))

        let api = server.apiAddress("notes?a=2&a=1&b=%C3%A9+%25&c")
        let call = try await run("call", api, "--method", placement == "form" ? "POST" : "GET")
        #expect(call.status == 0, "\(call.errors)")
        #expect(try JSON(parsing: call.output)["sub"]?.string == TestUser.ada.subject)

        if placement == "header" {
            let signed = try await run("sign", api)
            let line = try #require(signed.output.split(separator: "\n").first.map(String.init))
            #expect(line.hasPrefix("Authorization: OAuth oauth_consumer_key=\"test-key\", "))
            var request = try HTTPRequest.get(api)
            request.fields["Authorization"] = String(line.dropFirst("Authorization: ".count))
            #expect(try await SystemTransport().send(request, step: .resourceRequest).status == 200)
            #expect(try await SystemTransport().send(request, step: .resourceRequest).status == 401)
            let base = try await run("sign", api, "--base-string")
            #expect(base.output.hasPrefix("GET&http%3A%2F%2F127.0.0.1%3A"))
            #expect(base.output.contains("%26a%3D2%26") || base.output.contains("a%3D1%26a%3D2%26"))
            let who = try await run("whoami", "--json")
            #expect(try JSON(parsing: who.output)["screen_name"]?.string == "ada")
            let token = try await run("token", "--refresh", "--json")
            #expect(token.lastError?["error"]?["code"]?.string == "unsupported")
        } else if placement == "query" {
            let signed = try await run("sign", api)
            let address = signed.output.split(separator: "\n").first.map(String.init) ?? ""
            #expect(try await SystemTransport().send(.get(address), step: .resourceRequest).status == 200)
        }
        let accounts = try await run("accounts", "--json")
        let listed = try JSON(parsing: accounts.output)["accounts"]?.array?.first
        #expect(listed?["issuer"]?.string == server.issuer.text + "/oauth1/access_token")
        #expect(!accounts.output.contains("problem"))
        // Nothing is signed for it, so the secret is not needed.
        let logout = try await CommandRun(store: folder.path)("logout", "--json")
        #expect(try JSON(parsing: logout.output)["revocation"]?.string == "not_offered")
        #expect(try await run("call", api).status == 3)
        await server.stop()
    }

    @Test("A client without a user signs with what the call names")
    func twoLegs() async throws {
        let server = try TestServer.start(AuthorizationServer(clients: [.oauth1App]))
        let run = run(try TemporaryFolder())
        let api = server.apiAddress("notes")
        let signed = try await run(
            "sign", api, "--client-id", "test-key", "--client-secret-env", "CONSUMER_SECRET", "--json")
        var request = try HTTPRequest.get(api)
        request.fields["Authorization"] = try JSON(parsing: signed.output)["authorization"]?.string
        #expect(try await SystemTransport().send(request, step: .resourceRequest).status == 200)
        await server.stop()
    }

    @Test("Refusals keep the service's word, and nothing is stored")
    func refusals() async throws {
        let server = try TestServer.start(AuthorizationServer(clients: [.oauth1App]))
        let folder = try TemporaryFolder()
        var run = run(folder)
        let denied = try await run(words: words(server, "--json"), visit: Self.visit(.deny))
        #expect(denied.status == 1)
        #expect(denied.lastError?["error"]?["code"]?.string == "user_refused")
        let pin = try await run(words: words(server, "--redirect", "oob", "--json")) { page in
            _ = await Self.visit()(page)
            return "0000"
        }
        #expect(pin.lastError?["error"]?["code"]?.string == "verifier_invalid")
        run.variables["CONSUMER_SECRET"] = "wrong-secret"
        let wrong = try await run(words: words(server, "--json")) { _ in nil }
        #expect(wrong.lastError?["error"]?["code"]?.string == "signature_invalid")
        #expect(!wrong.errors.contains("wrong-secret"))
        let accounts = try await run("accounts", "--json")
        #expect(try JSON(parsing: accounts.output)["accounts"]?.array?.isEmpty == true)
        await server.stop()
    }

    @Test(
        "Calls that mix the two protocols are wrong calls",
        arguments: [
            ["--scope", "a"], ["--issuer", "https://id.example"], ["--prompt", "login"],
            ["--signature-method", "HMAC-MD5"], ["--signature-method", "RSA-SHA1"],
            ["--client-key", "x.pem", "--signature-method", "HMAC-SHA1"],
            ["--placement", "body"], ["--client-secret-file", "x"],
        ])
    func wrongCalls(more: [String]) async throws {
        let run = run(try TemporaryFolder())
        let base = "https://service.example/"
        let call = try await run(
            words: [
                "login", "--request-token-url", base, "--authorize-url", base, "--access-token-url", base,
                "--client-id",
                "k", "--client-secret-env", "CONSUMER_SECRET",
            ] + more
        ) { _ in nil }
        #expect(call.status == 2, "\(call.errors)")
        let other = try await run("login", "--issuer", base, "--client-id", "k", "--realm", "x")
        #expect(other.status == 2)
    }
}
