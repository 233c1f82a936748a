import TernCrypto
import TernProtocol
import Testing

@Suite("Authorization requests")
struct AuthorizationRequestCases {
    private func request(
        _ endpoint: String = "https://idp.example/auth", redirect: String = "com.example.app:/cb", scope: Scope = []
    ) throws -> AuthorizationRequest {
        AuthorizationRequest(
            endpoint: try address(endpoint), clientID: Fixed.clientID, redirectURI: try RedirectURI(redirect),
            scope: scope, state: Fixed.state, codeChallenge: CodeVerifier().challenge)
    }

    @Test("AR-01")
    func queryOfTheEndpoint() throws {
        let text = try request("https://idp.example/auth?p=b2c_1&lang=de%2Ben").url().text
        #expect(text.hasPrefix("https://idp.example/auth?p=b2c_1&lang=de%2Ben&"))
        #expect(text.count(where: { $0 == "?" }) == 1)
        let parameters = try #require(FormParameters(decoding: try address(text).encodedQuery ?? ""))
        let names = parameters.parameters.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(parameters["lang"] == "de+en")
        #expect(parameters["client_id"] == Fixed.clientID)
    }

    @Test("AR-01, odd queries stay as they are", arguments: [
        ("https://idp.example/a?", "https://idp.example/a?response_type="),
        ("https://idp.example/a?x", "https://idp.example/a?x&response_type="),
        ("https://idp.example/a?x=1&", "https://idp.example/a?x=1&response_type="),
        ("https://idp.example/a?x=a+b%zz&&y", "https://idp.example/a?x=a+b%zz&&y&response_type="),
        ("https://idp.example?x=%c3%A9", "https://idp.example?x=%c3%A9&response_type="),
    ])
    func oddQueries(endpoint: String, start: String) throws {
        #expect(try request(endpoint).url().text.hasPrefix(start))
    }

    @Test("AR-02")
    func encoding() throws {
        var request = try request(scope: ["openid", "api:read"])
        request.loginHint = "ana+test@mail.example"
        let query = try #require(try request.url().encodedQuery).split(separator: "&")
        #expect(query.contains("login_hint=ana%2Btest%40mail.example"))
        #expect(query.contains("scope=openid%20api%3Aread"))
    }

    @Test("AR-03")
    func redirectIsKept() throws {
        let redirect = "com.Example.App:/CB?src=a%2Fb"
        let request = try request(redirect: redirect)
        let sent = "redirect_uri=com.Example.App%3A%2FCB%3Fsrc%3Da%252Fb"
        #expect(try #require(try request.url().encodedQuery).split(separator: "&").contains { $0 == sent })
        let grant = AuthorizationCodeGrant(
            endpoint: try address("https://idp.example/t"), code: AuthorizationCode("c"),
            redirectURI: try RedirectURI(redirect), codeVerifier: CodeVerifier())
        let body = String(decoding: try #require(try grant.request().bodyBytes), as: UTF8.self)
        #expect(body.split(separator: "&").contains { $0 == sent })
    }
}
