import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("Ten thousand callers at once", .timeLimit(.minutes(2)))
struct CrowdTests {
    @Test("One refresh serves them all", arguments: StoreKind.allCases)
    func oneRefresh(kind: StoreKind) async throws {
        let scene = try await Scene(kind)
        scene.advance(by: 7_200)
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 0..<10_000 { group.addTask { try await scene.session.accessToken() } }
            return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1 && !tokens.contains(scene.first.accessToken))
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }

    @Test("Each of them can be cancelled by itself")
    func cancellation() async throws {
        let scene = try await Scene()
        // The answer waits until the clock of the server is moved.
        scene.server.served.add(Fault(at: .token, .delay(.seconds(1))))
        scene.advance(by: 7_200)
        let callers = (0..<10_000).map { _ in
            Task { () async -> Result<AccessToken, TernError> in
                do throws(TernError) {
                    return .success(try await scene.session.accessToken())
                } catch {
                    return .failure(error)
                }
            }
        }
        await scene.serverClock.waitForSleepers()
        let quitters = Set(stride(from: 0, to: callers.count, by: 7))
        for index in quitters { callers[index].cancel() }
        // They end although no answer came.
        for index in quitters {
            guard case .failure(let error) = await callers[index].value else {
                Issue.record("a cancelled caller got a token")
                return
            }
            #expect(error.reason == .cancelled)
        }
        scene.serverClock.advance(by: .seconds(1))
        var tokens = Set<AccessToken>()
        for index in callers.indices where !quitters.contains(index) {
            tokens.insert(try await callers[index].value.get())
        }
        #expect(tokens.count == 1)
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }

    @Test("All of them may leave: the refresh is finished and stored all the same")
    func allCancelled() async throws {
        let scene = try await Scene(.file)
        scene.server.served.add(Fault(at: .token, .delay(.seconds(1))))
        scene.advance(by: 7_200)
        let callers = (0..<100).map { _ in Task { try await scene.session.accessToken() } }
        await scene.serverClock.waitForSleepers()
        callers.forEach { $0.cancel() }
        for caller in callers { await #expect(throws: TernError.self) { try await caller.value } }
        scene.serverClock.advance(by: .seconds(1))
        try await eventually { try await scene.stored()?.refreshToken != scene.first.refreshToken }
        #expect(try await scene.session.accessToken() == scene.stored()?.accessToken)
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }
}
