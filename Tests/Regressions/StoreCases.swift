#if os(Linux) || os(macOS)
    import Foundation
    import Tern
    import TernProtocol
    import Testing

    @Suite("Stores")
    struct StoreCases {
        private static func record(_ text: String) -> StoredRecord { StoredRecord(Array(text.utf8)) }

        private static func mode(_ path: String) -> Int {
            (try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int) ?? -1
        }

        /// Runs `body` with the path of a folder that is not there yet.
        private func withFolder(_ body: (String) async throws -> Void) async throws {
            let path = FileManager.default.temporaryDirectory.path + "/tern-cases-" + UUID().uuidString
            defer { try? FileManager.default.removeItem(atPath: path) }
            try await body(path)
        }

        #if SecretService && os(Linux)
            @Test("ST-04, without a secret service", .timeLimit(.minutes(1)))
            func noSecretService() async throws {
                try await withFolder { path in
                    await #expect(processExitsWith: .success) { [path = path as String] in
                        for name in ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "XDG_RUNTIME_DIR"] { unsetenv(name) }
                        let store = try SecretServiceStore(application: "app", lockFolder: path)
                        let key = try StoreKey("ada")
                        let start = ContinuousClock.now
                        for call: @Sendable () async throws -> Void in [
                            { _ = try await store.load(key) },
                            { try await store.save(StoreCases.record("at-1"), for: key) },
                            { _ = try await store.keys() }, { try await store.delete(key) },
                        ] {
                            let error = await #expect(throws: TernError.self) { try await call() }
                            guard case .storeUnavailable(let advice) = error?.reason else {
                                Issue.record("\(error?.code ?? "nothing thrown")")
                                return
                            }
                            #expect(advice.contains("use another store"))
                        }
                        #expect(ContinuousClock.now - start < .seconds(5))
                    }
                    // The tokens did not go to a file instead.
                    #expect(!FileManager.default.fileExists(atPath: path))
                }
            }
        #endif

        @Test("ST-04, the file store that the caller chose", .timeLimit(.minutes(1)))
        func chosenFileStore() async throws {
            try await withFolder { path in
                // A process whose files would be open to everybody.
                await #expect(processExitsWith: .success) { [path = path as String] in
                    umask(0)
                    let store = try FileStore(folder: path + "/app")
                    let key = try StoreKey("ada")
                    try await store.save(StoreCases.record("at-1"), for: key)
                    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: path + "/app/ada.record"))
                    try await store.save(StoreCases.record("at-2"), for: key)
                    // Who has the old file open reads the old record to its end: it was replaced, not written over.
                    let old = try reader.readToEnd()
                    #expect(old == Data("at-1".utf8))
                    let new = try await store.load(key)
                    #expect(new == StoreCases.record("at-2"))
                    for folder in [path, path + "/app"] { #expect(StoreCases.mode(folder) == 0o700) }
                    let names = try FileManager.default.contentsOfDirectory(atPath: path + "/app")
                    #expect(names == ["ada.record"] && StoreCases.mode(path + "/app/ada.record") == 0o600)
                }
            }
        }
    }
#endif
