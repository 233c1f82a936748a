import Foundation
import Tern
import TernJOSE
import TernTesting
import Testing

@Suite("How the command's requests reach the server", .serialized, .timeLimit(.minutes(2)))
struct RequestRunTests {
    private static func start(_ change: (inout AuthorizationServer) -> Void = { _ in }) throws -> TestServer {
        var server = AuthorizationServer()
        change(&server)
        return try TestServer.start(server)
    }

    private func opened(_ server: TestServer) -> [String] {
        server.served.requests(to: .authorization).last?.parameters.parameters.map(\.name) ?? []
    }

    @Test("Pushed and bound, and the account stays so")
    func pushedAndBound() async throws {
        let server = try Self.start {
            $0.settings.requests.demandsPushed = true
            $0.settings.dpop.use = .demanded
            $0.settings.dpop.nonceLifetimeAtAPI = .seconds(300)
        }
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server, "--par", "--dpop")
        #expect(opened(server) == ["client_id", "request_uri"])
        #expect(try await run("whoami", "--json").output.contains(TestUser.ada.subject))
        let call = try await run("call", server.served.server.apiAddress("notes"))
        #expect(call.status == 0, "\(call.errors)")
        #expect(try await run("token", "--refresh").status == 0)
        await server.stop()
    }

    @Test("Signed with the client's key, alone and pushed")
    func signed() async throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let folder = try TemporaryFolder()
        let file = folder.path + "/key.json"
        try Data(JSON.object(key.privateJSON()).serialized()).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let signing = try SigningKey(key)
        let server = try Self.start {
            $0.clients = [TestClient(TestClient.app.clientID, authentication: .privateKeyJWT(signing))]
            $0.clients[0].idTokenAlgorithm = .es256
            $0.clients[0].authorizationResponseAlgorithm = .es256
            $0.settings.requests.demandsSigned = true
        }
        let run = CommandRun(store: folder.path + "/store")
        try await run.login(at: server, "--jar", "--client-key", file)
        #expect(opened(server) == ["client_id", "response_type", "scope", "request"])
        try await run.login(at: server, "--profile", "fapi2-message-signing", "--client-key", file)
        #expect(opened(server) == ["client_id", "request_uri"])
        #expect(try await run("whoami", "--json").output.contains(TestUser.ada.subject))
        await server.stop()
    }

    @Test("The API alone is named: it says which server, and the tokens are for it")
    func resource() async throws {
        let server = try Self.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let api = server.served.server.apiResource
        let login = try await run(
            "login", "--resource", api + "/notes", "--client-id", TestClient.app.clientID, "--scope", "openid api",
            "--no-browser"
        ) { page in
            _ = try? await RobotBrowser(transport: SystemTransport()).signIn(at: page, stoppingAt: nil)
            return nil
        }
        #expect(login.status == 0, "\(login.errors)")
        #expect(server.served.requests(to: .token).last?.parameters["resource"] == api)
        #expect(try await run("call", api + "/notes").status == 0)
        #expect(try await run("token", "--refresh").status == 0)
        #expect(server.served.requests(to: .token).last?.parameters["resource"] == api)
        await server.stop()
    }

    @Test("A profile that cannot be kept names its clause, and no page is opened")
    func profile() async throws {
        let server = try Self.start()
        let folder = try TemporaryFolder()
        let outcome = try await CommandRun(store: folder.path)(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--profile", "fapi2")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("§5.3.3.1"))
        #expect(server.served.count(of: .authorization) == 0)
        await server.stop()
    }

    @Test(
        "What cannot be meant is refused",
        arguments: [
            ["--jar"], ["--par", "--device"], ["--resource", "notes"], ["--resource", "https://a.example/#x"],
            ["--profile", "pigeon"],
        ])
    func refused(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let words = ["login", "--issuer", "http://127.0.0.1:1", "--client-id", "x"] + options
        let outcome = try await CommandRun(store: folder.path)(words: words) { _ in nil }
        #expect(outcome.status == 2, "\(outcome.errors)")
    }
}
