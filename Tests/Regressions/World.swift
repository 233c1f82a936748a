import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A client with a test server, without sockets and with a clock that is moved by hand.
struct World {
    let clock = FakeClock()
    let server: ServedAuthorizationServer
    let transport: TestTransport
    let store = MemoryStore()
    let client: OAuthClient
    let robot: RobotUserAgent
    let configuration: ClientConfiguration

    init(
        _ change: (inout AuthorizationServer) -> Void = { _ in },
        configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        var server = AuthorizationServer()
        change(&server)
        self.server = ServedAuthorizationServer(server)
        transport = TestTransport(self.server, clock: clock)
        robot = RobotUserAgent(transport: transport)
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(server.issuer.text)), clientID: TestClient.app.clientID,
            redirectURI: try RedirectURI("com.example.app:/callback"), scope: ["openid", "profile", "api"])
        configuration.retryPolicy = .never
        configure(&configuration)
        self.configuration = configuration
        client = OAuthClient(configuration, in: Environment(transport: transport, store: store, clock: clock))
    }

    /// A client of the same registration in a process that has just started.
    func newClient() -> OAuthClient {
        OAuthClient(configuration, in: Environment(transport: transport, store: store, clock: clock))
    }

    func stored() async throws -> Credential? { try await store.credential(configuration.account) }

    /// Goes the user's way from a page to its callback.
    func callback(from page: URI) async throws -> URI {
        try await RobotBrowser(transport: transport).signIn(at: page, stoppingAt: configuration.redirectURI)
    }
}

extension MemoryStore {
    func credential(_ account: StoreKey) async throws -> Credential? {
        guard let record = try await load(account) else { return nil }
        return try Credential(record)
    }
}

/// A transport that answers as it is told and remembers what was sent.
final class ScriptedTransport: HTTPTransport {
    typealias Answer = @Sendable (HTTPRequest) async throws(TernError) -> HTTPResponse

    private let requests = Locked<[HTTPRequest]>([])
    private let answer: Answer

    init(_ answer: @escaping Answer) { self.answer = answer }

    var sent: [HTTPRequest] { requests.withLock { $0 } }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        requests.withLock { $0.append(request) }
        return try await answer(request)
    }
}

/// A client that already holds a grant, at a server that does what the test says.
struct HeldGrant {
    let clock = FakeClock()
    let store: MemoryStore
    let transport: ScriptedTransport
    let client: OAuthClient
    let account: StoreKey

    /// The record as it lies in the store: at-old and rt-1, one hour, taken now.
    static func record(
        access: String = "at-old", refresh: String? = "rt-1", lifetime: Double? = 3_600,
        obtainedAt: NumericDate = Fixed.now
    ) -> StoredRecord {
        var object: JSONObject = [
            "version": 1, "access_token": .string(access), "scope": "api", "client_id": .string(Fixed.clientID),
        ]
        object["obtained_at"] = JSONNumber(obtainedAt.secondsSince1970).map(JSON.number)
        object["lifetime"] = lifetime.flatMap { JSONNumber($0) }.map(JSON.number)
        object["refresh_token"] = refresh.map(JSON.string)
        return StoredRecord(JSON.object(object).serialized())
    }

    init(
        _ record: StoredRecord? = HeldGrant.record(), store: MemoryStore = MemoryStore(),
        endpoints: [String: String] = [:], configure: (inout ClientConfiguration) -> Void = { _ in },
        _ answer: @escaping ScriptedTransport.Answer
    ) async throws {
        var members: JSONObject = [
            "issuer": .string(Fixed.issuer), "authorization_endpoint": "https://idp.example/a",
            "token_endpoint": "https://idp.example/t",
        ]
        for (name, address) in endpoints { members[name] = .string(address) }
        var configuration = try ClientConfiguration(
            server: .metadata(ServerMetadata(members: members)), clientID: Fixed.clientID,
            redirectURI: try RedirectURI("com.example.app:/cb"), scope: ["api"])
        configuration.retryPolicy = .never
        configure(&configuration)
        self.store = store
        account = configuration.account
        transport = ScriptedTransport(answer)
        client = OAuthClient(configuration, in: Environment(transport: transport, store: store, clock: clock))
        if let record { try await store.save(record, for: account) }
    }

    func session() async throws -> Session { try #require(try await client.session()) }

    func stored() async throws -> Credential? { try await store.credential(account) }

    /// Sets the clock behind the end of the token.
    func expire() { clock.advance(by: .seconds(7_200)) }
}

/// Holds whoever comes until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func pass() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}

/// A user agent whose callbacks arrive when the test says so.
final class HandAgent: UserAgent {
    private struct State {
        var page: URI?
        var judge: CallbackJudge?
        var continuation: CheckedContinuation<Result<URI, TernError>, Never>?
        /// What ended the visit before it waited.
        var early: Result<URI, TernError>?
        var dismissals = 0
    }

    private let state = Locked(State())
    private let opened = Gate()
    let problem: TernError?

    /// - Parameter problem: what opening the page fails with.
    init(problem: TernError? = nil) { self.problem = problem }

    var dismissals: Int { state.withLock { $0.dismissals } }

    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        Visit(redirectURI: redirectURI, agent: self)
    }

    /// The page, once it is shown.
    func page() async throws -> URI {
        await opened.pass()
        return try #require(state.withLock { $0.page })
    }

    /// An address that the system hands over.
    func arrive(_ address: URI) -> CallbackVerdict? {
        guard let verdict = state.withLock({ $0.judge })?(address) else { return nil }
        switch verdict {
        case .success, .signedOut, .failure: end(.success(address))
        case .refused, .notMine: break
        }
        return verdict
    }

    /// The user closes the page.
    func close() { end(.failure(TernError(.userCancelled, at: .userAgent))) }

    fileprivate func end(_ result: Result<URI, TernError>) {
        let continuation = state.withLock { state in
            if state.continuation == nil { state.early = state.early ?? result }
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume(returning: result)
    }

    private struct Visit: UserAgentVisit {
        let redirectURI: RedirectURI
        let agent: HandAgent
        var delivery: CallbackDelivery { .system }

        func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
            if let problem = agent.problem { throw problem }
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { continuation in
                    let early = agent.state.withLock { state in
                        state.page = page
                        state.judge = judge
                        if state.early == nil { state.continuation = continuation }
                        return state.early
                    }
                    if let early { continuation.resume(returning: early) }
                    Task { await agent.opened.open() }
                }
            } onCancel: {
                agent.end(.failure(TernError(.cancelled, at: .userAgent)))
            }
            return try result.get()
        }

        func dismiss() async {
            agent.state.withLock { $0.dismissals += 1 }
            agent.end(.failure(TernError(.cancelled, at: .userAgent)))
        }
    }
}
