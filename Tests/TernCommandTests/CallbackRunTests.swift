import Tern
import TernTesting
import Testing

@testable import TernCommand

/// Sign-ins that come back into another process of the command.
@Suite("The command's callbacks", .serialized, .timeLimit(.minutes(2)))
struct CallbackRunTests {
    private static let redirect = "com.example.app:/callback"

    private static func login(
        _ run: CommandRun, _ server: TestServer, _ more: [String] = [],
        visit: @escaping @Sendable (URI) async -> Void
    ) async throws -> CommandRun.Outcome {
        let words = [
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--redirect", redirect,
            "--no-browser", "--json", "--account", "work",
        ]
        return try await run(words: words + more) { page in
            await visit(page)
            return nil
        }
    }

    private static func callback(from page: URI, consent: RobotBrowser.Consent = .give) async throws -> String {
        let robot = RobotBrowser(transport: SystemTransport(), consent: consent)
        return try await robot.signIn(at: page, stoppingAt: try RedirectURI(redirect)).text
    }

    @Test("login waits until another process has finished, and both agree")
    func anotherProcess() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let outcomes = Locked<[CommandRun.Outcome]>([])
        let login = try await Self.login(run, server) { page in
            guard let accounts = try? await run("accounts", "--json"),
                let callback = try? await Self.callback(from: page),
                let stranger = try? await run("callback", "com.example.app:/callback?code=x&state=y", "--json"),
                let first = try? await run("callback", "--json", "--", callback),
                let second = try? await run("callback", "--json", "--", callback)
            else { return }
            outcomes.withLock { $0 = [accounts, stranger, first, second] }
        }
        #expect(login.status == 0, "\(login.errors)")
        #expect(try JSON(parsing: login.output)["sub"]?.string == TestUser.ada.subject)
        let all = outcomes.withLock { $0 }
        try #require(all.count == 4)
        #expect(try JSON(parsing: all[0].output)["accounts"]?.array?.isEmpty == true)
        #expect(all[1].status == 1 && all[1].lastError?["error"]?["code"]?.string == "stray_callback")
        #expect(all[2].status == 0, "\(all[2].errors)")
        #expect(try JSON(parsing: all[2].output)["account"]?.string == "work")
        #expect(all[3].status == 1 && all[3].lastError?["error"]?["code"]?.string == "stray_callback")
        #expect(server.count(of: .token) == 1)
        #expect(try await run("whoami", "--json").status == 0)
        #expect(try await run("accounts", "--json").output.contains("pending") == false)
        await server.stop()
    }

    @Test("Of several processes that get one callback one exchanges the code, also when login is gone")
    func loginIsGone() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        // The pending sign-in as a login that was killed leaves it.
        let accounts = try Accounts(folder: folder.path)
        let settings = SavedClient(
            issuer: server.issuer.text, clientID: TestClient.app.clientID, scope: "openid profile",
            redirectURI: Self.redirect, authentication: .none, secret: nil, authoritiesFile: nil)
        let client = try await settings.client(account: try StoreKey("work"), store: accounts.credentials)
        var options = SignInOptions()
        options.attachment = settings.attachment
        let signIn = try await client.begin(options)
        let callback = try await Self.callback(from: signIn.address)

        let statuses = try await withThrowingTaskGroup(of: Int32.self) { group in
            for _ in 0..<4 { group.addTask { try await run("callback", "--json", "--", callback).status } }
            return try await group.reduce(into: [Int32]()) { $0.append($1) }
        }
        #expect(statuses.sorted() == [0, 1, 1, 1])
        #expect(server.count(of: .token) == 1)
        let who = try await run("whoami", "--json")
        #expect(who.status == 0, "\(who.errors)")
        await server.stop()
    }

    @Test("login says why the other process failed")
    func failure() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let denied = try await Self.login(run, server) { page in
            guard let callback = try? await Self.callback(from: page, consent: .deny) else { return }
            _ = try? await run("callback", "--", callback)
        }
        #expect(denied.status == 1)
        #expect(denied.lastError?["error"]?["code"]?.string == "access_denied")

        let unset = try await Self.login(run, server, ["--client-secret-file", folder.path + "/secret"]) { _ in }
        #expect(unset.status == 2)
        #expect(try await run("accounts", "--json").output.contains("work") == false)
        await server.stop()
    }

    @Test("login waits for the time it was given, and then forgets the sign-in")
    func timeLimit() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let late = try await Self.login(CommandRun(store: folder.path), server, ["--timeout", "1"]) { _ in }
        #expect(late.status == 1)
        #expect(late.lastError?["error"]?["code"]?.string == "flow_expired")
        #expect(try await Accounts(folder: folder.path).credentials.keys().isEmpty)
        await server.stop()
    }

    @Test("A store that cannot be used fails the login before its page is shown")
    func unwritableStore() async throws {
        let server = try TestServer.start()
        let wasShown = Locked(false)
        let login = try await Self.login(CommandRun(store: "/dev/null/store"), server) { _ in
            wasShown.withLock { $0 = true }
        }
        #expect(login.status == 5)
        #expect(login.lastError?["error"]?["code"]?.string == "store_unavailable")
        #expect(!wasShown.withLock { $0 })
        await server.stop()
    }

    @Test("A wrong call is told from a wrong address")
    func usage() async throws {
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        for words in [
            ["callback"], ["callback", "no address"], ["scheme"], ["scheme", "install"], ["scheme", "instal", "a.b"],
            ["scheme", "install", "https"], ["scheme", "install", "a.b", "c.d"],
        ] {
            #expect(try await run(words: words) { _ in nil }.status == 2, "\(words)")
        }
        #expect(try await run("callback", "com.example.app:/callback?code=x").status == 1)
    }
}
