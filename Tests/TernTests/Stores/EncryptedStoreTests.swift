import TernCrypto
import TernProtocol
import Testing

@testable import Tern

@Suite("Encrypted store")
struct EncryptedStoreTests {
    static let plain = StoredRecord(#"{"access_token":"at-secret","refresh_token":"rt-secret"}"#)

    static func key(_ byte: UInt8) throws -> RecordKey {
        try RecordKey([UInt8](repeating: byte, count: RecordKey.byteCount))
    }

    static func words(_ text: String) throws -> RecordKey {
        try RecordKey(passphrase: Passphrase(text), iterations: 10)
    }

    /// Either way to a key: all that holds for one holds for the other.
    enum Kind: CaseIterable {
        case caller, passphrase

        func key(_ number: UInt8) throws -> RecordKey {
            switch self {
            case .caller: try EncryptedStoreTests.key(number)
            case .passphrase: try EncryptedStoreTests.words("words \(number)")
            }
        }
    }

    private func reason(_ call: () async throws -> Void) async -> TernError.Reason? {
        do {
            try await call()
            return nil
        } catch {
            return (error as? TernError)?.reason
        }
    }

    private func isCorrupted(_ reason: TernError.Reason?) -> Bool {
        if case .corruptedRecord = reason { true } else { false }
    }

    @Test("Nothing of a record can be read in the folder; the name of the account can", arguments: Kind.allCases)
    func nothingReadable(kind: Kind) async throws {
        let scratch = try ScratchFolder()
        let store = EncryptedStore(try FileStore(folder: scratch.store), key: try kind.key(1))
        try await store.save(Self.plain, for: try StoreKey("ada"))
        #expect(scratch.names(in: scratch.store) == ["ada.record"])
        let below = try #require(try await FileStore(folder: scratch.store).load(StoreKey("ada")))
        for word in ["secret", "access_token", "token"] { #expect(!below.text.contains(word)) }
        let stranger = EncryptedStore(try FileStore(folder: scratch.store), key: try kind.key(2))
        #expect(try await stranger.keys().map(\.name) == ["ada"])
    }

    @Test("A change of any bit is a damaged record, which stays as it is", arguments: Kind.allCases)
    func tampering(kind: Kind) async throws {
        let memory = MemoryStore()
        let store = EncryptedStore(memory, key: try kind.key(1), readsPlainRecords: true)
        let key = try StoreKey("ada")
        try await store.save(Self.plain, for: key)
        let sealed = try #require(try await memory.load(key)).exposedBytes
        for index in sealed.indices {
            for change: UInt8 in [0x01, 0x80, 0xFF] {
                var bytes = sealed
                bytes[index] ^= change
                try await memory.save(StoredRecord(bytes), for: key)
                #expect(isCorrupted(await reason { _ = try await store.load(key) }), "byte \(index)")
                #expect(try await memory.load(key)?.exposedBytes == bytes)
            }
        }
        for count in sealed.indices {
            try await memory.save(StoredRecord(Array(sealed.prefix(count))), for: key)
            #expect(isCorrupted(await reason { _ = try await store.load(key) }), "cut to \(count)")
        }
        #expect(isCorrupted(await reason { _ = try await store.replace(Self.plain, with: Self.plain, for: key) }))
        try await store.save(Self.plain, for: key)
        #expect(try await store.load(key) == Self.plain)
    }

    /// Whoever changes a record on purpose mends the digest too; then the tag tells.
    @Test("A forger who mends the digest gets nowhere", arguments: Kind.allCases)
    func forgery(kind: Kind) async throws {
        let memory = MemoryStore()
        let store = EncryptedStore(memory, key: try kind.key(1))
        let key = try StoreKey("ada")
        try await store.save(Self.plain, for: key)
        let sealed = try #require(try await memory.load(key)).exposedBytes
        for index in 13..<sealed.count {
            var bytes = sealed
            bytes[index] ^= 1
            try await memory.save(Self.mended(bytes), for: key)
            // An octet of the iterations may ask for so many that only time would be lost.
            if kind == .passphrase, (14..<17).contains(index) { continue }
            let reason = await reason { _ = try await store.load(key) }
            #expect(isCorrupted(reason) || reason == .unknownRecordKey, "byte \(index)")
        }
        var newer = sealed
        newer[12] = 9
        try await memory.save(Self.mended(newer), for: key)
        #expect(await reason { _ = try await store.load(key) } == .newerRecord(version: 9))
        #expect(
            await reason { _ = try await store.replace(Self.plain, with: Self.plain, for: key) }
                == .newerRecord(version: 9))
        #expect(try await memory.load(key) == Self.mended(newer))
    }

    private static func mended(_ bytes: [UInt8]) -> StoredRecord {
        let body = Array(bytes.dropFirst(12))
        return StoredRecord(Array(bytes.prefix(8)) + HashFunction.sha256.digest(body).prefix(4) + body)
    }

    @Test("A record in the place of another account's is refused", arguments: Kind.allCases)
    func swapped(kind: Kind) async throws {
        let memory = MemoryStore()
        let store = EncryptedStore(memory, key: try kind.key(1))
        let (ada, bob) = (try StoreKey("ada"), try StoreKey("bob"))
        try await store.save(Self.plain, for: ada)
        let record = try #require(try await memory.load(ada))
        try await memory.save(record, for: bob)
        #expect(isCorrupted(await reason { _ = try await store.load(bob) }))
        #expect(try await store.load(ada) == Self.plain)
    }

    @Test("Another key is told apart from a damaged record, and leaves it alone", arguments: Kind.allCases)
    func anotherKey(kind: Kind) async throws {
        let memory = MemoryStore()
        let account = try StoreKey("ada")
        try await EncryptedStore(memory, key: kind.key(1)).save(Self.plain, for: account)
        let sealed = try await memory.load(account)
        let other: Kind = kind == .caller ? .passphrase : .caller
        for key in [try kind.key(2), try other.key(1)] {
            let store = EncryptedStore(memory, key: key)
            #expect(await reason { _ = try await store.load(account) } == .unknownRecordKey)
            let replacing = await reason { _ = try await store.replace(Self.plain, with: Self.plain, for: account) }
            #expect(replacing == .unknownRecordKey)
        }
        #expect(await reason { _ = try Credential(try #require(sealed)) } == .unknownRecordKey)
        #expect(try await memory.load(account) == sealed)
    }

    @Test("An old key reads, and the next save takes the new one", arguments: Kind.allCases)
    func rotation(kind: Kind) async throws {
        let memory = MemoryStore()
        let account = try StoreKey("ada")
        try await EncryptedStore(memory, key: kind.key(1)).save(Self.plain, for: account)
        let both = EncryptedStore(memory, key: try kind.key(2), oldKeys: [try Self.key(9), try kind.key(1)])
        #expect(try await both.load(account) == Self.plain)
        let next = StoredRecord("{}")
        #expect(try await both.replace(Self.plain, with: next, for: account))
        #expect(try await EncryptedStore(memory, key: kind.key(2)).load(account) == next)
        let old = EncryptedStore(memory, key: try kind.key(1))
        #expect(await reason { _ = try await old.load(account) } == .unknownRecordKey)
    }

    @Test("A plain record is read only where that is allowed, and encrypted at the next save")
    func plainRecords() async throws {
        let memory = MemoryStore()
        let account = try StoreKey("ada")
        try await memory.save(Self.plain, for: account)
        let strict = EncryptedStore(memory, key: try Self.key(1))
        #expect(await reason { _ = try await strict.load(account) } == .recordNotEncrypted)
        #expect(
            await reason { _ = try await strict.replace(Self.plain, with: Self.plain, for: account) }
                == .recordNotEncrypted)
        #expect(try await memory.load(account) == Self.plain)
        let moving = EncryptedStore(memory, key: try Self.key(1), readsPlainRecords: true)
        #expect(try await moving.load(account) == Self.plain)
        #expect(try await moving.replace(Self.plain, with: StoredRecord("{}"), for: account))
        #expect(try await strict.load(account) == StoredRecord("{}"))
    }

