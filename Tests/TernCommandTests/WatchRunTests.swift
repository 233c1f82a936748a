import Foundation
import Tern
import TernTesting
import Testing

/// `tern watch` as a process, and what other processes do meanwhile.
@Suite("Watching accounts", .serialized, .timeLimit(.minutes(2)))
struct WatchRunTests {
    private let folder: TemporaryFolder
    private let server: TestServer
    private var run: CommandRun { CommandRun(store: folder.path) }
    private var store: FileStore {
        get throws { try FileStore(folder: folder.path + "/credentials") }
    }

    init() async throws {
        server = try TestServer.start()
        folder = try TemporaryFolder()
    }

    private func login() async throws { try await run.login(at: server, "--account", "work") }

    /// An account that is dead already: a first look tells of it, and so of itself.
    private func addDeadAccount() async throws {
        let account = try StoreKey("work")
        var json = try await object(of: account)
        json["refresh_token"] = nil
        json["obtained_at"] = json["obtained_at"]?.double.flatMap { JSONNumber($0 - 7_200) }.map(JSON.number)
        try await store.save(StoredRecord(JSON.object(json).serialized()), for: try StoreKey("dead"))
    }

    private func object(of account: StoreKey) async throws -> JSONObject {
        let record = try #require(try await store.load(account))
        return try #require(try JSON(parsing: record.exposedBytes).object)
    }

    private func expect(_ line: String?, _ event: String, of account: String) throws -> JSON {
        let json = try JSON(parsing: try #require(line))
        #expect(json["event"]?.string == event && json["account"]?.string == account)
        #expect(json["time"]?.string?.hasSuffix("Z") == true)
        return json
    }

    @Test("A line an event, whichever process was the cause, at once on SIGHUP; Ctrl-C ends it; no line holds a secret")
    func events() async throws {
        try await login()
        try await addDeadAccount()
        #expect(try await run("logout", "--account", "work").status == 0)
        let watch = try run.start("watch", "--json", "--interval", "3600")
        var lines = watch.output.makeAsyncIterator()
        var all: [String] = []
        func next() async -> String? {
            guard let line = await lines.next() else { return nil }
            all.append(line)
            return line
        }
        _ = try expect(await next(), "sign_in_needed", of: "dead")

        try await login()
        var secrets = [try await run("token").output]
        watch.signal(SIGHUP)
        let signedIn = try expect(await next(), "signed_in", of: "work")
        #expect(signedIn["expires_at"]?.string != nil)

        secrets.append(try await run("token", "--refresh").output)
        let refreshToken = try await object(of: try StoreKey("work"))["refresh_token"]?.string
        secrets.append(try #require(refreshToken))
        watch.signal(SIGHUP)
        _ = try expect(await next(), "refreshed", of: "work")

        #expect(try await run("logout", "--account", "work").status == 0)
        watch.signal(SIGHUP)
        _ = try expect(await next(), "signed_out", of: "work")

        watch.signal(SIGINT)
        #expect(await next() == nil)
        #expect(watch.status() == 130)
        for secret in secrets.map({ $0.trimmingCharacters(in: .newlines) }) {
            #expect(secret.count > 20 && !all.joined().contains(secret))
        }
        await server.stop()
    }

    @Test("With --renew the tokens are kept fresh, and the account named alone is told of")
    func renewal() async throws {
        try await login()
        try await addDeadAccount()
        let account = try StoreKey("work")
        var json = try await object(of: account)
        json["obtained_at"] = json["obtained_at"]?.double.flatMap { JSONNumber($0 - 7_200) }.map(JSON.number)
        try await store.save(StoredRecord(JSON.object(json).serialized()), for: account)
        let before = server.count(of: .token)
        let watch = try run.start("watch", "--renew", "--account", "work")
        var lines = watch.output.makeAsyncIterator()
        let line = try #require(await lines.next())
        #expect(line.hasSuffix("  work  refreshed\n"))
        #expect(server.count(of: .token) == before + 1)
        watch.signal(SIGTERM)
        _ = watch.status()
        await server.stop()
    }

    @Test("It ends when nobody reads its lines any more")
    func readerLeaves() async throws {
        try await login()
        try await addDeadAccount()
        #expect(try await run.shell("tern watch | head -n 1 >/dev/null").status == 0)
        await server.stop()
    }
}
