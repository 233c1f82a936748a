import Foundation
import Tern
import TernTesting
import Testing

@testable import TernCommand

/// What users, shells and broken machines do to the command.
@Suite("The command in hard times", .serialized, .timeLimit(.minutes(2)))
struct HardTimesTests {
    /// An account of the test server's, signed in.
    private struct Scene {
        let server: TestServer
        let folder: TemporaryFolder
        var run: CommandRun { CommandRun(store: folder.path) }
        var credentials: String { folder.path + "/credentials/" }

        init(_ server: AuthorizationServer = AuthorizationServer(), faults: [Fault] = []) async throws {
            var authorizationServer = server
            for fault in faults { authorizationServer.faults.add(fault) }
            self.server = try TestServer.start(authorizationServer)
            folder = try TemporaryFolder()
            try await run.login(at: self.server, "--account", "work", "--scope", "openid profile")
        }

        /// Runs lines of the shell in which `tern` is the command, `$TERN` its path and `$ISSUER` the server.
        func shell(_ script: String) async throws -> (status: Int32, output: String) {
            var run = run
            run.variables["ISSUER"] = server.issuer.text
            return try await run.shell(script)
        }
    }

    @Test("Ctrl-C while the server renews the tokens does not lose the new refresh token")
    func interruptedRenewal() async throws {
        let scene = try await Scene(faults: [
            Fault(at: .token, where: ["grant_type": "refresh_token"], on: .first(1), .delay(.seconds(2)))
        ])
        let (status, _) = try await scene.shell("(sleep 1; kill -INT $$) & exec $TERN token --refresh")
        #expect(status == 130)
        #expect(scene.server.count(of: .token) == 2)
        let next = try await scene.run("token", "--refresh")
        #expect(next.status == 0, "\(next.errors)")
        await scene.server.stop()
    }

    @Test("Ctrl-C ends a login that waits for another process, which forgets the sign-in and keeps the other account")
    func interruptedLogin() async throws {
        let scene = try await Scene()
        let (status, _) = try await scene.shell(
            "(sleep 1; kill -INT $$) & exec $TERN login --issuer $ISSUER --client-id \(TestClient.app.clientID) "
                + "--redirect com.example.app:/callback --no-browser --account other")
        #expect(status == 130)
        #expect(try await Accounts(folder: scene.folder.path).credentials.keys().map(\.name) == ["work"])
        await scene.server.stop()
    }

    @Test("kill -9 of a renewal: the next one works at once")
    func killedRenewal() async throws {
        let scene = try await Scene(faults: [
            Fault(
                at: .token, where: ["grant_type": "refresh_token"], on: .first(1), .dropRequest, .connection(.silence))
        ])
        let renewal = try scene.run.start("token", "--refresh")
        // The suite's time limit ends this wait where the request never comes.
        while scene.server.count(of: .token) < 2 { try await Task.sleep(for: .milliseconds(2)) }
        renewal.signal(SIGKILL)
        #expect(renewal.status() == SIGKILL)
        let next = try await scene.run("token", "--refresh")
        #expect(next.status == 0, "\(next.errors)")
        #expect(scene.server.count(of: .token) == 3)
        await scene.server.stop()
    }

    @Test("kill -9 of a login that waits for the user: nothing is half stored, and the next login works")
    func killedLogin() async throws {
        let scene = try await Scene()
        let words = ["login", "--issuer", scene.server.issuer.text, "--client-id", TestClient.app.clientID]
        let login = try scene.run.start(words: words + ["--account", "work", "--no-browser"])
        var lines = login.errors.makeAsyncIterator()
        var page: URI?
        while page == nil, let line = await lines.next() { page = CommandRun.page(in: line) }
        #expect(page != nil)
        login.signal(SIGKILL)
        #expect(login.status() == SIGKILL)
        #expect(try await scene.run("token").status == 0)
        #expect(try await Accounts(folder: scene.folder.path).credentials.accounts().map(\.name) == ["work"])
        try await scene.run.login(at: scene.server, "--account", "other")
        await scene.server.stop()
    }

