import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 6749 §2.3.1 and §4.1.3, RFC 7009, OpenID Connect RP-Initiated Logout 1.0.
@Suite("Client authentication, code grant, revocation and logout")
struct ClientMessagesTests {
    private func authenticated(_ authentication: ClientAuthentication, _ clientID: String) throws -> HTTPRequest {
        var request = HTTPRequest(.post, try address("https://idp.example/t"), body: .form(["a": "b"]))
        try authentication.authenticate(
            &request, clientID: clientID, on: .init(at: ServerMetadata(members: [:]), now: NumericDate(0)))
        return request
    }

    @Test("The example of RFC 6749 §2.3.1")
    func basicExample() throws {
        let request = try authenticated(.basic(ClientSecret("7Fjfp0ZBr1KtDRbnfVdmIw")), "s6BhdRkqt3")
        #expect(request.fields["Authorization"] == "Basic czZCaGRSa3F0Mzo3RmpmcDBaQnIxS3REUmJuZlZkbUl3")
        #expect(request.form == ["a": "b"])
    }

    @Test("Both halves are form-encoded: the text of RFC 6749 appendix B")
    func appendixB() throws {
        // " %&+£€" becomes "+%25%26%2B%C2%A3%E2%82%AC" (appendix B).
        let request = try authenticated(.basic(ClientSecret(" %&+£€")), "a%20b")
        let sent = try #require(request.fields["Authorization"])
        let bytes = try #require(Base64.decode(String(sent.dropFirst("Basic ".count))))
        #expect(String(decoding: bytes, as: UTF8.self) == "a%2520b:+%25%26%2B%C2%A3%E2%82%AC")
    }

    @Test("In the body, once, whatever stood there")
    func post() throws {
        let request = try authenticated(.post(ClientSecret("s&t")), "c")
        #expect(request.form == ["a": "b", "client_id": "c", "client_secret": "s&t"])
        #expect(request.fields.fields.isEmpty)
    }

    @Test("The example of RFC 6749 §4.1.3, with PKCE")
    func codeGrant() throws {
        var grant = AuthorizationCodeGrant(
            endpoint: try address("https://server.example.com/token?x=a%2Bb"),
            code: AuthorizationCode("SplxlOBeZQQYbYS6WxSbIA"),
            redirectURI: try RedirectURI("https://client.example.com/cb"),
            codeVerifier: try CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"))
        let request = try grant.request()
        #expect(request.method == .post)
        #expect(request.url.text == "https://server.example.com/token?x=a%2Bb")
        #expect(
            String(decoding: request.bodyBytes ?? [], as: UTF8.self)
                == "grant_type=authorization_code&code=SplxlOBeZQQYbYS6WxSbIA"
                + "&redirect_uri=https%3A%2F%2Fclient.example.com%2Fcb"
                + "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        grant.additionalParameters = ["code": "x"]
        #expect(try reason { try grant.request() }?.invalidField == "code")
    }

    @Test("Revocation (RFC 7009 §2.1)")
    func revocation() throws {
        let endpoint = try address("https://idp.example/revoke")
        let refresh = try RevocationRequest(endpoint: endpoint, RefreshToken("45ghiukldjahdnhzdauz")).request()
        #expect(refresh.method == .post)
        #expect(refresh.form == ["token": "45ghiukldjahdnhzdauz", "token_type_hint": "refresh_token"])
        let access = try RevocationRequest(endpoint: endpoint, AccessToken("at")).request()
        #expect(access.form == ["token": "at", "token_type_hint": "access_token"])
    }

    @Test(
        "Any 2xx is success, and nothing else is (RFC 7009 §2.2)",
        arguments: [
            (200, "", nil), (200, "{}", nil), (200, "<html>", nil), (204, "", nil),
            (400, #"{"error":"unsupported_token_type"}"#, "unsupported_token_type"), (401, "", "http_status"),
            (503, "", "transient"), (302, "", "http_status"), (400, "not json", "http_status"),
        ] as [(Int, String, String?)])
    func revocationAnswers(status: Int, body: String, code: String?) throws {
        let request = RevocationRequest(endpoint: try address("https://idp.example/revoke"), RefreshToken("rt"))
        #expect(try reason { try request.answer(from: answer(status, nil, body)) }?.code == code)
    }

    @Test("The logout address with everything")
    func logoutAddress() throws {
        var request = EndSessionRequest(
            endpoint: try address("https://idp.example/out?p=1"), clientID: "app", idTokenHint: EncodedIDToken("a.b.c"))
        request.logoutHint = "ana"
        request.postLogoutRedirectURI = try RedirectURI("com.example.app:/out")
        request.state = "lo 1"
        request.uiLocales = ["de", "en"]
        request.additionalParameters = ["x": "y"]
        #expect(
            try request.url().text
                == "https://idp.example/out?p=1&id_token_hint=a.b.c&client_id=app&logout_hint=ana"
                + "&post_logout_redirect_uri=com.example.app%3A%2Fout&state=lo%201&ui_locales=de%20en&x=y")
        request.postLogoutRedirectURI = nil
        #expect(try request.url().text.contains("state=") == false)
    }

    @Test("Further logout parameters collide with nothing", arguments: ["client_id", "id_token_hint", "p"])
    func logoutCollisions(name: String) throws {
        var request = EndSessionRequest(
            endpoint: try address("https://idp.example/out?p=1"), clientID: "app", idTokenHint: EncodedIDToken("a.b.c"))
        request.additionalParameters = [name: "x"]
        #expect(try reason { try request.url() }?.invalidField != nil)
    }

    @Test(
        "The answer of a logout",
        arguments: [
            ("com.example.app:/out?state=lo-1", "confirmed"), ("com.example.app:/out", "withoutState"),
            ("com.example.app:/out?x=y", "withoutState"), ("com.example.app:/other?state=lo-1", "nil"),
            ("com.example.app:/out?state=lo-2", "state_mismatch"), ("com.example.app:/out?state=", "state_mismatch"),
            ("com.example.app:/out?error=access_denied&state=lo-1", "access_denied"),
            ("com.example.app:/out?error=access_denied", "access_denied"),
        ])
    func logoutAnswers(callback: String, outcome: String) throws {
        let redirect = try RedirectURI("com.example.app:/out")
        do {
            let response = try EndSessionResponse(callback: address(callback), redirectURI: redirect, state: "lo-1")
            #expect(response.map { "\($0)" } ?? "nil" == outcome)
        } catch let error as TernError {
            #expect(error.code == outcome)
        }
    }
}
