import Tern
import TernProtocol
import TernTesting
import Testing

/// The server has exchanged the refresh token, and the client does not have the new one.
@Suite("An answer that is lost after the rotation", .timeLimit(.minutes(2)))
struct RotationFaultTests {
    static let losses: [[FaultAction]] = [
        [.dropAnswer], [.dropAnswer, .connection(.reset)], [.truncate(100)],
        [.dropAnswer, .connection(.silence)],
    ]

    @Test("A server with a grace for the old refresh token keeps the sign-in", arguments: losses, StoreKind.allCases)
    func withGrace(actions: [FaultAction], kind: StoreKind) async throws {
        let scene = try await lost(actions, kind, grace: .seconds(3_600))
        let token = try await scene.session.accessToken()
        #expect(token != scene.first.accessToken)
        #expect(try await scene.session.send(try .get(scene.server.apiAddress("notes"))).status == 200)
        #expect(try await scene.events(1) == [.refreshed])
        try await scene.end()
    }

    @Test("A server without one ends the grant, and the caller is told", arguments: losses, StoreKind.allCases)
    func withoutGrace(actions: [FaultAction], kind: StoreKind) async throws {
        let scene = try await lost(actions, kind, grace: .zero)
        let error = try await scene.error { try await scene.session.accessToken() }
        #expect(error?.code == "reauthentication_required")
        #expect(error?.serverError?.code == "invalid_grant")
        let kept = try await scene.stored()
        #expect(kept?.refreshToken == nil && kept?.idToken == scene.first.idToken)
        let again = try await scene.signInAgain()
        #expect(try await again.accessToken() != scene.first.accessToken)
        try await scene.end()
    }

    @Test("A proxy that sends the request twice: the grace keeps the sign-in")
    func sentTwice() async throws {
        let scene = try await Scene(.file) { $0.settings.rotationGrace = .seconds(60) }
        scene.server.served.add(Fault(at: .token, .handleTwice))
        scene.advance(by: 3_600)
        #expect(try await scene.session.accessToken() != scene.first.accessToken)
        scene.advance(by: 3_600)
        _ = try await scene.session.accessToken()
        #expect(try await scene.session.send(try .get(scene.server.apiAddress("notes"))).status == 200)
        try await scene.end()
    }

    /// A scene in which the answer to one renewal was lost; the next would arrive.
    private func lost(_ actions: [FaultAction], _ kind: StoreKind, grace: Duration) async throws -> Scene {
        let scene = try await Scene(kind) { $0.settings.rotationGrace = grace }
        var fault = Fault(at: .token, where: ["grant_type": "refresh_token"])
        fault.actions = actions
        scene.server.served.add(fault)
        scene.transport.isImpatient = true
        // While the token is good there is one attempt, and nobody notices.
        scene.advance(by: 3_570)
        #expect(try await scene.session.accessToken() == scene.first.accessToken)
        #expect(scene.server.requests(to: .token).last?.status == 200)
        #expect(try await scene.stored()?.refreshToken == scene.first.refreshToken)
        scene.server.served.change { $0.faults.removeAll() }
        scene.transport.isImpatient = false
        scene.advance(by: 600)
        return scene
    }
}
