import Tern
import TernCrypto
import TernTesting
import Testing

@Suite("Hazards of a renewal")
struct RenewalHazardTests {
    @Test("Where the new ID token's keys cannot be had, the new refresh token is kept and nothing else is used")
    func keysOutOfReach() async throws {
        let world = try World()
        let before = try await world.client.signIn(with: world.robot).credential()
        world.clock.advance(by: .seconds(3_600))
        // Another process, whose cache is cold.
        let cold = OAuthClient(world.client.configuration, in: world.client.environment)
        world.server.add(Fault(at: .keys, on: .first(1), .replace(HTTPResponse(status: 503))))
        let session = try #require(try await cold.session())
        let error = await #expect(throws: TernError.self) { try await session.accessToken() }
        #expect(error?.code == "transient")

        let kept = try Credential(try #require(try await world.store.load(session.account)))
        #expect(kept.accessToken == before.accessToken)
        #expect(kept.refreshToken != before.refreshToken)
        let later = try #require(try await cold.session())
        #expect(try await later.accessToken() != before.accessToken)
    }

    @Test("A renewal that the store does not take is stored at the next attempt, without another refresh")
    func fullDisk() async throws {
        let world = try World()
        let before = try await world.client.signIn(with: world.robot).credential()
        let disk = FullDisk(store: world.store)
        let client = OAuthClient(
            world.client.configuration, in: Environment(transport: world.transport, store: disk, clock: world.clock))
        let session = try #require(try await client.session())
        world.clock.advance(by: .seconds(3_600))
        disk.isFull.withLock { $0 = true }
        for _ in 0..<2 {
            let error = await #expect(throws: TernError.self) { try await session.accessToken() }
            #expect(error?.code == "store_unavailable")
        }
        #expect(world.server.count(of: .token) == 2)
        disk.isFull.withLock { $0 = false }
        let token = try await session.accessToken()
        #expect(token != before.accessToken)
        #expect(world.server.count(of: .token) == 2)
        let kept = try Credential(try #require(try await world.store.load(session.account)))
        #expect(kept.accessToken == token && kept.refreshToken != before.refreshToken)
        world.clock.advance(by: .seconds(3_600))
        #expect(try await session.accessToken() != token)
    }

    @Test("An access token with a line end in it is refused", arguments: ["a\nb", "a\u{0}b", "\u{7F}"])
    func controlCharacters(_ token: String) async throws {
        let world = try World()
        world.server.add(Fault(at: .token, .member("access_token", .set(.string(token)))))
        let error = await #expect(throws: TernError.self) { try await world.client.signIn(with: world.robot) }
        #expect(error?.code == "malformed_response")
    }
}

/// A store that can be read, and written as long as there is room.
private struct FullDisk: CredentialStore {
    let store: MemoryStore
    let isFull = Locked(false)

    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? { try await store.load(key) }

    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        guard !isFull.withLock({ $0 }) else { throw TernError(.storeUnavailable("no room"), at: .storage) }
        try await store.save(record, for: key)
    }

    func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool {
        guard !isFull.withLock({ $0 }) else { throw TernError(.storeUnavailable("no room"), at: .storage) }
        return try await store.replace(old, with: new, for: key)
    }

    func delete(_ key: StoreKey) async throws(TernError) { try await store.delete(key) }

    func keys() async throws(TernError) -> [StoreKey] { try await store.keys() }

    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await store.withExclusiveAccess(to: key, body)
    }
}
