import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("Signing in again on demand")
struct InteractionTests {
    private static let grace = TestUser("grace", password: "hopper")

    /// A world whose user has signed in, and whose grant has died since.
    private func dead(_ change: (inout ClientConfiguration) -> Void = { _ in }) async throws -> (World, Session) {
        var server = AuthorizationServer()
        server.users.append(Self.grace)
        let world = try World(server, change)
        let session = try await world.client.signIn(with: world.robot)
        world.server.add(
            Fault(at: .token, where: ["grant_type": "refresh_token"], .replace(HeldGrant.refused("invalid_grant"))))
        world.clock.advance(by: .seconds(3_600))
        return (world, session)
    }

    @Test("Nothing is shown unless it was allowed")
    func forbiddenAtFirst() async throws {
        let (world, session) = try await dead()
        #expect(await reason { try await session.accessToken() }?.code == "reauthentication_required")
        #expect(world.server.count(of: .authorization) == 1)
    }

    @Test("One page for all who wait, and each gets the new token")
    func onePage() async throws {
        let (world, session) = try await dead()
        let visits = Locked(0)
        let open = Door()
        await session.setInteraction(.allowed(with: SlowAgent(agent: world.robot, visits: visits, gate: open)))
        let callers = (1...50).map { _ in Task { try await session.accessToken() } }
        await open.arrival()
        callers[7].cancel()
        #expect(await reason { try await callers[7].value } == .cancelled)
        await open.open()
        var tokens: Set<AccessToken> = []
        for (index, caller) in callers.enumerated() where index != 7 { tokens.insert(try await caller.value) }
        #expect(tokens.count == 1)
        #expect(visits.withLock { $0 } == 1)
        #expect(try await session.accessToken() == tokens.first)
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test("An authorised request waits for the page and is then sent")
    func request() async throws {
        let (world, session) = try await dead()
        await session.setInteraction(.allowed(with: world.robot))
        let reply = try await session.send(.get(world.server.server.apiAddress("notes")))
        #expect(reply.status == 200)
    }

    @Test("Another user who signs in on that page is refused, and nothing is stored")
    func anotherUser() async throws {
        let (world, session) = try await dead()
        let before = try await world.store.load(session.account)
        let browser = RobotBrowser(transport: world.transport, user: Self.grace)
        await session.setInteraction(.allowed(with: RobotUserAgent(browser)))
        #expect(await reason { try await session.accessToken() } == .idTokenRejected(.subjectMismatch))
        let after = try await world.store.load(session.account)
        #expect(try Credential(#require(after)).accessToken == Credential(#require(before)).accessToken)
    }

    @Test("Work that forbids the page is told that one would be needed")
    func forbidden() async throws {
        let (world, session) = try await dead()
        await session.setInteraction(.allowed(with: world.robot))
        let problem = await reason { try await Interaction.forbidding { try await session.accessToken() } }
        #expect(problem == .interactionForbidden)
        #expect(world.server.count(of: .authorization) == 1)
        // Others are not affected.
        _ = try await session.accessToken()
    }

    @Test("Requests wait for a sign-in that the application has begun", .timeLimit(.minutes(1)))
    func explicitSignIn() async throws {
        let (world, session) = try await dead()
        #expect(await reason { try await session.accessToken() }?.code == "reauthentication_required")
        let open = Door()
        let agent = SlowAgent(agent: world.robot, visits: Locked(0), gate: open)
        let signIn = Task { try await world.client.signIn(with: agent) }
        await open.arrival()
        var events = session.events().makeAsyncIterator()
        let callers = (1...10).map { _ in Task { try await session.accessToken() } }
        let quiet = Task { try await Interaction.forbidding { try await session.accessToken() } }
        await open.open()
        let token = try await signIn.value.accessToken()
        for caller in callers { #expect(try await caller.value == token) }
        #expect(try await quiet.value == token)
        #expect(await events.next() == .signedIn)
    }

    @Test("A sign-in that ends just after the session has looked for it is seen", .timeLimit(.minutes(1)))
    func signInJustEnded() async throws {
        let (world, session) = try await dead()
        let store = LateStore(store: world.store)
        var environment = world.client.environment
        environment.store = store
        let client = OAuthClient(world.client.configuration, in: environment)
        let restored = try #require(try await client.session(session.account))
        #expect(await reason { try await restored.accessToken() }?.code == "reauthentication_required")
        let late = store.delayNextLoad()
        let caller = Task { try await restored.accessToken() }
        await late.arrival()
        let token = try await client.signIn(with: world.robot).accessToken()
        await late.open()
        #expect(try await caller.value == token)
    }

    @Test("A sign-in that fails leaves the session as it was, and the next one may succeed")
    func cancelledByTheUser() async throws {
        let (world, session) = try await dead()
        await session.setInteraction(.allowed(with: ClosedAtOnce()))
        #expect(await reason { try await session.accessToken() } == .userCancelled)
        await session.setInteraction(.allowed(with: world.robot))
        _ = try await session.accessToken()
    }

    @Test("A sign-in by another process brings a session back that needed one")
    func signInElsewhere() async throws {
        let (world, session) = try await dead()
        #expect(await reason { try await session.accessToken() }?.code == "reauthentication_required")
        let other = OAuthClient(world.client.configuration, in: world.client.environment)
        let token = try await other.signIn(with: world.robot).accessToken()
        #expect(try await session.accessToken() == token)
    }

    @Test("Signing out while the page is shown forgets and revokes what comes back", .timeLimit(.minutes(1)))
    func signOutMeanwhile() async throws {
        let (world, session) = try await dead()
        let open = Door()
        await session.setInteraction(.allowed(with: SlowAgent(agent: world.robot, visits: Locked(0), gate: open)))
        let caller = Task { try await session.accessToken() }
        await open.arrival()
        try await session.signOut()
        #expect(await reason { try await caller.value } == .signedOut)
        let before = world.server.count(of: .revocation)
        await open.open()
        await open.end()
        while world.server.count(of: .revocation) == before { await Task.yield() }
        #expect(try await world.store.load(session.account) == nil)
    }

    @Test("Events tell of sign-in, refresh, need and sign-out, for each account", .timeLimit(.minutes(1)))
    func events() async throws {
        let world = try World()
        var all = world.client.events().makeAsyncIterator()
        let session = try await world.client.signIn(with: world.robot)
        let account = session.account
        #expect(await all.next() == AccountEvent(account: account, event: .signedIn))
        try await session.refresh()
        #expect(await all.next() == AccountEvent(account: account, event: .refreshed))
        try await session.signOut()
        #expect(await all.next() == AccountEvent(account: account, event: .signedOut))
    }

    @Test("Signing out leaves another user's sign-in alone, and revokes what was stored last")
    func signOutOfAnother() async throws {
        let held = try await HeldGrant { (request, _) in HTTPResponse(status: 200) }
        let session = try await held.session()
        // Another process has renewed the tokens since.
        try await held.store.save(
            HeldGrant.record(access: "at-5", refresh: "rt-5", obtainedAt: held.clock.now), for: session.account)
        try await session.signOut()
        #expect(held.transport.sent.last?.form["token"] == "rt-5")
        #expect(try await held.stored() == nil)

        let other = HeldGrant.record(access: "at-6", refresh: "rt-6", obtainedAt: held.clock.now, subject: "grace")
        try await held.store.save(
            HeldGrant.record(obtainedAt: held.clock.now, subject: "ada"), for: session.account)
        let ada = try await held.session()
        try await held.store.save(other, for: session.account)
        try await ada.signOut()
        #expect(held.transport.sent.last?.form["token"] == "rt-1")
        #expect(try await held.store.load(session.account) == other)
    }
}

/// Holds a visit until it is opened, and tells when it has come and gone.
actor Door {
    private var isOpen = false
    private var hasArrived = false
    private var hasEnded = false
    private var waiting: [CheckedContinuation<Void, Never>] = []
    private var watching: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        hasArrived = true
        wake()
        if !isOpen { await withCheckedContinuation { waiting.append($0) } }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }

    func arrival() async { if !hasArrived { await withCheckedContinuation { watching.append($0) } } }

    func end() async { if !hasEnded { await withCheckedContinuation { watching.append($0) } } }

    func finish() {
        hasEnded = true
        wake()
    }

    private func wake() {
        for continuation in watching { continuation.resume() }
        watching = []
    }
}

/// A user who takes as long as the test wants.
private struct SlowAgent: UserAgent {
    let agent: RobotUserAgent
    let visits: Locked<Int>
    let gate: Door

    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        visits.withLock { $0 += 1 }
        return Visit(visit: try await agent.prepare(for: redirectURI), gate: gate)
    }

