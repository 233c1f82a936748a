import Foundation
import Tern
import TernTesting
import Testing

@Suite("--trace", .serialized, .timeLimit(.minutes(2)))
struct TraceRunTests {
    private let folder: TemporaryFolder
    private let run: CommandRun

    init() throws {
        folder = try TemporaryFolder()
        run = CommandRun(store: folder.path)
    }

    private func text(_ name: String) throws -> String {
        try String(contentsOfFile: folder.path + "/" + name, encoding: .utf8)
    }

    @Test("The demonstration is written as a page, a picture and JSON", arguments: ["html", "svg", "json"])
    func demo(form: String) async throws {
        let run = try await run("demo", "--json", "--trace", folder.path + "/trip." + form)
        #expect(run.status == 0, "\(run.errors)")
        let trace = try text("trip." + form)
        #expect(trace.contains("POST /token") && trace.contains("‹code "))
        guard form == "json" else { return }
        let read = try Trace(parsing: Array(trace.utf8))
        #expect(read.entries.count > 10 && read.entries.allSatisfy { $0.failure == nil })
    }

    @Test("A command that fails leaves its trace too")
    func failure() async throws {
        let path = folder.path + "/failed.json"
        let run = try await run(
            "login", "--issuer", "http://127.0.0.1:9", "--client-id", "a", "--no-browser", "--trace", path)
        #expect(run.status == 4)
        let trace = try Trace(parsing: Array(text("failed.json").utf8))
        #expect(trace.entries.last?.failure?.code == "network")
    }

    @Test("A registration is in the trace, without what it brought")
    func registration() async throws {
        var server = AuthorizationServer()
        server.settings.registration = .open
        let served = try TestServer.start(server)
        let path = folder.path + "/registered.json"
        let run = try await run(
            "register", "--issuer", served.issuer.text, "--client-auth", "post", "--store", folder.path + "/new",
            "--trace", path)
        #expect(run.status == 0, "\(run.errors)")
        let trace = try Trace(parsing: Array(try text("registered.json").utf8))
        let answer = try #require(trace.entries.first { $0.title.hasPrefix("POST /register") })
        let secrets = trace.entries.flatMap(\.facts)
            .filter { ["client_secret", "registration_access_token"].contains($0.name.split(separator: " ").last) }
        #expect(secrets.count == 2 && secrets.allSatisfy { $0.value.hasPrefix("‹") }, "\(secrets)")
        #expect(answer.failure == nil)
        await served.stop()
    }

    @Test("The ending says the form, and any other one is a wrong call")
    func endings() async throws {
        let run = try await run("demo", "--trace", folder.path + "/trip.txt")
        #expect(run.status == 2 && run.errors.contains(".html, .svg or .json"))
    }
}