    @Test("The same record encrypted anew by somebody else is the same still", arguments: Kind.allCases)
    func replacing(kind: Kind) async throws {
        let memory = MemoryStore()
        let account = try StoreKey("ada")
        let one = EncryptedStore(memory, key: try kind.key(1))
        let other = EncryptedStore(memory, key: try kind.key(1))
        try await one.save(Self.plain, for: account)
        let first = try await memory.load(account)
        try await other.save(Self.plain, for: account)
        #expect(try await memory.load(account) != first)
        #expect(try await one.replace(Self.plain, with: StoredRecord("{}"), for: account))
        #expect(try await other.replace(Self.plain, with: StoredRecord("[]"), for: account) == false)
        #expect(try await other.load(account) == StoredRecord("{}"))
        try await one.delete(account)
        #expect(try await other.replace(StoredRecord("{}"), with: Self.plain, for: account) == false)
    }

    @Test("Of many that replace the same record at once, through two instances, one wins each round")
    func replacingAtOnce() async throws {
        let scratch = try ScratchFolder()
        let account = try StoreKey("ada")
        let stores = try (0..<2).map { _ in
            EncryptedStore(try FileStore(folder: scratch.store), key: try Self.words("the same"))
        }
        try await stores[0].save(StoredRecord("0"), for: account)
        for round in 0..<10 {
            let wins = try await withThrowingTaskGroup(of: Bool.self) { group in
                for number in 0..<8 {
                    group.addTask {
                        try await stores[number % 2].replace(
                            StoredRecord("\(round)"), with: StoredRecord("\(round + 1)"), for: account)
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
            #expect(wins == 1)
        }
    }
}
