import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Renewal in the background")
struct BackgroundRenewalTests {
    @Test("Tokens are renewed ahead of their end, again and again", .timeLimit(.minutes(1)))
    func renewsAhead() async throws {
        let held = try await HeldGrant(clock: FakeClock()) { (_, number) in
            HeldGrant.tokens("at-\(number + 1)", refresh: "rt-\(number + 1)", lifetime: 600)
        }
        let session = try await held.session()
        var events = session.events().makeAsyncIterator()
        await session.renewInBackground()
        // It looks every minute: 59 times in the first hour without anything to do.
        for _ in 1..<59 {
            await held.clock.waitForSleepers()
            held.clock.advance(by: .seconds(60))
        }
        #expect(held.transport.sent.isEmpty)
        await held.clock.waitForSleepers()
        held.clock.advance(by: .seconds(60))
        #expect(await events.next() == .refreshed)
        #expect(try await session.credential().accessToken.exposedText == "at-2")
        for _ in 1...9 {
            await held.clock.waitForSleepers()
            held.clock.advance(by: .seconds(60))
        }
        #expect(await events.next() == .refreshed)
        #expect(try await session.credential().accessToken.exposedText == "at-3")
    }

    @Test("Trouble is tried again, and the grant's death ends it", .timeLimit(.minutes(1)))
    func trouble() async throws {
        let held = try await HeldGrant(clock: FakeClock()) { (_, number) in
            number < 4 ? HTTPResponse(status: 503) : HeldGrant.refused("invalid_grant")
        }
        held.clock.advance(by: .seconds(3_545))
        let session = try await held.session()
        var events = session.events().makeAsyncIterator()
        await session.renewInBackground()
        for _ in 1...3 {
            await held.clock.waitForSleepers()
            #expect(try await session.accessToken().exposedText == "at-old")
            held.clock.advance(by: .seconds(8))
        }
        guard case .signInNeeded(let error)? = await events.next() else {
            Issue.record("no sign-in was asked for")
            return
        }
        #expect(error.code == "reauthentication_required")
        #expect(held.transport.sent.count == 4)
    }

    private final class Watched {
        weak var session: Session?
        init(session: Session?) { self.session = session }
    }

    @Test("It keeps no session alive, and stops when it is told to", .timeLimit(.minutes(1)))
    func stops() async throws {
        let held = try await HeldGrant(clock: FakeClock()) { (_, _) in HeldGrant.tokens("at-2") }
        var session: Session? = try await held.session()
        await session?.renewInBackground()
        await session?.renewInBackground()
        await held.clock.waitForSleepers()
        #expect(held.clock.sleeperCount == 1)
        let watched = Watched(session: session)
        session = nil
        #expect(watched.session == nil)
        #expect(held.clock.sleeperCount == 0)

        let other = try await held.session()
        await other.renewInBackground()
        await held.clock.waitForSleepers()
        await other.stopRenewingInBackground()
        #expect(held.clock.sleeperCount == 0)
    }
}
