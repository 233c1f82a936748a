import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The test server on loopback", .timeLimit(.minutes(1))) struct TestServerTests {
    @Test func theRobotSignsInOverTheNetwork() async throws {
        let issuer = try #require(URI("https://id.example.com/tenant"))
        let server = try TestServer.start(AuthorizationServer(issuer: issuer))
        let transport = SystemTransport()
        let environment = Environment(transport: transport, store: MemoryStore())
        let client = try OAuthClient(
            issuer: server.issuer.text, clientID: "test-app", scope: "openid api", in: environment)
        let session = try await client.signIn(with: RobotUserAgent(transport: transport))
        #expect(try await session.userInfo().subject == "user-ada")
        #expect(server.issuer.text == "http://127.0.0.1:\(server.port)/tenant")
        #expect(server.served.count(of: .token) == 1)
        await server.stop()
    }

    @Test func theRobotBringsTheCallbackToALoopbackAgent() async throws {
        let server = try TestServer.start()
        let transport = SystemTransport()
        let environment = Environment(transport: transport, store: MemoryStore())
        let client = try OAuthClient(issuer: server.issuer.text, clientID: "test-app", in: environment)
        let agent = LoopbackUserAgent(browser: RobotOpener(transport: transport))
        let session = try await client.signIn(with: agent)
        let report = try await session.signOut(with: agent)
        #expect(report.endSession == .done)
        let stubborn = LoopbackUserAgent(browser: RobotOpener(transport: transport, consent: .deny))
        var options = SignInOptions()
        options.prompt = [.consent]
        let error = await #expect(throws: TernError.self) { try await client.signIn(options, with: stubborn) }
        #expect(error?.serverError?.code == "access_denied")
        let wrong = RobotOpener(transport: transport, user: TestUser("ada", password: "wrong"))
        let lost = await #expect(throws: TernError.self) {
            try await client.signIn(with: LoopbackUserAgent(browser: wrong))
        }
        #expect(lost?.code == "browser_unavailable")
        await server.stop()
    }

    @Test func aTakenPortIsNamed() async throws {
        let server = try TestServer.start()
        let error = #expect(throws: TernError.self) { try TestServer.start(port: server.port) }
        #expect(error?.reason == .portInUse([server.port]))
        await server.stop()
    }

    @Test func faultsOfTheConnectionBecomeAnswers() async throws {
        let server = try TestServer.start()
        let transport = SystemTransport()
        let keys = try HTTPRequest.get(server.served.server.address(of: .keys))
        server.served.add(Fault(at: .keys, on: .nth(1), .dropAnswer))
        server.served.add(Fault(at: .keys, on: .nth(2), .truncate(5)))
        #expect(try await transport.send(keys, step: .keys).status == 502)
        #expect(try await transport.send(keys, step: .keys).body.count == 5)
        #expect(try await transport.send(keys, step: .keys).json["keys"]?.array?.count == 1)
        await server.stop()
    }
}
