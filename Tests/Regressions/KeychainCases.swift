import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@testable import Tern

@Suite("Keychain")
struct KeychainCases {
    private func store(_ keychain: FakeKeychain) throws -> KeychainStore {
        try KeychainStore(KeychainOptions(service: "app", accessibility: .afterFirstUnlock), items: keychain)
    }

    private func record(_ text: String) -> StoredRecord { StoredRecord(Array(text.utf8)) }

    @Test("ST-01")
    func interactionNotAllowed() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: #"{"access_token":"at"}"#)])
        let store = try store(keychain)
        keychain.set { $0.lock = .neverUnlocked }
        let error = await #expect(throws: TernError.self) { try await store.load(StoreKey("ada")) }
        #expect(error?.code == "store_unavailable")
        // Nor does a write in that state do harm.
        await #expect(throws: TernError.self) { try await store.save(record("new"), for: StoreKey("ada")) }
        #expect(keychain.items.map(\.text) == [#"{"access_token":"at"}"#])
        keychain.set { $0.lock = .open }
        let loaded = try #require(try await store.load(StoreKey("ada")))
        #expect(try Credential(loaded).accessToken.exposedText == "at")
        #expect(!keychain.state.withLock { $0.calls.contains("delete") || $0.calls.contains("add") })
    }

    @Test("ST-02", arguments: [false, true])
    func anotherClass(isHiddenFromTheFirstUpdate: Bool) async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old", accessibility: .whenPasscodeSetThisDeviceOnly)])
        if isHiddenFromTheFirstUpdate { keychain.set { $0.refusals["update"] = .itemNotFound } }
        try await store(keychain).save(record("new"), for: StoreKey("ada"))
        #expect(keychain.items.map(\.text) == ["new"])
        #expect(keychain.items.map(\.accessibility) == [.afterFirstUnlock])
        #expect(!keychain.state.withLock { $0.wasEmptied })
        #expect(keychain.state.withLock { $0.calls.contains("add") } == isHiddenFromTheFirstUpdate)
    }

    @Test("ST-03 a")
    func olderRecord() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: #"{"access_token":"at","refresh_token":"rt"}"#)])
        let loaded = try #require(try await store(keychain).load(StoreKey("ada")))
        let credential = try Credential(loaded)
        #expect(credential.refreshToken?.exposedText == "rt")
        #expect(credential.idToken == nil && credential.lifetime == nil && credential.scope.text.isEmpty)
    }

    @Test("ST-03 b", arguments: ["bplist00\u{D1}TernOldRecord", "", #"{"version":1}"#])
    func damagedRecord(text: String) async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: text)])
        let (store, key) = (try store(keychain), try StoreKey("ada"))
        let loaded = try #require(try await store.load(key))
        let error = #expect(throws: TernError.self) { try Credential(loaded) }
        #expect(error?.code == "corrupted_record")
        #expect(keychain.items.count == 1)
        try await store.save(record("new"), for: key)
        #expect(keychain.items.map(\.text) == ["new"])
        try await store.delete(key)
        #expect(keychain.items.isEmpty)
    }

    @Test("ST-03 b, what the system itself cannot decode")
    func undecodableItem() async throws {
        let keychain = FakeKeychain([.init(account: "ada", text: "old")])
        let (store, key) = (try store(keychain), try StoreKey("ada"))
        keychain.set { $0.refusals["copy"] = .decode }
        let error = await #expect(throws: TernError.self) { try await store.load(key) }
        #expect(error?.code == "corrupted_record")
        #expect(keychain.items.map(\.text) == ["old"])
        try await store.delete(key)
        #expect(keychain.items.isEmpty)
    }

    @Test("ST-03, a record of a newer release is refused and left alone")
    func newerRecord() async throws {
        let text = #"{"version":99,"access_token":"at"}"#
        let keychain = FakeKeychain([.init(account: "ada", text: text)])
        let loaded = try #require(try await store(keychain).load(StoreKey("ada")))
        #expect(throws: TernError(.newerRecord(version: 99), at: .storage)) { try Credential(loaded) }
        #expect(keychain.items.map(\.text) == [text])
    }

    @Test("ST-03 c")
    func firstStartAfterReinstall() async throws {
        let keychain = FakeKeychain([
            .init(account: "old", text: "x", modified: NumericDate(100)),
            .init(account: "twin", text: "x", modified: NumericDate(100)),
            .init(account: "twin", text: "x", isSynchronizable: true, modified: NumericDate(300)),
            .init(account: "new", text: "x", modified: NumericDate(200)),
            .init(account: "old", text: "x", service: "another app", modified: NumericDate(100)),
        ])
        let store = try store(keychain)
        // Without being asked it does not guess.
        #expect(try await store.load(StoreKey("old")) != nil)
        let forgotten = try await store.forgetRecords(lastWrittenBefore: NumericDate(200))
        #expect(forgotten.map(\.name) == ["old"])
        #expect(try await store.keys().map(\.name) == ["new", "twin"])
        #expect(keychain.items.contains { $0.service == "another app" })
    }
}
