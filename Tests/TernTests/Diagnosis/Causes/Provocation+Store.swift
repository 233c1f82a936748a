@testable import Tern
import TernTesting
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

extension Provocation {
    static let store: [Provocation] = [
        // The keychain's own answers: there is none on this system.
        keychain("store_locked", .interactionNotAllowed), keychain("keychain_entitlement", .missingEntitlement),
        keychain("keyring_missing", .notAvailable),
        // A disk that is really full is in StoreFaultTests, where this cause has to come first as well.
        store("disk_full", .storeUnavailable("writing /home/ada/x: No space left on device")),
        Provocation("store_permission") {
            let scratch = try ScratchFolder()
            let store = try FileStore(folder: scratch.store)
            try await store.save(StoredRecord(Array("x".utf8)), for: try StoreKey("a"))
            chmod(scratch.store, 0o755)
            return try await whatFails { try await FileStore(folder: scratch.store).load(try StoreKey("a")) }
        },
        Provocation("store_busy") {
            let scratch = try ScratchFolder()
            let key = try StoreKey("a")
            let holder = try FileStore(folder: scratch.store)
            let store = try FileStore(folder: scratch.store, longestWait: .milliseconds(1))
            return try await whatFails {
                try await holder.withExclusiveAccess(to: key) { () async throws(TernError) in
                    try await store.withExclusiveAccess(to: key) { () throws(TernError) in }
                }
            }
        },
        record("record_damaged", "x"), record("record_of_newer_version", #"{"version":99}"#),
        Provocation("record_key_differs") {
            let kept = MemoryStore()
            let key = try StoreKey("a")
            let (one, other) = (
                try RecordKey([UInt8](repeating: 1, count: 32)), try RecordKey([UInt8](repeating: 2, count: 32))
            )
            try await EncryptedStore(kept, key: one).save(StoredRecord(Array("x".utf8)), for: key)
            return try await whatFails { try await EncryptedStore(kept, key: other).load(key) }
        },
        Provocation("record_plain") {
            let kept = MemoryStore()
            let key = try StoreKey("a")
            try await kept.save(StoredRecord(Array("{}".utf8)), for: key)
            let store = EncryptedStore(kept, key: try RecordKey([UInt8](repeating: 1, count: 32)))
            return try await whatFails { try await store.load(key) }
        },
    ]

    /// What a client finds in the place of its record.
    private static func record(_ cause: String, _ text: String) -> Provocation {
        Provocation(cause) {
            let (world, client) = try World.quiet()
            try await world.store.save(StoredRecord(Array(text.utf8)), for: client.configuration.account)
            return try await whatFails { try await client.session() }
        }
    }

    /// What the system's keychain answers.
    private static func keychain(_ cause: String, _ status: KeychainStatus) -> Provocation {
        Provocation(cause) { status.failure }
    }
}
