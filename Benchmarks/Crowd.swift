internal import Tern
internal import TernCrypto
internal import TernTesting

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Many callers, many processes and many sessions at once.
struct Crowd {
    let meter: Meter

    static let callerCount = 10_000
    static let processCount = 200
    static let sessionCount = 20_000

    func run() async throws {
        if meter.wants("refresh_10000_callers_ms_above_endpoint") { try await measureCallers() }
        if meter.wants("refresh_hits_200_processes") { try await countProcesses() }
        if meter.wants("bytes_per_session") { try await weighSessions() }
    }

    /// All ask at once for a token that has ended; the endpoint takes 50 ms. What comes on top of a bare request to it is
    /// ours: taking everybody in, the lock, the check of the ID token, the store, and waking everybody. Beside it stands
    /// what the runtime takes for as many tasks that wait for one timer of 50 ms, in turns.
    private func measureCallers() async throws {
        let scene = try await Scene(MemoryStore())
        let endpointTime = Duration.milliseconds(50)
        scene.server.served.add(Fault(at: .token, .delay(endpointTime)))
        let transport = SystemTransport()
        var (extra, bareExtra, hits) = ([Double](), [Double](), [Int]())
        let bare = HTTPRequest(
            .post, try HTTPRequest.get(scene.server.served.server.address(of: .token)).url,
            body: .form(["grant_type": "nothing"]))
        for _ in 0..<9 {
            try await scene.expire()
            guard let session = try await scene.client.session() else { throw Failure("no session") }
            let start = Meter.clock(CLOCK_MONOTONIC)
            _ = try await transport.send(bare, step: .refresh)
            let endpoint = Meter.clock(CLOCK_MONOTONIC) - start
            let before = scene.server.count(of: .token)
            let taken = try await Self.time { (try? await session.accessToken()) != nil }
            extra.append((taken - endpoint) * 1_000)
            hits.append(scene.server.count(of: .token) - before)

            let timer = BareTimer()
            let bareTaken = try await Self.time { await timer.wait(endpointTime) }
            bareExtra.append(bareTaken * 1_000 - 50)
        }
        guard hits.allSatisfy({ $0 == 1 }) else { throw Failure("refreshes: \(hits)") }
        print("refresh_10000_callers_ms_above_endpoint \(extra.sorted()[4])")
        print("bare_10000_waiters_ms_above_timer \(bareExtra.sorted()[4])")
        await scene.server.stop()
    }

    /// How many seconds pass until the last of all callers is done. The last one says so itself: a task group looks through
    /// its children whenever one of them ends, and to await them one by one costs as much as they do.
    private static func time(_ call: @escaping @Sendable () async -> Bool) async throws -> Double {
        let (ends, end) = AsyncStream.makeStream(of: Int.self)
        let count = Locked((ended: 0, good: 0))
        let start = Meter.clock(CLOCK_MONOTONIC)
        for _ in 0..<callerCount {
            Task {
                let isGood = await call()
                let (ended, good) = count.withLock { count in
                    count.ended += 1
                    count.good += isGood ? 1 : 0
                    return count
                }
                if ended == callerCount { end.yield(good) }
            }
        }
        let good = await ends.first { _ in true } ?? 0
        let taken = Meter.clock(CLOCK_MONOTONIC) - start
        guard good == callerCount else { throw Failure("only \(good) callers got a token") }
        return taken
    }

    /// The least that can be done for callers that wait for one event.
    private final class BareTimer: Sendable {
        private let waiters = Locked<[CheckedContinuation<Bool, Never>]>([])

        func wait(_ time: Duration) async -> Bool {
            await withCheckedContinuation { continuation in
                let isFirst = waiters.withLock { waiters in
                    waiters.append(continuation)
                    return waiters.count == 1
                }
                guard isFirst else { return }
                Task(priority: .high) {
                    try? await Task.sleep(for: time)
                    for waiter in waiters.withLock({ $0 }) { waiter.resume(returning: true) }
                }
            }
        }
    }

