import Foundation
import Tern
import TernTesting
import Testing

/// `tern call` in a process of its own, against two servers.
@Suite("The command's calls", .serialized, .timeLimit(.minutes(2)))
struct CallRunTests {
    private struct Place {
        let server: TestServer
        let other: TestServer
        let folder: TemporaryFolder
        let run: CommandRun
        let token: String

        /// The fields `Authorization` that came to an API.
        func tokens(at server: TestServer) -> [String?] {
            server.requests(to: .api).map { $0.request.fields["Authorization"] }
        }

        func redirect(to address: String, status: Int = 302) {
            server.served.add(Fault(at: .api, on: .nth(1), .redirect(to: address, status: status)))
        }
    }

    private func place() async throws -> Place {
        let (server, other) = (try TestServer.start(), try TestServer.start())
        other.served.add(Fault(at: .api, .replace(HTTPResponse(status: 200, body: Array("elsewhere".utf8)))))
        let folder = try TemporaryFolder()
        let run = CommandRun(store: folder.path)
        try await run.login(at: server)
        let token = "Bearer " + (try await run("token").output.dropLast())
        return Place(server: server, other: other, folder: folder, run: run, token: token)
    }

    @Test("Without --follow a redirect is handed over")
    func handedOver() async throws {
        let place = try await place()
        place.redirect(to: "/api/b")
        let call = try await place.run("call", place.server.apiAddress("a"), "--include")
        #expect(call.status == 1 && call.output.isEmpty)
        #expect(call.errors.contains("tern: HTTP status 302") && call.errors.contains("Location: /api/b\n"))
        #expect(place.tokens(at: place.server) == [place.token])

        place.redirect(to: "/api/b", status: 307)
        let json = try await place.run("call", place.server.apiAddress("a"), "--json")
        #expect(json.status == 1)
        #expect(try JSON(parsing: json.output)["status"]?.double == 307)
    }

    @Test("With --follow it is followed, with the token within the origin")
    func followed() async throws {
        let place = try await place()
        place.redirect(to: "/api/b")
        let call = try await place.run("call", place.server.apiAddress("a"), "--follow")
        #expect(call.status == 0, "\(call.errors)")
        #expect(try JSON(parsing: call.output)["path"]?.string == "/api/b")
        #expect(place.tokens(at: place.server) == [place.token, place.token])
    }

    @Test("With --follow another origin gets neither the token nor the given field")
    func otherOrigin() async throws {
        let place = try await place()
        place.redirect(to: place.other.apiAddress("file"), status: 307)
        let call = try await place.run(
            "call", place.server.apiAddress("a"), "--follow", "--method", "PUT", "--header", "X-Api-Key: k")
        #expect(call.status == 0 && call.output == "elsewhere", "\(call.errors)")
        #expect(place.tokens(at: place.other) == [nil])
        #expect(place.server.requests(to: .api).first?.request.fields["X-Api-Key"] == "k")
        let arrived = try #require(place.other.requests(to: .api).first?.request)
        #expect(arrived.method == .put && arrived.fields["X-Api-Key"] == nil)
    }

    @Test("With --follow plain http beyond this machine is an error, and so is a loop")
    func refused() async throws {
        let place = try await place()
        place.redirect(to: "http://192.0.2.1/x")
        let plain = try await place.run("call", place.server.apiAddress("a"), "--follow", "--json")
        #expect(plain.status != 0 && plain.lastError?["error"]?["code"]?.string == "insecure_endpoint")
        place.server.served.add(Fault(at: .api, .redirect(to: "/api/loop")))
        let loop = try await place.run("call", place.server.apiAddress("a"), "--follow", "--json")
        #expect(loop.status == 1 && loop.lastError?["error"]?["code"]?.string == "http_status")
        #expect(place.tokens(at: place.server).count == 1 + 6)
    }

    @Test("A refused token is renewed once, and a second refusal is the answer")
    func refusedToken() async throws {
        let place = try await place()
        place.server.served.change { $0.forgetAccessTokens() }
        #expect(try await place.run("call", place.server.apiAddress("a")).status == 0)
        #expect(place.server.count(of: .token) == 2)
        place.server.served.add(Fault(at: .api, .status(401)))
        let call = try await place.run("call", place.server.apiAddress("a"))
        #expect(call.status == 1 && call.errors.contains("tern: HTTP status 401"))
        #expect(place.server.count(of: .token) == 3 && place.tokens(at: place.server).count == 4)
    }
}
