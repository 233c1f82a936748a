import TernTesting
import Testing

@testable import Tern

@Suite("The hub of callbacks")
struct CallbackHubTests {
    @Test("UA-04, a sign-in that waits here gets its callback, once, and foreign addresses are left alone")
    func waitingHere() async throws {
        let world = try World()
        let hub = CallbackHub([world.client])
        let browser = HeldBrowser()
        let signIn = Task { try await world.client.signIn(with: HubUserAgent(hub, browser: browser)) }
        let page = try await browser.page()
        let strays: [(String, StrayCallback)] = [
            ("fb9990001:/authorize?code=zz&state=x", .foreignAddress),
            ("com.example.app:/share?code=zz", .foreignAddress),
            ("com.example.app://callback?code=zz", .foreignAddress),
            ("https://app.example/callback?code=zz", .foreignAddress),
            ("com.example.app:/callback?code=zz&state=other", .unknownState),
            ("com.example.app:/callback?error=access_denied", .missingState),
            ("com.example.app:/callback", .missingState),
        ]
        for (address, reason) in strays {
            #expect(await hub.handle(try uri(address)).stray == reason, "\(address)")
        }
        let callback = try await Self.callback(world, page)
        guard case .delivered = await hub.handle(callback) else {
            Issue.record("not delivered")
            return
        }
        #expect(await hub.handle(callback).stray == .alreadyUsed)
        #expect(try await signIn.value.credential().subject == TestUser.ada.subject)
        #expect(await hub.handle(callback).stray == .alreadyUsed)
        #expect(world.server.count(of: .token) == 1)
    }

