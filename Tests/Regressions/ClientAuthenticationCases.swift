import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Client authentication and PKCE")
struct ClientAuthenticationCases {
    private func request(
        _ authentication: ClientAuthentication, clientID: String = Fixed.clientID
    ) throws -> HTTPRequest {
        let grant = AuthorizationCodeGrant(
            endpoint: try address("https://idp.example/t"), code: AuthorizationCode("c"),
            redirectURI: try RedirectURI("com.example.app:/cb"), codeVerifier: CodeVerifier())
        var request = try grant.request()
        try authentication.authenticate(
            &request, clientID: clientID, on: .init(at: ServerMetadata(members: [:]), now: NumericDate(0)))
        return request
    }

    private let secret = ClientSecret("p+q/r=s%t&ü")

    @Test("CA-01 a")
    func encodedBasic() throws {
        #expect(
            try request(.basic(secret), clientID: "svc:mobile app").fields.values(of: "Authorization")
                == ["Basic c3ZjJTNBbW9iaWxlK2FwcDpwJTJCcSUyRnIlM0RzJTI1dCUyNiVDMyVCQw=="])
    }

    @Test("CA-01 b")
    func rawBasic() throws {
        #expect(
            try request(.rawBasic(secret), clientID: "svc mobile").fields["Authorization"]
                == "Basic c3ZjIG1vYmlsZTpwK3Evcj1zJXQmw7w=")
    }

    @Test("CA-01 c")
    func colonInRawBasic() throws {
        guard
            case .invalidConfiguration("client_id", _) = try reason({
                try request(.rawBasic(secret), clientID: "svc:mobile app")
            })
        else {
            Issue.record("accepted")
            return
        }
    }

    @Test(
        "CA-02 a",
        arguments: [
            ClientAuthentication.none, .basic(ClientSecret("")), .post(ClientSecret("")), .rawBasic(ClientSecret("")),
        ])
    func publicClient(authentication: ClientAuthentication) throws {
        let request = try request(authentication)
        #expect(request.form.values(of: "client_id") == [Fixed.clientID])
        #expect(request.form["client_secret"] == nil)
        #expect(request.fields["Authorization"] == nil)
    }

    @Test("CA-02 b")
    func basicAlone() throws {
        let request = try request(.basic(ClientSecret("cs-1")))
        #expect(request.fields["Authorization"] == "Basic bmF0aXZlLWFwcC0xOmNzLTE=")
        #expect(request.form["client_id"] == nil)
        #expect(request.form["client_secret"] == nil)
    }

    @Test("CA-02 c")
    func postAlone() throws {
        let request = try request(.post(ClientSecret("cs-1")))
        #expect(request.fields["Authorization"] == nil)
        #expect(request.form.values(of: "client_id") == [Fixed.clientID])
        #expect(request.form.values(of: "client_secret") == ["cs-1"])
    }

    @Test("CA-03")
    func challenge() throws {
        let verifier = try CodeVerifier("open-verifier-~._0123456789ABCDEFGHIJKLMNOPQ")
        #expect(verifier.challenge.value == "8_-ALcUoBSHxSsSFd4F5rlLJ2hY2Xy6d24S_nq5zewY")
        #expect(CodeChallenge.method == "S256")
    }

    @Test("CA-03, verifiers are made anew and within the alphabet")
    func generatedVerifiers() throws {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")
        let texts = (0..<100).map { _ in CodeVerifier().secret.exposedText }
        #expect(Set(texts).count == 100)
        for text in texts {
            #expect((43...128).contains(text.count))
            #expect(text.allSatisfy(allowed.contains))
        }
    }
}
