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
        let report = try await session.signOut(.browserToo(agent))
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

    private func send(
        _ method: HTTPMethod, to server: TestServer, with transport: any HTTPTransport
    ) async throws -> Result<HTTPResponse, TernError> {
        let url = try #require(URI(server.served.server.address(of: .keys)))
        do throws(TernError) {
            return .success(try await transport.send(HTTPRequest(method, url), step: .keys))
        } catch {
            return .failure(error)
        }
    }

    @Test(
        arguments: [
            ([.dropRequest], .network(.connectionLost)), ([.dropAnswer], .network(.connectionLost)),
            ([.dropRequest, .connection(.reset)], .network(.connectionLost)),
            ([.dropAnswer, .connection(.reset)], .network(.connectionLost)),
            ([.dropAnswer, .connection(.silence)], .network(.timedOut)),
            ([.truncate(5)], .network(.connectionLost)),
            ([.truncate(5), .connection(.reset)], .network(.connectionLost)),
            ([.truncate(5), .connection(.silence)], .network(.timedOut)),
            ([.truncate(0), .connection(.silence)], .network(.timedOut)),
            ([.drip(bytes: 1, every: .milliseconds(50))], .network(.timedOut)),
        ] as [([FaultAction], TernError.Reason)])
    func connectionsBreakAsTheFaultSays(actions: [FaultAction], reason: TernError.Reason) async throws {
        let server = try TestServer.start()
        var fault = Fault(at: .keys)
        fault.actions = [.text("ten bytes.")] + actions
        server.served.add(fault)
        let transport = SystemTransport(policy: TransportPolicy(timeout: .milliseconds(250)))
        guard case .failure(let error) = try await send(.get, to: server, with: transport) else {
            Issue.record("an answer came")
            return
        }
        #expect(error.reason == reason)
        guard case .failure(let posted) = try await send(.post, to: server, with: transport) else {
            Issue.record("an answer came")
            return
        }
        #expect(posted.reason == .outcomeUnknown)
        server.served.change { $0.faults.removeAll() }
        #expect(try await send(.get, to: server, with: transport).get().json["keys"]?.array?.count == 1)
        await server.stop()
    }

    @Test func aSlowBodyArrivesWhole() async throws {
        let server = try TestServer.start()
        server.served.add(Fault(at: .keys, .drip(bytes: 100, every: .milliseconds(2))))
        let answer = try await send(.get, to: server, with: SystemTransport()).get()
        #expect(answer.json["keys"]?.array?.count == 1)
        #expect(answer.body.count > 300)
        server.served.add(Fault(at: .keys, .drip(bytes: 100, every: .milliseconds(2)), .truncate(250)))
        guard case .failure(let error) = try await send(.get, to: server, with: SystemTransport()) else {
            Issue.record("an answer came")
            return
        }
        #expect(error.reason == .network(.connectionLost))
        await server.stop()
    }

    @Test func connectionsAreResetUnread() async throws {
        let server = try TestServer.start()
        let transport = SystemTransport()
        // One connection is open already, the next is new.
        #expect(try await send(.get, to: server, with: transport).get().status == 200)
        server.resetConnections()
        for _ in 0..<2 {
            guard case .failure(let error) = try await send(.get, to: server, with: transport) else {
                Issue.record("an answer came")
                return
            }
            #expect(error.reason == .network(.connectionLost))
        }
        #expect(server.resetCount >= 2)
        #expect(server.count(of: .keys) == 1)
        server.resetConnections(false)
        #expect(try await send(.get, to: server, with: transport).get().status == 200)
        await server.stop()
    }

    @Test func aServerStopsAtOnceAlthoughConnectionsHang() async throws {
        let server = try TestServer.start()
        server.served.add(Fault(at: .keys, .dropRequest, .connection(.silence)))
        let transport = SystemTransport()
        async let lost = send(.get, to: server, with: transport)
        while server.count(of: .keys) == 0 { await Task.yield() }
        let port = server.port
        await server.stop()
        guard case .failure(let error) = try await lost else {
            Issue.record("an answer came")
            return
        }
        #expect([.network(.connectionLost), .network(.connectionFailed)].contains(error.reason))
        // The same server goes on at the same port.
        let next = try TestServer.start(server.served.server, port: port)
        next.served.change { $0.faults.removeAll() }
        #expect(try await send(.get, to: next, with: transport).get().status == 200)
        #expect(next.issuer == server.issuer)
        await next.stop()
    }

    @Test func theJournalTellsHowConnectionsBroke() async throws {
        let server = try TestServer.start()
        server.served.add(Fault(at: .keys, on: .nth(1), .dropRequest, .connection(.reset)))
        server.served.add(Fault(at: .keys, on: .nth(2), .dropAnswer))
        server.served.add(Fault(at: .keys, on: .nth(3), .text("body"), .truncate(1), .connection(.silence)))
        let transport = SystemTransport(policy: TransportPolicy(timeout: .milliseconds(250)))
        for _ in 0..<4 { _ = try await send(.post, to: server, with: transport) }
        let address = server.served.server.address(of: .keys)
        #expect(
            server.requests(to: .keys).map(\.description) == [
                "keys: POST \(address) \u{2192} - (request lost: reset)",
                "keys: POST \(address) \u{2192} 405 (answer lost: closed)",
                "keys: POST \(address) \u{2192} 405 (answer cut off: silence)",
                "keys: POST \(address) \u{2192} 405",
            ])
        await server.stop()
    }
}
