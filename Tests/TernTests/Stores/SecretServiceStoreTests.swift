#if SecretService && os(Linux)
    import Foundation
    import TernProtocol
    import Testing

    @testable import Tern

    @Suite("Secret Service store", .timeLimit(.minutes(2)), .enabled(if: TestKeyring.isPossible, TestKeyring.comment))
    struct SecretServiceStoreTests {
        private let scratch: ScratchFolder
        private let keyring: TestKeyring
        private let key: StoreKey

        init() throws {
            scratch = try ScratchFolder()
            keyring = try TestKeyring(in: scratch)
            key = try StoreKey("Ada")
        }

        /// What every call says, and that it says it soon.
        private func problems(of store: SecretServiceStore, listing: Bool = true) async -> Set<String> {
            let start = ContinuousClock.now
            var found: Set<String> = [
                await storeProblem { _ = try await store.load(key) },
                await storeProblem { try await store.save(StoredRecord("new"), for: key) },
                await storeProblem {
                    _ = try await store.replace(StoredRecord("one"), with: StoredRecord("x"), for: key)
                },
                await storeProblem { try await store.delete(key) },
            ]
            if listing { found.insert(await storeProblem { _ = try await store.keys() }) }
            #expect(ContinuousClock.now - start < .seconds(4))
            return found
        }

        @Test("A record outlives the daemon, is updated in its item, and is the application's own")
        func lifeOfAnItem() async throws {
            try await keyring.start()
            let (store, other) = (try keyring.store(), try keyring.store("another app"))
            let bytes = (0...255).map { UInt8($0) }
            try await store.save(StoredRecord("one"), for: key)
            try await store.save(StoredRecord(bytes), for: key)
            #expect(try keyring.itemCount() == 1)
            #expect(try await other.load(key) == nil)
            #expect(try await other.keys() == [])
            try await other.save(StoredRecord("theirs"), for: key)
            try await keyring.start()
            #expect(try await store.load(key)?.exposedBytes == bytes)
            #expect(try await other.load(key)?.text == "theirs")
            try await other.delete(key)
            #expect(try await store.keys() == [key])
            #expect(scratch.names(in: keyring.folder + "/locks") == [])
        }

        @Test("A record is saved only in the place of the one that was read")
        func replacing() async throws {
            try await keyring.start()
            let store = try keyring.store()
            let (one, two) = (StoredRecord("one"), StoredRecord("two"))
            #expect(try await !store.replace(one, with: two, for: key))
            try await store.save(one, for: key)
            #expect(try await !store.replace(two, with: one, for: key))
            #expect(try await store.replace(one, with: two, for: key))
            #expect(try await store.load(key) == two)
        }

        @Test("What the library keeps beside the accounts is not among them")
        func reservedKeys() async throws {
            try await keyring.start()
            let store = try keyring.store()
            try await store.save(StoredRecord("x"), for: PendingSignIns.key)
            try await store.save(StoredRecord("one"), for: key)
            #expect(try await store.keys() == [key, PendingSignIns.key])
            #expect(try await store.accounts() == [key])
        }

        @Test("A keyring that was locked is unavailable, lists all the same, and works once it is unlocked")
        func locked() async throws {
            try await keyring.start()
            let store = try keyring.store()
            try await store.save(StoredRecord("one"), for: key)
            try keyring.lock()
            let found = await problems(of: store, listing: false)
            #expect(found.count == 1 && found.first?.hasPrefix("the keyring is locked; unlock it") == true)
            #expect(try await store.keys() == [key])
            let stranger = try StoreKey("nobody")
            #expect(await storeProblem { _ = try await store.load(stranger) } == found.first)
            #expect(await storeProblem { try await store.save(StoredRecord("x"), for: stranger) } == found.first)
            try await keyring.start()
            #expect(try await store.load(key)?.text == "one")
        }

        @Test("A keyring that nobody has unlocked since the start is unavailable, whatever it hides")
        func neverUnlocked() async throws {
            try await keyring.start()
            let store = try keyring.store()
            try await store.save(StoredRecord("one"), for: key)
            try await keyring.start(password: nil)
            let found = await problems(of: store, listing: false)
            #expect(found.count == 1 && found.first?.hasPrefix("the keyring is locked; unlock it") == true)
            // Its names may be hidden; then they are not "none".
            let names = try? await store.keys()
            #expect(names == nil || names == [key])
            try await keyring.start()
            #expect(try await store.load(key)?.text == "one")
        }

        @Test("ST-04: without a keyring it is unavailable at once, with advice")
        func noKeyring() async throws {
            try await keyring.start(password: nil)
            let found = await problems(of: try keyring.store())
            #expect(found.count == 1 && found.first?.hasPrefix("the Secret Service has no default keyring") == true)
        }

        @Test("ST-04: without a service it is unavailable at once, with advice")
        func noService() async throws {
            try await eventually { [path = keyring.folder] in access(path + "/bus", F_OK) == 0 }
            let found = await problems(of: try keyring.store())
            #expect(found.count == 1 && found.first?.hasPrefix("nothing answers as org.freedesktop.secrets") == true)
        }

        @Test("ST-04: without a bus it is unavailable at once, with advice, and its end ends nobody")
        func noBus() async throws {
            try await keyring.start()
            let store = try keyring.store()
            try await store.save(StoredRecord("one"), for: key)
            keyring.endBus()
            let found = await problems(of: store)
            #expect(found.count == 1 && found.first?.hasPrefix("there is no session bus") == true)
        }

        @Test("A service that does not answer is given up after the time limit, and asked again later")
        func silentService() async throws {
            try await keyring.start()
            let (store, patient) = (try keyring.store(timeLimit: .milliseconds(200)), try keyring.store())
            try await patient.save(StoredRecord("one"), for: key)
            try await keyring.signalDaemon(SIGSTOP)
            let found = await problems(of: store)
            #expect(
                found.count == 1 && found.first?.hasPrefix("the Secret Service did not answer within 0.2 s") == true)
            try await keyring.signalDaemon(SIGCONT)
            // What was given up may still be under way there.
            #expect(try await patient.load(key) != nil)
        }

        @Test("A bus that does not answer is given up too")
        func silentBus() async throws {
            let path = scratch.path + "/silent"
            let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(number) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
            let status = withUnsafePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            #expect(status == 0 && listen(number, 5) == 0)
            let store = try SecretServiceStore(
                application: "app", lockFolder: scratch.store, timeLimit: .milliseconds(200),
                address: "unix:path=\(path)")
            let found = await problems(of: store)
            #expect(
                found.count == 1 && found.first?.hasPrefix("the Secret Service did not answer within 0.2 s") == true)
        }

        @Test("The bus is the one that the environment names, and none is none")
        func environment() async throws {
            try await keyring.start()
            try await keyring.store().save(StoredRecord("one"), for: key)
            await #expect(processExitsWith: .success) {
                [address = keyring.address as String, folder = scratch.store as String] in
                for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR"] { unsetenv(name) }
                let store = try SecretServiceStore(application: "app", lockFolder: folder)
                let problem = await storeProblem { _ = try await store.keys() }
                precondition(problem.hasPrefix("there is no session bus"), problem)
                setenv("DBUS_SESSION_BUS_ADDRESS", address, 1)
                let text = try await store.load(try StoreKey("Ada"))?.text
                precondition(text == "one")
            }
        }

        @Test("Processes that read, add and write lose nothing")
        func counting() async throws {
            try await keyring.start()
            await withTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask { [keyring] in
                        await #expect(processExitsWith: .success) {
                            [address = keyring.address as String, folder = keyring.folder as String] in
                            let store = try SecretServiceStore(
                                application: "app", lockFolder: folder + "/locks", address: address)
                            let key = try StoreKey("counter")
                            for _ in 0..<10 {
                                try await store.withExclusiveAccess(to: key) { () throws(TernError) in
                                    let count = Int(try await store.load(key)?.text ?? "0") ?? -1_000
                                    try await store.save(StoredRecord("\(count + 1)"), for: key)
                                }
                            }
                        }
                    }
                }
            }
            #expect(try await keyring.store().load(try StoreKey("counter"))?.text == "30")
        }

        @Test("A holder that is killed keeps nobody out")
        func killedHolder() async throws {
            try await keyring.start()
            let (store, path) = (try keyring.store(), keyring.folder)
            let child = Task {
                _ = await #expect(processExitsWith: .signal(SIGKILL)) { [folder = path as String] in
                    let store = try SecretServiceStore(
                        application: "app", lockFolder: folder + "/locks", address: "unix:path=\(folder)/bus")
                    try await store.withExclusiveAccess(to: try StoreKey("Ada")) { () throws(TernError) in
                        try await store.save(StoredRecord("held"), for: try StoreKey("Ada"))
                        while access(folder + "/die", F_OK) != 0 { usleep(1_000) }
                        kill(getpid(), SIGKILL)
                    }
                }
            }
            try await eventually { try await store.load(key)?.text == "held" }
            let bounded = try SecretServiceStore(
                application: "app", lockFolder: path + "/locks", longestWait: .milliseconds(50),
                address: keyring.address)
            let problem = await storeProblem {
                try await bounded.withExclusiveAccess(to: key) { () throws(TernError) in }
            }
            #expect(problem.hasPrefix("another process has held a record in \(path)/locks"))
            scratch.create(path + "/die")
            #expect(try await store.withExclusiveAccess(to: key) { () throws(TernError) in 7 } == 7)
            await child.value
        }

        @Test(
            "Parameters that cannot be are refused",
            arguments: [("", "/x"), ("a\u{0}", "/x"), ("a", "x"), ("a", "/\u{0}")])
        func parameters(application: String, folder: String) {
            let error = #expect(throws: TernError.self) {
                try SecretServiceStore(application: application, lockFolder: folder)
            }
            #expect(error?.code == "invalid_configuration")
        }
    }
#endif
