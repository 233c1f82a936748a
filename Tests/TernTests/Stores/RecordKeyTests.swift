import TernCrypto
import TernProtocol
import Testing

@testable import Tern

@Suite("Record keys")
struct RecordKeyTests {
    @Test("A variable with 32 bytes of base64url is a key")
    func environment() async throws {
        let bytes = [UInt8](0..<32)
        let key = try RecordKey(environmentVariable: "APP_KEY") { $0 == "APP_KEY" ? Base64URL.encode(bytes) : nil }
        let (memory, account) = (MemoryStore(), try StoreKey("a"))
        try await EncryptedStore(memory, key: key).save(StoredRecord("{}"), for: account)
        #expect(try await EncryptedStore(memory, key: RecordKey(bytes)).load(account)?.text == "{}")
    }

    @Test(
        "A variable that is missing or wrong is named, and its value is not",
        arguments: [
            nil, "", "hunter2-hunter2", "hunter2!", Base64.encode([UInt8](repeating: 0xFB, count: 32)),
            Base64URL.encode([UInt8](repeating: 1, count: 31)), Base64URL.encode([UInt8](repeating: 1, count: 33)),
        ])
    func wrongEnvironment(value: String?) {
        let error = #expect(throws: TernError.self) { try RecordKey(environmentVariable: "APP_KEY") { _ in value } }
        guard case .invalidConfiguration(let field, let problem) = error?.reason else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(field == "APP_KEY")
        if let value, !value.isEmpty { #expect(!problem.contains(value)) }
    }

    @Test("Another number of bytes and an empty passphrase are refused")
    func refused() throws {
        for count in [0, 16, 31, 33] {
            #expect(throws: TernError.self) { try RecordKey([UInt8](repeating: 1, count: count)) }
        }
        #expect(throws: TernError.self) { try RecordKey(passphrase: Passphrase("")) }
    }

    @Test("A key prints nothing of itself")
    func printing() throws {
        for key in [
            try RecordKey([UInt8](repeating: 0xAB, count: 32)), try RecordKey(passphrase: Passphrase("hunter2")),
        ] {
            var dumped = ""
            dump([key], to: &dumped)
            for text in ["\(key)", String(reflecting: key), dumped] {
                #expect(!text.contains("171") && !text.contains("hunter2"))
            }
        }
    }

    @Test("A passphrase is derived with the salt of the records that are there, and once")
    func oneSalt() async throws {
        let memory = MemoryStore()
        for number in 0..<5 {
            // Each a process of its own, which saves a new account and has read nothing before.
            let key = try RecordKey(passphrase: Passphrase("words"), iterations: 10)
            try await EncryptedStore(memory, key: key).save(StoredRecord("{}"), for: try StoreKey("account-\(number)"))
        }
        var salts: Set<SealingKey.Origin> = []
        for name in try await memory.keys() {
            let record = try #require(try await memory.load(name))
            salts.insert(try #require(try SealedRecord(record)).origin)
        }
        #expect(salts.count == 1)
    }

    @Test("A salt with fewer iterations than are wanted now is read, and not taken for new records")
    func weakSalt() async throws {
        let (memory, account) = (MemoryStore(), try StoreKey("a"))
        let weak = try RecordKey(passphrase: Passphrase("words"), iterations: 10)
        try await EncryptedStore(memory, key: weak).save(StoredRecord("{}"), for: account)
        let store = EncryptedStore(memory, key: try RecordKey(passphrase: Passphrase("words"), iterations: 20))
        #expect(try await store.load(account)?.text == "{}")
        try await store.save(StoredRecord("[]"), for: account)
        let record = try #require(try await memory.load(account))
        guard case .passphrase(let salt) = try #require(try SealedRecord(record)).origin else {
            Issue.record("it is not under a passphrase")
            return
        }
        #expect(salt.iterations == 20)
    }

    @Test("A hundred at once that need the key of a passphrase get the same")
    func atOnce() async throws {
        let memory = MemoryStore()
        // The number of iterations of everybody: derived more than once, this would take a minute.
        let store = EncryptedStore(memory, key: try RecordKey(passphrase: Passphrase("words")))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<100 {
                group.addTask { try await store.save(StoredRecord("{}"), for: try StoreKey("account-\(number)")) }
            }
            try await group.waitForAll()
        }
        var salts: Set<SealingKey.Origin> = []
        for name in try await memory.keys() {
            let record = try #require(try await memory.load(name))
            salts.insert(try #require(try SealedRecord(record)).origin)
            #expect(try await store.load(name)?.text == "{}")
        }
        #expect(salts.count == 1)
        guard case .passphrase(let salt)? = salts.first else {
            Issue.record("it is not under a passphrase")
            return
        }
        #expect(salt.iterations == 600_000)
    }
}
