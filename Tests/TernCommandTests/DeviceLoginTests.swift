import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@testable import TernCommand

@Suite("Signing in on another device, with the command", .serialized, .timeLimit(.minutes(2)))
struct DeviceLoginTests {
    private static func server() throws -> TestServer {
        var server = AuthorizationServer()
        server.settings.pollInterval = .seconds(1)
        return try TestServer.start(server)
    }

    @Test("With --json each event is an object; the account is signed in, and its token can be exchanged")
    func wholeWay() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let login = try run.start(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--scope", "openid api",
            "--device", "--json")
        var events: [JSON] = []
        for await line in login.output {
            let event = try JSON(parsing: line)
            events.append(event)
            guard event["event"]?.string == "device_code" else { continue }
            let page = try #require(event["verification_uri"]?.string.flatMap { URI($0) })
            let robot = RobotBrowser(transport: SystemTransport())
            _ = try await robot.approve(try #require(event["user_code"]?.string), at: page)
        }
        #expect(login.status() == 0)
        #expect(events.map { $0["event"]?.string } == ["device_code", "signed_in"])
        #expect(events.last?["sub"]?.string == TestUser.ada.subject)

        let exchanged = try await run("exchange", "--scope", "api", "--audience", "orders", "--json")
        #expect(exchanged.status == 0, "\(exchanged.errors)")
        let issued = try JSON(parsing: exchanged.output)
        #expect(issued["token_type"]?.string == "Bearer" && issued["scope"]?.string == "api")
        #expect(try await run("exchange", "--scope", "admin").status == 1)
        #expect(try await run("exchange", "--requested-type", "nonsense").status == 2)
        await server.stop()
    }

    @Test("Ctrl-C ends the wait, and options that have no use are refused")
    func endings() async throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let words = ["login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--device"]
        let login = try run.start(words: words)
        for await line in login.errors where line.contains("Waiting") { login.signal(2) }
        #expect(login.status() == 130)
        #expect(try await run(words: words + ["--paste"]) { _ in nil }.status == 2)
        #expect(try await run(words: words.dropLast() + ["--no-qr"]) { _ in nil }.status == 2)
        await server.stop()
    }

    @Test("The picture is shown where there is room for it, and only where a terminal is")
    func picture() throws {
        let endpoint = try #require(URI("https://id.example.com/d"))
        let authorization = try DeviceAuthorizationRequest(endpoint: endpoint, scope: []).answer(
            from: HTTPResponse(
                status: 200,
                body: Array(
                    #"""
                    {"device_code":"secret-1","user_code":"WDJB-MJHT","expires_in":600,
                    "verification_uri":"https://id.example.com/device",
                    "verification_uri_complete":"https://id.example.com/device?user_code=WDJB-MJHT"}
                    """#.utf8)))
        func lines(_ options: [String], columns: Int?) throws -> [String] {
            let arguments = try Arguments(["--device"] + options, for: LoginCommand.specification)
            return try #require(try DeviceLogin(arguments))
                .lines(for: authorization, columns: columns, inColor: false)
        }
        func isPicture(_ line: String) -> Bool { line.contains("\u{2588}") }
        let wide = try lines([], columns: 80)
        #expect(wide.filter(isPicture).count == 19)
        #expect(wide.contains("      https://id.example.com/device"))
        #expect(wide.contains("      W D J B - M J H T") && wide.contains("      WDJB-MJHT"))
        #expect(wide.last == "  Waiting, for up to 10 minutes. Ctrl-C ends it.")
        #expect(!wide.contains { $0.contains("secret-1") })
        #expect(try !lines([], columns: 30).contains(where: isPicture))
        #expect(try !lines([], columns: nil).contains(where: isPicture))
        #expect(try !lines(["--no-qr"], columns: 80).contains(where: isPicture))
    }
}
