import TernTesting
import Testing

@testable import Tern

@Suite("Cold start")
struct ColdStartTests {
    @Test("Of two processes that get one callback exactly one exchanges the code")
    func once() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try await processes.callback(from: signIn.address)
        let reasons = await withTaskGroup(of: TernError.Reason?.self) { group in
            for _ in 0..<20 {
                let client = processes.newClient()
                group.addTask { try? await failure { try await client.finish(callback: callback) } }
            }
            return await group.reduce(into: [TernError.Reason?]()) { $0.append($1) }
        }
        #expect(reasons.count { $0 == nil } == 1)
        #expect(reasons.allSatisfy { $0 == nil || $0 == .strayCallback(.alreadyUsed) })
        #expect(processes.world.server.count(of: .token) == 1)
        #expect(try await processes.store.accounts() == [processes.world.client.configuration.account])
    }

    @Test("By value too a callback is taken once")
    func onceByValue() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try await processes.callback(from: signIn.address)
        try await processes.newClient().finish(signIn, callback: callback)
        #expect(
            try await failure { try await processes.newClient().finish(signIn, callback: callback) }
                == .strayCallback(.alreadyUsed))
        #expect(processes.world.server.count(of: .token) == 1)
    }

    @Test("Several are pending at once, and each callback finds its own, in any order")
    func several() async throws {
        let processes = try Processes()
        var callbacks: [(account: StoreKey, callback: URI)] = []
        for name in ["a", "b", "c"] {
            var options = SignInOptions()
            options.account = try StoreKey(name)
            let signIn = try await processes.newClient().begin(options)
            callbacks.append((try StoreKey(name), try await processes.callback(from: signIn.address)))
        }
        for (account, callback) in callbacks.reversed() {
            #expect(try await processes.newClient().finish(callback: callback).account == account)
        }
        #expect(try await processes.store.accounts().map(\.name) == ["a", "b", "c"])
    }

    @Test("Where no connection comes about the code is not lost, and the callback can come again")
    func notSent() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        let signIn = try await client.begin()
        let callback = try await processes.callback(from: signIn.address)
        let failing = OAuthClient(
            client.configuration,
            in: Environment(
                transport: Cut(inner: processes.world.transport, reason: .network(.connectionFailed)),
                store: processes.store, clock: processes.world.clock))
        #expect(
            try await failure { try await failing.finish(callback: callback) } == .network(.connectionFailed))
        #expect(try await processes.store.pendingSignIns() == [signIn])
        try await processes.newClient().finish(callback: callback)
    }

    @Test("RF-09 b, a code that was sent is not sent again, in any process")
    func outcomeUnknown() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        let signIn = try await client.begin()
        let callback = try await processes.callback(from: signIn.address)
        let cut = Cut(inner: processes.world.transport, reason: .outcomeUnknown)
        let failing = OAuthClient(
            client.configuration,
            in: Environment(transport: cut, store: processes.store, clock: processes.world.clock))
        #expect(try await failure { try await failing.finish(callback: callback) } == .outcomeUnknown)
        #expect(cut.count.withLock { $0 } == 1)
        #expect(
            try await failure { try await processes.newClient().finish(callback: callback) }
                == .strayCallback(.alreadyUsed))
        #expect(processes.world.server.count(of: .token) == 0)
        #expect(try await processes.store.pendingSignIns().isEmpty)
        #expect(try await processes.store.accounts().isEmpty)
    }

    @Test("A refusal that the server sends back ends the sign-in")
    func refusal() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try uri(
            "com.example.app:/callback?error=access_denied&error_description=no&state=" + signIn.state)
        let reason = try await failure { try await processes.newClient().finish(callback: callback) }
        #expect(reason?.code == "access_denied")
        #expect(try await processes.store.pendingSignIns().isEmpty)
    }

    @Test("Two clients of one name at two servers, in one store, each finish their own")
    func twoServers() async throws {
        let processes = try Processes()
        let other = try World(AuthorizationServer(issuer: try uri("https://other.example")))
        let foreign = OAuthClient(
            other.client.configuration,
            in: Environment(transport: other.transport, store: processes.store, clock: processes.world.clock))
        let signIn = try await processes.newClient().begin()
        _ = try await foreign.begin()
        let callback = try await processes.callback(from: signIn.address)
        #expect(try await failure { try await foreign.finish(callback: callback) } == .strayCallback(.unknownState))
        try await processes.newClient().finish(callback: callback)
    }

    @Test("A process that waits for another one learns that it is done, and with what it failed")
    func waiting() async throws {
        let processes = try Processes()
        let browser = HeldBrowser()
        let client = processes.newClient()
        var events = client.events().makeAsyncIterator()
        let first = Task { try await client.signIn(opening: browser) }
        let callback = try await processes.callback(from: try await browser.page())
        // It has to have looked once before there is anything to see; otherwise it never sleeps.
        await processes.world.clock.waitForSleepers()
        try await processes.newClient().finish(callback: callback)
        processes.world.clock.advance(by: .milliseconds(200))
        #expect(try await first.value.credential().subject == TestUser.ada.subject)
        #expect(await events.next() == AccountEvent(account: client.configuration.account, event: .signedIn))
        #expect(try await processes.store.keys() == [client.configuration.account])

        let second = Task { try await client.signIn(opening: browser) }
        let page = try await browser.page()
        let parameters = try #require(FormParameters(decoding: page.encodedQuery ?? ""))
        let denial = try uri(
            "com.example.app:/callback?error=access_denied&state=" + (try #require(parameters["state"])))
        await processes.world.clock.waitForSleepers()
        _ = try await failure { try await processes.newClient().finish(callback: denial) }
        processes.world.clock.advance(by: .milliseconds(200))
        let reason = try await failure { try await second.value }
        #expect(reason?.code == "access_denied")
        #expect(try await processes.store.keys() == [client.configuration.account])
    }

    @Test("A process that waits for another one can be cancelled, and waits for the sign-in's time alone")
    func waitingEnds() async throws {
        let processes = try Processes()
        let browser = HeldBrowser()
        let client = processes.newClient()
        let cancelled = Task { try await client.signIn(opening: browser) }
        _ = try await browser.page()
        cancelled.cancel()
        #expect(try await failure { try await cancelled.value } == .cancelled)
        #expect(try await processes.store.keys().isEmpty)

        let late = Task { try await client.signIn(opening: browser) }
        _ = try await browser.page()
        await processes.world.clock.waitForSleepers()
        processes.world.clock.advance(by: .seconds(601))
        #expect(try await failure { try await late.value } == .flowExpired(refused: []))
        #expect(try await processes.store.keys().isEmpty)
    }

    @Test("What is told of a failure reads back as it was")
    func report() throws {
        let error = TernError(.idTokenRejected(.expired(by: 10)), at: .idToken)
        let failure = ReportedFailure(error)
        let read = try #require(ReportedFailure(failure.json))
        #expect(read == failure)
        let reported = TernError(.reported(read), at: read.step)
        #expect(reported.code == error.code && reported.explanation == error.explanation)
        #expect(ReportedFailure(["code": "x"]) == nil)
    }
}

/// Fails at the token endpoint with a reason, and lets everything else through.
private final class Cut: HTTPTransport {
    let inner: TestTransport
    let reason: TernError.Reason
    let count = Locked(0)

    init(inner: TestTransport, reason: TernError.Reason) {
        self.inner = inner
        self.reason = reason
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        guard step == .tokenRequest else { return try await inner.send(request, step: step) }
        count.withLock { $0 += 1 }
        throw TernError(reason, at: step)
    }
}
