import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A way to bring about the failure behind which a cause stands.
struct Provocation: Sendable, CustomTestStringConvertible {
    let cause: String
    let provoke: @Sendable () async throws -> TernError

    init(_ cause: String, _ provoke: @escaping @Sendable () async throws -> TernError) {
        self.cause = cause
        self.provoke = provoke
    }

    var testDescription: String { cause }
}

struct NothingFailed: Error {}

/// The error with which a body fails.
func whatFails<Result>(_ body: () async throws -> Result) async throws -> TernError {
    do {
        _ = try await body()
    } catch let error as TernError {
        return error
    }
    throw NothingFailed()
}

extension World {
    /// A world without what the machine's own environment would add.
    static func quiet(
        _ server: AuthorizationServer = AuthorizationServer(), scope: Scope = ["openid", "profile", "email"],
        surroundings: Set<Clue> = [], transport: (any HTTPTransport)? = nil,
        _ configure: (inout ClientConfiguration) throws -> Void = { _ in }
    ) throws -> (world: World, client: OAuthClient) {
        let world = try World(server, scope: scope)
        var environment = world.client.environment
        environment.surroundings = surroundings
        if let transport { environment.transport = transport }
        var configuration = world.client.configuration
        try configure(&configuration)
        return (world, OAuthClient(configuration, in: environment))
    }
}

extension Provocation {
    /// A whole sign-in at a server that has faults.
    static func signIn(
        _ cause: String, at server: AuthorizationServer = AuthorizationServer(), _ faults: [Fault] = [],
        options: SignInOptions = SignInOptions(), scope: Scope = ["openid", "profile", "email"],
        _ configure: @escaping @Sendable (inout ClientConfiguration) throws -> Void = { _ in }
    ) -> Provocation {
        Provocation(cause) {
            let (world, client) = try World.quiet(server, scope: scope, configure)
            for fault in faults { world.server.add(fault) }
            return try await whatFails { try await client.signIn(options, with: world.robot) }
        }
    }

    /// The server's own words at the token endpoint.
    static func told(
        _ cause: String, _ code: String, _ detail: String? = nil, date: String? = nil,
        authentication: ClientAuthentication = .none, at endpoint: Endpoint = .token,
        _ configure: @escaping @Sendable (inout ClientConfiguration) throws -> Void = { _ in }
    ) -> Provocation {
        var actions = [FaultAction.replace(.error(code, detail))]
        if let date { actions.append(.header("Date", date)) }
        var fault = Fault(at: endpoint)
        fault.actions = actions
        return signIn(cause, [fault]) { configuration in
            configuration.authentication = authentication
            try configure(&configuration)
        }
    }

    /// The server's words that come with the callback.
    static func calledBack(_ cause: String, _ code: String, _ detail: String? = nil) -> Provocation {
        Provocation(cause) {
            let (_, client) = try World.quiet()
            let signIn = try await client.begin()
            var answer: FormParameters = ["error": code, "state": try state(of: signIn)]
            answer["error_description"] = detail
            let callback = try #require(URI("com.example.app:/callback?" + answer.encoded))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        }
    }

    /// The server's words at the renewal, so long after the sign-in.
    static func atRenewal(
        _ cause: String, _ code: String, _ detail: String? = nil, after age: Duration = .seconds(7_200),
        at server: AuthorizationServer = AuthorizationServer()
    ) -> Provocation {
        Provocation(cause) {
            let (world, client) = try World.quiet(server)
            let session = try await client.signIn(with: world.robot)
            world.clock.advance(by: age)
            world.server.add(Fault(at: .token, .replace(.error(code, detail))))
            return try await whatFails { try await session.accessToken() }
        }
    }

    /// A token that the server has changed.
    static func idToken(
        _ cause: String, _ parts: TokenChange.Part..., signature: TokenChange.Signature = .renewed,
        date: String? = nil, options: SignInOptions = SignInOptions(),
        _ configure: @escaping @Sendable (inout ClientConfiguration) -> Void = { _ in }
    ) -> Provocation {
        var change = TokenChange(signature: signature)
        change.parts = parts
        var fault = Fault(at: .token, .changeToken(change))
        if let date { fault.actions.append(.header("Date", date)) }
        return signIn(cause, [fault], options: options) { configure(&$0) }
    }

    /// Trouble below HTTP on the way to an issuer.
    static func network(
        _ cause: String, _ trouble: TernError.Reason, issuer: String = "https://id.example.com",
        knowing clues: Set<Clue> = []
    ) -> Provocation {
        Provocation(cause) {
            let (_, client) = try World.quiet(transport: BrokenTransport(trouble: trouble)) {
                $0.server = .issuer(try Issuer(issuer))
            }
            return try await whatFails { try await client.metadata() }.with(Evidence(clues))
        }
    }

    /// What a store says.
    static func store(_ cause: String, _ reason: TernError.Reason) -> Provocation {
        Provocation(cause) {
            let (_, client) = try World.quiet()
            var environment = client.environment
            environment.store = BrokenStore(reason: reason)
            return try await whatFails { try await OAuthClient(client.configuration, in: environment).session() }
        }
    }
}

/// A transport that fails in one way.
struct BrokenTransport: HTTPTransport {
    let trouble: TernError.Reason

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        throw TernError(trouble, at: step)
    }
}

