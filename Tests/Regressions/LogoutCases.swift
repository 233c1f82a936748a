import TernCrypto
import TernProtocol
import Testing

@Suite("Revocation and logout")
struct LogoutCases {
    private func revoke(_ response: HTTPResponse) throws -> TernError.Reason? {
        let request = RevocationRequest(
            endpoint: try address("https://idp.example/revoke"), RefreshToken("rt-o"))
        return try reason { try request.answer(from: response) }
    }

    @Test("LO-01 a")
    func emptyAnswer() throws {
        #expect(try revoke(answer(200, nil)) == nil)
        #expect(try revoke(answer(200, "text/html", "<html>ok</html>")) == nil)
        #expect(try revoke(answer(204, nil)) == nil)
    }

    @Test("LO-01 b, the message")
    func trouble() throws {
        #expect(try revoke(answer(503, nil)) == .transient(status: 503, retryAfter: nil))
    }

    private let endpoint = "https://idp.example/out?x=a%2Bb"

    @Test("LO-02 a")
    func hint() throws {
        let url = try EndSessionRequest(
            endpoint: try address(endpoint), clientID: Fixed.clientID, idTokenHint: EncodedIDToken("idt-o")
        ).url().text
        #expect(url == endpoint + "&id_token_hint=idt-o&client_id=native-app-1")
    }

    @Test("LO-02 b")
    func noHint() throws {
        let url = try EndSessionRequest(endpoint: try address(endpoint), clientID: Fixed.clientID).url().text
        #expect(url == endpoint + "&client_id=native-app-1")
    }

    @Test("LO-02 d")
    func nameOfTheProvider() throws {
        var request = EndSessionRequest(
            endpoint: try address("https://idp.example/out"), clientID: Fixed.clientID)
        request.postLogoutRedirectURI = try RedirectURI("com.example.app:/out")
        request.redirectParameterName = "logout_uri"
        request.state = "lo-1"
        #expect(
            try request.url().text
                == "https://idp.example/out?client_id=native-app-1&logout_uri=com.example.app%3A%2Fout&state=lo-1")
    }

    private func response(_ callback: String) throws -> EndSessionResponse? {
        try EndSessionResponse(
            callback: try address(callback), redirectURI: try RedirectURI("com.example.app:/out"), state: "lo-1")
    }

    @Test("LO-03 a")
    func confirmed() throws { #expect(try response("com.example.app:/out?state=lo-1") == .confirmed) }

    @Test("LO-03 b")
    func stateDropped() throws {
        #expect(try response("com.example.app:/out") == .withoutState)
        #expect(try reason { try response("com.example.app:/out?state=lo-2") } == .stateMismatch)
        #expect(try response("com.example.app:/in?state=lo-1") == nil)
    }
}
