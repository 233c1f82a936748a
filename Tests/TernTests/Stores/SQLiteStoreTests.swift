#if SQLite
    import Foundation
    import TernProtocol
    import Testing

    @testable import Tern

    @Suite("SQLite store")
    struct SQLiteStoreTests {
        private let scratch: ScratchFolder
        private let path: String
        private let key: StoreKey

        init() throws {
            scratch = try ScratchFolder()
            path = scratch.store + "/accounts.sqlite"
            key = try StoreKey("Ada")
        }

        /// A new instance, as another process has it.
        private func store() throws -> SQLiteStore { try SQLiteStore(path: path) }

        /// Waits until a store that is no longer used has closed its database, which its queue does after the last call.
        private func expectClosed(_ path: String? = nil) async throws {
            try await eventually { access((path ?? self.path) + "-wal", F_OK) != 0 }
        }

        private func bytes() throws -> [UInt8] { try [UInt8](Data(contentsOf: URL(fileURLWithPath: path))) }

        /// Overwrites a part of the closed database.
        private func write(_ bytes: [UInt8], at offset: UInt64) throws {
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.seek(toOffset: offset)
            try file.write(contentsOf: Data(bytes))
            try file.close()
        }

        @Test("ST-04: the folders are 0700, and the database and what SQLite puts beside it 0600")
        func modes() async throws {
            do {
                let store = try store()
                try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                    try await store.save(StoredRecord("one"), for: key)
                }
                #expect(
                    scratch.names(in: scratch.store) == [
                        "accounts.sqlite", "accounts.sqlite-locks", "accounts.sqlite-shm", "accounts.sqlite-wal",
                    ])
                for suffix in ["", "-shm", "-wal", "-locks/%41da.lock"] {
                    #expect(scratch.mode(path + suffix) == 0o600)
                }
                for folder in [path + "-locks", scratch.store, scratch.path + "/state"] {
                    #expect(scratch.mode(folder) == 0o700)
                }
            }
            // With the store goes the log.
            try await expectClosed()
            #expect(scratch.names(in: scratch.store) == ["accounts.sqlite", "accounts.sqlite-locks"])
            #expect(try await store().load(key)?.text == "one")
        }

        @Test("Looking for a database that is not there does not make it")
        func looking() async throws {
            let store = try store()
            #expect(try await store.load(key) == nil)
            #expect(try await store.keys() == [])
            #expect(try await !store.replace(StoredRecord("a"), with: StoredRecord("b"), for: key))
            try await store.delete(key)
            #expect(scratch.names(in: scratch.path) == [])
        }

        @Test(
            "ST-04: a database that others can read is refused with the command that mends it",
            arguments: [0o644, 0o602])
        func openDatabase(mode: Int) async throws {
            let store = try store()
            try await store.save(StoredRecord("one"), for: key)
            chmod(path, mode_t(mode))
            for problem in [
                await storeProblem { _ = try await store.load(key) },
                await storeProblem { try await store.save(StoredRecord("two"), for: key) },
                await storeProblem { try await store.delete(key) },
                await storeProblem { _ = try await store.keys() },
            ] {
                #expect(problem.hasSuffix("run: chmod 600 \(scratch.store)/*"))
            }
            #expect(scratch.mode(path) == mode)
            chmod(path, 0o600)
            #expect(try await store.load(key)?.text == "one")
            chmod(scratch.store, 0o755)
            #expect(await storeProblem { _ = try await store.load(key) }.hasSuffix("run: chmod 700 \(scratch.store)"))
        }

        @Test("A symbolic link in the place of the database is refused")
        func link() async throws {
            do { try await store().save(StoredRecord("one"), for: key) }
            try await expectClosed()
            rename(path, scratch.store + "/elsewhere")
            symlink(scratch.store + "/elsewhere", path)
            let store = try store()
            #expect(await storeProblem { _ = try await store.load(key) }.hasSuffix("is not a regular file"))
        }

        @Test("ST-03: what is no database is corrupted, and stays as it is")
        func garbage() async throws {
            do { try await store().save(StoredRecord("one"), for: key) }
            try await expectClosed()
            let garbage = [UInt8](repeating: 0x61, count: 5_000)
            try write(garbage, at: 0)
            let before = try bytes()
            let store = try store()
            await expectCode("corrupted_record", of: store)
            #expect(try bytes() == before)
        }

        @Test("ST-03: a damaged page is corrupted; what it does not reach is read still, and nothing is thrown away")
        func damagedPage() async throws {
            do {
                let store = try store()
                for number in 0..<200 {
                    try await store.save(
                        StoredRecord(String(repeating: "x", count: 1_000)), for: StoreKey("a\(number)"))
                }
            }
            try await expectClosed()
            let size = try bytes().count
            try write([UInt8](repeating: 0xFF, count: 4_096), at: UInt64(size - 4_096))
            let before = try bytes()
            let store = try store()
            var codes: [String: Int] = [:]
            for number in 0..<200 {
                do {
                    let found = try await store.load(StoreKey("a\(number)")) != nil
                    codes[found ? "found" : "not there", default: 0] += 1
                } catch {
                    codes[error.code, default: 0] += 1
                }
            }
            #expect(codes["not there"] == nil)
            #expect(codes["found"] ?? 0 > 100 && codes["corrupted_record"] ?? 0 > 0)
            #expect(try bytes() == before)
        }

        @Test("A database of a newer release is refused and left alone")
        func newerSchema() async throws {
            do { try await store().save(StoredRecord("one"), for: key) }
            try await expectClosed()
            // `user_version` in the header (SQLite's file format, 1.3).
            try write([0, 0, 0, 99], at: 60)
            let before = try bytes()
            let store = try store()
            await #expect(throws: TernError(.newerRecord(version: 99), at: .storage)) { try await store.load(key) }
            await expectCode("newer_record", of: store)
            #expect(try bytes() == before)
            try write([0, 0, 0, 1], at: 60)
            #expect(try await store.load(key)?.text == "one")
        }

        @Test("A database of another program is refused and left alone")
        func foreignDatabase() async throws {
            do { try await store().save(StoredRecord("one"), for: key) }
            try await expectClosed()
            // `application_id` in the header.
            try write([0, 0, 0, 0], at: 68)
            let before = try bytes()
            let store = try store()
            await expectCode("store_unavailable", of: store)
            #expect(
                await storeProblem { _ = try await store.load(key) }.hasSuffix(
                    "holds something else; name another file"))
            #expect(try bytes() == before)
        }

        private func expectCode(_ code: String, of store: SQLiteStore) async {
            for call: @Sendable () async throws -> Void in [
                { _ = try await store.load(key) }, { try await store.save(StoredRecord("two"), for: key) },
                { try await store.delete(key) }, { _ = try await store.keys() },
                { _ = try await store.replace(StoredRecord("one"), with: StoredRecord("two"), for: key) },
            ] {
                let error = await #expect(throws: TernError.self) { try await call() }
                #expect(error?.code == code)
            }
        }

        @Test("A record is saved only in the place of the one that was read")
        func replacing() async throws {
            let store = try store()
            let (one, two) = (StoredRecord("one"), StoredRecord("two"))
            #expect(try await !store.replace(one, with: two, for: key))
            try await store.save(one, for: key)
            #expect(try await !store.replace(two, with: one, for: key))
            #expect(try await store.replace(one, with: two, for: key))
            #expect(try await self.store().load(key) == two)
        }

        @Test("What the library keeps beside the accounts is not among them")
        func reservedKeys() async throws {
            let store = try store()
            try await store.save(StoredRecord("x"), for: PendingSignIns.key)
            try await store.save(StoredRecord("one"), for: key)
            #expect(try await store.keys() == [key, PendingSignIns.key])
            #expect(try await store.accounts() == [key])
        }

        @Test(
            "Who writes for too long is not waited for without end, and does not keep readers out",
            .timeLimit(.minutes(1)))
        func busy() async throws {
            let store = try SQLiteStore(path: path, busyTimeout: 50)
            try await store.save(StoredRecord("one"), for: key)
            let other = try SQLiteConnection(path: path, busyTimeout: 0)
            try other.run("BEGIN IMMEDIATE")
            let problem = await storeProblem { try await store.save(StoredRecord("two"), for: key) }
            #expect(problem == "the database \(path): database is locked")
            #expect(try await store.load(key)?.text == "one")
            try other.run("ROLLBACK")
            try await store.save(StoredRecord("two"), for: key)
            #expect(try await store.load(key)?.text == "two")
        }

        @Test("A database that was removed is made anew, and one that was put in its place is read")
        func replacedFile() async throws {
            let store = try store()
            try await store.save(StoredRecord("one"), for: key)
            try FileManager.default.removeItem(atPath: scratch.store)
            #expect(try await store.load(key) == nil)
            try await store.save(StoredRecord("two"), for: key)
            #expect(try await store.load(key)?.text == "two")

            let elsewhere = scratch.path + "/other/accounts.sqlite"
            do { try await SQLiteStore(path: elsewhere).save(StoredRecord("three"), for: key) }
            try await expectClosed(elsewhere)
            // A log that stayed would be taken for the new one's: SQLite knows it by its name alone.
            for suffix in ["-wal", "-shm"] { try FileManager.default.removeItem(atPath: path + suffix) }
            rename(elsewhere, path)
            #expect(try await store.load(key)?.text == "three")
        }

        @Test("A row that is no record of ours is passed over in a list, and corrupted when it is loaded")
        func foreignRows() async throws {
            let store = try store()
            try await store.save(StoredRecord("one"), for: key)
            let other = try SQLiteConnection(path: path, busyTimeout: 1_000)
            try other.run("INSERT INTO credential VALUES ('not a key', x'00'), ('b', 'text'), ('c', zeroblob(1048577))")
            #expect(try await store.keys().map(\.name) == ["Ada", "b", "c"])
            for name in ["b", "c"] {
                let error = await #expect(throws: TernError.self) { try await store.load(StoreKey(name)) }
                #expect(error?.code == "corrupted_record")
                try await store.save(StoredRecord("new"), for: StoreKey(name))
                #expect(try await store.load(StoreKey(name))?.text == "new")
            }
        }

        @Test("A deleted token is in no page of the closed database")
        func secureDeletion() async throws {
            let token = "rt-" + String(repeating: "0123456789", count: 30)
            do {
                let store = try store()
                try await store.save(StoredRecord("one"), for: StoreKey("b"))
                try await store.save(StoredRecord(token), for: key)
            }
            try await expectClosed()
            #expect(String(decoding: try bytes(), as: UTF8.self).contains(token))
            do { try await store().delete(key) }
            try await expectClosed()
            #expect(!String(decoding: try bytes(), as: UTF8.self).contains(token))
        }

        @Test(
            "Paths that cannot be a database are refused",
            arguments: ["", "accounts.sqlite", "/", "/a", "/a/", "/a\u{0}/b"])
        func paths(path: String) {
            let error = #expect(throws: TernError.self) { try SQLiteStore(path: path) }
            #expect(error?.code == "invalid_configuration")
        }
    }
#endif
