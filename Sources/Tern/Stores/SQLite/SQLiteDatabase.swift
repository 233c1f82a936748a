#if SQLite
    internal import TernProtocol

    /// The database of a ``SQLiteStore``: made and opened when it is needed, opened again when its file was replaced or
    /// a call failed. It is for one thread at a time.
    ///
    /// `@unchecked`: the store touches it on its serial queue alone.
    final class SQLiteDatabase: @unchecked Sendable {
        private let folder: StoreFolder
        private let name: String
        private let busyTimeout: Int32
        private var open: (connection: SQLiteConnection, file: FileIdentity)?

        /// Of the tables; in the file it is `user_version`.
        private static let version: Int64 = 1
        /// Says in the file whose it is: "Tern" in ASCII.
        private static let mark: Int64 = 0x5465_726E

        init(folder: StoreFolder, name: String, busyTimeout: Int32) {
            self.folder = folder
            self.name = name
            self.busyTimeout = busyTimeout
        }

        /// Runs `body` with the database; `nil` when there is none and it is not to be made.
        func use<Value>(
            creating: Bool, _ body: (SQLiteConnection) throws(TernError) -> Value
        ) throws(TernError) -> Value? {
            // One stat a call: a file that was removed or put in this one's place is noticed.
            guard let file = try folder.privateFile(name, creating: creating) else {
                open = nil
                return nil
            }
            do {
                return try body(try connection(to: file))
            } catch {
                // What is wrong may be mended from outside before the next call.
                open = nil
                throw error
            }
        }

        private func connection(to file: FileIdentity) throws(TernError) -> SQLiteConnection {
            if let open, open.file == file { return open.connection }
            open = nil
            let connection = try SQLiteConnection(path: "\(folder.path)/\(name)", busyTimeout: busyTimeout)
            try prepare(connection)
            open = (connection, file)
            return connection
        }

        private func prepare(_ connection: SQLiteConnection) throws(TernError) {
            // Before anything is changed: the file of a newer release, or of something else, is left as it is.
            if try version(of: connection) < Self.version {
                // Several processes that make the same database come one after the other. SQLite's own wait does not
                // cover the change to the write-ahead log.
                try folder.whileNobodyWrites { () throws(TernError) in
                    try connection.run("PRAGMA journal_mode = WAL")
                    try migrate(connection)
                }
            }
            // A rotated refresh token must outlive a power failure.
            try connection.run("PRAGMA synchronous = FULL")
            // A token that is deleted or replaced does not stay in a free page.
            try connection.run("PRAGMA secure_delete = ON")
        }

        private func migrate(_ connection: SQLiteConnection) throws(TernError) {
            try connection.run("BEGIN IMMEDIATE")
            do {
                // Another process may have done it since.
                if try version(of: connection) < 1 {
                    // Not WITHOUT ROWID: the index of the names is a tree of its own, so that listing reads no record.
                    try connection.run("CREATE TABLE credential (name TEXT PRIMARY KEY NOT NULL, record BLOB NOT NULL)")
                    try connection.run("PRAGMA application_id = \(Self.mark)")
                    try connection.run("PRAGMA user_version = 1")
                }
                try connection.run("COMMIT")
            } catch {
                try? connection.run("ROLLBACK")
                throw error
            }
        }

        /// The version of what is in the file; 0 when it is empty.
        private func version(of connection: SQLiteConnection) throws(TernError) -> Int64 {
            func number(_ sql: String) throws(TernError) -> Int64 {
                try connection.run(sql) { row throws(TernError) in row.number }.first ?? 0
            }
            if try number("SELECT count(*) FROM sqlite_master") == 0 { return 0 }
            guard try number("PRAGMA application_id") == Self.mark else {
                throw TernError(
                    .storeUnavailable(
                        "the database \(folder.path)/\(name) holds something else; name another file"), at: .storage)
            }
            let found = try number("PRAGMA user_version")
            guard found <= Self.version else {
                throw TernError(.newerRecord(version: found), at: .storage)
            }
            return found
        }
    }
#endif
