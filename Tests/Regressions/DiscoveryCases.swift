import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Discovery")
struct DiscoveryCases {
    private func metadata(
        _ issuer: String, _ body: String, _ type: String? = "application/json", rule: IssuerRule = .exact
    ) throws -> ServerMetadata {
        let request = MetadataRequest(issuer: try Issuer(issuer), rule: rule)
        return try request.answer(from: answer(200, type, body))
    }

    @Test(
        "DI-01, the addresses",
        arguments: [
            (
                "https://idp.example/realms/a/", "https://idp.example/realms/a/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server/realms/a"
            ),
            (
                "https://idp.example/realms/a", "https://idp.example/realms/a/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server/realms/a"
            ),
            (
                "https://idp.example", "https://idp.example/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server"
            ),
            (
                "https://idp.example:8443/", "https://idp.example:8443/.well-known/openid-configuration",
                "https://idp.example:8443/.well-known/oauth-authorization-server"
            ),
        ])
    func addresses(issuer: String, openID: String, oauth: String) throws {
        let issuer = try Issuer(issuer)
        #expect(try MetadataRequest(issuer: issuer, form: .openID).request().url.text == openID)
        #expect(try MetadataRequest(issuer: issuer, form: .oauth).request().url.text == oauth)
    }

    @Test("DI-01 a")
    func slashIsKept() throws {
        let metadata = try metadata("https://idp.example/realms/a/", #"{"issuer":"https://idp.example/realms/a/"}"#)
        #expect(metadata.issuer == "https://idp.example/realms/a/")
    }

    @Test("DI-01 b")
    func slashMissing() throws {
        let reason = try reason {
            try metadata("https://idp.example/realms/a/", #"{"issuer":"https://idp.example/realms/a"}"#)
        }
        #expect(
            reason
                == .issuerMismatch(
                    expected: "https://idp.example/realms/a/", received: "https://idp.example/realms/a"))
        let text = TernError(try #require(reason), at: .discovery).explanation.whatHappened
        #expect(text.contains("\"https://idp.example/realms/a/\""))
        #expect(text.contains("\"https://idp.example/realms/a\""))
    }

    @Test(
        "DI-01, no other spelling is the same issuer",
        arguments: [
            #""https://IDP.example""#, #""https://idp.example/""#, #""https://idp.example:443""#,
            #""http://idp.example""#,
            "null", #""""#, "[]", #""https://idp.ex\u0061mple/""#,
        ])
    func otherIssuers(written: String) throws {
        guard
            case .issuerMismatch = try reason({ try metadata("https://idp.example", #"{"issuer":\#(written)}"#) })
        else {
            Issue.record("accepted")
            return
        }
    }

    private let tenants = "https://login.example/{tenantid}/v2.0"

    @Test("DI-02 a")
    func templateByDefault() throws {
        let configured = "https://login.example/common/v2.0"
        let reason = try reason { try metadata(configured, #"{"issuer":"\#(tenants)"}"#) }
        #expect(reason == .issuerMismatch(expected: configured, received: tenants))
        let explanation = TernError(try #require(reason), at: .discovery).explanation
        #expect(explanation.likelyCauses.contains { $0.contains("template") })
    }

    @Test("DI-02 b")
    func templateAllowed() throws {
        let metadata = try metadata(
            "https://login.example/common/v2.0", #"{"issuer":"\#(tenants)"}"#, rule: .tenantTemplate)
        let issuer = try #require(metadata.issuer)
        let expected = IDToken.Expectation(
            issuer: issuer, clientID: Fixed.clientID, nonce: .required(Fixed.nonce))
        let token = try IDToken(
            verifying: EncodedIDToken(FieldVector.o11.token),
            keys: try JWKSet(parsing: Array(FieldVector.o11.keys.utf8)), expecting: expected, now: Fixed.now)
        #expect(token.issuer == "https://login.example/11112222-aaaa-bbbb-cccc-333344445555/v2.0")
    }

    @Test(
        "DI-02, a template is no wildcard",
        arguments: [
            "https://login.example/{tenantid}/v1.0", "https://evil.example/{tenantid}/v2.0",
            "https://login.example/{tenantid}/v2.0/x", "https://login.example/{tenant}/v2.0",
            "https://login.example/other/v2.0",
        ])
    func otherTemplates(received: String) throws {
        #expect(
            try reason {
                try metadata(
                    "https://login.example/common/v2.0", #"{"issuer":"\#(received)"}"#, rule: .tenantTemplate)
            } == .issuerMismatch(expected: "https://login.example/common/v2.0", received: received))
    }

    @Test("DI-03")
    func fieldsAreDemandedWhenNeeded() throws {
        let metadata = try metadata(
            "https://idp.example",
            """
            {"issuer":"https://idp.example","authorization_endpoint":"https://idp.example/a",\
            "token_endpoint":"https://idp.example/t","scopes_supported":"openid"}
            """)
        #expect(
            try metadata.address(of: .authorization, for: .authorizationRequest).text == "https://idp.example/a")
        #expect(try metadata.address(of: .token, for: .tokenRequest).text == "https://idp.example/t")
        #expect(metadata.scopes == nil)
        #expect(
            try reason { try metadata.address(of: .keys, for: .keys) } == .missingMetadata(field: "jwks_uri"))
    }

    @Test(
        "DI-03, null, empty and wrongly typed fields count as absent",
        arguments: [
            "null", #""""#, "7", "[]", "{}", "true", #""not an address""#,
        ])
    func absentFields(written: String) throws {
        let metadata = try metadata(
            "https://idp.example", #"{"issuer":"https://idp.example","end_session_endpoint":\#(written)}"#)
        #expect(metadata[.endSession] == nil)
        #expect(
            try reason { try metadata.address(of: .endSession, for: .logout) }
                == .missingMetadata(field: "end_session_endpoint"))
    }

    @Test("DI-02, the iss of a callback may fill in the template, and only its open segment")
    func templateInCallback() throws {
        func outcome(_ issuer: String) throws -> TernError.Reason? {
            let expected = AuthorizationResponse.Expectation(
                redirectURI: try RedirectURI("com.example.app:/cb"), state: "st-open-1",
                issuer: "https://login.example/{tenantid}/v2.0", requiresIssuer: true)
            let callback = URI("com.example.app:/cb?code=c&state=st-open-1&iss=" + PercentCodec.encode(issuer))
            return try reason { try AuthorizationResponse(callback: try #require(callback), expecting: expected) }
        }
        #expect(try outcome("https://login.example/1111/v2.0") == nil)
        for wrong in [
            "https://login.example//v2.0", "https://login.example/1/2/v2.0", "https://evil.example/1111/v2.0",
            "https://login.example/1111/v1.0",
        ] {
            #expect(
                try outcome(wrong)
                    == .issuerMismatch(expected: "https://login.example/{tenantid}/v2.0", received: wrong))
        }
    }

    @Test("DI-04 a")
    func captivePortal() throws {
        #expect(
            try reason {
                try metadata("https://idp.example", "<!doctype html><title>Wi-Fi login</title>", "text/html")
            } == .discoveryNotJSON(mediaType: "text/html"))
        #expect(
            try reason { try metadata("https://idp.example", "[]", "application/json; charset=utf-8") }
                == .discoveryNotJSON(mediaType: "application/json"))
    }

    @Test("DI-04 b")
    func plainEndpoint() throws {
        var metadata = try metadata(
            "https://idp.example", #"{"issuer":"https://idp.example","token_endpoint":"http://idp.example/t"}"#)
        #expect(
            try reason { try metadata.address(of: .token, for: .tokenRequest) }
                == .insecureEndpoint(field: "token_endpoint"))
        metadata.allowsLoopbackEndpoints = true
        #expect(
            try reason { try metadata.address(of: .token, for: .tokenRequest) }
                == .insecureEndpoint(field: "token_endpoint"))
    }

    @Test("DI-04 b, the development option is for loopback, and a loopback issuer needs none")
    func developmentOption() throws {
        var metadata = try metadata(
            "https://idp.example", #"{"issuer":"https://idp.example","token_endpoint":"http://127.0.0.1:1/t"}"#)
        #expect(
            try reason { try metadata.address(of: .token, for: .tokenRequest) }
                == .insecureEndpoint(field: "token_endpoint"))
        metadata.allowsLoopbackEndpoints = true
        #expect(try metadata.address(of: .token, for: .tokenRequest).text == "http://127.0.0.1:1/t")
        let local = try self.metadata(
            "http://127.0.0.1:1", #"{"issuer":"http://127.0.0.1:1","token_endpoint":"http://127.0.0.1:1/t"}"#)
        #expect(try local.address(of: .token, for: .tokenRequest).text == "http://127.0.0.1:1/t")
    }

    @Test(
        "DI-04, what may stand in the place of https",
        arguments: [
            ("http://127.0.0.1:8080/t", true), ("http://[::1]/t", true), ("http://localhost/t", true),
            ("http://127.0.0.1.example/t", false), ("http://localhost.example/t", false), ("ftp://127.0.0.1/t", false),
            ("com.example.app:/t", false), ("http://0.0.0.0/t", false), ("HTTPS://idp.example/t", true),
        ])
    func loopbackEndpoints(endpoint: String, isAllowed: Bool) throws {
        var metadata = try metadata(
            "https://idp.example", #"{"issuer":"https://idp.example","token_endpoint":"\#(endpoint)"}"#)
        metadata.allowsLoopbackEndpoints = true
        #expect(
            try reason { try metadata.address(of: .token, for: .tokenRequest) }
                == (isAllowed ? nil : .insecureEndpoint(field: "token_endpoint")))
    }

    @Test(
        "DI, an issuer with query or fragment is a configuration error",
        arguments: [
            "https://idp.example?x=1", "https://idp.example/?", "https://idp.example#f", "https://u@idp.example", "idp",
            "https:/idp.example", "",
        ])
    func badIssuers(text: String) throws {
        guard case .invalidConfiguration("issuer", _) = try reason({ try Issuer(text) }) else {
            Issue.record("accepted")
            return
        }
        #expect(try reason { try Issuer("http://idp.example") } == .insecureEndpoint(field: "issuer"))
    }
}
