import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("A session and the clock")
struct ClockTests {
    private static func dated(_ response: HTTPResponse, _ date: NumericDate) -> HTTPResponse {
        var response = response
        response.fields["Date"] = HTTPDate(date: date).description
        return response
    }

    @Test("A clock that goes far ahead costs one refresh, and is then followed", arguments: [86_400.0, 31_536_000])
    func jumpAhead(_ jump: Double) async throws {
        let truth = NumericDate(1_750_000_100)
        let held = try await HeldGrant { (_, number) in
            Self.dated(HeldGrant.tokens("at-\(number + 1)", refresh: "rt-\(number + 1)"), truth)
        }
        let session = try await held.session()
        held.clock.advance(by: .seconds(jump))
        for _ in 1...3 { #expect(try await session.accessToken().exposedText == "at-2") }
        #expect(held.transport.sent.count == 1)
        let kept = try #require(try await held.stored())
        #expect(kept.obtainedAt == truth)
        #expect(kept.expiration == truth + .seconds(3_600))
        #expect(abs(kept.clockOffset + jump - 100) < 1)

        // A new process on the same wrong clock goes on without another refresh.
        #expect(try await held.session().accessToken().exposedText == "at-2")
        let cold = OAuthClient(held.client.configuration, in: held.client.environment)
        #expect(try await cold.session()?.accessToken().exposedText == "at-2")
        #expect(held.transport.sent.count == 1)
    }

    @Test("A clock that goes back costs one refresh, and never a token that is over")
    func jumpBack() async throws {
        let truth = NumericDate(1_750_000_000)
        let held = try await HeldGrant { (_, number) in
            Self.dated(HeldGrant.tokens("at-\(number + 1)"), truth + .seconds(5_000))
        }
        let session = try await held.session()
        #expect(try await session.accessToken().exposedText == "at-old")
        held.clock.advance(by: .seconds(-31_536_000))
        for _ in 1...3 { #expect(try await session.accessToken().exposedText == "at-2") }
        #expect(held.transport.sent.count == 1)
        // The clock is put right: the token looks over by a year, one refresh, and all is as before.
        held.clock.advance(by: .seconds(31_536_000 + 5_000))
        for _ in 1...3 { #expect(try await session.accessToken().exposedText == "at-3") }
        #expect(held.transport.sent.count == 2)
        #expect(try await held.stored()?.clockOffset == 0)
    }

    @Test(
        "Without a refresh token a clock that goes back ends nothing, and one that was ahead ends it for that time only"
    )
    func noRefreshToken() async throws {
        let clock = FakeClock()
        let held = try await HeldGrant(
            clock: clock, record: HeldGrant.record(refresh: nil, obtainedAt: clock.now)
        ) { (_, _) in HTTPResponse(status: 500) }
        let session = try await held.session()
        clock.advance(by: .seconds(-86_400))
        #expect(try await session.accessToken().exposedText == "at-old")
        clock.advance(by: .seconds(2 * 86_400))
        #expect(await reason { try await session.accessToken() } == .reauthenticationRequired(nil))
        clock.advance(by: .seconds(-86_400))
        #expect(try await session.accessToken().exposedText == "at-old")
        #expect(held.transport.sent.isEmpty)
    }

    @Test("A small difference, and an answer without a date, change nothing", arguments: [nil, 0.0, 59, -59])
    func smallDifference(_ difference: Double?) async throws {
        let held = try await HeldGrant { (_, _) in
            let tokens = HeldGrant.tokens("at-2")
            return difference.map { Self.dated(tokens, NumericDate(1_750_003_600 + $0)) } ?? tokens
        }
        held.clock.advance(by: .seconds(3_600))
        _ = try await held.session().accessToken()
        #expect(try await held.stored()?.clockOffset == 0)
        #expect(try await held.stored()?.obtainedAt == held.clock.now)
    }

    @Test("A refreshed ID token is checked by the server's clock")
    func refreshedIDToken() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let before = try await session.accessToken()
        // The server's answers are dated and signed by its own clock, a day ahead of the device's.
        let server = world.server
        let ahead = AheadTransport(server: server, clock: world.clock, by: .seconds(86_400))
        let client = OAuthClient(
            world.client.configuration,
            in: Environment(transport: ahead, store: world.store, clock: world.clock))
        let late = try #require(try await client.session())
        try await late.refresh()
        let kept = try await late.credential()
        #expect(kept.accessToken != before)
        #expect(kept.idToken != nil)
        #expect(try await late.accessToken() == kept.accessToken)
    }

    /// A server whose clock is ahead.
    private struct AheadTransport: HTTPTransport {
        let server: ServedAuthorizationServer
        let clock: FakeClock
        let by: Duration

        func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            let there = FakeClock(clock.now + by)
            var response = try await TestTransport(server, clock: there).send(request, step: step)
            response.fields["Date"] = HTTPDate(date: there.now).description
            return response
        }
    }

    @Test("A record of a later version is refused by name and left alone; one without a version is read")
    func versions() async throws {
        let clock = FakeClock()
        let newer = HeldGrant.record(obtainedAt: clock.now, version: 2)
        let held = try await HeldGrant(clock: clock, record: newer) { (_, _) in HTTPResponse(status: 500) }
        #expect(await reason { try await held.session() } == .newerRecord(version: 2))
        #expect(try await held.store.load(held.client.configuration.account) == newer)

        let old = StoredRecord(Array(#"{"access_token":"at-0","refresh_token":"rt-0"}"#.utf8))
        let read = try Credential(old)
        #expect(read.accessToken.exposedText == "at-0" && read.refreshToken?.exposedText == "rt-0")
        #expect(read.lifetime == nil && read.clockOffset == 0)
        #expect(
            await reason { try Credential(StoredRecord(Array(#"{"version":7}"#.utf8))) } == .newerRecord(version: 7))
    }

    @Test("A later version's record that appears while the session runs is not overwritten")
    func newerMeanwhile() async throws {
        let held = try await HeldGrant { (_, _) in HeldGrant.tokens("at-2") }
        let session = try await held.session()
        held.clock.advance(by: .seconds(3_600))
        let newer = HeldGrant.record(obtainedAt: held.clock.now, version: 3)
        try await held.store.save(newer, for: session.account)
        #expect(await reason { try await session.accessToken() } == .newerRecord(version: 3))
        #expect(try await held.store.load(session.account) == newer)
        #expect(held.transport.sent.isEmpty)
    }
}
