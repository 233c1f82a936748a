import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Sign-out")
struct SignOutCases {
    @Test("LO-01 b")
    func revocationFails() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.add(Fault(at: .revocation, .replace(HTTPResponse(status: 503))))
        let report = try await session.signOut()
        #expect(
            report.revocation
                == .failed(TernError(.transient(status: 503, retryAfter: nil), at: .revocation)))
        #expect(try await world.store.keys().isEmpty)
        #expect(try await world.client.session() == nil)
        #expect(try await asyncReason { try await session.accessToken() } == .signedOut)
    }

    @Test("LO-01, no connection at all")
    func noConnection() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.add(Fault(at: .revocation, .dropRequest))
        guard case .failed = try await session.signOut().revocation else {
            Issue.record("not reported")
            return
        }
        #expect(try await world.store.keys().isEmpty)
    }

    @Test("LO-02 c")
    func noEndpoint() async throws {
        let world = try World { $0.settings.metadataChanges = ["end_session_endpoint": .some(nil)] }
        let session = try await world.client.signIn(with: world.robot)
        let idToken = try await session.credential().idToken
        #expect(
            try await asyncReason {
                try await world.client.endSession(
                    idToken: idToken, with: world.robot, redirectURI: world.configuration.redirectURI)
            } == .unsupported("end_session"))
        let report = try await session.signOut(.browserToo(world.robot))
        #expect(report.endSession == .notOffered)
        #expect(report.revocation == .done)
        #expect(try await world.store.keys().isEmpty)
    }

    @Test("LO-03 c")
    func userClosesThePage() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let agent = HandAgent()
        let ending = Task { try await session.signOut(.browserToo(agent)) }
        let page = try await agent.page()
        #expect(page.encodedQuery?.contains("id_token_hint=") == true)
        agent.close()
        guard case .failed(let error) = try await ending.value.endSession else {
            Issue.record("not reported")
            return
        }
        #expect(error.reason == .userCancelled)
        #expect(try await world.store.keys().isEmpty)
        #expect(agent.dismissals > 0)
    }

    @Test("LO-03 a, through the browser")
    func wholeLogout() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let report = try await session.signOut(.browserToo(world.robot))
        #expect(report.revocation == .done)
        #expect(report.endSession == .done)
    }

    @Test("LO-03 b, through the browser: the missing state is told in the report")
    func logoutWithoutState() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let agent = HandAgent()
        let ending = Task { try await session.signOut(.browserToo(agent)) }
        _ = try await agent.page()
        #expect(agent.arrive(world.configuration.redirectURI.uri) == .signedOut)
        #expect(try await ending.value.endSession == .doneWithoutState)
    }

    @Test("This application alone: no page is shown, and the session in the browser goes on")
    func thisAppAlone() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let report = try await session.signOut(.thisApp)
        #expect(report == SignOutReport(revocation: .done, endSession: .notNeeded))
        #expect(world.server.count(of: .endSession) == 0)
    }
}
