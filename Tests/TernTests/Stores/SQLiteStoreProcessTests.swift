#if SQLite && (os(Linux) || os(macOS))
    import Foundation
    import TernProtocol
    import Testing

    @testable import Tern

    /// What holds between processes and when one is killed.
    @Suite("SQLite store and other processes", .timeLimit(.minutes(2)))
    struct SQLiteStoreProcessTests {
        @Test("A process that is killed in the middle of saving leaves the old or the new record")
        func killedWriter() async throws {
            let scratch = try ScratchFolder()
            let path = scratch.store + "/accounts.sqlite"
            let store = try SQLiteStore(path: path)
            let key = try StoreKey("a")
            try await store.save(FileStoreProcessTests.record(0), for: key)
            for round in 1...8 {
                await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String, round = round as Int] in
                    Thread.detachNewThread {
                        usleep(UInt32(2_000 * round + 500))
                        kill(getpid(), SIGKILL)
                    }
                    let store = try SQLiteStore(path: path)
                    let key = try StoreKey("a")
                    var number = UInt8(0)
                    while true {
                        number &+= 1
                        try await store.save(FileStoreProcessTests.record(number), for: key)
                    }
                }
                let bytes = try #require(try await store.load(key)).exposedBytes
                // As one truth value: the differences of long lists take minutes to find.
                let isWhole = bytes == FileStoreProcessTests.record(bytes.first ?? 0).exposedBytes
                #expect(isWhole)
                try await store.save(FileStoreProcessTests.record(0), for: key)
            }
        }

        @Test("A holder that is killed while it refreshes keeps nobody out")
        func killedHolder() async throws {
            let scratch = try ScratchFolder()
            let path = scratch.store + "/accounts.sqlite"
            let store = try SQLiteStore(path: path)
            let key = try StoreKey("a")
            let child = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [path = path as String] in
                    let store = try SQLiteStore(path: path)
                    try await store.withExclusiveAccess(to: try StoreKey("a")) { () throws(TernError) in
                        try await store.save(StoredRecord("held"), for: try StoreKey("a"))
                        while access(path + "-die", F_OK) != 0 { usleep(1_000) }
                        kill(getpid(), SIGKILL)
                    }
                }
            }
            try await eventually { try await store.load(key)?.text == "held" }
            let bounded = try SQLiteStore(path: path, longestWait: .milliseconds(50))
            let problem = await storeProblem {
                try await bounded.withExclusiveAccess(to: key) { () throws(TernError) in }
            }
            #expect(problem.hasPrefix("another process has held a record in \(path)-locks"))
            // Nothing of the database itself is held meanwhile.
            try await store.save(StoredRecord("free"), for: try StoreKey("b"))
            scratch.create(path + "-die")
            #expect(try await store.withExclusiveAccess(to: key) { () throws(TernError) in 7 } == 7)
            await child.value
        }

        @Test("Four processes that make the database together, read, add and write lose nothing")
        func counting() async throws {
            let scratch = try ScratchFolder()
            let path = scratch.store + "/accounts.sqlite"
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { [path = path as String] in
                            let store = try SQLiteStore(path: path)
                            let key = try StoreKey("counter")
                            for _ in 0..<25 {
                                try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                                    let count = Int(try await store.load(key)?.text ?? "0") ?? -1_000
                                    try await store.save(StoredRecord("\(count + 1)"), for: key)
                                }
                            }
                        }
                    }
                }
            }
            #expect(try await SQLiteStore(path: path).load(try StoreKey("counter"))?.text == "100")
        }

        @Test("A disk that takes no more keeps the old record and says so")
        func fullDisk() async throws {
            let scratch = try ScratchFolder()
            let path = scratch.store + "/accounts.sqlite"
            do { try await SQLiteStore(path: path).save(StoredRecord("old"), for: try StoreKey("a")) }
            // A limit of the file's size makes the kernel write a part and then refuse, as a full disk does.
            await #expect(processExitsWith: .success) { [path = path as String] in
                signal(SIGXFSZ, SIG_IGN)
                let store = try SQLiteStore(path: path)
                let key = try StoreKey("a")
                _ = try await store.load(key)
                FileStoreProcessTests.limitFileSize(100_000)
                let problem = await storeProblem {
                    try await store.save(FileStoreProcessTests.record(1), for: key)
                }
                precondition(problem.hasPrefix("the database \(path): "), problem)
                let kept = try await store.load(key)?.text
                precondition(kept == "old")
            }
            #expect(try await SQLiteStore(path: path).load(try StoreKey("a"))?.text == "old")
        }
    }
#endif
