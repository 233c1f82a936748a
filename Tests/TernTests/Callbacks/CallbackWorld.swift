import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// Clients that share a store and a server, as processes of one application do.
struct Processes {
    let world: World
    var store: MemoryStore { world.store }

    init(_ configure: (inout ClientConfiguration) -> Void = { _ in }) throws { world = try World(configure: configure) }

    /// The application in a process that has just started.
    func newClient(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> OAuthClient {
        var configuration = world.client.configuration
        change(&configuration)
        return OAuthClient(configuration, in: world.client.environment)
    }

    /// Goes the user's way from a page to its callback.
    func callback(from page: URI) async throws -> URI {
        try await RobotBrowser(transport: world.transport)
            .signIn(at: page, stoppingAt: world.client.configuration.redirectURI)
    }
}

extension World {
    init(configure: (inout ClientConfiguration) -> Void) throws {
        try self.init(AuthorizationServer(), scope: ["openid", "profile", "email"], configure)
    }
}

func uri(_ text: String) throws -> URI { try #require(URI(text)) }

/// The reason for which `body` fails; `nil` when it succeeds.
func failure<Result>(of body: () async throws -> Result) async throws -> TernError.Reason? {
    do {
        _ = try await body()
        return nil
    } catch let error as TernError {
        return error.reason
    }
}

/// A store that fails when it is told to.
final class FailingStore: CredentialStore {
    let inner = MemoryStore()
    private let refusesWriting = Locked(false)
    private let refusesReading = Locked(false)
    private let reason = Locked(TernError.Reason.storeUnavailable("broken"))

    func fail(
        writing: Bool = false, reading: Bool = false, with reason: TernError.Reason = .storeUnavailable("broken")
    ) {
        self.reason.withLock { $0 = reason }
        refusesWriting.withLock { $0 = writing }
        refusesReading.withLock { $0 = reading }
    }

    private func check(_ refuses: Locked<Bool>) throws(TernError) {
        if refuses.withLock({ $0 }) { throw TernError(reason.withLock { $0 }, at: .storage) }
    }

    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        try check(refusesReading)
        return try await inner.load(key)
    }

    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try check(refusesWriting)
        try await inner.save(record, for: key)
    }

    func replace(_ old: StoredRecord, with new: StoredRecord, for key: StoreKey) async throws(TernError) -> Bool {
        try check(refusesWriting)
        return try await inner.replace(old, with: new, for: key)
    }

    func delete(_ key: StoreKey) async throws(TernError) {
        try check(refusesWriting)
        try await inner.delete(key)
    }

    func keys() async throws(TernError) -> [StoreKey] {
        try check(refusesReading)
        return try await inner.keys()
    }

    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await inner.withExclusiveAccess(to: key, body)
    }
}

/// A browser that keeps the page for the test.
final class HeldBrowser: BrowserOpener {
    private let pages: AsyncStream<URI>
    private let continuation: AsyncStream<URI>.Continuation

    init() { (pages, continuation) = AsyncStream.makeStream(of: URI.self) }

    func open(_ page: URI) async throws(TernError) { continuation.yield(page) }

    /// The next page that is opened.
    func page() async throws -> URI {
        var iterator = pages.makeAsyncIterator()
        return try #require(await iterator.next())
    }
}
