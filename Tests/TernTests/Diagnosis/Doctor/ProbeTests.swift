import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The doctor's look at the sign-in page")
struct AuthorizationProbeTests {
    @Test(
        "A redirect that is not registered is shown beside the one that is",
        arguments: [
            ("com.example.app:/callback/", Difference.trailingSlash), ("com.example.app:/Callback", .letterCase),
        ])
    func wrongRedirect(_ redirect: String, _ difference: Difference) async throws {
        var world = DoctorWorld()
        world.setUp.redirectURI = redirect
        let report = try await world.report()
        let finding = try report.only("redirect_registered")
        #expect(finding.level == .failed)
        #expect(finding.comparison?.second == "com.example.app:/callback")
        #expect(finding.comparison?.difference == difference)
        #expect(report.complaints == ["failed redirect_registered"])
    }

    @Test("An unknown client is told from a wrong redirect")
    func unknownClient() async throws {
        var world = DoctorWorld()
        world.setUp.clientID = "test-ap"
        let report = try await world.report()
        #expect(report["client_known"].map(\.level) == [.failed, .failed])
        #expect(report["redirect_registered"].isEmpty)
    }

    @Test("A server that sends answers anywhere is told")
    func openRedirector() async throws {
        let report = try await DoctorWorld { $0.checksRedirectURIs = false }.report()
        #expect(report.complaints == ["failed redirect_checked"])
    }

    @Test("A scope that the client may not have is told in the server's words")
    func scope() async throws {
        var world = DoctorWorld()
        world.setUp.scope = ["openid", "moon"]
        let report = try await world.report()
        #expect(try report.only("redirect_registered").level == .passed)
        let finding = try report.only("authorization_request")
        #expect(finding.level == .failed)
        #expect(finding.title == "The server refuses the request: invalid_scope")
    }

    @Test("An answer that names another issuer, or none in spite of the promise")
    func issuer() async throws {
        func finding(_ edit: Edit) async throws -> Finding {
            let fault = Fault(at: .authorization, .parameter("iss", edit))
            return try await DoctorWorld(faults: fault).report().only("issuer_in_answer")
        }
        let other = try await finding(.append("/"))
        #expect(other.level == .failed)
        #expect(other.comparison?.difference == .trailingSlash)
        #expect(try await finding(.remove).level == .warning)
    }

    @Test("An answer without the state")
    func state() async throws {
        let fault = Fault(at: .authorization, .parameter("state", .remove))
        #expect(try await DoctorWorld(faults: fault).report().only("state_returned").level == .warning)
    }

    @Test("A page that has trouble, and one that cannot be had")
    func trouble() async throws {
        let broken = try await DoctorWorld(faults: Fault(at: .authorization, .status(500))).report()
        #expect(broken.complaints.contains("warning authorization_request"))
        let lost = try await DoctorWorld(faults: Fault(at: .authorization, .dropRequest)).report()
        #expect(try lost.only("authorization_request").level == .failed)
    }

    @Test("A server that breaks when it is to show no page is asked like a browser")
    func brokenByQuiet() async throws {
        let fault = Fault(
            at: .authorization, where: ["prompt": "none", "redirect_uri": "com.example.app:/callback"],
            .replace(HTTPResponse(status: 500)))
        let report = try await DoctorWorld(faults: fault).report()
        #expect(report.complaints.isEmpty)
        #expect(report.requests.filter { $0.hasSuffix("/authorize") }.count == 3)
    }

    @Test("Where a server says the same of unknown clients and of strange redirects, both are named")
    func wordless() async throws {
        let report = try await DoctorWorld(faults: Fault(at: .authorization, .replace(HTTPResponse(status: 403))))
            .report()
        let finding = try report.only("redirect_registered")
        #expect(finding.title == "The server knows this client not, or not with this redirect")
    }

    @Test("offline_access is not asked for without a page")
    func offlineAccess() async throws {
        var world = DoctorWorld()
        world.setUp.scope = ["openid", "offline_access"]
        let report = try await world.report()
        #expect(report.complaints.isEmpty)
        let sent = world.provider.server.requests(to: .authorization).compactMap { $0.parameters["scope"] }
        #expect(sent == ["openid", "openid"])
    }

    @Test("A server that asks for the login before it looks at anything cannot be judged")
    func loginFirst() async throws {
        let fault = Fault(at: .authorization, .redirect(to: "https://id.example.com/login?flow=17"))
        let report = try await DoctorWorld(faults: fault).report()
        #expect(report.complaints == ["could_not_check redirect_checked", "could_not_check redirect_registered"])
    }

