import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

/// What a session does about a 401.
@Suite("Calls with a refused token", .timeLimit(.minutes(1)))
struct RefusedTokenTests {
    private func address(_ world: World) -> String { world.server.server.apiAddress("notes") }

    /// A world whose server gives no refresh tokens.
    private func withoutRefreshToken() async throws -> (World, Session) {
        var server = AuthorizationServer()
        for index in server.clients.indices { server.clients[index].refreshTokens = .never }
        let world = try World(server)
        return (world, try await world.client.signIn(with: world.robot))
    }

    private func refuse(_ world: World) { world.server.add(Fault(at: .api, .replace(TwoOrigins.refusal))) }

    @Test("An API that refuses every token is asked twice, and its answer is handed over", arguments: ["GET", "POST"])
    func oneRepeat(method: String) async throws {
        let world = try await TwoOrigins()
        world.server.served.add(Fault(at: .api, .replace(TwoOrigins.refusal)))
        let request = try world.request("a", HTTPMethod(rawValue: method), [:], body: .form(["q": "1"]))
        for round in 1...2 {
            #expect(try await world.session.send(request).status == 401)
            #expect(world.calls.count == 2 * round && world.refreshes == round)
        }
        #expect(world.calls.allSatisfy { $0.bodyBytes == Array("q=1".utf8) })
        #expect(Set(world.tokens).count == 3)
    }

