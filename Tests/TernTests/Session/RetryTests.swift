import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("Retries of a renewal")
struct RetryTests {
    @Test(
        "Passing trouble is tried again, with growing pauses, until it has passed",
        arguments: [nil, 408, 429, 500, 502, 503, 504])
    func passingTrouble(status: Int?) async throws {
        let held = try await HeldGrant { (_, number) async throws(TernError) in
            guard number < 3 else { return HeldGrant.tokens("at-2") }
            guard let status else { throw TernError(.network(.connectionFailed), at: .refresh) }
            return HTTPResponse(status: status)
        }
        held.clock.advance(by: .seconds(3_600))
        #expect(try await held.session().accessToken().exposedText == "at-2")
        #expect(held.transport.sent.count == 3)
        // Half a second and a second, each cut by up to a half.
        #expect(held.clock.totalSleep > .milliseconds(745) && held.clock.totalSleep <= .milliseconds(1_500))
    }

    @Test("Attempts are bounded in number")
    func bounded() async throws {
        let held = try await HeldGrant { (_, _) in HTTPResponse(status: 503) }
        held.clock.advance(by: .seconds(3_600))
        let session = try await held.session()
        #expect(await reason { try await session.accessToken() } == .transient(status: 503, retryAfter: nil))
        #expect(held.transport.sent.count == 3)
        #expect(try await held.stored()?.refreshToken?.exposedText == "rt-1")
        // The next caller may try: the token is over, and the server did not ask to be left alone.
        #expect(await reason { try await session.accessToken() } == .transient(status: 503, retryAfter: nil))
        #expect(held.transport.sent.count == 6)
    }

    @Test("Attempts are bounded in time")
    func timeLimit() async throws {
        let clock = FakeClock(sleepsPassAtOnce: true)
        let held = try await HeldGrant(clock: clock) { (_, _) async throws(TernError) in
            clock.advance(by: .seconds(31))
            throw TernError(.network(.timedOut), at: .refresh)
        }
        held.clock.advance(by: .seconds(3_600))
        #expect(await reason { try await held.session().accessToken() } == .network(.timedOut))
        #expect(held.transport.sent.count == 1)
    }

    @Test("A short Retry-After is waited for, a long one is left to the caller", arguments: [(5, 2), (9, 1)])
    func retryAfter(seconds: Int, posts: Int) async throws {
        let held = try await HeldGrant { (_, number) in
            number == 1
                ? HTTPResponse(status: 503, fields: ["Retry-After": "\(seconds)"]) : HeldGrant.tokens("at-2")
        }
        held.clock.advance(by: .seconds(3_600))
        let problem = await reason { try await held.session().accessToken() }
        #expect(held.transport.sent.count == posts)
        if posts == 2 {
            #expect(problem == nil && held.clock.totalSleep == .seconds(5))
        } else {
            #expect(problem == .transient(status: 503, retryAfter: .seconds(9)) && held.clock.totalSleep == .zero)
        }
    }

    @Test("An answer that says something is not asked for again", arguments: ["invalid_grant", "invalid_client"])
    func clearAnswers(code: String) async throws {
        let held = try await HeldGrant { (_, _) in HeldGrant.refused(code) }
        held.clock.advance(by: .seconds(3_600))
        #expect(await reason { try await held.session().accessToken() } != nil)
        #expect(held.transport.sent.count == 1)
    }

    @Test("While the token is good nobody waits, and the server is asked again only after a growing pause")
    func earlyTrouble() async throws {
        let held = try await HeldGrant { (_, _) in HTTPResponse(status: 503) }
        held.clock.advance(by: .seconds(3_541))
        let session = try await held.session()
        for _ in 1...5 { #expect(try await session.accessToken().exposedText == "at-old") }
        #expect(held.transport.sent.count == 1)
        #expect(held.clock.totalSleep == .zero)
        held.clock.advance(by: .milliseconds(500))
        #expect(try await session.accessToken().exposedText == "at-old")
        #expect(held.transport.sent.count == 2)
        // The second pause is at least half a second.
        held.clock.advance(by: .milliseconds(490))
        #expect(try await session.accessToken().exposedText == "at-old")
        #expect(held.transport.sent.count == 2)
    }

    @Test("Pauses double up to the longest and are cut by chance")
    func pauses() {
        let policy = RetryPolicy(maximumAttempts: 9, timeLimit: .seconds(1_000))
        let error = TernError(.network(.timedOut), at: .refresh)
        func pause(_ attempts: Int, _ byte: UInt8) -> Duration? {
            policy.pause(after: attempts, error, elapsed: .zero, random: Fixed(byte: byte))
        }
        #expect((1...7).map { pause($0, 0) } == [0.5, 1, 2, 4, 8, 8, 8].map { .seconds($0) })
        #expect(pause(1, 128) == .seconds(0.375))
        #expect(pause(9, 0) == nil)
        #expect(RetryPolicy.never.pause(after: 1, error, elapsed: .zero, random: Fixed(byte: 0)) == nil)
    }

    @Test("Signing out ends the attempts and the waiting")
    func signOutMeanwhile() async throws {
        let held = try await HeldGrant(clock: FakeClock()) { (request, _) in
            request.url.encodedPath == "/t" ? HTTPResponse(status: 503) : HTTPResponse(status: 200)
        }
        held.clock.advance(by: .seconds(3_600))
        let session = try await held.session()
        let caller = Task { try await session.accessToken() }
        await held.clock.waitForSleepers()
        try await session.signOut(revokingTokens: false)
        #expect(await reason { try await caller.value } == .signedOut)
        held.clock.advance(by: .seconds(1))
        #expect(try await held.stored() == nil)
        #expect(held.transport.sent.count == 1)
    }

    private struct Fixed: RandomSource {
        let byte: UInt8
        func bytes(_ count: Int) -> [UInt8] { [UInt8](repeating: byte, count: count) }
    }
}
