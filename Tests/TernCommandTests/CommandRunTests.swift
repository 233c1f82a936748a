import Tern
import TernTesting
import Testing

@testable import TernCommand

/// The built command in processes of its own, against the test server on loopback.
@Suite("The command", .serialized, .timeLimit(.minutes(2)))
struct CommandRunTests {
    @Test("login, whoami, token, call, accounts and logout go together")
    func roundTrip() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)

        let login = try await run(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--scope",
            "openid profile email", "--no-browser", "--json", "--account", "work"
        ) { page in
            let robot = RobotBrowser(transport: SystemTransport())
            _ = try? await robot.signIn(at: page, stoppingAt: nil)
            return nil
        }
        #expect(login.status == 0, "\(login.errors)")
        #expect(try JSON(parsing: login.output)["sub"]?.string == TestUser.ada.subject)

        let who = try await run("whoami", "--json")
        #expect(try JSON(parsing: who.output)["sub"]?.string == TestUser.ada.subject)

        let token = try await run("token")
        #expect(token.status == 0 && token.errors.isEmpty)
        #expect(token.output.filter { $0 == "\n" }.count == 1)
        let again = try await run("token")
        #expect(again.output == token.output)
        #expect(server.count(of: .token) == 1)
        let refreshed = try await run("token", "--refresh")
        #expect(refreshed.status == 0 && refreshed.output != token.output)
        #expect(server.count(of: .token) == 2)

        let call = try await run("call", server.apiAddress("notes"))
        #expect(call.status == 0)
        let accounts = try await run("accounts", "--json")
        #expect(try JSON(parsing: accounts.output)["accounts"]?.array?.first?["account"]?.string == "work")

        let logout = try await run("logout", "--json")
        #expect(try JSON(parsing: logout.output)["revocation"]?.string == "done")
        let after = try await run("token", "--json")
        #expect(after.status == 3)
        #expect(try JSON(parsing: after.errors)["error"]?["code"]?.string == "signed_out")
        await server.stop()
    }

    @Test("A callback can be pasted, as an address or as a code")
    func paste() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let login = try await run(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--redirect",
            "http://127.0.0.1:8400/callback", "--paste", "--json"
        ) { page in
            guard let redirect = try? RedirectURI("http://127.0.0.1:8400/callback") else { return nil }
            let robot = RobotBrowser(transport: SystemTransport())
            return try? await robot.signIn(at: page, stoppingAt: redirect).text
        }
        #expect(login.status == 0, "\(login.errors)")
        await server.stop()
    }

    @Test("A denied consent, an unknown server and a wrong call have their own exit statuses")
    func statuses() async throws {
        let server = try TestServer.start()
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        let denied = try await run(
            "login", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--no-browser", "--json"
        ) { page in
            let robot = RobotBrowser(transport: SystemTransport(), consent: .deny)
            _ = try? await robot.signIn(at: page, stoppingAt: nil)
            return nil
        }
        #expect(denied.status == 1)
        #expect(denied.lastError?["error"]?["code"]?.string == "access_denied")
        let issuer = server.issuer.text
        await server.stop()
        let unreachable = try await run("login", "--issuer", issuer, "--client-id", "app", "--json")
        #expect(unreachable.status == 4)
        #expect(try await run("lgoin").status == 2)
        #expect(try await run("login", "--client-id", "app").status == 2)
        #expect(try await run("--help").status == 0)
    }

    @Test("The demonstration holds")
    func demo() async throws {
        let folder = try TemporaryFolder()
        let demo = try await CommandRun(store: folder.path)("demo", "--json")
        #expect(demo.status == 0, "\(demo.errors)")
        let story = try JSON(parsing: demo.output)
        #expect(story["held"]?.bool == true)
        #expect((story["steps"]?.array?.count ?? 0) > 12)
    }
}
