#if os(Linux) || os(macOS)
    import Foundation
    import Tern
    import TernTesting
    import Testing

    /// What the child processes of the tests do, and what lies on the disk for them.
    struct OtherProcess: Sendable {
        let folder: String
        let issuer: String
        /// How far the child's clock is ahead of the system's, in seconds.
        let ahead: Int
        let store: String
        let kind: StoreKind

        init(folder: String, issuer: String, ahead: Int, store: String? = nil, kind: StoreKind = .file) {
            self.folder = folder
            self.issuer = issuer
            self.ahead = ahead
            self.store = store ?? folder + "/store"
            self.kind = kind
        }

        private var pidFile: String { folder + "/pid" }

        /// The session that lies in the folder, over a transport of its own.
        func session(longestAttempt: Duration = .seconds(20)) async throws -> Session {
            let transport = CurlTransport(policy: TransportPolicy(timeout: longestAttempt))
            let client = try Scene.client(
                of: issuer,
                Environment(
                    transport: transport, store: try kind.open(in: store), clock: ShiftedClock(ahead: ahead)))
            guard let session = try await client.session() else { throw Missing() }
            return session
        }

        struct Missing: Error {}

        /// Says which process this is, gets a token, and waits to be killed.
        func renewAndWait() async throws {
            try Data("\(getpid())".utf8).write(to: URL(fileURLWithPath: pidFile), options: .atomic)
            _ = try? await session().accessToken()
            while true { pause() }
        }

        /// The code of the error of a process that goes on with what is there; empty where it got a token that the API
        /// takes.
        func goOn() async throws -> String {
            let session = try await session()
            do throws(TernError) {
                let answer = try await session.send(try .get(issuer + "/api/notes"))
                return answer.status == 200 ? "" : "status \(answer.status)"
            } catch {
                return error.code
            }
        }

        /// Ends the child as `kill -9` does, once it has said which process it is.
        func kill() async throws {
            try await eventually { FileManager.default.fileExists(atPath: pidFile) }
            let text = try String(contentsOfFile: pidFile, encoding: .utf8)
            try FileManager.default.removeItem(atPath: pidFile)
            let pid = try #require(pid_t(text))
            #if canImport(Glibc)
                #expect(Glibc.kill(pid, SIGKILL) == 0)
            #else
                #expect(Darwin.kill(pid, SIGKILL) == 0)
            #endif
        }
    }
#endif
