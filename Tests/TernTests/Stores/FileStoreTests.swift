import Foundation
import TernProtocol
import Testing

@testable import Tern

@Suite("File store")
struct FileStoreTests {
    @Test("ST-04: the folder is 0700, the files are 0600, and nothing else is left behind")
    func modes() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("Ada")
        try await store.save(StoredRecord("one"), for: key)
        try await store.save(StoredRecord("two"), for: key)
        #expect(scratch.mode(scratch.store) == 0o700)
        #expect(scratch.mode(scratch.path + "/state") == 0o700)
        #expect(scratch.names(in: scratch.store) == ["%41da.record"])
        #expect(scratch.mode(scratch.store + "/%41da.record") == 0o600)

        try await store.withExclusiveAccess(to: key) { () throws(TernError) in }
        #expect(scratch.mode(scratch.store + "/%41da.lock") == 0o600)
        try await store.delete(key)
        #expect(scratch.names(in: scratch.store) == ["%41da.lock"])
    }

    @Test("Looking into a folder that is not there does not make it")
    func looking() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        #expect(try await store.load(try StoreKey("a")) == nil)
        #expect(try await store.keys() == [])
        try await store.delete(try StoreKey("a"))
        #expect(scratch.names(in: scratch.path) == [])
    }

    @Test(
        "ST-04: a folder that others can enter is refused with the command that mends it",
        arguments: [0o755, 0o770, 0o701])
    func openFolder(mode: Int) async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("a")
        try await store.save(StoredRecord("one"), for: key)
        chmod(scratch.store, mode_t(mode))
        for problem in [
            await storeProblem { _ = try await store.load(key) },
            await storeProblem { try await store.save(StoredRecord("two"), for: key) },
            await storeProblem { try await store.delete(key) },
            await storeProblem { _ = try await store.keys() },
            await storeProblem { try await store.withExclusiveAccess(to: key) { () throws(TernError) in } },
        ] {
            #expect(problem.hasSuffix("run: chmod 700 \(scratch.store)"))
        }
        #expect(scratch.mode(scratch.store) == mode)
        chmod(scratch.store, 0o700)
        #expect(try await store.load(key)?.text == "one")
    }

    @Test(
        "A record that others can read is refused, and can be overwritten and deleted",
        arguments: [0o644, 0o640, 0o602])
    func openRecord(mode: Int) async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("a")
        try await store.save(StoredRecord("one"), for: key)
        chmod(scratch.store + "/a.record", mode_t(mode))
        #expect(await storeProblem { _ = try await store.load(key) }.hasSuffix("run: chmod 600 \(scratch.store)/*"))
        try await store.save(StoredRecord("two"), for: key)
        #expect(scratch.mode(scratch.store + "/a.record") == 0o600)
        #expect(try await store.load(key)?.text == "two")
        chmod(scratch.store + "/a.record", mode_t(mode))
        try await store.delete(key)
        #expect(try await store.load(key) == nil)
    }

    @Test("The command that mends quotes the folder's path")
    func quoting() async throws {
        let scratch = try ScratchFolder()
        let folder = scratch.path + "/Ada's store"
        let store = try FileStore(folder: folder)
        try await store.save(StoredRecord("one"), for: try StoreKey("a"))
        chmod(folder, 0o755)
        let problem = await storeProblem { _ = try await store.keys() }
        #expect(problem.hasSuffix("run: chmod 700 '\(scratch.path)/Ada'\\''s store'"))
    }

    @Test("A folder or a record of another user is refused", .enabled(if: geteuid() == 0))
    func foreignOwner() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("a")
        try await store.save(StoredRecord("one"), for: key)
        chown(scratch.store + "/a.record", 65_534, 65_534)
        #expect(await storeProblem { _ = try await store.load(key) }.contains("belongs to another user"))
        chown(scratch.store, 65_534, 65_534)
        #expect(await storeProblem { _ = try await store.keys() }.contains("belongs to another user"))
    }

    @Test("Symbolic links, pipes and folders in the place of a record are refused, and never followed")
    func notARegularFile() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let (link, pipe, folder) = (try StoreKey("link"), try StoreKey("pipe"), try StoreKey("folder"))
        try await store.save(StoredRecord("mine"), for: try StoreKey("a"))
        let target = scratch.path + "/target"
        scratch.create(target, "theirs")
        symlink(target, scratch.store + "/link.record")
        symlink(target, scratch.store + "/link.lock")
        mkfifo(scratch.store + "/pipe.record", 0o600)
        mkdir(scratch.store + "/folder.record", 0o700)

        #expect(await storeProblem { _ = try await store.load(link) }.contains("symbolic link"))
        #expect(await storeProblem { _ = try await store.load(pipe) }.contains("not a regular file"))
        #expect(await storeProblem { _ = try await store.load(folder) }.contains("not a regular file"))
        #expect(await storeProblem { try await store.save(StoredRecord("x"), for: folder) }.contains("writing in"))
        #expect(
            await storeProblem {
                try await store.withExclusiveAccess(to: link) { () throws(TernError) in }
            }.contains("locking"))
        try await store.save(StoredRecord("new"), for: link)
        #expect(try await store.load(link)?.text == "new")
        #expect(try String(contentsOfFile: target, encoding: .utf8) == "theirs")
        #expect(!scratch.names(in: scratch.store).contains { $0.hasSuffix(".tmp") })
    }

    @Test("ST-03: a record that is too large is corrupted, and can be overwritten and deleted")
    func tooLarge() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("a")
        try await store.save(StoredRecord("one"), for: key)
        truncate(scratch.store + "/a.record", StoredRecord.maximumByteCount + 1)
        let error = await #expect(throws: TernError.self) { try await store.load(key) }
        #expect(error?.code == "corrupted_record")
        try await store.save(StoredRecord("two"), for: key)
        #expect(try await store.load(key)?.text == "two")
    }

    @Test("Foreign files in the folder are neither listed nor touched")
    func foreignFiles() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        try await store.save(StoredRecord("one"), for: try StoreKey("a"))
        for name in ["README", "A.record", "%zz.record", ".record", "b.lock"] {
            scratch.create(scratch.store + "/" + name)
        }
        #expect(try await store.keys().map(\.name) == ["a"])
        #expect(scratch.names(in: scratch.store).count == 6)
    }

    @Test("Only temporary files that are old and whose writer is gone are removed")
    func staleTemporaryFiles() async throws {
        let scratch = try ScratchFolder()
        try await FileStore(folder: scratch.store).save(StoredRecord("one"), for: try StoreKey("a"))
        func temporary(_ name: String, age: Int) -> String {
            let path = scratch.store + "/\(name).tmp"
            scratch.create(path, "rt")
            let modified = timeval(tv_sec: time(nil) - age, tv_usec: 0)
            utimes(path, [modified, modified])
            return path
        }
        _ = temporary("young", age: 60)
        _ = temporary("old", age: 700)
        let alive = open(temporary("alive", age: 100_000), O_RDONLY | O_CLOEXEC)
        defer { close(alive) }
        #expect(flock(alive, LOCK_EX | LOCK_NB) == 0)

        try await FileStore(folder: scratch.store).save(StoredRecord("two"), for: try StoreKey("a"))
        #expect(scratch.names(in: scratch.store) == ["a.record", "alive.tmp", "young.tmp"])
    }

    @Test(
        "A holder that never leaves is waited for as long as was said, by all who wait together",
        .timeLimit(.minutes(1)))
    func longestWait() async throws {
        let scratch = try ScratchFolder()
        let key = try StoreKey("a")
        let holder = try FileStore(folder: scratch.store)
        let store = try FileStore(folder: scratch.store, longestWait: .milliseconds(100))
        try await holder.withExclusiveAccess(to: key) { () throws(TernError) in
            let start = ContinuousClock.now
            let problems = await withTaskGroup(of: String.self) { group in
                for _ in 0..<100 {
                    group.addTask {
                        await storeProblem { try await store.withExclusiveAccess(to: key) { () throws(TernError) in } }
                    }
                }
                return await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(problems.count == 1)
            #expect(problems.first?.hasPrefix("another process has held a record in \(scratch.store)") == true)
            // One after the other they would need ten seconds.
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        #expect(try await store.withExclusiveAccess(to: key) { () throws(TernError) in 7 } == 7)
    }

    @Test("A folder that is removed meanwhile is made anew")
    func removedFolder() async throws {
        let scratch = try ScratchFolder()
        let store = try FileStore(folder: scratch.store)
        let key = try StoreKey("a")
        try await store.withExclusiveAccess(to: key) { () throws(TernError) in
            try await store.save(StoredRecord("one"), for: key)
        }
        try FileManager.default.removeItem(atPath: scratch.store)
        #expect(try await store.load(key) == nil)
        try await store.withExclusiveAccess(to: key) { () throws(TernError) in
            try await store.save(StoredRecord("two"), for: key)
        }
        #expect(try await store.load(key)?.text == "two")
    }

    @Test("A file in the place of the folder is named with the system's words")
    func noFolder() async throws {
        let scratch = try ScratchFolder()
        let path = scratch.path + "/file"
        scratch.create(path)
        let problem = await storeProblem {
            try await FileStore(folder: path).save(StoredRecord("x"), for: try StoreKey("a"))
        }
        #expect(problem == "opening \(path): Not a directory")
    }

    @Test("Paths that cannot be a folder are refused, a relative one is made absolute")
    func paths() throws {
        #expect(throws: TernError.self) { try FileStore(folder: "") }
        #expect(throws: TernError.self) { try FileStore(folder: "/tmp/\u{0}x") }
        #expect(try FileStore(folder: "x").folder == FileManager.default.currentDirectoryPath + "/x")
    }

    #if os(Linux)
        @Test(
            "The folder of an application on Linux",
            arguments: [
                (["XDG_STATE_HOME": "/s", "HOME": "/h"], "/s/app"), (["HOME": "/h"], "/h/.local/state/app"),
                (["XDG_STATE_HOME": "relative", "HOME": "/h"], "/h/.local/state/app"), ([:], nil), (["HOME": ""], nil),
            ] as [([String: String], String?)])
        func defaultFolder(environment: [String: String], expected: String?) {
            #expect((try? FileStore.defaultFolder(application: "app") { environment[$0] }) == expected)
        }
    #endif

    @Test("An application's name is one path segment", arguments: ["", ".", "..", "a/b", ".a", "a\u{0}"])
    func applicationNames(name: String) {
        #expect(throws: TernError.self) { try FileStore.defaultFolder(application: name) { _ in "/h" } }
    }
}