    private struct Visit: UserAgentVisit {
        let visit: any UserAgentVisit
        let gate: Door

        var redirectURI: RedirectURI { visit.redirectURI }
        var delivery: CallbackDelivery { visit.delivery }

        func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
            await gate.pass()
            return try await visit.open(page, judge: judge)
        }

        func dismiss() async {
            await visit.dismiss()
            await gate.finish()
        }
    }
}

/// Reads a record at once and hands it over late, when it has been written anew meanwhile.
private struct LateStore: CredentialStore {
    let store: MemoryStore
    private let delay = Locked<Door?>(nil)

    init(store: MemoryStore) { self.store = store }

    func delayNextLoad() -> Door {
        let door = Door()
        delay.withLock { $0 = door }
        return door
    }

    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        let door = delay.withLock { door in
            defer { door = nil }
            return door
        }
        let record = try await store.load(key)
        await door?.pass()
        return record
    }

    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try await store.save(record, for: key)
    }

    func replace(_ old: StoredRecord, with new: StoredRecord, for key: StoreKey) async throws(TernError) -> Bool {
        try await store.replace(old, with: new, for: key)
    }

    func delete(_ key: StoreKey) async throws(TernError) { try await store.delete(key) }

    func keys() async throws(TernError) -> [StoreKey] { try await store.keys() }

    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await store.withExclusiveAccess(to: key, body)
    }
}

/// A user who closes the page.
private struct ClosedAtOnce: UserAgent {
    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        throw TernError(.userCancelled, at: .userAgent)
    }
}