    @Test("A server that leads to the login only with a redirect that it knows is healthy")
    func loginForKnown() async throws {
        let fault = Fault(
            at: .authorization, where: ["redirect_uri": "com.example.app:/callback"],
            .redirect(to: "https://id.example.com/login?flow=17"))
        let report = try await DoctorWorld(faults: fault).report()
        #expect(report.complaints.isEmpty)
        #expect(try report.only("redirect_registered").level == .passed)
    }

    @Test("A refusal that is led to a page of the server's own is told in its words")
    func errorPage() async throws {
        let fault = Fault(
            at: .authorization,
            .redirect(to: "https://id.example.com/error?error=invalid_request&error_description=bad+redirect_uri"))
        let report = try await DoctorWorld(faults: fault).report()
        let finding = try #require(report.findings.first { $0.level == .failed })
        #expect(finding.detail?.contains("invalid_request: bad redirect_uri") == true)
    }

    @Test("Requests that have to be pushed or signed, and a client that is not named, are said not to be tried")
    func unchecked() async throws {
        let pushed = try await DoctorWorld { $0.metadataChanges["require_pushed_authorization_requests"] = true }
            .report()
        #expect(try pushed.only("authorization_request").level == .unchecked)
        let signed = try await DoctorWorld { $0.metadataChanges["require_signed_request_object"] = true }.report()
        #expect(try signed.only("authorization_request").level == .unchecked)
        var world = DoctorWorld()
        world.setUp.clientID = nil
        let anonymous = try await world.report()
        #expect(try anonymous.only("authorization_request").fix == "name the client (--client-id)")
        #expect(try anonymous.only("token_request").level == .unchecked)
        #expect(!anonymous.requests.contains { $0.contains("/authorize") || $0.contains("/token") })
    }
}

@Suite("The doctor's look at the token endpoint")
struct TokenProbeTests {
    private func finding(_ actions: [FaultAction], method: String? = "none") async throws -> Finding {
        var fault = Fault(at: .token)
        fault.actions = actions
        var world = DoctorWorld(faults: fault)
        world.setUp.authenticationMethod = method
        let section = try #require(try await world.report().sections.first { $0.name == "token" })
        try #require(section.findings.count == 1)
        return section.findings[0]
    }

    private func refusal(_ code: String, method: String? = "none") async throws -> Finding {
        let body = JSON.object(["error": .string(code)]).text
        return try await finding(
            [.replace(HTTPResponse(status: 400, fields: ["Content-Type": "application/json"], body: Array(body.utf8)))],
            method: method)
    }

    @Test("What each refusal means for each kind of client")
    func refusals() async throws {
        let rows: [(code: String, method: String?, level: Finding.Level, name: String)] = [
            ("invalid_grant", "none", .passed, "token_request"),
            ("invalid_grant", nil, .passed, "token_request"),
            ("invalid_client", "none", .failed, "client_known"),
            ("invalid_client", "client_secret_basic", .passed, "token_request"),
            ("invalid_client", nil, .note, "token_request"),
            ("unauthorized_client", "none", .failed, "grant_allowed"),
            ("unauthorized_client", "private_key_jwt", .note, "token_request"),
            ("unsupported_grant_type", "client_secret_post", .failed, "grant_allowed"),
            ("invalid_request", "none", .note, "token_request"),
        ]
        for row in rows {
            let finding = try await refusal(row.code, method: row.method)
            #expect(finding.level == row.level, "\(row)")
            #expect(finding.name == row.name, "\(row)")
        }
    }

    @Test("Refusals that are not in the standard's form, and what is no refusal at all")
    func forms() async throws {
        let rows: [(actions: [FaultAction], level: Finding.Level, name: String)] = [
            ([.text("<html><h1>Bad Request</h1></html>"), .status(400)], .warning, "token_error_form"),
            ([.text("{}"), .status(200)], .failed, "token_request"),
            ([.redirect(to: "https://id.example.com/elsewhere")], .failed, "token_request"),
            ([.text("not found"), .status(404)], .failed, "token_request"),
            ([.text("oops"), .status(500)], .warning, "token_request"),
            ([.dropRequest], .failed, "token_request"),
        ]
        for row in rows {
            let finding = try await finding(row.actions)
            #expect(finding.level == row.level, "\(row)")
            #expect(finding.name == row.name, "\(row)")
        }
    }

    @Test("What a page says is told without its markup, styles and scripts, and cut")
    func words() async throws {
        let page = """
            <!DOCTYPE html><html><head><title>Oh</title><style>b{}</style></head><body><script>alert(1)</script>
            <h1>Not &quot;good&quot;</h1><p>at &lt;all&gt;</p></body></html>
            """
        let finding = try await finding([.text(page), .header("Content-Type", "text/html"), .status(400)])
        #expect(finding.detail == "It says: Not \"good\" at <all>")
        let long = try await self.finding([.text(String(repeating: "word ", count: 1_000)), .status(400)])
        #expect((long.detail?.count ?? 0) < 300)
    }
}
