import Foundation
import Tern
import TernTesting
import Testing

@testable import TernCommand

/// Several accounts, and many shells, with the built command.
@Suite("Accounts of the command", .serialized, .timeLimit(.minutes(4)))
struct AccountRunTests {
    @Test("The first account is the default until use says otherwise; labels name accounts; logout --all ends all")
    func accounts() async throws {
        let (server, other) = (try TestServer.start(), try TestServer.start())
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server, "--account", "work", "--label", "Office")
        try await run.login(at: other, "--account", "home", "--label", "Family")
        #expect(try await run("accounts", "--names").output == "home\nwork\n")
        let listed = try await run("accounts").output
        #expect(listed.contains("* work (Office)") && listed.contains("  home (Family)"))
        #expect(listed.contains(server.issuer.text) && listed.contains(TestUser.ada.subject))
        #expect(try JSON(parsing: try await run("token", "--json").output)["account"]?.string == "work")
        #expect(try await run("use", "Family").status == 0)
        #expect(try JSON(parsing: try await run("token", "--json").output)["account"]?.string == "home")
        let misspelt = try await run("token", "--account", "Offcie")
        #expect(misspelt.status == 3 && misspelt.errors.contains("did you mean \"Office\"?"))

        await other.stop()
        let out = try await run("logout", "--all", "--json")
        #expect(out.status == 0)
        let list = try JSON(parsing: out.output)["accounts"]?.array ?? []
        #expect(list.map { $0["signed_out"]?.bool } == [true, true])
        #expect(list.map { $0["revocation"]?.string == "done" } == [false, true])
        #expect(try await run("accounts", "--names").output.isEmpty)
        await server.stop()
    }

    @Test("Two hundred shells find the token over: one refresh, and each prints the new token")
    func manyShells() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server, "--account", "work", "--label", "Office")
        let store = try FileStore(folder: folder.path + "/credentials")
        let account = try StoreKey("work")
        let record = try #require(try await store.load(account))
        var json = try #require(try JSON(parsing: record.exposedBytes).object)
        json["lifetime"] = 1
        json["obtained_at"] = json["obtained_at"]?.double.flatMap { JSONNumber($0 - 10) }.map(JSON.number)
        try await store.save(StoredRecord(JSON.object(json).serialized()), for: account)

        // The child inherits a mask that blocks SIGCHLD, for which the shell's own wait would wait for ever; xargs asks.
        _ = try await run.shell(
            """
            seq 200 | xargs -P 200 -I{} sh -c 'exec "$TERN" token >"$TERN_STORE/out.{}" 2>"$TERN_STORE/err.{}"'
            """)
        let token = try #require(try await store.load(account).map { try Credential($0) }).accessToken.exposedText
        for number in 1...200 {
            let printed = try String(contentsOfFile: folder.path + "/out.\(number)", encoding: .utf8)
            #expect(printed == token + "\n", "shell \(number)")
        }
        #expect(server.count(of: .token) == 2)
        #expect(try await run("call", server.apiAddress("notes")).status == 0)
        await server.stop()
    }

    @Test("A look at the store tells sign-in, refresh, need and sign-out apart")
    func looks() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let store = client.environment.store
        var look = StoreLook(only: nil)
        func events() async throws -> [StoreLook.Change.Event] {
            try await look.changes(in: store, at: provider.clock.now, isFirst: false).map(\.event)
        }
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await events() == [.signedIn])
        #expect(try await events().isEmpty)
        try await session.refresh()
        #expect(try await events() == [.refreshed])
        _ = try await client.signIn(with: provider.userAgent)
        #expect(try await events() == [.signedIn])
        let record = try #require(try await store.load(session.account))
        var json = try #require(try JSON(parsing: record.exposedBytes).object)
        json["refresh_token"] = nil
        try await store.save(StoredRecord(JSON.object(json).serialized()), for: session.account)
        #expect(try await events().isEmpty)
        provider.clock.advance(by: .seconds(7_200))
        #expect(try await events() == [.signInNeeded])
        #expect(try await events().isEmpty)
        try await store.delete(session.account)
        #expect(try await events() == [.signedOut])
    }
}
