#if os(Linux) || os(macOS)
    import Foundation
    import Tern
    import TernTesting
    import Testing

    @Suite("Two processes that find the same token expired", .serialized, .timeLimit(.minutes(1)))
    struct ProcessRaceTests {
        @Test("One of them asks the server, and both get the new token", arguments: StoreKind.onDisk)
        func oneRefresh(kind: StoreKind) async throws {
            let scene = try await Scene(kind)
            let ahead = ShiftedClock.ahead(of: scene.serverClock.now) + 7_200
            scene.advance(by: 7_200)
            // The answer waits until the clock of the server is moved, and the other process asks meanwhile.
            scene.server.served.add(Fault(at: .token, .delay(.seconds(1))))
            let own = Task { try await scene.session.accessToken() }
            await scene.serverClock.waitForSleepers()
            let files = scene.folder.path
            let (issuer, name) = (scene.server.issuer.text, kind.rawValue)
            let child = Task {
                _ = await #expect(processExitsWith: .success) {
                    [files = files as String, issuer = issuer as String, ahead = ahead as Int, name = name as String] in
                    let kind = try #require(StoreKind(rawValue: name))
                    let session = try await OtherProcess(folder: files, issuer: issuer, ahead: ahead, kind: kind)
                        .session()
                    try Data().write(to: URL(fileURLWithPath: files + "/asks"))
                    let token = try await session.accessToken().exposedText
                    try Data(token.utf8).write(to: URL(fileURLWithPath: files + "/token"))
                }
            }
            try await eventually { FileManager.default.fileExists(atPath: files + "/asks") }
            scene.serverClock.advance(by: .seconds(1))
            let token = try await own.value
            await child.value
            #expect(token != scene.first.accessToken)
            #expect(try String(contentsOfFile: files + "/token", encoding: .utf8) == token.exposedText)
            // One exchange at the sign-in, one refresh.
            #expect(scene.server.count(of: .token) == 2)
            try await scene.end()
        }
    }
#endif
