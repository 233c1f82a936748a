#if SQLite
    internal import CSQLite
    internal import TernProtocol

    /// An open database with its prepared statements. It is for one thread at a time.
    final class SQLiteConnection {
        enum Value {
            case text(String)
            case bytes([UInt8])
        }

        private let handle: OpaquePointer
        private let path: String
        private var statements: [String: OpaquePointer] = [:]

        /// - Parameter busyTimeout: How long one statement waits for a writer in another process, in milliseconds.
        init(path: String, busyTimeout: Int32) throws(TernError) {
            self.path = path
            var opened: OpaquePointer?
            // Without SQLITE_OPEN_CREATE: the file was made before, with its mode.
            let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
            let status = sqlite3_open_v2(path, &opened, flags, nil)
            guard status == SQLITE_OK, let opened else {
                sqlite3_close_v2(opened)
                throw Self.failure(status, path)
            }
            handle = opened
            sqlite3_extended_result_codes(handle, 1)
            sqlite3_busy_timeout(handle, busyTimeout)
        }

        deinit {
            for statement in statements.values { sqlite3_finalize(statement) }
            sqlite3_close_v2(handle)
        }

        /// Runs a statement and reads its rows.
        @discardableResult
        func run<Row>(
            _ sql: String, _ values: [Value] = [], row: (SQLiteRow) throws(TernError) -> Row
        ) throws(TernError) -> [Row] {
            let statement = try prepared(sql)
            defer {
                sqlite3_reset(statement)
                // The bound values hold tokens; they need not stay in memory until the next use.
                sqlite3_clear_bindings(statement)
            }
            for (index, value) in values.enumerated() { try check(bind(value, Int32(index + 1), of: statement)) }
            var rows: [Row] = []
            while true {
                let status = sqlite3_step(statement)
                if status == SQLITE_DONE { return rows }
                guard status == SQLITE_ROW else { throw Self.failure(status, path) }
                rows.append(try row(SQLiteRow(statement: statement)))
            }
        }

        /// Runs a statement and passes its rows over.
        func run(_ sql: String, _ values: [Value] = []) throws(TernError) {
            try run(sql, values) { _ throws(TernError) in () }
        }

        /// How many rows the last statement changed.
        var changeCount: Int { Int(sqlite3_changes(handle)) }

        private func prepared(_ sql: String) throws(TernError) -> OpaquePointer {
            if let statement = statements[sql] { return statement }
            var statement: OpaquePointer?
            let status = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
            guard status == SQLITE_OK, let statement else { throw Self.failure(status, path) }
            statements[sql] = statement
            return statement
        }

        private func bind(_ value: Value, _ index: Int32, of statement: OpaquePointer) -> Int32 {
            // SQLITE_TRANSIENT, a macro that Swift does not see: the value is copied.
            let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            switch value {
            case .text(let text): return sqlite3_bind_text(statement, index, text, -1, copied)
            // Bytes without an address would be bound as NULL.
            case .bytes(let bytes) where bytes.isEmpty: return sqlite3_bind_zeroblob(statement, index, 0)
            case .bytes(let bytes): return sqlite3_bind_blob64(statement, index, bytes, UInt64(bytes.count), copied)
            }
        }

        private func check(_ status: Int32) throws(TernError) {
            guard status == SQLITE_OK else { throw Self.failure(status, path) }
        }

        /// The library's words for the number alone: its longer message may quote the statement.
        private static func failure(_ status: Int32, _ path: String) -> TernError {
            let words = sqlite3_errstr(status).map { String(cString: $0) } ?? "error \(status)"
            switch status & 0xFF {
            case SQLITE_CORRUPT, SQLITE_NOTADB:
                return TernError(.corruptedRecord("the database \(path): \(words)"), at: .storage)
            default:
                return TernError(.storeUnavailable("the database \(path): \(words)"), at: .storage)
            }
        }
    }

    /// The present row of a statement.
    struct SQLiteRow {
        fileprivate let statement: OpaquePointer

        /// The first column as a number.
        var number: Int64 { sqlite3_column_int64(statement, 0) }

        /// The first column as text; `nil` when it is something else.
        var text: String? {
            guard sqlite3_column_type(statement, 0) == SQLITE_TEXT, let bytes = sqlite3_column_text(statement, 0) else {
                return nil
            }
            return String(cString: bytes)
        }

        /// The first column as bytes.
        ///
        /// - Throws: `corruptedRecord` when it is something else, or larger than a record can be.
        func bytes() throws(TernError) -> [UInt8] {
            guard sqlite3_column_type(statement, 0) == SQLITE_BLOB else {
                throw TernError(.corruptedRecord("its column does not hold bytes"), at: .storage)
            }
            let bytes = sqlite3_column_blob(statement, 0)
            let count = Int(sqlite3_column_bytes(statement, 0))
            guard count <= StoredRecord.maximumByteCount else {
                throw TernError(
                    .corruptedRecord("it is larger than \(StoredRecord.maximumByteCount) bytes"), at: .storage)
            }
            return [UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count))
        }
    }
#endif
