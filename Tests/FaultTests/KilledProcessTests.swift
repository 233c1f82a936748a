#if os(Linux) || os(macOS)
    import Foundation
    import Tern
    import TernProtocol
    import TernTesting
    import Testing

    /// `kill -9` at every step of a refresh, and a new process that goes on. One child at a time: a test that waits for its
    /// child blocks a thread of the pool, and the server in this process needs one too.
    @Suite("A process that is killed while it renews", .serialized, .timeLimit(.minutes(5)))
    struct KilledProcessTests {
        /// Where the killed process has come to.
        enum Moment: String, CaseIterable, Sendable {
            /// It holds the lock and asks for the metadata.
            case beforeTheRequest
            /// The request is on its way; the server has not seen it.
            case requestSent
            /// The server has exchanged the refresh token; no answer came.
            case exchanged
            /// Half of the answer came.
            case halfAnswered
            /// The answer is there, and the keys for its ID token are asked for.
            case answered
            /// The new record is in the store.
            case stored

            var fault: Fault {
                switch self {
                case .beforeTheRequest: Fault(at: .openIDConfiguration, .dropRequest, .connection(.silence))
                case .requestSent: Fault(at: .token, .dropRequest, .connection(.silence))
                case .exchanged: Fault(at: .token, .dropAnswer, .connection(.silence))
                case .halfAnswered: Fault(at: .token, .truncate(100), .connection(.silence))
                case .answered: Fault(at: .keys, .dropRequest, .connection(.silence))
                // Nothing: the process comes to its end and waits there.
                case .stored: Fault(at: .other)
                }
            }

            /// Whether only a grace of the server's can keep the sign-in.
            var needsGrace: Bool { self == .exchanged || self == .halfAnswered }
        }

        @Test("The sign-in is kept wherever it can be", arguments: Moment.allCases, [true, false])
        func killed(moment: Moment, hasGrace: Bool) async throws {
            let stage = try await Stage(grace: hasGrace ? .seconds(60) : .zero)
            let before = try #require(try await stage.stored())
            stage.server.served.add(moment.fault)
            let hits = stage.server.count(of: .token)
            let child = stage.startChild()
            switch moment {
            case .beforeTheRequest:
                let known = stage.server.count(of: .openIDConfiguration)
                try await eventually { stage.server.count(of: .openIDConfiguration) > known }
            case .requestSent, .exchanged, .halfAnswered:
                try await eventually { stage.server.count(of: .token) > hits }
            case .answered:
                let known = stage.server.count(of: .keys)
                try await eventually { stage.server.count(of: .keys) > known }
            case .stored: try await eventually { try await stage.stored()?.accessToken != before.accessToken }
            }
            try await stage.process.kill()
            await child.value
            let atDeath = try #require(try await stage.stored())
            stage.server.served.change { $0.faults.removeAll() }

            let hitsBefore = stage.server.count(of: .token)
            let outcome = moment.needsGrace && !hasGrace ? "reauthentication_required" : ""
            await stage.expectNextProcess(outcome)
            // What was renewed and stored is used and not renewed again; what was not is asked for once.
            #expect(stage.server.count(of: .token) == hitsBefore + (moment == .stored ? 0 : 1))
            #expect(atDeath.idToken == before.idToken || moment == .stored)
            let after = try #require(try await stage.stored())
            #expect((after.refreshToken == nil) == !outcome.isEmpty)
            #expect(after.subject == before.subject && after.idToken != nil)
            try await stage.end()
        }

        @Test("At any moment: the old or the new record is there, and the next goes on", arguments: StoreKind.onDisk)
        func anyMoment(kind: StoreKind) async throws {
            let stage = try await Stage(kind, grace: .seconds(3_600))
            for round in 0..<12 {
                let before = try #require(try await stage.stored())
                let hits = stage.server.count(of: .token)
                let child = stage.startChild()
                try await eventually { stage.server.count(of: .token) > hits }
                // From the arrival of the request to well after the end.
                try await Task.sleep(for: .microseconds(round * round * 300))
                try await stage.process.kill()
                await child.value
                let after = try #require(try await stage.stored())
                #expect(after.accessToken == before.accessToken || after.refreshToken != before.refreshToken)
                await stage.expectNextProcess("")
                stage.clock.moveAhead(by: 4_000)
            }
            try await stage.end()
        }
    }

    /// A server in this process, and a record in a folder that other processes renew.
    private final class Stage: Sendable {
        let clock = ShiftedClock()
        let server: TestServer
        let folder: TemporaryFolder
        private let kind: StoreKind
        private let account: StoreKey

        init(_ kind: StoreKind = .file, grace: Duration) async throws {
            self.kind = kind
            var authorizationServer = AuthorizationServer()
            authorizationServer.settings.rotationGrace = grace
            // A new process asks for both again, and an old one in this process does not matter.
            server = try TestServer.start(authorizationServer, clock: clock)
            folder = try TemporaryFolder()
            let transport = CurlTransport()
            let client = try Scene.client(
                of: server.issuer.text,
                Environment(transport: transport, store: try kind.open(in: folder.path + "/store"), clock: clock))
            account = try await client.signIn(with: RobotUserAgent(transport: transport)).account
            clock.moveAhead(by: 4_000)
        }

        var process: OtherProcess {
            let ahead = clock.now.secondsSince1970 - SystemWallClock().now.secondsSince1970
            return OtherProcess(
                folder: folder.path, issuer: server.issuer.text, ahead: Int(ahead.rounded()), kind: kind)
        }

        func stored() async throws -> Credential? {
            try await kind.open(in: process.store).load(account).map { try Credential($0) }
        }

        /// A process that renews and is killed.
        func startChild() -> Task<Void, Never> {
            let (process, kind) = (process, kind)
            return Task {
                await #expect(processExitsWith: .signal(SIGKILL)) {
                    [
                        folder = process.folder as String, issuer = process.issuer as String,
                        ahead = process.ahead as Int, kind = kind.rawValue as String
                    ] in
                    let kind = try #require(StoreKind(rawValue: kind))
                    try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead, kind: kind).renewAndWait()
                }
            }
        }

        /// A process that goes on, and what becomes of it.
        func expectNextProcess(_ outcome: String) async {
            let process = process
            await #expect(processExitsWith: .success) {
                [
                    folder = process.folder as String, issuer = process.issuer as String,
                    ahead = process.ahead as Int, outcome = outcome as String, kind = kind.rawValue as String
                ] in
                let kind = try #require(StoreKind(rawValue: kind))
                let code = try await OtherProcess(folder: folder, issuer: issuer, ahead: ahead, kind: kind).goOn()
                #expect(code == outcome)
            }
        }

        func end() async throws {
            if kind == .file {
                #expect(
                    folder.names(in: "store").filter { !$0.hasSuffix(".lock") }.allSatisfy {
                        $0.hasSuffix(".record") || $0.hasSuffix(".tmp")
                    })
            }
            await server.stop()
        }
    }
#endif
