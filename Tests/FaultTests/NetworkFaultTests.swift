import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("Faults of the network and the server", .timeLimit(.minutes(5)))
struct NetworkFaultTests {
    @Test("The sign-in outlives the fault", arguments: NetworkFault.all, StoreKind.allCases)
    func survival(fault: NetworkFault, kind: StoreKind) async throws {
        let scene = try await Scene(kind) {
            // Without it, a server that rotates ends the grant when an answer is lost; see the tests of rotation.
            if fault.losesRotation { $0.settings.rotationGrace = .seconds(86_400) }
        }
        let first = scene.first
        await fault.begin(scene)

        // For another half minute the token is good, and it is time to renew it.
        scene.advance(by: 3_570)
        #expect(try await scene.value { try await scene.session.accessToken() } == first.accessToken)

        // It is over.
        scene.advance(by: 3_600)
        let ended = try await scene.error { try await scene.session.accessToken() }
        #expect(ended?.reason == fault.atToken)
        if let fate = fault.fate { #expect(scene.server.requests(to: .token).last?.fate == fate) }
        let forced = try await scene.error { try await scene.session.refresh() }
        #expect(forced?.reason == fault.atToken)
        let newcomer = try await scene.sessionOfNewProcess()
        let cold = try await scene.error { try await newcomer.accessToken() }
        #expect(cold?.reason == fault.atDiscovery)
        let kept = try await scene.stored()
        #expect(kept?.refreshToken == first.refreshToken && kept?.refreshToken != nil)
        #expect(kept?.idToken == first.idToken && kept?.subject == first.subject)

        try fault.end(scene)
        scene.advance(by: 600)
        let renewed = try await scene.value { try await scene.session.accessToken() }
        #expect(renewed != first.accessToken)
        let stored = try await scene.stored()
        #expect(stored?.accessToken == renewed && stored?.refreshToken != first.refreshToken)
        let answer = try await scene.session.send(try .get(scene.server.apiAddress("notes")))
        #expect(answer.status == 200)
        #expect(try await newcomer.accessToken() == renewed)
        #expect(try await scene.events(1) == [.refreshed])
        try await scene.end()
    }

    @Test("A slow body that arrives in time is an answer", arguments: StoreKind.allCases)
    func slowInTime(kind: StoreKind) async throws {
        let scene = try await Scene(kind)
        scene.server.served.add(Fault(at: .token, .drip(bytes: 200, every: .milliseconds(2))))
        scene.advance(by: 7_200)
        #expect(try await scene.session.accessToken() != scene.first.accessToken)
        #expect(scene.server.count(of: .token) == 2)
        try await scene.end()
    }

    @Test(
        "A call to an API that breaks off costs the call and nothing else",
        arguments: [
            ([.dropAnswer], .network(.connectionLost)),
            ([.dropRequest, .connection(.silence)], .network(.timedOut)),
            ([.truncate(3), .connection(.reset)], .network(.connectionLost)),
        ] as [([FaultAction], TernError.Reason)])
    func brokenCall(actions: [FaultAction], reason: TernError.Reason) async throws {
        let scene = try await Scene()
        var fault = Fault(at: .api)
        fault.actions = actions
        scene.server.served.add(fault)
        scene.transport.isImpatient = true
        let address = scene.server.apiAddress("notes")
        let get = try HTTPRequest.get(address)
        #expect(try await scene.error { try await scene.session.send(get) }?.reason == reason)
        let post = HTTPRequest(.post, get.url, body: .form(["a": "b"]))
        #expect(try await scene.error { try await scene.session.send(post) }?.reason == .outcomeUnknown)
        scene.transport.isImpatient = false
        scene.server.served.change { $0.faults.removeAll() }
        #expect(try await scene.session.send(get).status == 200)
        #expect(scene.server.count(of: .token) == 1)
        try await scene.end()
    }

    @Test("A host whose name is not known", arguments: StoreKind.allCases)
    func unknownHost(kind: StoreKind) async throws {
        let scene = try await Scene(kind)
        // RFC 2606 §2: no name ends so.
        let client = try Scene.client(
            of: "https://id.tern.invalid",
            Environment(transport: scene.transport, store: scene.store, clock: scene.clock))
        let account = client.configuration.account
        let record = try #require(try await scene.store.load(scene.account))
        try await scene.store.save(record, for: account)
        let session = try #require(try await client.session())
        scene.advance(by: 3_570)
        #expect(try await scene.value { try await session.accessToken() } == scene.first.accessToken)
        scene.advance(by: 3_600)
        #expect(try await scene.error { try await session.accessToken() }?.reason == .network(.hostNotFound))
        #expect(try await scene.store.load(account) == record)
        try await scene.end()
    }

    @Test("A server that started anew and has forgotten everything: a new sign-in is needed, and that is all")
    func forgetfulServer() async throws {
        let scene = try await Scene(.file)
        await scene.stopServer()
        try scene.startServer(AuthorizationServer())
        // The API refuses the token, and the server the refresh token.
        let address = scene.server.apiAddress("notes")
        let error = try await scene.error { try await scene.session.send(try .get(address)) }
        #expect(error?.code == "reauthentication_required")
        #expect(error?.serverError?.code == "invalid_grant")
        let kept = try #require(try await scene.stored())
        #expect(kept.refreshToken == nil)
        #expect(kept.accessToken == scene.first.accessToken && kept.idToken == scene.first.idToken)
        #expect(kept.subject == scene.first.subject && kept.scope == scene.first.scope)
        #expect(scene.server.count(of: .token) == 1)
        // Neither this process nor another one asks again.
        let newcomer = try await scene.sessionOfNewProcess()
        scene.advance(by: 7_200)
        for session in [scene.session, newcomer] {
            #expect(try await scene.error { try await session.accessToken() }?.code == "reauthentication_required")
        }
        #expect(scene.server.count(of: .token) == 1)
        guard case .signInNeeded(let reason)? = try await scene.events(1).last else {
            Issue.record("no word about the sign-in")
            return
        }
        #expect(reason.code == "reauthentication_required")
        let again = try await scene.signInAgain()
        #expect(try await again.send(try .get(address)).status == 200)
        #expect(try await scene.stored()?.refreshToken != nil)
        try await scene.end()
    }
}
