#if SQLite
    internal import Dispatch
    public import TernProtocol

    /// A store of one row a record in an SQLite database, for servers and tools with many accounts; it is there with the
    /// package trait `SQLite`. For a handful of accounts ``FileStore`` does the same without a library.
    ///
    /// The folder has the mode 0700 and the database 0600, and so have the files that SQLite puts beside it. What that
    /// protects, and what not, is said at ``FileStore``. A folder or database that is open to others is refused with the
    /// command that puts it right.
    ///
    /// Every save is one transaction in a write-ahead log, forced to the disk. Exclusive access holds across processes;
    /// it rests on lock files in the folder `PATH-locks`, so that no transaction is open while a server answers. The
    /// folder must be on a local file system.
    public struct SQLiteStore: CredentialStore {
        /// The database file, as an absolute path.
        public let path: String

        private let database: SQLiteDatabase
        private let locks: RecordLocks
        // A statement may wait for the disk or another process's transaction: never on a thread that runs Swift's tasks.
        private let worker = DispatchQueue(label: "tern.sqlite-store")

        /// Uses a database, which is made, with its folder, at the first save.
        ///
        /// - Parameters:
        ///   - path: The absolute path of the database file.
        ///   - longestWait: How long a task waits for exclusive access to a record that another process holds.
        /// - Throws: ``/TernProtocol/TernError`` with the field `path` when it is not absolute, names no file in a
        ///   folder, or holds a zero byte.
        public init(path: String, longestWait: Duration = FileStore.defaultLongestWait) throws(TernError) {
            try self.init(path: path, longestWait: longestWait, busyTimeout: 5_000)
        }

        /// - Parameter busyTimeout: how long a statement waits for another process's, in milliseconds.
        init(
            path: String, longestWait: Duration = FileStore.defaultLongestWait, busyTimeout: Int32
        ) throws(TernError) {
            guard path.hasPrefix("/"), !path.utf8.contains(0), let slash = path.lastIndex(of: "/"),
                slash != path.startIndex, path.index(after: slash) != path.endIndex
            else {
                throw TernError(
                    .invalidConfiguration(field: "path", problem: "it must be the absolute path of a file in a folder"),
                    at: .storage)
            }
            self.path = path
            database = SQLiteDatabase(
                folder: StoreFolder(path: String(path[..<slash])), name: String(path[path.index(after: slash)...]),
                busyTimeout: busyTimeout)
            locks = RecordLocks(in: StoreFolder(path: path + "-locks"), longestWait: longestWait)
        }

        /// Loads a record; `nil` when there is none.
        ///
        /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the database cannot be read or is not
        ///   this user's alone, ``/TernProtocol/TernError/Reason/corruptedRecord(_:)`` when it is damaged,
        ///   ``/TernProtocol/TernError/Reason/newerRecord(version:)`` when a newer release made it; then nothing in it
        ///   is changed.
        public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
            try await using(creating: false) { connection throws(TernError) in
                let found = try connection.run(
                    "SELECT record FROM credential WHERE name = ?1", [.text(key.name)]
                ) { row throws(TernError) in try row.bytes() }
                return found.first.map(StoredRecord.init)
            } ?? nil
        }

        /// Saves a record in the place of the old one.
        ///
        /// - Throws: what ``load(_:)`` throws; `storeUnavailable` also when the disk is full: the old record is there
        ///   still. ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when it is too large.
        public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
            try record.checkSize()
            _ = try await using(creating: true) { connection throws(TernError) in
                try connection.run(
                    """
                    INSERT INTO credential (name, record) VALUES (?1, ?2)
                    ON CONFLICT (name) DO UPDATE SET record = excluded.record
                    """, [.text(key.name), .bytes(record.exposedBytes)])
            }
        }

        /// Saves a record only where exactly the old one is still there.
        ///
        /// - Returns: whether it was there.
        /// - Throws: what ``save(_:for:)`` throws.
        public func replace(
            _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
        ) async throws(TernError) -> Bool {
            try new.checkSize()
            return try await using(creating: false) { connection throws(TernError) in
                try connection.run(
                    "UPDATE credential SET record = ?1 WHERE name = ?2 AND record = ?3",
                    [.bytes(new.exposedBytes), .text(key.name), .bytes(old.exposedBytes)])
                return connection.changeCount == 1
            } ?? false
        }

        /// Deletes a record; one that is not there is no error.
        ///
        /// - Throws: what ``load(_:)`` throws.
        public func delete(_ key: StoreKey) async throws(TernError) {
            _ = try await using(creating: false) { connection throws(TernError) in
                try connection.run("DELETE FROM credential WHERE name = ?1", [.text(key.name)])
            }
        }

        /// The keys of all records, sorted, from the index alone: no record is read.
        ///
        /// - Throws: what ``load(_:)`` throws.
        public func keys() async throws(TernError) -> [StoreKey] {
            try await using(creating: false) { connection throws(TernError) in
                try connection.run("SELECT name FROM credential ORDER BY name") { row throws(TernError) in
                    row.text.flatMap { name in try? StoreKey(name) }
                }.compactMap { $0 }
            } ?? []
        }

        /// Runs `body` while nobody else, in this process or another one, runs under the same key. Calling it again for
        /// the same key inside `body` waits for ever.
        ///
        /// - Throws: what `body` throws; ``/TernProtocol/TernError/Reason/cancelled`` when the task is cancelled before
        ///   its turn; ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the lock file cannot be made, or
        ///   another process holds it for longer than the longest wait.
        public func withExclusiveAccess<Result: Sendable>(
            to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
        ) async throws(TernError) -> Result {
            try await locks.withExclusiveAccess(to: key, body)
        }

        private func using<Value: Sendable>(
            creating: Bool, _ body: @escaping @Sendable (SQLiteConnection) throws(TernError) -> Value
        ) async throws(TernError) -> Value? {
            let result = await withCheckedContinuation { continuation in
                worker.async {
                    continuation.resume(
                        returning: Result { () throws(TernError) in try database.use(creating: creating, body) })
                }
            }
            return try result.get()
        }
    }
#endif
