import Foundation
import Tern
import TernJOSE
import TernTesting
import Testing

@Suite("How answers come back to the command", .serialized, .timeLimit(.minutes(2)))
struct ResponseRunTests {
    private static func server(_ change: (inout TestClient) -> Void = { _ in }) throws -> TestServer {
        var app = TestClient.app
        change(&app)
        var server = AuthorizationServer(clients: [app])
        server.settings.responseTypes = Set(ResponseType.all.filter(\.hasCode))
        return try TestServer.start(server)
    }

    private static func asked(_ server: TestServer) -> [String?] {
        let query = server.served.requests(to: .authorization).last?.request.url.encodedQuery ?? ""
        let parameters = FormParameters(decoding: query)
        return [parameters?["response_type"], parameters?["response_mode"]]
    }

    @Test("In each mode, at the loopback listener", arguments: AuthorizationRequest.ResponseMode.allCases)
    func modes(mode: AuthorizationRequest.ResponseMode) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server, "--response-mode", mode.rawValue)
        #expect(Self.asked(server) == ["code", mode.rawValue])
        #expect(try await run("whoami", "--json").output.contains(TestUser.ada.subject))
        await server.stop()
    }

    @Test("With what comes beside the code", arguments: ResponseType.all.filter { $0.hasCode && $0 != .code })
    func types(type: ResponseType) async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server, "--response-type", type.text)
        #expect(Self.asked(server) == [type.text, nil])
        try await run.login(at: server, "--response-type", type.text, "--response-mode", "form_post.jwt")
        #expect(Self.asked(server) == [type.text, "form_post.jwt"])
        await server.stop()
    }

    @Test("Encrypted for a key in a file")
    func encrypted() async throws {
        let key = try JWK.generate(for: .ecdhES, encryption: .a128GCM, keyID: "e1")
        let server = try Self.server {
            $0.authorizationResponseEncryption = TestEncryption(.ecdhES, .a128GCM, key: key.publicHalf)
        }
        let folder = try TemporaryFolder()
        let file = folder.path + "/key.json"
        try Data(JSON.object(key.privateJSON()).serialized()).write(to: URL(fileURLWithPath: file))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let run = CommandRun(store: folder.path + "/store")
        try await run.login(at: server, "--response-mode", "jwt", "--decryption-key", file)
        await server.stop()
    }

    @Test("A fragment is pasted with its address")
    func pasted() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let redirect = try RedirectURI("http://127.0.0.1:7777/callback")
        let login = try await run(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--paste", "--redirect",
            redirect.text, "--response-type", "code id_token token"
        ) { page in
            try? await RobotBrowser(transport: SystemTransport()).signIn(at: page, stoppingAt: redirect).text
        }
        #expect(login.status == 0, "\(login.errors)")
        await server.stop()
    }

    @Test(
        "What cannot be is refused before a page is shown",
        arguments: [
            ["--response-mode", "pigeon"], ["--response-type", "code pigeon"], ["--response-type", "id_token"],
            ["--response-type", "token"], ["--response-mode", "form_post", "--paste"],
            ["--response-mode", "form_post.jwt", "--redirect", "com.example.app:/callback"],
            ["--response-mode", "jwt", "--device"], ["--response-type", "code", "--device"],
        ])
    func refused(options: [String]) async throws {
        let folder = try TemporaryFolder()
        let words = ["login", "--issuer", "http://127.0.0.1:1", "--client-id", "x"] + options
        let outcome = try await CommandRun(store: folder.path)(words: words) { _ in nil }
        #expect(outcome.status == 2, "\(outcome.errors)")
    }

    @Test("Tokens in a query are not asked for")
    func query() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let outcome = try await CommandRun(store: folder.path)(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--no-browser", "--json",
            "--response-type", "code id_token", "--response-mode", "query")
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains("invalid_configuration"), "\(outcome.errors)")
        #expect(server.served.count(of: .authorization) == 0)
        await server.stop()
    }
}