/// A store that fails in one way.
private struct BrokenStore: CredentialStore {
    let reason: TernError.Reason

    private var error: TernError { TernError(reason, at: .storage) }

    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? { throw error }
    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) { throw error }
    func replace(_ old: StoredRecord, with new: StoredRecord, for key: StoreKey) async throws(TernError) -> Bool {
        throw error
    }
    func delete(_ key: StoreKey) async throws(TernError) { throw error }
    func keys() async throws(TernError) -> [StoreKey] { throw error }
    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result { try await body() }
}

/// A user agent whose visit ends in one way, or not at all.
struct FailingAgent: UserAgent {
    let reason: TernError.Reason?
    var clues: Set<Clue> = []
    var arrival = Door()

    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        Visit(redirectURI: redirectURI, agent: self)
    }

    private struct Visit: UserAgentVisit {
        let redirectURI: RedirectURI
        let agent: FailingAgent
        var delivery: CallbackDelivery { .open }
        var evidence: Evidence { Evidence(agent.clues) }

        func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
            if let reason = agent.reason { throw TernError(reason, at: .userAgent) }
            await withTaskCancellationHandler {
                await agent.arrival.pass()
            } onCancel: {
                Task { await agent.arrival.open() }
            }
            throw TernError(.cancelled, at: .userAgent)
        }

        func dismiss() async { await agent.arrival.open() }
    }
}

extension Provocation {
    /// A page from which nobody comes back: the time runs out.
    static func noAnswer(
        _ cause: String, redirectURI: String = "com.example.app:/callback", knowing clues: Set<Clue> = [],
        surroundings: Set<Clue> = []
    ) -> Provocation {
        Provocation(cause) {
            let (world, client) = try World.quiet(surroundings: surroundings) {
                $0.redirectURI = try RedirectURI(redirectURI)
            }
            let agent = FailingAgent(reason: nil, clues: clues)
            let signIn = Task { try await client.signIn(with: agent) }
            await agent.arrival.arrival()
            await world.clock.waitForSleepers(1)
            world.clock.advance(by: .seconds(601))
            return try await whatFails { try await signIn.value }
        }
    }
}

extension HTTPResponse {
    static func error(_ code: String, _ detail: String? = nil, status: Int = 400) -> HTTPResponse {
        var json: JSONObject = ["error": .string(code)]
        json["error_description"] = detail.map(JSON.string)
        return HTTPResponse(
            status: status, fields: ["Content-Type": "application/json"], body: JSON.object(json).serialized())
    }
}

/// The state that a sign-in has sent.
func state(of signIn: SignIn) throws -> String {
    try #require(FormParameters(decoding: signIn.address.encodedQuery ?? "")?["state"])
}
