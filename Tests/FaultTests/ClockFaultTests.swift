import Tern
import TernProtocol
import TernTesting
import Testing

/// A device's clock that is put wrong and right again. The server's clock stays right.
@Suite("Jumps of the clock", .timeLimit(.minutes(2)))
struct ClockFaultTests {
    static let jumps: [Int64] = [31_536_000, 86_400, 3_600, -3_600, -86_400, -31_536_000]

    @Test("The clock jumps and jumps back: every call succeeds, and the server is asked little", arguments: jumps)
    func thereAndBack(seconds: Int64) async throws {
        let scene = try await Scene(.file)
        let call = try HTTPRequest.get(scene.server.apiAddress("notes"))
        scene.clock.advance(by: .seconds(seconds))
        for _ in 0..<3 { #expect(try await scene.session.send(call).status == 200) }
        // One renewal at most tells what time it is.
        #expect(scene.server.count(of: .token) <= 2)
        let newcomer = try await scene.sessionOfNewProcess()
        for _ in 0..<3 { #expect(try await newcomer.send(call).status == 200) }
        #expect(scene.server.count(of: .token) <= 3)
        // An hour later by the right clock, renewals go on as before.
        scene.advance(by: 3_600)
        let before = scene.server.count(of: .token)
        for _ in 0..<3 { #expect(try await scene.session.send(call).status == 200) }
        #expect(scene.server.count(of: .token) == before + 1)

        scene.clock.advance(by: .seconds(-seconds))
        for _ in 0..<3 { #expect(try await scene.session.send(call).status == 200) }
        #expect(scene.server.count(of: .token) <= before + 2)
        for _ in 0..<3 { #expect(try await scene.sessionOfNewProcess().send(call).status == 200) }
        scene.advance(by: 3_600)
        #expect(try await scene.session.send(call).status == 200)
        #expect(try await scene.stored()?.refreshToken != nil)
        try await scene.end()
    }

    @Test("A server that does not tell the time: nothing is lost, and all is well when the clock is", arguments: jumps)
    func withoutDate(seconds: Int64) async throws {
        let scene = try await Scene(.file)
        scene.server.served.add(Fault(at: nil, .header("Date", nil)))
        scene.clock.advance(by: .seconds(seconds))
        let newcomer = try await scene.sessionOfNewProcess()
        for session in [scene.session, newcomer] {
            let error = try await scene.error { try await session.accessToken() }
            if let error { #expect(error.code.hasPrefix("id_token_"), "\(error.code)") }
        }
        #expect(try await scene.stored()?.refreshToken != nil)
        scene.clock.advance(by: .seconds(-seconds))
        scene.advance(by: 7_200)
        let call = try HTTPRequest.get(scene.server.apiAddress("notes"))
        for session in [scene.session, newcomer] { #expect(try await session.send(call).status == 200) }
        try await scene.end()
    }

    @Test("A token that was obtained in the future is used while the server cannot be reached")
    func future() async throws {
        let scene = try await Scene(.memory)
        scene.clock.advance(by: .seconds(-86_400))
        await scene.stopServer()
        #expect(try await scene.session.accessToken() == scene.first.accessToken)
        try scene.startServer()
        scene.advance(by: 600)
        #expect(try await scene.session.accessToken() != scene.first.accessToken)
        try await scene.end()
    }

    @Test("A device that slept for a week renews once")
    func sleep() async throws {
        let scene = try await Scene(.file)
        scene.advance(by: 7 * 86_400)
        for session in [scene.session, try await scene.sessionOfNewProcess()] {
            #expect(try await session.send(.get(scene.server.apiAddress("notes"))).status == 200)
        }
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }

    @Test("A clock that is a little wrong changes nothing", arguments: [-50, 50] as [Int64])
    func littleWrong(seconds: Int64) async throws {
        let scene = try await Scene(.memory)
        scene.clock.advance(by: .seconds(seconds))
        #expect(try await scene.session.accessToken() == scene.first.accessToken)
        scene.advance(by: 7_200)
        _ = try await scene.session.accessToken()
        #expect(try await scene.stored()?.clockOffset == 0)
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }
}
