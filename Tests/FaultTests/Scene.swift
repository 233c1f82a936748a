import Foundation
import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

/// Where the credentials of a test lie.
enum StoreKind: String, CaseIterable, Sendable {
    case memory, file
    #if SQLite
        case sqlite
    #endif

    /// What other processes can reach too.
    static let onDisk = allCases.filter { $0 != .memory }

    /// A new instance of the store in a folder.
    func open(in folder: String) throws -> any CredentialStore {
        switch self {
        case .memory: MemoryStore()
        case .file: try FileStore(folder: folder)
        #if SQLite
            case .sqlite: try SQLiteStore(path: folder + "/accounts.sqlite")
        #endif
        }
    }
}

/// A signed-in client on the real stack: libcurl, a server on loopback, a store; and two clocks that are moved by hand.
final class Scene: Sendable {
    /// The client's clock. Pauses between attempts pass at once.
    let clock = FakeClock(sleepsPassAtOnce: true)
    let serverClock = FakeClock()
    let store: any CredentialStore
    let folder: TemporaryFolder
    let transport = PhasedTransport()
    let client: OAuthClient
    let session: Session
    let first: Credential
    private let running: Locked<TestServer>
    private let events = Locked<[SessionEvent]>([])
    private let listening: Task<Void, Never>
    /// What nobody may see.
    private let secrets = Locked<Set<String>>([])

    var server: TestServer { running.withLock { $0 } }
    var account: StoreKey { session.account }

    init(_ kind: StoreKind = .memory, _ change: (inout AuthorizationServer) -> Void = { _ in }) async throws {
        var authorizationServer = AuthorizationServer()
        authorizationServer.settings.metadataLifetime = .seconds(86_400)
        change(&authorizationServer)
        let server = try TestServer.start(authorizationServer, clock: serverClock)
        running = Locked(server)
        folder = try TemporaryFolder()
        store = try kind.open(in: folder.path + "/store")
        client = try Self.client(
            of: server.issuer.text, Environment(transport: transport, store: store, clock: clock))
        _ = try await Self.signIn(server.issuer.text, store, serverClock)
        _ = try await client.metadata()
        session = try #require(try await client.session())
        first = try await session.credential()
        let stream = session.events()
        listening = Task { [events] in for await event in stream { events.withLock { $0.append(event) } } }
        try await learnSecrets()
    }

    deinit { listening.cancel() }

    static func client(of issuer: String, _ environment: Environment) throws -> OAuthClient {
        let configuration = try ClientConfiguration(
            server: .issuer(try Issuer(issuer)), clientID: TestClient.app.clientID,
            redirectURI: try RedirectURI("com.example.app:/callback"), scope: ["openid", "profile", "api"])
        return OAuthClient(configuration, in: environment)
    }

    /// A sign-in in another process, whose clock does not leap over the time that the user has.
    private static func signIn(
        _ issuer: String, _ store: any CredentialStore, _ clock: FakeClock
    ) async throws -> Session {
        let transport = CurlTransport()
        let client = try client(of: issuer, Environment(transport: transport, store: store, clock: clock))
        return try await client.signIn(with: RobotUserAgent(transport: transport))
    }

    func signInAgain() async throws -> Session { try await Self.signIn(server.issuer.text, store, serverClock) }

    /// The session as a process finds it that has just started.
    func sessionOfNewProcess() async throws -> Session {
        let client = try Self.client(
            of: server.issuer.text, Environment(transport: transport, store: store, clock: clock))
        return try #require(try await client.session())
    }

    func advance(by seconds: Int64) {
        clock.advance(by: .seconds(seconds))
        serverClock.advance(by: .seconds(seconds))
    }

    func stored() async throws -> Credential? { try await store.load(account).map { try Credential($0) } }

    /// Ends the server; it can be started again with what it knew, or as one that has forgotten everything.
    func stopServer() async { await server.stop() }

    func startServer(_ next: AuthorizationServer? = nil) throws {
        let old = server
        let new = try TestServer.start(next ?? old.served.server, port: old.port, clock: serverClock)
        running.withLock { $0 = new }
    }

    /// Runs a call that must fail, and looks at every text of the error.
    func error<Value: Sendable>(of call: () async throws -> Value) async throws -> TernError? {
        let start = ContinuousClock.now
        do {
            _ = try await call()
            return nil
        } catch {
            #expect(ContinuousClock.now - start < Self.bound)
            try await learnSecrets()
            expectNoSecret(in: error)
            return try #require(error as? TernError)
        }
    }

    /// Runs a call that must succeed within the bound.
    func value<Value: Sendable>(of call: () async throws -> Value) async throws -> Value {
        let start = ContinuousClock.now
        let value = try await call()
        #expect(ContinuousClock.now - start < Self.bound)
        return value
    }

    /// Several attempts of an impatient transport, on a machine that does other things too.
    static let bound = Duration.seconds(15)

    /// The events so far, once the given number is there.
    func events(_ count: Int) async throws -> [SessionEvent] {
        try await eventually { events.withLock { $0.count } >= count }
        return events.withLock { $0 }
    }

    /// Looks through everything that a program would print, and stops the server.
    func end() async throws {
        try await learnSecrets()
        for event in events.withLock({ $0 }) { expectNoSecret(in: event) }
        for entry in server.served.server.journal.entries { expectNoSecret(in: entry, dumping: false) }
        expectNoSecret(in: session)
        if let credential = try? await session.credential() { expectNoSecret(in: credential) }
        expectNoSecret(in: client)
        await server.stop()
    }

    private func learnSecrets() async throws {
        var found: [String?] = []
        for entry in server.served.server.journal.entries {
            let parameters = entry.parameters
            found += ["code", "code_verifier", "refresh_token", "token", "id_token_hint", "password"].map {
                parameters[$0]
            }
            found.append(entry.request.fields["Authorization"].map { String($0.drop { $0 != " " }.dropFirst()) })
        }
        if let stored = try? await stored() {
            found += [stored.accessToken.exposedText, stored.refreshToken?.exposedText, stored.idToken?.exposedText]
        }
        let good = found.compactMap(\.self).filter { $0.utf8.count >= 8 }
        secrets.withLock { $0.formUnion(good) }
    }

    func expectNoSecret(in value: Any, dumping: Bool = true) {
        var text = "\(value) \(String(reflecting: value))"
        if dumping { dump(value, to: &text) }
        if let error = value as? TernError { dump(error.explanation, to: &text) }
        let isClean = secrets.withLock { secrets in !secrets.contains { text.contains($0) } }
        #expect(isClean, "a secret is shown by \(type(of: value))")
    }
}

/// libcurl, patient or impatient: what a test waits for on purpose must not take long, what it does not must not fail on a
/// busy machine.
final class PhasedTransport: HTTPTransport {
    private let patient = CurlTransport()
    private let impatient = CurlTransport(
        policy: TransportPolicy(timeout: .milliseconds(200), connectTimeout: .milliseconds(200)))
    private let phase = Locked(false)

    var isImpatient: Bool {
        get { phase.withLock { $0 } }
        set { phase.withLock { $0 = newValue } }
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        try await (isImpatient ? impatient : patient).send(request, step: step)
    }
}

/// A folder that goes away with the test.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/tern-faults-" + UUID().uuidString
        try FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func names(in folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/" + folder)) ?? []).sorted()
    }
}

/// Waits for what another process or task does; there is no clock to move by hand for that.
func eventually(_ condition: () async throws -> Bool) async throws {
    for _ in 0..<10_000 {
        if try await condition() { return }
        try await Task.sleep(for: .milliseconds(1))
    }
    Issue.record("it did not happen within ten seconds")
}
