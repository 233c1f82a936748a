import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("The directory of accounts")
struct AccountDirectoryTests {
    private let credentials = UnreadableStore()
    private let entries = MemoryStore()
    private var directory: AccountDirectory { AccountDirectory(of: credentials, in: entries) }

    @Test("Accounts are listed without reading a credential, with what is known of them or without")
    func listing() async throws {
        let (one, two) = (try StoreKey("one"), try StoreKey("two"))
        for key in [two, one] { try await credentials.save(StoredRecord([1]), for: key) }
        try await directory.update(one) {
            $0.label = "Work"
            $0.notes = ["colour": "blue"]
        }
        let list = try await directory.list()
        #expect(list.map(\.account) == [one, two])
        #expect(list.map(\.label) == ["Work", nil])
        #expect(list.first?.notes == ["colour": "blue"])
        #expect(try await directory.accounts(called: "Work") == [one])
        #expect(try await directory.accounts(called: "two") == [two])
        #expect(try await directory.accounts(called: "three").isEmpty)
    }

    @Test("The entry of an account that is gone goes, and so does its being the default")
    func vanishing() async throws {
        let (one, two, three) = (try StoreKey("one"), try StoreKey("two"), try StoreKey("three"))
        for key in [one, two, three] { try await credentials.save(StoredRecord([1]), for: key) }
        #expect(try await directory.defaultAccount() == nil)
        try await directory.setDefaultAccount(two)
        try await directory.update(two) { $0.label = "Home" }
        #expect(try await directory.defaultAccount() == two)
        try await credentials.delete(two)
        #expect(try await directory.list().map(\.account) == [one, three])
        #expect(await directory.entry(of: two).label == nil)
        #expect(try await directory.defaultAccount() == nil)
        try await credentials.delete(three)
        #expect(try await directory.defaultAccount() == one)
        await #expect(throws: TernError.self) { try await directory.setDefaultAccount(two) }
    }

    @Test("A damaged entry, and a damaged choice, hide nobody and can be written over")
    func damage() async throws {
        let one = try StoreKey("one")
        try await credentials.save(StoredRecord([1]), for: one)
        for key in [one, try StoreKey("tern:default-account")] {
            try await entries.save(StoredRecord([0xFF, 0x00]), for: key)
        }
        #expect(try await directory.list().map(\.account) == [one])
        #expect(try await directory.defaultAccount() == one)
        try await directory.update(one) { $0.label = "Work" }
        #expect(await directory.entry(of: one).label == "Work")
    }

    @Test("Writers at the same time lose nothing of each other")
    func parallelWriters() async throws {
        let one = try StoreKey("one")
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<50 {
                group.addTask { [directory] in
                    try? await directory.update(one) { $0.notes["\(number)"] = "x" }
                }
            }
        }
        #expect(await directory.entry(of: one).notes.count == 50)
    }

    @Test("A sign-in is noted with what its ID token says, and holds no token")
    func noting() async throws {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        let credential = try await session.credential()
        try await directory.update(session.account) { $0.label = "Work" }
        try await directory.noteSignIn(credential, to: session.account, at: provider.clock.now)
        let entry = await directory.entry(of: session.account)
        #expect(entry.subject == credential.subject && entry.issuer == credential.issuer)
        #expect(entry.label == "Work" && entry.lastSignIn == provider.clock.now)
        let record = try #require(try await entries.load(session.account))
        let text = String(decoding: record.exposedBytes, as: UTF8.self)
        #expect(!text.contains(credential.accessToken.exposedText))
        let idToken = try #require(credential.idToken).exposedText
        #expect(!text.contains(idToken))
    }
}

/// A store whose records are locked away: it can be listed and not read.
private struct UnreadableStore: CredentialStore {
    private let store = MemoryStore()

    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        Issue.record("a credential was read")
        throw TernError(.storeUnavailable("it is locked"), at: .storage)
    }

    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try await store.save(record, for: key)
    }

    func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool { try await store.replace(old, with: new, for: key) }

    func delete(_ key: StoreKey) async throws(TernError) { try await store.delete(key) }

    func keys() async throws(TernError) -> [StoreKey] { try await store.keys() }

    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result { try await store.withExclusiveAccess(to: key, body) }
}