    @Test("Many refused at one moment: one refresh, and each is repeated with its token")
    func crowd() async throws {
        let world = try await TwoOrigins()
        world.server.served.change { $0.forgetAccessTokens() }
        let address = world.server.apiAddress("a")
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...60 { group.addTask { try await world.session.send(.get(address)).status } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(statuses == Array(repeating: 200, count: 60))
        #expect(world.refreshes == 1)
    }

    @Test("An answer that comes late takes the token that others have got, and asks for none")
    func late() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let sent = try await session.authorize(.get(address(world)))
        try await session.refresh()
        let fresh = try await session.authorize(.get(address(world)))
        let decision = await session.decision(
            on: TwoOrigins.refusal, to: sent, attempt: 1, bodyCanBeReplayed: true)
        #expect(decision == .sendAgain)
        #expect(try await session.authorize(.get(address(world))) == fresh)
        #expect(world.server.count(of: .token) == 2)
        // Meanwhile that one is over too: a call that took longer than its token lived.
        world.clock.advance(by: .seconds(3_600))
        #expect(
            await session.decision(on: TwoOrigins.refusal, to: sent, attempt: 1, bodyCanBeReplayed: true) == .sendAgain)
        #expect(world.server.count(of: .token) == 3)
        #expect(try await session.authorize(.get(address(world))) != fresh && world.server.count(of: .token) == 3)
    }

    @Test("A second refusal, an answer without a token sent, and a success are handed over")
    func handedOver() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let sent = try await session.authorize(.get(address(world)))
        let bare = try HTTPRequest.get(address(world))
        let basic = HTTPRequest(.get, bare.url, fields: ["Authorization": "Basic x"])
        for (response, request, attempt) in [
            (TwoOrigins.refusal, sent, 2), (TwoOrigins.refusal, bare, 1), (HTTPResponse(status: 200), sent, 1),
            (TwoOrigins.refusal, basic, 1), (HTTPResponse(status: 403), sent, 1),
        ] as [(HTTPResponse, HTTPRequest, Int)] {
            let decision = await session.decision(
                on: response, to: request, attempt: attempt, bodyCanBeReplayed: true)
            #expect(decision == .handOver)
        }
        #expect(world.server.count(of: .token) == 1)
    }

    @Test("Trouble with the refresh is told in the place of the 401, and costs nothing")
    func trouble() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.change { $0.forgetAccessTokens() }
        world.server.add(Fault(at: .token, on: .first(1), .replace(HTTPResponse(status: 503))))
        let (request, agent) = (address(world), CountedAgent(agent: world.robot))
        await session.setInteraction(.allowed(with: agent))
        #expect(await reason { try await session.send(.get(request)) }?.code == "transient")
        #expect(try await session.send(.get(request)).status == 200)
        #expect(agent.visits.withLock { $0 } == 0)
    }

    @Test("The grant is dead too: callers are told, and no page is shown")
    func deadAndForbidden() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        let request = address(world)
        #expect(await reason { try await session.send(.get(request)) }?.code == "reauthentication_required")
        #expect(await reason { try await session.send(.get(request)) }?.code == "reauthentication_required")
        #expect(world.server.count(of: .api) == 1 && world.server.count(of: .token) == 2)
        let agent = CountedAgent(agent: world.robot)
        await session.setInteraction(.allowed(with: agent))
        #expect(
            await reason { try await Interaction.forbidding { try await session.send(.get(request)) } }
                == .interactionForbidden)
        #expect(agent.visits.withLock { $0 } == 0)
    }

    @Test("The grant is dead too: one page for all, and none for an API that refuses the new token as well")
    func onePage() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let agent = CountedAgent(agent: world.robot)
        await session.setInteraction(.allowed(with: agent))
        world.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        #expect(try await statuses(of: 40, session, address(world)) == [200])
        #expect(agent.visits.withLock { $0 } == 1)
        #expect(world.server.requests(to: .token).count == 3)

        refuse(world)
        #expect(try await statuses(of: 5, session, address(world)) == [401])
        #expect(agent.visits.withLock { $0 } == 1)
    }

    @Test("Without a refresh token: one page for all, and none for an API that refuses the new token as well")
    func onePageWithoutRefreshToken() async throws {
        let (world, session) = try await withoutRefreshToken()
        let agent = CountedAgent(agent: world.robot)
        await session.setInteraction(.allowed(with: agent))
        world.server.change { $0.forgetAccessTokens() }
        #expect(try await statuses(of: 40, session, address(world)) == [200])
        #expect(agent.visits.withLock { $0 } == 1)

        refuse(world)
        for _ in 1...3 { #expect(try await statuses(of: 5, session, address(world)) == [401]) }
        #expect(agent.visits.withLock { $0 } == 1)
    }

    @Test("Without a refresh token and without a page the 401 is handed over")
    func nothingHelps() async throws {
        let (world, session) = try await withoutRefreshToken()
        world.server.change { $0.forgetAccessTokens() }
        #expect(try await session.send(.get(address(world))).status == 401)
        let agent = CountedAgent(agent: world.robot)
        await session.setInteraction(.allowed(with: agent))
        let request = address(world)
        #expect(try await Interaction.forbidding { try await session.send(.get(request)).status } == 401)
        #expect(world.server.count(of: .api) == 2 && agent.visits.withLock { $0 } == 0)
        // A body that cannot be sent again changes nothing about that.
        let sent = try await session.authorize(.get(request))
        let decision = await Interaction.forbidding {
            await session.decision(on: TwoOrigins.refusal, to: sent, attempt: 1, bodyCanBeReplayed: false)
        }
        #expect(decision == .handOver)
    }

    @Test("A call that is cancelled while it waits for the refresh ends alone and at once")
    func cancellation() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.change { $0.forgetAccessTokens() }
        world.server.add(Fault(at: .token, .delay(.seconds(5))))
        let request = address(world)
        let callers = (1...8).map { _ in Task { try await session.send(.get(request)).status } }
        await world.clock.waitForSleepers()
        callers[3].cancel()
        #expect(await reason { try await callers[3].value } == .cancelled)
        #expect(world.clock.sleeperCount == 1)
        world.clock.advance(by: .seconds(5))
        for (index, caller) in callers.enumerated() where index != 3 { #expect(try await caller.value == 200) }
        #expect(world.server.count(of: .token) == 2)
    }

    @Test("A body that cannot be sent again: the token is renewed, and the caller is told to make the body again")
    func bodyNotReplayable() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.change { $0.forgetAccessTokens() }
        let request = HTTPRequest(.post, try uri(address(world)))
        let sent = Locked<[HTTPRequest]>([])
        let transport = world.transport
        func call() async throws -> Int {
            try await session.perform(request, bodyCanBeReplayed: false) { request in
                sent.withLock { $0.append(request) }
                let response = try await transport.send(request, step: .resourceRequest)
                return (response.status, response)
            }
        }
        #expect(await reason(call) == .bodyNotReplayable)
        #expect(sent.withLock { $0.count } == 1 && world.server.count(of: .token) == 2)
        #expect(try await call() == 200)
        #expect(sent.withLock { $0.count } == 2 && world.server.count(of: .token) == 2)
    }

    @Test(
        "A stack of one's own: token, repeat, and its own errors; where a redirect left the origin nothing is repeated")
    func perform() async throws {
        struct Mine: Error {}
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let request = try HTTPRequest.get(address(world))
        let seen = Locked<[String?]>([])
        let answer = try await session.perform(request) { request in
            seen.withLock { $0.append(request.fields["Authorization"]) }
            return seen.withLock { $0.count } == 1 ? ("no", TwoOrigins.refusal) : ("yes", HTTPResponse(status: 200))
        }
        #expect(answer == "yes")
        #expect(Set(seen.withLock { $0 }).count == 2)
        #expect(try await session.perform(request) { _ in ("left", nil) } == "left")
        await #expect(throws: Mine.self) {
            try await session.perform(request) { _ -> (Int, HTTPResponse?) in throw Mine() }
        }
        let plain = try HTTPRequest.get("http://api.example/x")
        #expect(
            await reason { try await session.perform(plain) { _ in (0, nil) } } == .insecureEndpoint(field: "url"))
        #expect(world.server.count(of: .token) == 2)
    }

    private func statuses(of count: Int, _ session: Session, _ address: String) async throws -> Set<Int> {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...count { group.addTask { try await session.send(.get(address)).status } }
            return try await group.reduce(into: []) { $0.insert($1) }
        }
    }
}
