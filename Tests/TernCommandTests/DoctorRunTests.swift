import Foundation
import Tern
import TernTesting
import Testing

@Suite("tern doctor", .serialized, .timeLimit(.minutes(2)))
struct DoctorRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        run = CommandRun(store: folder.path)
    }

    private func file(_ name: String, _ text: String) throws -> String {
        let path = folder.path + "/" + name
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        return path
    }

    private func levels(_ outcome: CommandRun.Outcome) throws -> [String: String] {
        let sections = try #require(try JSON(parsing: outcome.output)["sections"]?.array)
        let findings = sections.flatMap { $0["findings"]?.array ?? [] }
        return findings.reduce(into: [:]) { levels, finding in
            if let name = finding["name"]?.string { levels[name] = finding["level"]?.string }
        }
    }

    @Test("A healthy server ends with 0, sections and counts are printed, and nobody is signed in")
    func healthy() async throws {
        let server = try TestServer.start()
        let outcome = try await run(
            "doctor", "--issuer", server.issuer.text, "--client-id", TestClient.app.clientID, "--client-auth", "none",
            "--redirect", "http://127.0.0.1/callback", "--scope", "openid profile")
        #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.hasPrefix("The server\n  ✓ passed"))
        #expect(outcome.output.contains("Its sign-in page\n"))
        #expect(outcome.output.contains("The redirect is registered for this client"))
        #expect(outcome.output.contains("5 requests were sent, without any secret"))
        #expect(server.served.requests(to: .interaction).isEmpty)
        await server.stop()
    }

    @Test("Each planted fault ends with 1 and has its name")
    func faults() async throws {
        let server = try TestServer.start()
        func look(_ changes: [String: String]) async throws -> (status: Int32, levels: [String: String]) {
            var words = ["doctor", "--json"]
            let usual = [
                "--issuer": server.issuer.text, "--client-id": TestClient.app.clientID, "--client-auth": "none",
                "--redirect": "com.example.app:/callback",
            ]
            for (name, value) in usual.merging(changes, uniquingKeysWith: { $1 }) { words += [name, value] }
            let outcome = try await run(words: words) { _ in nil }
            return (outcome.status, try levels(outcome))
        }
        let slash = try await look(["--redirect": "com.example.app:/callback/"])
        #expect(slash.status == 1 && slash.levels["redirect_registered"] == "failed")
        let issuer = try await look(["--issuer": server.issuer.text + "/"])
        #expect(issuer.status == 1 && issuer.levels["issuer_equal"] == "failed")
        let client = try await look(["--client-id": "another-app"])
        #expect(client.status == 1 && client.levels["client_known"] == "failed")
        let grant = try await look(["--grant": "authorization_code,token_exchange"])
        #expect(grant.status == 0 && grant.levels["grants_advertised"] == "passed")
        server.served.change { $0.settings.metadataChanges["grant_types_supported"] = ["authorization_code"] }
        let missing = try await look(["--grant": "authorization_code,device_code"])
        #expect(missing.status == 1 && missing.levels["grants_advertised"] == "failed")
        await server.stop()
    }

    @Test("--strict makes warnings count")
    func strict() async throws {
        let server = try TestServer.start()
        server.served.change { $0.settings.metadataChanges["code_challenge_methods_supported"] = .some(nil) }
        let words = ["doctor", "--issuer", server.issuer.text]
        #expect(try await run(words: words) { _ in nil }.status == 0)
        #expect(try await run(words: words + ["--strict"]) { _ in nil }.status == 1)
        await server.stop()
    }

    @Test("A server that is not there ends with 4")
    func unreachable() async throws {
        let outcome = try await run("doctor", "--issuer", "http://127.0.0.1:1", "--json")
        #expect(outcome.status == 4)
        #expect(try levels(outcome)["server_reachable"] == "failed")
    }

    @Test("A wrong call ends with 2 and names the option")
    func usage() async throws {
        let rows: [(words: [String], names: String)] = [
            (["doctor"], "--issuer"), (["doctor", "--redirect", "a:/b", "--scope", "openid"], "--scope"),
            (["doctor", "--issuer", "https://a.example", "--account", "b"], "--account"),
            (["doctor", "--issuer", "https://a.example", "--allow-host", "https://b.example"], "--allow-host"),
            (["doctor", "--issuer", "https://a.example", "--client-auth", "secret"], "secret"),
            (["doctor", "--aasa", "http://a.example/file"], "--aasa"),
            (["doctor", "--info-plist", folder.path + "/nothing"], "--info-plist"),
            (["doctor", "--issuer", "https://a.example", "--ca-file", folder.path + "/nothing"], "--ca-file"),
        ]
        for row in rows {
            let outcome = try await run(words: row.words) { _ in nil }
            #expect(outcome.status == 2, "\(row.words): \(outcome.output)")
            #expect(outcome.errors.contains(row.names), "\(row.words): \(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
    }

    @Test("An app's files are compared with the redirect, without any request")
    func app() async throws {
        let plist = try file(
            "Info.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.app</string>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>com.example.app</string>
            </array></dict></array></dict></plist>
            """)
        let good = try await run("doctor", "--redirect", "com.example.app:/callback", "--info-plist", plist)
        #expect(good.status == 0, "\(good.output)")
        #expect(good.output.contains("Nothing was asked of any server."))
        let bad = try await run("doctor", "--redirect", "com.example.other:/callback", "--info-plist", plist)
        #expect(bad.status == 1)
        #expect(bad.output.contains("com.example.other") && bad.output.contains("com.example.app"))
    }

    @Test("An association file at hand is compared too")
    func association() async throws {
        let entitlements = try file(
            "App.entitlements",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>com.apple.developer.associated-domains</key>
            <array><string>webcredentials:app.example.com</string></array></dict></plist>
            """)
        func look(_ app: String) async throws -> CommandRun.Outcome {
            let association = try file("aasa", "{\"webcredentials\":{\"apps\":[\"\(app)\"]}}")
            return try await run(
                "doctor", "--redirect", "https://app.example.com/callback", "--entitlements", entitlements, "--app-id",
                "ABCDE12345.com.example.app", "--aasa", association)
        }
        let good = try await look("ABCDE12345.com.example.app")
        #expect(good.status == 0, "\(good.output)")
        let bad = try await look("ABCDE12345.com.example.apq")
        #expect(bad.status == 1)
        #expect(bad.output.contains("ABCDE12345.com.example.apq"))
    }

    @Test("An account of tern login is examined as it is, and --trace writes what was asked")
    func account() async throws {
        let server = try TestServer.start()
        try await run.login(at: server, "--account", "work")
        let trace = folder.path + "/doctor.json"
        let outcome = try await run("doctor", "--account", "work", "--trace", trace)
        #expect(outcome.status == 0, "\(outcome.output)")
        #expect(outcome.output.contains("The redirect is registered for this client"))
        let read = try Trace(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: trace))))
        #expect(read.entries.count == 5)
        await server.stop()
    }
}
