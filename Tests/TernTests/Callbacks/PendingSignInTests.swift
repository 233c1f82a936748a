import TernTesting
import Testing

@testable import Tern

@Suite("Pending sign-ins")
struct PendingSignInTests {
    @Test("begin keeps the sign-in before it returns, and no account is seen")
    func begin() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        #expect(try await processes.store.pendingSignIns() == [signIn])
        #expect(try await processes.store.keys() == [PendingSignIns.key])
        #expect(try await processes.store.accounts().isEmpty)
        #expect(!PendingSignIns.key.name.contains(signIn.state))
    }

    @Test("A store that cannot be written fails the sign-in before its page opens")
    func brokenStore() async throws {
        let world = try World()
        let store = FailingStore()
        store.fail(writing: true)
        let client = OAuthClient(
            world.client.configuration, in: Environment(transport: world.transport, store: store, clock: world.clock))
        #expect(try await failure { try await client.begin() } == .storeUnavailable("broken"))
        #expect(try await failure { try await client.signIn(with: world.robot) } == .storeUnavailable("broken"))
        #expect(world.server.count(of: .authorization) == 0)
        store.fail()
        _ = try await client.signIn(with: world.robot)
        #expect(try await store.keys() == [client.configuration.account])
    }

    @Test("Nothing is left after a sign-in: when it is done, refused, cancelled, or its page cannot be shown")
    func nothingIsLeft() async throws {
        let world = try World()
        _ = try await world.client.signIn(with: world.robot)
        #expect(try await world.store.keys() == [world.client.configuration.account])

        let denying = RobotUserAgent(transport: world.transport, consent: .deny)
        var options = SignInOptions()
        options.prompt = [.consent]
        #expect(try await failure { try await world.client.signIn(options, with: denying) } != nil)
        #expect(try await world.store.keys() == [world.client.configuration.account])

        let browser = HeldBrowser()
        let waiting = Task { try await world.client.signIn(with: HubUserAgent(CallbackHub(), browser: browser)) }
        _ = try await browser.page()
        #expect(try await world.store.pendingSignIns().count == 1)
        waiting.cancel()
        #expect(try await failure { try await waiting.value } == .cancelled)
        #expect(try await world.store.keys() == [world.client.configuration.account])
    }

    @Test("A store keeps the newest 16, and lets go of those whose time is over")
    func bounds() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        var all: [SignIn] = []
        for _ in 0..<20 { all.append(try await client.begin()) }
        #expect(try await processes.store.pendingSignIns() == Array(all.suffix(PendingSignIns.maximumCount)))

        processes.world.clock.advance(by: .seconds(601))
        let last = try await client.begin()
        #expect(try await processes.store.pendingSignIns() == [last])
    }

    @Test("Used ones make room for new ones before any that waits")
    func roomOfUsedOnes() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        var all: [SignIn] = []
        for _ in 0..<PendingSignIns.maximumCount { all.append(try await client.begin()) }
        let used = all.remove(at: 9)
        try await client.finish(callback: try await processes.callback(from: used.address))
        all.append(try await client.begin())
        #expect(try await processes.store.pendingSignIns() == all)
    }

    @Test("A process that dies with the code in its hand leaves nothing half stored, and a new sign-in works")
    func killedWhileExchanging() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try await processes.callback(from: signIn.address)
        try await PendingSignIns(store: processes.store).take(signIn)

        let record = try #require(try await processes.store.load(PendingSignIns.key))
        let text = String(decoding: record.exposedBytes, as: UTF8.self)
        #expect(!text.contains(try #require(signIn.verifier)) && !text.contains(signIn.state))
        #expect(try await processes.store.accounts().isEmpty)
        #expect(
            try await failure { try await processes.newClient().finish(callback: callback) }
                == .strayCallback(.alreadyUsed))

        let again = try await processes.newClient().begin()
        try await processes.newClient().finish(callback: try await processes.callback(from: again.address))
        #expect(try await processes.store.accounts().count == 1)
        #expect(processes.world.server.count(of: .token) == 1)
    }

    @Test("A record that the store itself calls damaged keeps nobody from beginning")
    func damagedForTheStore() async throws {
        let world = try World()
        let store = FailingStore()
        let client = OAuthClient(
            world.client.configuration, in: Environment(transport: world.transport, store: store, clock: world.clock))
        store.fail(reading: true, with: .corruptedRecord("no key opens it"))
        let signIn = try await client.begin()
        store.fail()
        #expect(try await store.pendingSignIns() == [signIn])
    }

    @Test("What begins at once in many tasks is kept whole")
    func concurrency() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        let begun = try await withThrowingTaskGroup(of: SignIn.self) { group in
            for _ in 0..<16 { group.addTask { try await client.begin() } }
            return try await group.reduce(into: Set<SignIn>()) { $0.insert($1) }
        }
        #expect(Set(try await processes.store.pendingSignIns()) == begun)
    }

    @Test("A damaged record keeps nobody from beginning; a newer version's entry is left alone until its time is over")
    func damaged() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        try await processes.store.save(StoredRecord(Array("no JSON".utf8)), for: PendingSignIns.key)
        let signIn = try await client.begin()
        let record = try #require(try await processes.store.load(PendingSignIns.key))
        var object = try #require(try JSON(parsing: record.exposedBytes).object)
        let end = try #require(JSONNumber(signIn.expiresAt.secondsSince1970))
        let future: JSON = ["id": "f", "phase": "levitating", "expires_at": .number(end), "x": 1]
        object["sign_ins"] = .array([future] + (object["sign_ins"]?.array ?? []))
        try await processes.store.save(StoredRecord(object.serialized()), for: PendingSignIns.key)

        try await client.finish(callback: try await processes.callback(from: signIn.address))
        let after = try #require(try await processes.store.load(PendingSignIns.key))
        let entries = try JSON(parsing: after.exposedBytes)["sign_ins"]?.array ?? []
        #expect(entries.first == future && entries.count == 2)
        processes.world.clock.advance(by: .seconds(601))
        _ = try await client.begin()
        let swept = try #require(try await processes.store.load(PendingSignIns.key))
        #expect(try JSON(parsing: swept.exposedBytes)["sign_ins"]?.array?.count == 1)
    }

    @Test("No account can take a name of the library's own")
    func reservedNames() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        let reserved = try StoreKey("tern:pending-sign-ins")
        var options = SignInOptions()
        options.account = reserved
        let begin = try await failure { try await client.begin(options) }
        let session = try await failure { try await client.session(reserved) }
        for reason in [begin, session] {
            guard case .invalidConfiguration(field: "account", _) = reason else {
                Issue.record("\(String(describing: reason))")
                continue
            }
        }
    }

    @Test("An attachment has a limit")
    func attachment() async throws {
        let client = try Processes().newClient()
        var options = SignInOptions()
        options.attachment = ["x": .string(String(repeating: "x", count: SignInOptions.maximumAttachmentByteCount))]
        guard
            case .invalidConfiguration(field: "attachment", _) = try await failure(of: {
                try await client.begin(options)
            })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test("A sign-in that the application keeps itself leaves nothing in the store, and can be finished by value")
    func notKept() async throws {
        let processes = try Processes()
        var options = SignInOptions()
        options.keepsPending = false
        let signIn = try await processes.newClient().begin(options)
        #expect(try await processes.store.keys().isEmpty)
        let callback = try await processes.callback(from: signIn.address)
        try await processes.newClient().finish(try SignIn(signIn.record), callback: callback)
        #expect(try await processes.store.accounts().count == 1)
    }
}

extension SignIn {
    /// The code verifier, where there is one.
    fileprivate var verifier: String? {
        if case .codeVerifier(let verifier) = proof { verifier.secret.exposedText } else { nil }
    }
}
