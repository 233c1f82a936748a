import TernCrypto
import TernProtocol
import Testing

@Suite("Callbacks")
struct CallbackCases {
    private func response(
        _ callback: String, redirect: String = "com.example.app:/cb", delivery: CallbackDelivery = .open,
        requiresIssuer: Bool = false
    ) throws -> AuthorizationResponse? {
        try AuthorizationResponse(
            callback: try address(callback),
            expecting: AuthorizationResponse.Expectation(
                redirectURI: try RedirectURI(redirect), state: Fixed.state, issuer: Fixed.issuer,
                requiresIssuer: requiresIssuer, delivery: delivery))
    }

    private func code(_ callback: String, redirect: String = "com.example.app:/cb") throws -> String? {
        try response(callback, redirect: redirect)?.code.exposedText
    }

    @Test("CB-01 a")
    func slashOfAnEmptyPath() throws {
        #expect(
            try code("com.example.app://cb/?code=c1&state=st-open-1", redirect: "com.example.app://cb") == "c1")
        #expect(
            try code("com.example.app://cb?code=c1&state=st-open-1", redirect: "com.example.app://cb/") == "c1")
    }

    @Test("CB-01 b")
    func schemeCase() throws {
        #expect(try code("COM.EXAMPLE.APP:/cb?code=c1&state=st-open-1") == "c1")
        #expect(
            try code("HTTPS://App.Example/cb?code=c1&state=st-open-1", redirect: "https://app.example/cb") == "c1")
        #expect(
            try code("com.example.app:/cb?code=c1&state=st-open-1", redirect: "com.Example.App:/cb") == "c1")
    }

    @Test("CB-01 c", arguments: [
        "com.example.app:/cb/extra", "com.example.app:/cb/", "com.example.app:/CB", "com.example.app:/c",
        "com.example.app:cb", "com.example.app:/%63b", "com.example.app2:/cb", "com.example.app:/cb;x=1",
    ])
    func otherPaths(address: String) throws {
        #expect(try response(address + "?code=c1&state=st-open-1") == nil)
    }

    @Test("CB-01, ports", arguments: [
        ("http://127.0.0.1:8400/cb", "http://127.0.0.1:8401/cb", false),
        ("http://127.0.0.1:8400/cb", "http://127.0.0.1/cb", false),
        ("http://127.0.0.1:8400/cb", "http://localhost:8400/cb", false),
        ("http://127.0.0.1:8400/cb", "http://u@127.0.0.1:8400/cb", false),
        ("https://app.example/cb", "https://app.example:443/cb", true),
        ("https://app.example/cb", "http://app.example/cb", false),
        ("http://[::1]:8400/cb", "http://[::1]:8400/cb", true),
    ])
    func ports(redirect: String, arrived: String, fits: Bool) throws {
        #expect((try response(arrived + "?code=c1&state=st-open-1", redirect: redirect) != nil) == fits)
    }

    @Test("CB-02 a")
    func threeSlashes() throws {
        #expect(try code("com.example.app:///cb?code=c2&state=st-open-1") == "c2")
    }

    @Test("CB-02 b")
    func twoSlashes() throws {
        #expect(try response("com.example.app://cb?code=c2&state=st-open-1") == nil)
        #expect(try RedirectURI("com.example.app://cb").warnings.first.map { "\($0)" }?.contains("slash") == true)
    }

    @Test("CB-03 a")
    func appendedFragment() throws {
        #expect(try code("com.example.app:/cb?code=c3&state=st-open-1#_=_") == "c3")
    }

    @Test("CB-03 b")
    func answerInTheFragment() throws {
        #expect(
            try reason { try response("com.example.app:/cb#code=c3&state=st-open-1") }
                == .unexpectedResponseMode(expected: "query", received: "fragment"))
    }

    @Test("CB-04")
    func decodesOnce() throws {
        let response = try #require(
            try response(
                "com.example.app:/cb?code=4%2F0Ab_c%2Bd&state=st-open-1&scope=email+profile&authuser=0&prompt=none"))
        #expect(response.code.exposedText == "4/0Ab_c+d")
        #expect(
            response.additionalParameters == ["scope": "email profile", "authuser": "0", "prompt": "none"])
        let grant = AuthorizationCodeGrant(
            endpoint: try address("https://idp.example/t"), code: response.code,
            redirectURI: try RedirectURI("com.example.app:/cb"), codeVerifier: CodeVerifier())
        let body = String(decoding: try #require(try grant.request().bodyBytes), as: UTF8.self)
        #expect(body.split(separator: "&").contains("code=4%2F0Ab_c%2Bd"))
    }

    @Test("CB-04, empty pairs, an equals sign in a value, a state that needs decoding", arguments: [
        ("&&code=c4&&state=st-open-1&", "c4"), ("code=a=b==&state=st-open-1", "a=b=="),
        ("code=%zz&state=st-open-1", "%zz"), ("code=%FF&state=st-open-1", "%FF"), ("code=c%2&state=st-open-1", "c%2"),
        ("c%6Fde=c4&state=st%2Dopen%2D1", "c4"), ("code=c4&state=st-open-1&x", "c4"),
    ])
    func decoding(query: String, expected: String) throws {
        #expect(try code("com.example.app:/cb?" + query) == expected)
    }

    @Test("CB-05 a")
    func errorText() throws {
        let words = try reason {
            try response(
                "com.example.app:/cb?error=access_denied&error_description=User+said+no%3A+%C3%A9%20ok&state=st-open-1"
            )
        }?.serverError
        #expect(words?.code == "access_denied")
        #expect(words?.detail == "User said no: é ok")
        #expect(words?.stateWasMissing == false)
        #expect(words?.status == nil)
    }

    @Test("CB-05 b")
    func lonePercent() throws {
        let words = try reason {
            try response("com.example.app:/cb?error=server_error&error_description=100%&state=st-open-1")
        }?.serverError
        #expect(words?.code == "server_error")
        #expect(words?.detail == "100%")
    }

    @Test("CB-06", arguments: [
        "code=c6a&code=c6b&state=st-open-1", "code=c&state=st-open-1&state=st-open-1",
        "code=c&state=st-open-1&state=x", "error=a&error=b&state=st-open-1",
        "code=c&state=st-open-1&iss=https%3A%2F%2Fidp.example&iss=https%3A%2F%2Fidp.example",
        "code=c6a&c%6Fde=c6b&state=st-open-1", "code=c6&code=c6&state=st-open-1",
    ])
    func repeatedParameters(query: String) throws {
        guard case .malformedCallback = try reason({ try response("com.example.app:/cb?" + query) }) else {
            Issue.record("accepted")
            return
        }
    }

    @Test("CB-06, an error beside a code wins; neither is malformed", arguments: ["", "&code=", "&code"])
    func neitherCodeNorError(query: String) throws {
        let both = try reason { try response("com.example.app:/cb?code=c&error=access_denied&state=st-open-1") }
        #expect(both?.serverError?.code == "access_denied")
        guard
            case .malformedCallback = try reason({ try response("com.example.app:/cb?state=st-open-1" + query) })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test("CB-06, an error without a value is none (RFC 6749 §3.1)")
    func emptyError() throws {
        #expect(try code("com.example.app:/cb?code=c6&error=&state=st-open-1") == "c6")
        guard
            case .malformedCallback = try reason({ try response("com.example.app:/cb?error=&state=st-open-1") })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test("CB-07 a")
    func errorWithoutState() throws {
        let callback = "com.example.app:/cb?error=login_required"
        let words = try reason { try response(callback, delivery: .system) }?.serverError
        #expect(words?.code == "login_required")
        #expect(words?.stateWasMissing == true)
        #expect(try reason { try response(callback, delivery: .open) } == .stateMismatch)
        #expect(try reason { try response(callback, delivery: .pasted) }?.serverError?.code == "login_required")
        #expect(try reason { try response(callback + "&state=other", delivery: .system) } == .stateMismatch)
    }

    @Test("CB-07 b", arguments: ["", "&state=", "&state", "&state=ST-OPEN-1", "&state=st-open-1x"])
    func codeWithoutState(state: String) throws {
        for delivery in [CallbackDelivery.system, .open] {
            #expect(
                try reason { try response("com.example.app:/cb?code=c7" + state, delivery: delivery) }
                    == .stateMismatch)
        }
    }

    @Test("CB-07 c, d", arguments: ["", "&iss=https%3A%2F%2Fidp.example", "&iss=https://idp.example"])
    func issuerIsDemandedWherePromised(issuer: String) throws {
        let callback = "com.example.app:/cb?code=c7&state=st-open-1" + issuer
        #expect(try code(callback) == "c7")
        let promised = try reason { try response(callback, requiresIssuer: true) }
        #expect(promised == (issuer.isEmpty ? .issuerMismatch(expected: Fixed.issuer, received: nil) : nil))
    }

    @Test("CB-07, another issuer is refused, promised or not", arguments: [
        "https://idp.example/", "https://IDP.example", "https://evil.example", "",
    ])
    func otherIssuers(issuer: String) throws {
        let query = "code=c7&state=st-open-1&iss=" + PercentCodec.encode(issuer)
        #expect(
            try reason { try response("com.example.app:/cb?" + query) }
                == .issuerMismatch(expected: Fixed.issuer, received: issuer))
        let error = "error=access_denied&state=st-open-1&iss=" + PercentCodec.encode(issuer)
        #expect(
            try reason { try response("com.example.app:/cb?" + error) }
                == .issuerMismatch(expected: Fixed.issuer, received: issuer))
    }

    @Test("CB-08")
    func foreignAddresses() throws {
        #expect(try response("fb9990001:/authorize?code=zz&state=st-open-1") == nil)
        #expect(try response("com.example.app:/share?code=zz") == nil)
        #expect(try code("com.example.app:/cb?code=c8&state=st-open-1") == "c8")
    }
}