    /// As many processes as share a folder find its token ended at the same moment.
    private func countProcesses() async throws {
        let folder = try Self.newFolder()
        let scene = try await Scene(FileStore(folder: folder + "/store"))
        try await scene.expire()
        let before = scene.server.count(of: .token)
        let program = try CommandLine.arguments.first ?? { throw Failure("no program") }()
        let start = Meter.clock(CLOCK_MONOTONIC)
        let children = try (0..<Self.processCount).map { number in
            try OtherProgram.start(
                program, [Self.childWord, folder + "/store", scene.server.issuer.text], output: "\(folder)/\(number)")
        }
        let isGood = children.map { OtherProgram.end(of: $0) }.allSatisfy { $0 }
        let taken = (Meter.clock(CLOCK_MONOTONIC) - start) * 1_000
        let tokens = Set((0..<Self.processCount).compactMap { Surroundings.file("\(folder)/\($0)") })
        guard isGood, tokens.count == 1, tokens.first?.isEmpty == false else { throw Failure("not all got the token") }
        print("refresh_hits_200_processes \(scene.server.count(of: .token) - before)")
        print("refresh_200_processes_ms \(taken)")
        await scene.server.stop()
    }

    /// The memory that a session holds, its credential included; without and with somebody who listens to its events.
    private func weighSessions() async throws {
        let scene = try await Scene(MemoryStore())
        var sessions: [Session] = []
        sessions.reserveCapacity(Self.sessionCount)
        func add(_ count: Int) async throws {
            for _ in 0..<count {
                guard let session = try await scene.client.session() else { throw Failure("no session") }
                sessions.append(session)
            }
        }
        // What the first ones cost once is not theirs.
        try await add(1_000)
        var before = Surroundings.residentBytes
        try await add(Self.sessionCount)
        print("bytes_per_session \(Double(Surroundings.residentBytes - before) / Double(Self.sessionCount))")
        var listeners: [AsyncStream<SessionEvent>] = []
        listeners.reserveCapacity(sessions.count)
        before = Surroundings.residentBytes
        for session in sessions { listeners.append(session.events()) }
        print("bytes_per_event_stream \(Double(Surroundings.residentBytes - before) / Double(sessions.count))")
        withExtendedLifetime((sessions, listeners)) {}
        await scene.server.stop()
    }

    static func newFolder() throws -> String {
        var template = Array("/tmp/tern-bench-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { throw Failure("no folder") }
        return folder
    }

    /// A server on loopback, and an account that is signed in at it.
    private struct Scene {
        let server: TestServer
        let store: any CredentialStore
        let client: OAuthClient

        init(_ store: any CredentialStore) async throws {
            server = try TestServer.start()
            self.store = store
            client = try Crowd.client(server.issuer.text, store)
            _ = try await client.signIn(with: RobotUserAgent(transport: SystemTransport()))
        }

        /// Sets back the time at which the token was obtained.
        func expire() async throws {
            let account = client.configuration.account
            guard let record = try await store.load(account),
                var object = try JSON(parsing: record.exposedBytes).object
            else { throw Failure("no record") }
            let past = Int64(SystemWallClock().now.secondsSince1970) - 7_200
            object["obtained_at"] = .number(JSONNumber(past))
            try await store.save(StoredRecord(JSON.object(object).serialized()), for: account)
        }
    }

    static func client(_ issuer: String, _ store: any CredentialStore) throws -> OAuthClient {
        try OAuthClient(
            issuer: issuer, clientID: TestClient.app.clientID, redirectURI: "com.example.app:/callback",
            scope: ["openid", "profile"], in: Environment(transport: SystemTransport(), store: store))
    }

    private static let childWord = "--token-of"

    /// What one of the many processes does: it prints the account's token.
    ///
    /// - Returns: whether this process is one of them.
    static func runAsChild() async throws -> Bool {
        let words = CommandLine.arguments
        guard words.count == 4, words[1] == childWord else { return false }
        guard let session = try await client(words[3], FileStore(folder: words[2])).session() else {
            throw Failure("no session")
        }
        print(try await session.accessToken().exposedText)
        return true
    }
}
