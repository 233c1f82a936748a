#if os(Linux) || os(macOS)
    import Foundation
    import Tern
    import TernProtocol
    import TernTesting
    import Testing

    @Suite("Faults of the store", .serialized, .timeLimit(.minutes(2)))
    struct StoreFaultTests {
        #if os(Linux)
            @Test(
                "A full disk: what the server exchanged is kept in memory and stored when there is room",
                .enabled(if: TinyDisk.isPermitted, "mounting a small file system is not permitted to this user"))
            func fullDisk() async throws {
                let scene = try await Scene(.file)
                let issuer = scene.server.issuer.text
                let ahead = ShiftedClock.ahead(of: scene.serverClock.now) + 7_200
                scene.serverClock.advance(by: .seconds(7_200))
                await #expect(processExitsWith: .success) {
                    [folder = scene.folder.path as String, issuer = issuer as String, ahead = ahead as Int] in
                    try FileManager.default.createDirectory(atPath: folder + "/disk", withIntermediateDirectories: true)
                    let disk = try #require(TinyDisk(at: folder + "/disk", pages: 8))
                    for name in try FileManager.default.contentsOfDirectory(atPath: folder + "/store") {
                        try FileManager.default.copyItem(
                            atPath: "\(folder)/store/\(name)", toPath: "\(disk.path)/\(name)")
                    }
                    let process = OtherProcess(folder: folder, issuer: issuer, ahead: ahead, store: disk.path)
                    let session = try await process.session()
                    let old = try await session.credential()
                    try disk.fill()
                    for _ in 0..<2 {
                        let error = await #expect(throws: TernError.self) { try await session.accessToken() }
                        guard case .storeUnavailable(let words) = error?.reason else {
                            Issue.record("\(error?.code ?? "")")
                            return
                        }
                        #expect(words.hasSuffix("No space left on device"))
                        #expect(error?.likeliestCause == "disk_full")
                    }
                    let same = try await process.session().credential()
                    #expect(same == old)
                    disk.free()
                    let token = try await session.accessToken()
                    #expect(token != old.accessToken)
                    let stored = try await process.session().credential()
                    #expect(stored.accessToken == token && stored.refreshToken != old.refreshToken)
                    for name in try FileManager.default.contentsOfDirectory(atPath: disk.path) {
                        #expect(!name.hasSuffix(".tmp"))
                    }
                }
                // One exchange at the sign-in, one refresh.
                #expect(scene.server.count(of: .token) == 2)
                try await scene.end()
            }
        #endif

        @Test("A limit of the file's size does as a full disk does")
        func limitedFiles() async throws {
            let scene = try await Scene(.file)
            let issuer = scene.server.issuer.text
            let ahead = ShiftedClock.ahead(of: scene.serverClock.now) + 7_200
            scene.serverClock.advance(by: .seconds(7_200))
            await #expect(processExitsWith: .success) {
                [folder = scene.folder.path as String, issuer = issuer as String, ahead = ahead as Int] in
                // The kernel writes a part of the record and refuses the rest, as on a full disk.
                signal(SIGXFSZ, SIG_IGN)
                let session = try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead).session()
                let old = try await session.credential()
                StoreFaultTests.limitFileSize(to: 500)
                for _ in 0..<2 {
                    let code = await StoreFaultTests.code { try await session.accessToken() }
                    #expect(code == "store_unavailable")
                }
                StoreFaultTests.limitFileSize(to: nil)
                let token = try await session.accessToken()
                #expect(token != old.accessToken)
                let next = try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead).session()
                let stored = try await next.credential()
                #expect(stored.accessToken == token && stored.refreshToken != old.refreshToken)
            }
            // One exchange at the sign-in, one refresh.
            #expect(scene.server.count(of: .token) == 2)
            #expect(try await scene.stored()?.refreshToken != scene.first.refreshToken)
            #expect(scene.folder.names(in: "store").allSatisfy { !$0.hasSuffix(".tmp") })
            try await scene.end()
        }

        @Test("A folder that cannot be written: the server is not asked, and a good token is used")
        func readOnlyFolder() async throws {
            let scene = try await Scene(.file)
            let issuer = scene.server.issuer.text
            let ahead = ShiftedClock.ahead(of: scene.serverClock.now)
            scene.serverClock.advance(by: .seconds(7_200))
            let store = scene.folder.path + "/store"
            // The administrator may write everywhere, so the folder is given to somebody else, who then looks.
            if geteuid() == 0 {
                for path in [scene.folder.path, store] + scene.folder.names(in: "store").map({ store + "/" + $0 }) {
                    chown(path, 65_534, 65_534)
                }
            }
            chmod(store, 0o500)
            await #expect(processExitsWith: .success) {
                [folder = scene.folder.path as String, issuer = issuer as String, ahead = ahead as Int] in
                if geteuid() == 0 { try #require(setgid(65_534) == 0 && setuid(65_534) == 0) }
                let early = try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead + 3_570).session()
                let token = try await early.accessToken()
                let kept = try await early.credential().accessToken
                #expect(kept == token)
                let late = try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead + 7_200).session()
                let code = await StoreFaultTests.code { try await late.accessToken() }
                #expect(code == "store_unavailable")
                chmod(folder + "/store", 0o700)
                let renewed = try await late.accessToken()
                #expect(renewed != token)
            }
            if geteuid() == 0 {
                for path in [scene.folder.path, store] + scene.folder.names(in: "store").map({ store + "/" + $0 }) {
                    chown(path, 0, 0)
                }
            }
            // Not asked while the folder could not be written, once afterwards.
            #expect(scene.server.count(of: .token) == 2)
            #expect(try await scene.stored()?.refreshToken != scene.first.refreshToken)
            try await scene.end()
        }

        @Test(
            "A damaged record is named, left alone, and replaced by the next sign-in",
            arguments: ["", "{", "{\"version\":1}", "\u{0}\u{0}\u{0}"])
        func damagedRecord(text: String) async throws {
            let scene = try await Scene(.file)
            let damaged = StoredRecord(Array(text.utf8))
            try await scene.store.save(damaged, for: scene.account)
            // A token that is good needs no store; a renewal does.
            #expect(try await scene.session.accessToken() == scene.first.accessToken)
            scene.advance(by: 7_200)
            #expect(try await scene.error { try await scene.session.accessToken() }?.code == "corrupted_record")
            #expect(try await scene.error { try await scene.sessionOfNewProcess() }?.code == "corrupted_record")
            #expect(scene.server.count(of: .token) == 1)
            #expect(try await scene.store.load(scene.account) == damaged)
            let again = try await scene.signInAgain()
            #expect(try await again.accessToken() != scene.first.accessToken)
            let newcomer = try await scene.sessionOfNewProcess()
            #expect(try await newcomer.accessToken() == again.accessToken())
            try await scene.end()
        }

        static func code<Value: Sendable>(of call: () async throws -> Value) async -> String {
            do {
                _ = try await call()
                return ""
            } catch {
                return (error as? TernError)?.code ?? "another error"
            }
        }

        static func limitFileSize(to bytes: UInt?) {
            #if canImport(Glibc)
                let resource = __rlimit_resource_t(RLIMIT_FSIZE.rawValue)
            #else
                let resource = RLIMIT_FSIZE
            #endif
            var limit = rlimit()
            getrlimit(resource, &limit)
            limit.rlim_cur = bytes.map { rlim_t($0) } ?? limit.rlim_max
            setrlimit(resource, &limit)
        }
    }
#endif
