import TernCrypto
import TernProtocol
import Testing

/// RFC 6749 §3.1.1, OAuth 2.0 Multiple Response Type Encoding Practices 1.0, OpenID Connect Core 1.0 §3.
@Suite("Response types and modes")
struct ResponseTypeTests {
    @Test("The words stand in any order and are written in one")
    func words() throws {
        #expect(try ResponseType("token id_token code") == .codeIDTokenToken)
        #expect(try ResponseType("  id_token   code ").text == "code id_token")
        #expect(
            ResponseType.all.map(\.text) == [
                "code", "code id_token", "code token", "code id_token token", "id_token", "id_token token", "token",
            ])
        for type in ResponseType.all { #expect(try ResponseType(type.text) == type) }
    }

    @Test(
        "What is no response type", arguments: ["", " ", "code code", "none", "Code", "code\tid_token", "code,token"])
    func refused(text: String) throws {
        #expect(try reason { try ResponseType(text) }?.invalidField == "response_type")
    }

    @Test("Anything but a code alone comes in the fragment, where nothing is asked for")
    func standardModes() {
        #expect(ResponseType.code.standardMode == .query)
        for type in ResponseType.all.dropFirst() {
            #expect(type.standardMode == .fragment)
            #expect(AuthorizationRequest.ResponseMode.jwt.resolved(for: type) == .fragmentJWT)
        }
        #expect(AuthorizationRequest.ResponseMode.jwt.resolved(for: .code) == .queryJWT)
        #expect(AuthorizationRequest.ResponseMode.formPost.resolved(for: .code) == .formPost)
        #expect(
            AuthorizationRequest.ResponseMode.allCases.filter(\.isSigned) == [
                .queryJWT, .fragmentJWT, .formPostJWT, .jwt,
            ])
    }

    private func request(
        _ type: ResponseType, _ mode: AuthorizationRequest.ResponseMode?, nonce: String? = "n"
    ) throws -> FormParameters {
        var request = AuthorizationRequest(
            endpoint: try address("https://idp.example/auth"), clientID: "app",
            redirectURI: try RedirectURI("com.example.app:/cb"), scope: ["openid"], state: "st", nonce: nonce,
            codeChallenge: try CodeVerifier("dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk").challenge)
        request.responseType = type
        request.responseMode = mode
        return try request.parameters()
    }

    @Test("A request says type and mode, and has a challenge where there is a code", arguments: ResponseType.all)
    func asked(type: ResponseType) throws {
        let parameters = try request(type, .formPostJWT)
        #expect(parameters["response_type"] == type.text)
        #expect(parameters["response_mode"] == "form_post.jwt")
        #expect((parameters["code_challenge"] != nil) == type.hasCode)
        #expect((parameters["code_challenge_method"] != nil) == type.hasCode)
    }

    @Test("Tokens are never asked for in a query", arguments: ResponseType.all.dropFirst())
    func noQuery(type: ResponseType) throws {
        for mode in [AuthorizationRequest.ResponseMode.query, .queryJWT] {
            #expect(try reason { try request(type, mode) }?.invalidField == "response_mode")
            #expect(try request(.code, mode)["response_mode"] == mode.rawValue)
        }
    }

    @Test("An ID token through the browser needs a nonce", arguments: ResponseType.all)
    func nonce(type: ResponseType) throws {
        #expect(try reason { try request(type, nil, nonce: nil) }?.invalidField == (type.hasIDToken ? "nonce" : nil))
    }

    @Test("A posted form becomes an address that says so")
    func posted() throws {
        let redirect = try RedirectURI("https://app.example/cb")
        let callback = try #require(redirect.callback(posting: ["code": "a b&c", "state": "st"]))
        #expect(callback.text == "https://app.example/cb?code=a%20b%26c&state=st#form_post")
        #expect(redirect.callback(posting: ["code": String(repeating: "x", count: URI.maximumByteCount)]) == nil)
    }
}
