import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 6749 §4.1.1, RFC 7636 §4.3, RFC 8707 §2.1, OpenID Connect Core 1.0 §3.1.2.1.
@Suite("Authorization request")
struct AuthorizationRequestTests {
    private func request(_ endpoint: String = "https://idp.example/auth") throws -> AuthorizationRequest {
        AuthorizationRequest(
            endpoint: try address(endpoint), clientID: "c 1", redirectURI: try RedirectURI("com.example.app:/cb"),
            scope: ["openid", "email"], state: "st", nonce: "no",
            codeChallenge: try CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").challenge)
    }

    @Test("The plain request, octet for octet")
    func plain() throws {
        #expect(
            try request().url().text
                == "https://idp.example/auth?response_type=code&client_id=c%201"
                + "&redirect_uri=com.example.app%3A%2Fcb&scope=openid%20email&state=st&nonce=no"
                + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256")
    }

    @Test("Every parameter is there, each once")
    func everyParameter() throws {
        var request = try request()
        request.responseMode = .formPost
        request.prompt = [.login, .consent]
        request.display = .touch
        request.maxAge = .seconds(300)
        request.uiLocales = ["de-CH", "de"]
        request.claimsLocales = ["fr"]
        request.idTokenHint = EncodedIDToken("a.b.c")
        request.loginHint = "ana@mail.example"
        request.acrValues = ["urn:a", "urn:b"]
        request.claims = ["userinfo": ["email": nil]]
        request.resources = [try address("https://api.example/1"), try address("https://api.example/2?x=1")]
        request.additionalParameters = ["audience": "api"]
        let parameters = try #require(FormParameters(decoding: try request.url().encodedQuery ?? ""))
        let expected: FormParameters = [
            "response_type": "code", "client_id": "c 1", "redirect_uri": "com.example.app:/cb", "scope": "openid email",
            "state": "st", "nonce": "no", "code_challenge": request.codeChallenge.value,
            "code_challenge_method": "S256", "response_mode": "form_post", "prompt": "login consent",
            "display": "touch", "max_age": "300", "ui_locales": "de-CH de", "claims_locales": "fr",
            "id_token_hint": "a.b.c", "login_hint": "ana@mail.example", "acr_values": "urn:a urn:b",
            "claims": #"{"userinfo":{"email":null}}"#, "resource": "https://api.example/1",
            "resource": "https://api.example/2?x=1", "audience": "api",
        ]
        #expect(Set(parameters.parameters) == Set(expected.parameters))
        #expect(parameters.count == expected.count)
    }

    @Test("What was not asked for is not sent")
    func leavesOut() throws {
        var request = try request()
        request.scope = []
        request.nonce = nil
        #expect(
            try request.parameters().parameters.map(\.name)
                == ["response_type", "client_id", "redirect_uri", "state", "code_challenge", "code_challenge_method"])
    }

    @Test("max_age is whole seconds and never negative", arguments: [
        (Duration.zero, "0"), (.seconds(90), "90"), (.milliseconds(1_900), "1"), (.seconds(-5), "0"),
    ])
    func maxAge(age: Duration, sent: String) throws {
        var request = try request()
        request.maxAge = age
        #expect(try request.parameters()["max_age"] == sent)
    }

    @Test("prompt=none stands alone (OpenID Connect Core 1.0 §3.1.2.1)")
    func promptNone() throws {
        var request = try request()
        request.prompt = [.none]
        #expect(try request.parameters()["prompt"] == "none")
        request.prompt = [.none, .login]
        #expect(try reason { try request.url() }?.invalidField == "prompt")
    }

    @Test("A resource has no fragment (RFC 8707 §2)")
    func resourceFragment() throws {
        var request = try request()
        request.resources = [try address("https://api.example/#f")]
        #expect(try reason { try request.url() }?.invalidField == "resource")
    }

    @Test("A further parameter cannot replace or repeat one", arguments: [
        "client_id", "redirect_uri", "state", "scope", "response_type", "code_challenge", "code_challenge_method",
        "nonce",
    ])
    func collisions(name: String) throws {
        var request = try request()
        request.additionalParameters = [name: "x"]
        #expect(try reason { try request.url() }?.invalidField == name)
        #expect(
            try reason { try self.request("https://idp.example/auth?a=1&\(name)=x").url() }?.invalidField
                == "authorization_endpoint")
    }

    @Test("A further parameter stands once, and not beside the same one of the endpoint")
    func repeatedFurtherParameter() throws {
        var request = try request()
        request.additionalParameters = ["audience": "a", "audience": "b"]
        #expect(try reason { try request.url() }?.invalidField == "audience")
        request = try self.request("https://idp.example/auth?audience=a")
        request.additionalParameters = ["audience": "b"]
        #expect(try reason { try request.url() }?.invalidField == "authorization_endpoint")
    }

    @Test("The endpoint's fragment stays behind the query")
    func fragment() throws {
        let text = try request("https://idp.example/#/auth").url().text
        #expect(text.hasPrefix("https://idp.example/?response_type=code&"))
        #expect(text.hasSuffix("#/auth"))
    }
}
