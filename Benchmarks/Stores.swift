internal import Tern

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

#if SQLite
    internal import CSQLite
#endif

/// A hundred thousand accounts in each store: how long one call takes among them, and whether memory stays as it was.
///
/// The accounts are put there past the store, since a hundred thousand saves that are each forced to the disk take
/// minutes. What is measured goes through the store.
struct Stores {
    let meter: Meter

    static let accountCount = 100_000
    /// As large as a credential with an ID token.
    private static let record = [UInt8](repeating: 0x61, count: 2_048)
    private static let loadCount = 5_000
    private static let saveCount = 500

    func run() async throws {
        if wants("memory") {
            let store = MemoryStore()
            for number in 0..<Self.accountCount {
                try await store.save(StoredRecord(Self.record), for: StoreKey(Self.name(number)))
            }
            try await measure("memory", store)
        }
        if wants("file") {
            try await inFolder { folder in
                let store = try FileStore(folder: folder)
                try Self.fill(folder)
                try await measure("file", store)
            }
        }
        #if SQLite
            if wants("sqlite") {
                try await inFolder { folder in
                    let store = try SQLiteStore(path: folder + "/accounts.sqlite")
                    try await store.save(StoredRecord(Self.record), for: StoreKey(Self.name(0)))
                    try Self.fillDatabase(store.path)
                    try await measure("sqlite", store)
                }
            }
        #endif
    }

    private func wants(_ store: String) -> Bool {
        ["lookup", "save", "list", "memory_growth"].contains { meter.wants("store_\($0)_100k_\(store)") }
    }

    private func measure(_ name: String, _ store: any CredentialStore) async throws {
        let record = StoredRecord(Self.record)
        func account() throws -> StoreKey { try StoreKey(Self.name(.random(in: 0..<Self.accountCount))) }
        // What the first calls cost once is not theirs; among it is the list for leftovers of killed writers.
        for _ in 0..<200 { _ = try await store.load(account()) }
        try await store.save(record, for: account())

        let before = Surroundings.residentBytes
        let lookup = try await Self.median(of: Self.loadCount) {
            guard try await store.load(account()) == record else { throw Failure("a record is lost") }
        }
        print("store_lookup_100k_\(name) \(lookup * 1e6)")
        let save = try await Self.median(of: Self.saveCount) { try await store.save(record, for: account()) }
        print("store_save_100k_\(name) \(save * 1e6)")
        print("store_memory_growth_100k_\(name) \(Surroundings.residentBytes - before)")
        let list = try await Self.median(of: 5) {
            guard try await store.keys().count == Self.accountCount else { throw Failure("the list is not whole") }
        }
        print("store_list_100k_ms_\(name) \(list * 1e3)")
    }

    /// In seconds.
    private static func median(of count: Int, _ work: () async throws -> Void) async rethrows -> Double {
        var times: [Double] = []
        for _ in 0..<count {
            let start = Meter.clock(CLOCK_MONOTONIC)
            try await work()
            times.append(Meter.clock(CLOCK_MONOTONIC) - start)
        }
        return times.sorted()[count / 2]
    }

    /// Of characters that a file's name has too.
    private static func name(_ number: Int) -> String { "user-\(number)@id.example.com" }

    private static func fill(_ folder: String) throws {
        for number in 0..<accountCount {
            let file = open("\(folder)/\(name(number)).record", O_WRONLY | O_CREAT | O_EXCL, 0o600)
            guard file >= 0, write(file, record, record.count) == record.count else { throw Failure("no room") }
            close(file)
        }
        // What is still to be written must not slow down what is measured.
        sync()
    }

    #if SQLite
        private static func fillDatabase(_ path: String) throws {
            var database: OpaquePointer?
            defer { sqlite3_close(database) }
            let sql = """
                WITH RECURSIVE numbers(number) AS (SELECT 0 UNION ALL SELECT number + 1 FROM numbers LIMIT \(accountCount))
                INSERT OR IGNORE INTO credential
                SELECT 'user-' || number || '@id.example.com', (SELECT record FROM credential LIMIT 1) FROM numbers;
                PRAGMA wal_checkpoint(TRUNCATE)
                """
            guard sqlite3_open(path, &database) == SQLITE_OK, sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK
            else { throw Failure("the database could not be filled") }
        }
    #endif

    private func inFolder(_ body: (String) async throws -> Void) async throws {
        let folder = try Crowd.newFolder()
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await body(folder)) } catch { outcome = .failure(error) }
        _ = try OtherProgram.run("/bin/rm", ["-rf", folder])
        try outcome.get()
    }
}
