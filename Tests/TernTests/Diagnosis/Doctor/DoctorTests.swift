import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The doctor")
struct DoctorTests {
    @Test("A healthy server with a client that is registered as it should be gives no complaint")
    func healthy() async throws {
        let report = try await DoctorWorld().report()
        #expect(report.complaints.isEmpty)
        #expect(report.isHealthy)
        #expect(
            report.sections.map(\.name) == [
                "server", "metadata", "keys", "authorization", "token", "redirect", "release",
            ])
        for name in [
            "issuer_form", "server_reachable", "tls_trusted", "tls_certificate_dates", "clock", "discovery_found",
            "issuer_equal", "pkce_advertised", "grants_advertised", "response_type_advertised",
            "client_authentication_advertised", "scopes_advertised", "keys_reachable", "keys_usable",
            "redirect_checked",
            "redirect_registered", "authorization_request", "issuer_in_answer", "token_request",
        ] {
            #expect(report[name].first?.level == .passed, "\(name): \(report[name])")
        }
    }

    @Test("Clients with a secret are healthy too, and the secret is not needed for that")
    func healthyConfidential() async throws {
        let client = TestClient(
            "web", authentication: .basic("a-secret-of-the-client"),
            redirectURIs: ["https://app.example.com/callback"])
        var world = DoctorWorld(AuthorizationServer(clients: [client]))
        world.setUp.clientID = "web"
        world.setUp.authenticationMethod = "client_secret_basic"
        world.setUp.redirectURI = "https://app.example.com/callback"
        let report = try await world.report()
        #expect(report.complaints.isEmpty)
    }

    @Test("A loopback redirect without a port is tried with one")
    func loopback() async throws {
        var world = DoctorWorld()
        world.setUp.redirectURI = "http://127.0.0.1/callback"
        let report = try await world.report()
        #expect(try report.only("redirect_registered").level == .passed)
    }

    @Test("It needs few requests, and none of them holds a secret or the grant of anybody")
    func requests() async throws {
        let world = DoctorWorld()
        let report = try await world.report()
        #expect(
            report.requests == [
                "GET https://id.example.com/.well-known/openid-configuration",
                "GET https://id.example.com/",
                "GET https://id.example.com/jwks",
                "GET https://id.example.com/authorize",
                "GET https://id.example.com/authorize",
                "POST https://id.example.com/token",
            ])
        for request in world.provider.server.server.journal.entries.map(\.request) {
            #expect(request.fields["Authorization"] == nil)
            #expect(request.fields["Cookie"] == nil)
            let names = request.form.parameters.map(\.name)
            #expect(!names.contains("client_secret") && !names.contains("client_assertion"))
        }
    }

    @Test("Only the hosts that were named are asked, and a further one when it is named")
    func hosts() async throws {
        var world = DoctorWorld { $0.metadataChanges["jwks_uri"] = "https://keys.example.net/jwks" }
        let refused = try await world.report()
        let finding = try refused.only("keys_reachable")
        #expect(finding.level == .unchecked)
        #expect(finding.fix == "allow it: --allow-host keys.example.net")
        #expect(!refused.requests.contains { $0.contains("example.net") })

        world.setUp.furtherHosts = ["keys.example.net"]
        let origin = try #require(URI("https://keys.example.net")?.origin)
        world.hosts[origin] = { _, _ in
            Delivery(.answer(HTTPResponse(status: 404)))
        }
        let allowed = try await world.report()
        #expect(try allowed.only("keys_reachable").level == .failed)
        #expect(allowed.requests.contains("GET https://keys.example.net/jwks"))
    }

    @Test("A cancelled examination says so")
    func cancelled() async throws {
        let world = DoctorWorld()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await world.report()
        }
        #expect(try await whatFails { try await task.value }.reason == .cancelled)
    }

    @Test("The report for machines counts and lists what the one for people says")
    func json() async throws {
        let report = try await DoctorWorld(faults: Fault(at: .keys, .status(500))).report()
        #expect(report.json["healthy"] == false)
        #expect(report.json["failed"] == 1)
        let sections = try #require(report.json["sections"]?.array)
        #expect(sections.count == report.sections.count)
        let failed = sections.flatMap { $0["findings"]?.array ?? [] }.filter { $0["level"] == "failed" }
        #expect(failed.compactMap { $0["name"]?.string } == ["keys_reachable"])
        #expect(report.json["requests"]?.array?.count == report.requests.count)
    }
}