    @Test("A sign-in of an earlier process is finished; its callback works once, in any hub")
    func coldStart() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try await processes.callback(from: signIn.address)
        let hub = CallbackHub([processes.newClient()])
        guard case .finished(let session) = await hub.handle(callback) else {
            Issue.record("not finished")
            return
        }
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(await hub.handle(callback).stray == .alreadyUsed)
        #expect(await CallbackHub([processes.newClient()]).handle(callback).stray == .alreadyUsed)
        #expect(processes.world.server.count(of: .token) == 1)
    }

    @Test(
        "CB-07, what comes with the state is this sign-in's answer, ends it, and sends no code anywhere",
        arguments: [
            ("?error=login_required&state=STATE", "login_required"),
            ("?code=c7&state=STATE&iss=https%3A%2F%2Fother.example", "issuer_mismatch"),
            ("#code=c7&state=STATE", "unexpected_response_mode"), ("?state=STATE", "malformed_callback"),
            ("?code=c7&code=c8&state=STATE", "malformed_callback"),
        ])
    func answersWithState(query: String, code: String) async throws {
        let processes = try Processes()
        let other = try await processes.newClient().begin()
        let signIn = try await processes.newClient().begin()
        let hub = CallbackHub([processes.newClient()])
        let answer = "com.example.app:/callback" + query.replacing("STATE", with: signIn.state)
        guard case .failed(let error) = await hub.handle(try uri(answer)) else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == code)
        #expect(try await processes.store.pendingSignIns() == [other])
        #expect(await hub.handle(try uri(answer)).stray == .alreadyUsed)
        #expect(processes.world.server.count(of: .token) == 0)
    }

    @Test(
        "CB-07, what comes without the state is nobody's answer",
        arguments: [
            ("?error=login_required", StrayCallback.missingState), ("?code=c7", .missingState),
            ("#error=access_denied", .missingState), ("?code=c7&state=other", .unknownState),
            ("#code=c7&state=other", .unknownState),
        ])
    func answersWithoutState(query: String, reason: StrayCallback) async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let hub = CallbackHub([processes.newClient()])
        #expect(await hub.handle(try uri("com.example.app:/callback" + query)).stray == reason)
        #expect(try await processes.store.pendingSignIns() == [signIn])
    }

    @Test("The same callback many times at once is used once")
    func atOnce() async throws {
        let processes = try Processes()
        let signIn = try await processes.newClient().begin()
        let callback = try await processes.callback(from: signIn.address)
        let hub = CallbackHub([processes.newClient()])
        let finished = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<50 {
                group.addTask { if case .finished = await hub.handle(callback) { true } else { false } }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(finished == 1)
        #expect(processes.world.server.count(of: .token) == 1)
    }

    @Test("Several clients, several sign-ins: each address finds its own")
    func severalClients() async throws {
        let one = try Processes()
        let two = try World(AuthorizationServer(issuer: try uri("https://other.example"))) {
            $0.signInTimeLimit = .seconds(60)
        }
        let hub = CallbackHub([two.client])
        hub.add(one.newClient())
        let browser = HeldBrowser()
        let here = Task { try await two.client.signIn(with: HubUserAgent(hub, browser: browser)) }
        let page = try await browser.page()
        let earlier = try await one.newClient().begin()

        guard case .finished = await hub.handle(try await one.callback(from: earlier.address)) else {
            Issue.record("not finished")
            return
        }
        guard case .delivered = await hub.handle(try await Self.callback(two, page)) else {
            Issue.record("not delivered")
            return
        }
        _ = try await here.value
    }

    @Test("A failure is told, and a callback whose code was not sent may come again")
    func failures() async throws {
        let processes = try Processes()
        let client = processes.newClient()
        let hub = CallbackHub([client])
        let signIn = try await client.begin()
        let callback = try await processes.callback(from: signIn.address)
        processes.world.clock.advance(by: .seconds(601))
        guard case .failed(let error) = await hub.handle(callback) else {
            Issue.record("not failed")
            return
        }
        #expect(error.reason == .flowExpired(refused: []))
        #expect(await hub.handle(callback).stray == .alreadyUsed)
        #expect(try await processes.store.pendingSignIns().isEmpty)
    }

    @Test("A store that cannot be read fails one's own addresses and leaves foreign ones alone")
    func brokenStore() async throws {
        let world = try World()
        let store = FailingStore()
        let client = OAuthClient(
            world.client.configuration, in: Environment(transport: world.transport, store: store, clock: world.clock))
        store.fail(reading: true)
        let hub = CallbackHub([client])
        #expect(await hub.handle(try uri("fb1:/x?code=1")).stray == .foreignAddress)
        guard case .failed(let error) = await hub.handle(try uri("com.example.app:/callback?code=1&state=s")) else {
            Issue.record("not failed")
            return
        }
        #expect(error.code == "store_unavailable")

        let processes = try Processes()
        hub.add(processes.newClient())
        let signIn = try await processes.newClient().begin()
        guard case .finished = await hub.handle(try await processes.callback(from: signIn.address)) else {
            Issue.record("one client's store keeps another from finishing")
            return
        }
    }

    @Test("With nothing pending every address is somebody else's, and nothing of it is in the reason")
    func nothingPending() async throws {
        let world = try World()
        for hub in [CallbackHub(), CallbackHub([world.client])] {
            for address in ["com.example.app:/callback?code=secret&state=secret", "x:", "x:?", "mailto:a@b.example"] {
                let stray = try #require(await hub.handle(try uri(address)).stray)
                #expect(!"\(stray)".contains("secret"))
                let error = TernError(.strayCallback(stray), at: .authorizationResponse)
                #expect(!"\(error)".contains("secret") && error.code == "stray_callback")
            }
        }
    }

    @Test("A logout comes back through the hub too")
    func logout() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let hub = CallbackHub([world.client])
        let browser = HeldBrowser()
        let logout = Task { try await session.signOut(.browserToo(HubUserAgent(hub, browser: browser))) }
        let page = try await browser.page()
        let robot = RobotBrowser(transport: world.transport)
        let redirect = world.client.configuration.redirectURI
        let callback = try await robot.signIn(at: page, stoppingAt: redirect)
        guard case .delivered = await hub.handle(callback) else {
            Issue.record("not delivered")
            return
        }
        #expect(try await logout.value.endSession == .done)
    }

    @Test("A browser that cannot be opened ends the visit, and a loopback redirect is refused at once")
    func noBrowser() async throws {
        struct NoBrowser: BrowserOpener {
            func open(_ page: URI) async throws(TernError) {
                throw TernError(.browserUnavailable("none"), at: .userAgent)
            }
        }
        let world = try World()
        let agent = HubUserAgent(CallbackHub(), browser: NoBrowser())
        #expect(try await failure { try await world.client.signIn(with: agent) } == .browserUnavailable("none"))
        let reason = try await failure { try await agent.prepare(for: try RedirectURI("http://127.0.0.1/callback")) }
        #expect(reason?.code == "unsupported_redirect")
        #expect(try await world.store.keys().isEmpty)
    }

    private static func callback(_ world: World, _ page: URI) async throws -> URI {
        try await RobotBrowser(transport: world.transport)
            .signIn(at: page, stoppingAt: world.client.configuration.redirectURI)
    }
}

extension CallbackHandling {
    /// Why the address was left alone; `nil` when it was not.
    var stray: StrayCallback? { if case .notMine(let reason) = self { reason } else { nil } }
}
