#if os(Linux) || os(macOS)
    import Foundation
    import TernCrypto
    import TernProtocol
    import Testing

    @testable import Tern

    /// What holds between processes and when one is killed.
    @Suite("File store and other processes")
    struct FileStoreProcessTests {
        @Test(
            "A process that is killed in the middle of saving leaves the old or the new record", .timeLimit(.minutes(2))
        )
        func killedWriter() async throws {
            let scratch = try ScratchFolder()
            let folder = scratch.store
            let store = try FileStore(folder: folder)
            let key = try StoreKey("a")
            try await store.save(Self.record(0), for: key)
            for round in 1...8 {
                await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String, round = round as Int] in
                    Thread.detachNewThread {
                        usleep(UInt32(2_000 * round + 500))
                        kill(getpid(), SIGKILL)
                    }
                    let store = try FileStore(folder: folder)
                    let key = try StoreKey("a")
                    var number = UInt8(0)
                    while true {
                        number &+= 1
                        try await store.save(FileStoreProcessTests.record(number), for: key)
                    }
                }
                let bytes = try #require(try await store.load(key)).exposedBytes
                // As one truth value: the differences of long lists take minutes to find.
                let isWhole = bytes == Self.record(bytes.first ?? 0).exposedBytes
                #expect(isWhole)
                try await store.save(Self.record(0), for: key)
            }
            let left = scratch.names(in: folder).filter { $0.hasSuffix(".tmp") }
            for name in left { utimes(folder + "/" + name, [timeval(), timeval()]) }
            try await FileStore(folder: folder).save(Self.record(1), for: key)
            #expect(scratch.names(in: folder) == ["a.record"])
        }

        @Test("Another process keeps us out while we care to wait, and its death lets us in", .timeLimit(.minutes(1)))
        func killedHolder() async throws {
            let scratch = try ScratchFolder()
            let folder = scratch.store
            let store = try FileStore(folder: folder)
            let key = try StoreKey("a")
            let child = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [folder = folder as String] in
                    let store = try FileStore(folder: folder)
                    try await store.withExclusiveAccess(to: try StoreKey("a")) { () throws(TernError) in
                        try await store.save(StoredRecord("held"), for: try StoreKey("a"))
                        while access(folder + "/die", F_OK) != 0 { usleep(1_000) }
                        kill(getpid(), SIGKILL)
                    }
                }
            }
            try await eventually { try await store.load(key)?.text == "held" }
            let isIn = Locked(false)
            let waiter = Task {
                try await store.withExclusiveAccess(to: key) { () throws(TernError) in isIn.withLock { $0 = true } }
            }
            let impatient = Task {
                try await FileStore(folder: folder).withExclusiveAccess(to: key) { () throws(TernError) in }
            }
            try await Task.sleep(for: .milliseconds(200))
            #expect(!isIn.withLock { $0 })
            let bounded = try FileStore(folder: folder, longestWait: .milliseconds(50))
            let error = await #expect(throws: TernError.self) {
                try await bounded.withExclusiveAccess(to: key) { () throws(TernError) in }
            }
            #expect(error?.code == "store_unavailable")
            impatient.cancel()
            await #expect(throws: TernError(.cancelled, at: .storage)) { try await impatient.value }
            scratch.create(folder + "/die")
            try await waiter.value
            #expect(isIn.withLock { $0 })
            await child.value
        }

        @Test("Four processes that read, add and write lose nothing", .timeLimit(.minutes(2)))
        func counting() async throws {
            let scratch = try ScratchFolder()
            let folder = scratch.store
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        await #expect(processExitsWith: .success) { [folder = folder as String] in
                            let store = try FileStore(folder: folder)
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
            #expect(try await FileStore(folder: folder).load(try StoreKey("counter"))?.text == "100")
        }

        @Test("A disk that takes no more keeps the old record and says so", .timeLimit(.minutes(1)))
        func fullDisk() async throws {
            let scratch = try ScratchFolder()
            let folder = scratch.store
            try await FileStore(folder: folder).save(StoredRecord("old"), for: try StoreKey("a"))
            // A limit of the file's size makes the kernel write a part and then refuse, as a full disk does.
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                signal(SIGXFSZ, SIG_IGN)
                FileStoreProcessTests.limitFileSize(1_000)
                let store = try FileStore(folder: folder)
                let key = try StoreKey("a")
                let problem = await storeProblem {
                    try await store.save(FileStoreProcessTests.record(1), for: key)
                }
                precondition(problem == "writing in \(folder): File too large", problem)
                let kept = try await store.load(key)?.text
                precondition(kept == "old")
            }
            #expect(scratch.names(in: folder) == ["a.record"])
        }

        @Test("A folder that cannot be written is read still, and saving says so", .timeLimit(.minutes(1)))
        func readOnlyFolder() async throws {
            let scratch = try ScratchFolder()
            let folder = scratch.store
            try await FileStore(folder: folder).save(StoredRecord("old"), for: try StoreKey("a"))
            // The administrator may write everywhere, so the folder is given to somebody else, who then looks.
            if geteuid() == 0 {
                for path in [folder + "/a.record", folder, scratch.path + "/state", scratch.path] {
                    chown(path, 65_534, 65_534)
                }
            }
            chmod(folder, 0o500)
            await #expect(processExitsWith: .success) { [folder = folder as String] in
                if geteuid() == 0 { precondition(setgid(65_534) == 0 && setuid(65_534) == 0) }
                let store = try FileStore(folder: folder)
                let key = try StoreKey("a")
                let text = try await store.load(key)?.text
                precondition(text == "old")
                let saving = await storeProblem { try await store.save(StoredRecord("new"), for: key) }
                precondition(saving == "writing in \(folder): Permission denied", saving)
                let deleting = await storeProblem { try await store.delete(key) }
                precondition(deleting == "deleting a record in \(folder): Permission denied", deleting)
                let locking = await storeProblem {
                    try await store.withExclusiveAccess(to: key) { () throws(TernError) in }
                }
                precondition(locking == "locking a record in \(folder): Permission denied", locking)
            }
            chmod(folder, 0o700)
        }

        static func limitFileSize(_ bytes: UInt) {
            var limit = rlimit(rlim_cur: .init(bytes), rlim_max: .init(bytes))
            #if canImport(Glibc)
                setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
            #else
                setrlimit(RLIMIT_FSIZE, &limit)
            #endif
        }

        /// A record of many pages whose bytes are all the same.
        static func record(_ number: UInt8) -> StoredRecord {
            StoredRecord([UInt8](repeating: number, count: 300_000))
        }
    }
#endif