    @Test("What cannot be printed is not a success, and a closed stream's number is never a file's")
    func closedStreams() async throws {
        let scene = try await Scene()
        for output in [">&-", ">/dev/full"] {
            #expect(try await scene.shell("tern token \(output)").status == 1)
            #expect(try await scene.shell("tern token --refresh \(output)").status == 1)
        }
        #expect(try await scene.shell("tern token --refresh 2>&- <&-").status == 0)
        #expect(try await scene.shell("tern token --account nobody 2>&-").status == 3)
        let sizes = try await scene.shell("find \"$TERN_STORE\" -name '*.lock' -size +0").output
        #expect(sizes.isEmpty)
        await scene.server.stop()
    }

    @Test("An empty folder name is not the root of the file system")
    func emptyFolder() async throws {
        let scene = try await Scene()
        #expect(try await scene.shell("tern accounts --store ''").status == 2)
        await scene.server.stop()
    }

    @Test("A body goes out and comes in octet for octet")
    func bodies() async throws {
        let scene = try await Scene(faults: [Fault(at: .api, .body([0xFF, 0x00, 0xFE, 0x0A]))])
        let address = scene.server.apiAddress("notes")
        let printed = try await scene.shell("tern call '\(address)' | od -An -tx1").output
        #expect(printed.split(separator: " ").joined().hasPrefix("ff00fe0a"))
        _ = try await scene.shell("printf 'a\\377\\n\\n' | tern call '\(address)' --data-stdin >/dev/null")
        await scene.server.stop()
        #expect(scene.server.requests(to: .api).count == 2)
    }

    @Test("The server's texts cannot steer the terminal or pose as further lines")
    func steeringTexts() {
        #expect(Console.plain("Ada\u{1B}[2J\nsub: root\u{202E}") == "Ada\u{FFFD}[2J\u{FFFD}sub: root\u{FFFD}")
        #expect(Console.plain("Žofie Ω") == "Žofie Ω")
    }

    @Test("One unreadable record hides no other account")
    func unreadableRecord() async throws {
        let scene = try await Scene()
        try FileManager.default.createDirectory(
            atPath: scene.credentials + "broken.record", withIntermediateDirectories: false)
        let accounts = try await scene.run("accounts", "--json")
        #expect(accounts.status == 0)
        let list = try JSON(parsing: accounts.output)["accounts"]?.array ?? []
        #expect(list.map { $0["problem"] == nil } == [false, true])
        await scene.server.stop()
    }

    @Test("An account whose settings are missing, or another client's, is refused and can be signed out")
    func halfStored() async throws {
        let scene = try await Scene()
        let settings = scene.folder.path + "/clients/work.record"
        let text = try String(contentsOfFile: settings, encoding: .utf8)
        try text.replacingOccurrences(of: scene.server.issuer.text, with: "http://127.0.0.1:1")
            .write(toFile: settings, atomically: false, encoding: .utf8)
        let refused = try await scene.run("token", "--refresh", "--json")
        #expect(refused.lastError?["error"]?["code"]?.string == "corrupted_record")
        try FileManager.default.removeItem(atPath: settings)
        #expect(try await scene.run("logout").status == 0)
        #expect(try await scene.run("logout").status == 3)
        let left = try FileManager.default.contentsOfDirectory(atPath: scene.credentials)
        #expect(left.allSatisfy { $0.hasSuffix(".lock") })
        await scene.server.stop()
    }

    @Test("A long word of the call is shown in part")
    func longWords() async throws {
        let word = String(repeating: "a", count: 100_000)
        let folder = try TemporaryFolder()
        for words in [[word], ["token", word], ["token", "--" + word]] {
            let outcome = try await CommandRun(store: folder.path)(words[0], words.count > 1 ? words[1] : "--help")
            #expect(outcome.status == 2)
            #expect(outcome.errors.utf8.count < 400)
        }
    }
}
