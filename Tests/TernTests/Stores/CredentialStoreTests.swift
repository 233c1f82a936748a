import Tern
import TernCrypto
import TernProtocol
import Testing

@testable import Tern

/// What every store promises.
@Suite("Credential stores")
struct CredentialStoreTests {
    enum Kind: CaseIterable {
        case memory, file, keychain, encryptedMemory, encryptedFile
        #if SQLite
            case sqlite, encryptedSQLite
        #endif
        #if SecretService && os(Linux)
            case secretService
        #endif

        /// Those for which the machine has what they need; the tests of a kind alone say what is missing.
        static let possible = allCases.filter { kind in
            #if SecretService && os(Linux)
                kind != .secretService || TestKeyring.isPossible
            #else
                true
            #endif
        }
    }

    struct Stores {
        let one: any CredentialStore
        /// Another instance over the same records, where the kind has one.
        let other: any CredentialStore
        let folder: ScratchFolder
        /// The largest record of the kind, in bytes.
        var maximumByteCount = StoredRecord.maximumByteCount
        /// What must live as long.
        private(set) var companion: (any Sendable)?

        init(_ kind: Kind) async throws {
            folder = try ScratchFolder()
            switch kind {
            case .memory:
                one = MemoryStore()
                other = one
            case .file:
                one = try FileStore(folder: folder.store)
                other = try FileStore(folder: folder.store)
            case .keychain:
                let keychain = FakeKeychain()
                let options = try KeychainOptions(service: "app", lockFolder: folder.store)
                one = try KeychainStore(options, items: keychain)
                other = try KeychainStore(options, items: keychain)
            case .encryptedMemory:
                let (memory, bytes) = (MemoryStore(), [UInt8](repeating: 7, count: RecordKey.byteCount))
                one = EncryptedStore(memory, key: try RecordKey(bytes))
                other = EncryptedStore(memory, key: try RecordKey(bytes))
                maximumByteCount = EncryptedStore.maximumByteCount
            case .encryptedFile:
                let words = Passphrase("a test's words")
                one = EncryptedStore(
                    try FileStore(folder: folder.store), key: try RecordKey(passphrase: words, iterations: 10))
                other = EncryptedStore(
                    try FileStore(folder: folder.store), key: try RecordKey(passphrase: words, iterations: 10))
                maximumByteCount = EncryptedStore.maximumByteCount
            #if SQLite
                case .sqlite:
                    one = try SQLiteStore(path: folder.store + "/accounts.sqlite")
                    other = try SQLiteStore(path: folder.store + "/accounts.sqlite")
                case .encryptedSQLite:
                    let bytes = [UInt8](repeating: 7, count: RecordKey.byteCount)
                    one = EncryptedStore(
                        try SQLiteStore(path: folder.store + "/accounts.sqlite"), key: try RecordKey(bytes))
                    other = EncryptedStore(
                        try SQLiteStore(path: folder.store + "/accounts.sqlite"), key: try RecordKey(bytes))
                    maximumByteCount = EncryptedStore.maximumByteCount
            #endif
            #if SecretService && os(Linux)
                case .secretService:
                    let keyring = try TestKeyring(in: folder)
                    try await keyring.start()
                    one = try keyring.store()
                    other = try keyring.store()
                    companion = keyring
            #endif
            }
        }
    }

    @Test("A record is loaded as saved, replaced, listed and deleted", arguments: Kind.possible)
    func lifeOfARecord(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let key = try StoreKey("https://id.example/Ada@app-1")
        #expect(try await stores.one.load(key) == nil)
        #expect(try await stores.one.keys() == [])
        try await stores.one.delete(key)

        let bytes = (0...255).map { UInt8($0) }
        try await stores.one.save(StoredRecord(bytes), for: key)
        #expect(try await stores.other.load(key)?.exposedBytes == bytes)
        try await stores.other.save(StoredRecord([]), for: key)
        #expect(try await stores.one.load(key)?.exposedBytes == [])

        for name in ["b", "a", "B"] { try await stores.one.save(StoredRecord("x"), for: try StoreKey(name)) }
        #expect(try await stores.other.keys().map(\.name) == ["B", "a", "b", "https://id.example/Ada@app-1"])
        try await stores.other.delete(key)
        #expect(try await stores.one.load(key) == nil)
        #expect(try await stores.one.keys().count == 3)
    }

