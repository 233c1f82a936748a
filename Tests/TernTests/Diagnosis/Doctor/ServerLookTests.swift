import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The doctor's look at a server")
struct ServerLookTests {
    @Test(
        "An issuer that cannot be one is told before anything is asked",
        arguments: ["id.example.com", "http://id.example.com", "https://id.example.com?x=1", "ftp://id.example.com"])
    func issuerForm(_ issuer: String) async throws {
        var world = DoctorWorld()
        world.setUp.issuer = issuer
        let report = try await world.report()
        #expect(try report.only("issuer_form").level == .failed)
        #expect(report.requests.isEmpty)
    }

    @Test("The address of the metadata is no issuer, and the issuer in it is told")
    func wellKnown() async throws {
        var world = DoctorWorld()
        world.setUp.issuer = "https://id.example.com/.well-known/openid-configuration"
        let finding = try await world.report().only("issuer_form")
        #expect(finding.level == .failed)
        #expect(finding.fix == "configure https://id.example.com")
    }

    @Test("A slash too much is shown side by side, and the rest is looked at all the same")
    func slash() async throws {
        var world = DoctorWorld()
        world.setUp.issuer = world.provider.issuer + "/"
        let report = try await world.report()
        let finding = try report.only("issuer_equal")
        #expect(finding.level == .failed)
        #expect(finding.comparison?.difference == .trailingSlash)
        #expect(report.complaints == ["failed issuer_equal"])
    }

    @Test("Metadata of another issuer, and metadata of none")
    func otherIssuer() async throws {
        let other = try await DoctorWorld { $0.metadataChanges["issuer"] = "https://other.example.com" }.report()
        #expect(try other.only("issuer_equal").comparison?.difference == .host)
        let none = try await DoctorWorld { $0.metadataChanges["issuer"] = .some(nil) }.report()
        #expect(try none.only("issuer_equal").level == .failed)
        #expect(try none.only("issuer_equal").fix == "publish issuer (RFC 8414 §2)")
    }

    @Test("A server that is known only by OAuth's document is healthy")
    func oauthDocument() async throws {
        let fault = Fault(at: .openIDConfiguration, .status(404))
        let report = try await DoctorWorld(faults: fault).report()
        #expect(report.complaints.isEmpty)
    }

    @Test("A server without metadata is told with both addresses")
    func nothing() async throws {
        let report = try await DoctorWorld(
            faults: Fault(at: .openIDConfiguration, .status(404)), Fault(at: .authorizationServerMetadata, .status(404))
        ).report()
        let finding = try report.only("discovery_found")
        #expect(finding.level == .failed)
        #expect(finding.detail?.contains("oauth-authorization-server answers with status 404") == true)
    }

    @Test("Metadata elsewhere, of a status, and that are no JSON")
    func badMetadata() async throws {
        let moved = try await DoctorWorld(
            faults: Fault(at: .openIDConfiguration, .redirect(to: "https://id.example.com/other"))
        ).report()
        #expect(try moved.only("discovery_found").comparison?.second == "https://id.example.com/other")
        let broken = try await DoctorWorld(faults: Fault(at: .openIDConfiguration, .status(503))).report()
        #expect(try broken.only("discovery_found").fix == "try again later; the server has trouble")
        let page = try await DoctorWorld(
            faults: Fault(at: .openIDConfiguration, .text("<html><body>Hello</body></html>"))
        ).report()
        #expect(try page.only("discovery_json").level == .failed)
    }

    @Test("Metadata that are not called JSON are taken with a warning")
    func mediaType() async throws {
        let report = try await DoctorWorld(
            faults: Fault(at: .openIDConfiguration, .header("Content-Type", "text/plain"))
        ).report()
        #expect(report.complaints == ["warning discovery_media_type"])
    }

    @Test(
        "A server that cannot be reached is told as such",
        arguments: [
            TernError.NetworkFailure.hostNotFound, .connectionFailed, .connectionLost, .timedOut, .other("strange"),
        ])
    func unreachable(_ failure: TernError.NetworkFailure) async throws {
        let report = try await DoctorWorld().report(over: BrokenTransport(trouble: .network(failure)))
        #expect(try report.only("server_reachable").level == .failed)
        #expect(report.couldNotReachServer)
    }

    @Test(
        "A connection that cannot be trusted is told as such",
        arguments: [
            TernError.NetworkFailure.untrustedCertificate("self-signed certificate"), .tls("no shared cipher"),
            .pinMismatch,
        ])
    func untrusted(_ failure: TernError.NetworkFailure) async throws {
        let report = try await DoctorWorld().report(over: BrokenTransport(trouble: .network(failure)))
        #expect(try report.only("tls_trusted").level == .failed)
        #expect(report.couldNotReachServer)
    }

    @Test("How long certificates are good: soon over, over, not yet, unknown")
    func certificates() async throws {
        let world = DoctorWorld()
        let now = world.provider.clock.now
        func finding(_ start: Double, _ end: Double) async throws -> Finding {
            var transport = world.transport
            transport.certificates[0] = ServerCertificate(
                subject: "CN = id.example.com", issuer: "CN = Example CA", notBefore: now + .seconds(start),
                notAfter: now + .seconds(end))
            return try await world.report(over: transport).only("tls_certificate_dates")
        }
        #expect(try await finding(-10, 13.9 * 86_400).level == .warning)
        #expect(try await finding(-10, 14.1 * 86_400).level == .passed)
        #expect(try await finding(-10, -1).level == .failed)
        #expect(try await finding(10, 5_000_000).level == .failed)
        var silent = world.transport
        silent.certificates = []
        #expect(try await world.report(over: silent).only("tls_certificate_dates").level == .unchecked)
        let plain = try await world.report(over: world.provider.transport)
        #expect(try plain.only("tls_certificate_dates").level == .unchecked)
    }

    @Test("A wrong clock is told with the distance, and a cached answer is not taken for one")
    func clock() async throws {
        func finding(_ distance: Double, age: String? = nil) async throws -> Finding {
            let world = DoctorWorld()
            let date = HTTPDate(date: world.provider.clock.now + .seconds(distance)).description
            world.provider.server.add(
                Fault(at: .openIDConfiguration, .header("Date", date), .header("Age", age)))
            return try await world.report().only("clock")
        }
        #expect(try await finding(-59).level == .passed)
        let behind = try await finding(3_600)
        #expect(behind.level == .failed)
        #expect(behind.title == "This machine's clock is 3600 seconds behind the server's")
        #expect(try await finding(-3_600).title == "This machine's clock is 3600 seconds ahead of the server's")
        #expect(try await finding(-3_600, age: "3600").level == .passed)
    }

    @Test("A server on this machine needs no TLS")
    func loopback() async throws {
        let issuer = try #require(URI("http://127.0.0.1:8080"))
        let report = try await DoctorWorld(AuthorizationServer(issuer: issuer)).report()
        #expect(try report.only("tls_trusted").level == .note)
        #expect(!report.findings.contains { $0.level == .failed })
    }
}