    @Test("The largest record fits and a larger one is refused without touching the old", arguments: Kind.possible)
    func sizes(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let key = try StoreKey("big")
        let largest = StoredRecord([UInt8](repeating: 0x61, count: stores.maximumByteCount))
        try await stores.one.save(largest, for: key)
        #expect(try await stores.one.load(key) == largest)
        let larger = StoredRecord([UInt8](repeating: 0x62, count: stores.maximumByteCount + 1))
        let error = await #expect(throws: TernError.self) { try await stores.one.save(larger, for: key) }
        #expect(error?.code == "invalid_configuration")
        #expect(try await stores.one.load(key) == largest)
    }

    @Test("A hundred tasks that read, add and write lose nothing", arguments: Kind.possible)
    func exclusiveAccess(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let key = try StoreKey("counter")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                let store = number.isMultiple(of: 2) ? stores.one : stores.other
                group.addTask {
                    try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                        let count = Int(try await store.load(key)?.text ?? "0") ?? -1_000
                        await Task.yield()
                        try await store.save(StoredRecord("\(count + 1)"), for: key)
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try await stores.one.load(key)?.text == "100")
    }

    @Test("Different keys do not wait for each other", arguments: Kind.possible)
    func keysAreIndependent(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let (outer, inner) = (try StoreKey("outer"), try StoreKey("inner"))
        let result = try await stores.one.withExclusiveAccess(to: outer) { () throws(TernError) in
            try await stores.one.withExclusiveAccess(to: inner) { () throws(TernError) in "both" }
        }
        #expect(result == "both")
    }

    @Test("What the body throws comes out, and the next one gets in", arguments: Kind.possible)
    func errorsFreeTheLock(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let key = try StoreKey("k")
        await #expect(throws: TernError(.signedOut, at: .refresh)) {
            try await stores.one.withExclusiveAccess(to: key) { () throws(TernError) in
                throw TernError(.signedOut, at: .refresh)
            }
        }
        #expect(try await stores.other.withExclusiveAccess(to: key) { () throws(TernError) in 7 } == 7)
    }

    @Test("A cancelled waiter leaves; the holder and the others notice nothing", arguments: Kind.possible)
    func cancellation(kind: Kind) async throws {
        let stores = try await Stores(kind)
        let key = try StoreKey("k")
        let gate = Gate()
        let store = stores.one
        let entered = Locked(false)
        let holder = Task {
            try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                entered.withLock { $0 = true }
                await gate.wait()
                return !Task.isCancelled
            }
        }
        try await eventually { entered.withLock { $0 } }
        let cancelled = Task {
            try await store.withExclusiveAccess(to: key) { () throws(TernError) in Issue.record("it was cancelled") }
        }
        // Through the other instance the wait is one for the lock file.
        let other = stores.other
        let cancelledElsewhere = Task {
            try await other.withExclusiveAccess(to: key) { () throws(TernError) in Issue.record("it was cancelled") }
        }
        let patient = Task { try await store.withExclusiveAccess(to: key) { () throws(TernError) in "in" } }
        cancelled.cancel()
        cancelledElsewhere.cancel()
        for task in [cancelled, cancelledElsewhere] {
            await #expect(throws: TernError(.cancelled, at: .storage)) { try await task.value }
        }
        await gate.open()
        #expect(try await holder.value)
        #expect(try await patient.value == "in")
    }

    @Test("A record prints its size alone")
    func recordsPrintNothing() {
        let record = StoredRecord("at-secret")
        var dumped = ""
        dump([record], to: &dumped)
        for text in ["\(record)", String(reflecting: record), "\([record])", dumped] {
            #expect(!text.contains("secret") && !text.contains("115"))
        }
        #expect("\(record)" == "<record of 9 bytes>")
    }

    @Test("Keys beyond the rule are refused", arguments: ["", ".hidden", "a b", "ä", "a\u{0}b", "a\\b"])
    func illegalKeys(name: String) {
        #expect(throws: TernError.self) { try StoreKey(name) }
    }

    @Test("A key has 200 bytes at most")
    func keyLength() throws {
        #expect(try StoreKey(String(repeating: "k", count: 200)).name.count == 200)
        #expect(throws: TernError.self) { try StoreKey(String(repeating: "k", count: 201)) }
    }
}

/// Holds tasks back until it is opened.
actor Gate {
    private var isOpen = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    func wait() async {
        if isOpen { return }
        await withCheckedContinuation { waiting.append($0) }
    }

    func open() {
        isOpen = true
        for continuation in waiting { continuation.resume() }
        waiting = []
    }
}
