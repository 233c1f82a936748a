import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// No message and no error shows a secret in its text, its debug text, its mirror or a dump.
@Suite("Secrecy")
struct SecrecyTests {
    static let secrets = ["at-LG-o", "rt-LG-o", "cv-LG-o", "cs-LG-o", "code-LG-o", "idt-LG-o"]
    private static let verifier = "cv-LG-o" + String(repeating: "x", count: 40)

    private func expectSilence(_ value: Any, _ place: SourceLocation = #_sourceLocation) {
        var dumped = ""
        dump(value, to: &dumped)
        let texts = [dumped, "\(value)", String(describing: value), String(reflecting: value), mirrored(value, 12)]
        for text in texts {
            for secret in Self.secrets {
                #expect(!text.contains(secret), "\(type(of: value))", sourceLocation: place)
            }
        }
    }

    private func mirrored(_ value: Any, _ depth: Int) -> String {
        guard depth > 0 else { return "" }
        let children = Mirror(reflecting: value).children
        return children.map { "\($0.label ?? "") \($0.value) " + mirrored($0.value, depth - 1) }.joined()
    }

    private let body = """
        {"access_token":"at-LG-o","token_type":"Bearer","refresh_token":"rt-LG-o","id_token":"idt-LG-o",\
        "extra":"at-LG-o"}
        """

    @Test("Requests")
    func requests() throws {
        let endpoint = try address("https://u:cs-LG-o@idp.example/t")
        var grant = AuthorizationCodeGrant(
            endpoint: try address("https://idp.example/t"), code: AuthorizationCode("code-LG-o"),
            redirectURI: try RedirectURI("com.example.app:/cb"), codeVerifier: try CodeVerifier(Self.verifier))
        grant.additionalParameters = ["client_assertion": "cs-LG-o"]
        expectSilence(grant)
        for authentication in [
            ClientAuthentication.basic(ClientSecret("cs-LG-o")), .post(ClientSecret("cs-LG-o")),
            .rawBasic(ClientSecret("cs-LG-o")),
        ] {
            expectSilence(authentication)
            var request = try grant.request()
            try authentication.authenticate(
                &request, clientID: "app", on: .init(at: ServerMetadata(members: [:]), now: NumericDate(0)))
            expectSilence(request)
            expectSilence(request.form)
            expectSilence(request.form.parameters)
            expectSilence(request.body)
            expectSilence(HTTPRequest.Body.bytes(Array("cs-LG-o".utf8)))
        }
        let fields: HTTPFields = ["Authorization": "Bearer at-LG-o"]
        expectSilence(fields)
        expectSilence(fields.fields)
        #expect("\(fields)" == "Authorization")
        expectSilence(RefreshTokenGrant(endpoint: grant.endpoint, refreshToken: RefreshToken("rt-LG-o")))
        expectSilence(RevocationRequest(endpoint: grant.endpoint, RefreshToken("rt-LG-o")))
        expectSilence(UserInfoRequest(endpoint: grant.endpoint, accessToken: AccessToken("at-LG-o")))
        expectSilence(
            EndSessionRequest(
                endpoint: grant.endpoint, clientID: "app", idTokenHint: EncodedIDToken("idt-LG-o")))
        expectSilence(
            UserInfoRequest(endpoint: grant.endpoint, accessToken: AccessToken("at-LG-o")).request())
        expectSilence(HTTPRequest(.get, endpoint))
        expectSilence(HTTPRequest(.get, try address("https://api.example/?access_token=at-LG-o#rt-LG-o")))
    }

    @Test("Answers")
    func answers() throws {
        let response = answer(200, "application/json", body, ["Set-Cookie": "at-LG-o"])
        expectSilence(response)
        let tokens = try TokenResponse(reading: response)
        expectSilence(tokens)
        expectSilence([tokens.accessToken])
        expectSilence(try CodeVerifier(Self.verifier))
        let callback = try AuthorizationResponse(
            callback: address("com.example.app:/cb?code=code-LG-o&state=st&token=at-LG-o"),
            expecting: .init(redirectURI: RedirectURI("com.example.app:/cb"), state: "st", issuer: nil))
        expectSilence(try #require(callback))
    }

    @Test("Errors that hold a server's answer")
    func errors() throws {
        let responses = [
            answer(400, "application/json", #"{"error":"x","error_description":"rt-LG-o","data":"at-LG-o"}"#),
            answer(400, "application/json", #"{"error":"rt-LG-o"}"#),
            answer(400, "application/json", #"{"error":{"message":"rt-LG-o","type":"t"}}"#),
            answer(400, "application/json", #"{"error":"invalid_grant","error_uri":"https://x/?t=rt-LG-o"}"#),
            answer(200, "application/json", #"{"token":"rt-LG-o"}"#), answer(200, "text/html", "rt-LG-o=1"),
            answer(302, nil, "", ["Location": "https://x.example/a?code=rt-LG-o"]),
        ]
        let grant = RefreshTokenGrant(
            endpoint: try address("https://idp.example/t"), refreshToken: RefreshToken("rt-LG-o"))
        for response in responses {
            do {
                _ = try grant.answer(from: response)
                Issue.record("accepted")
            } catch {
                let scrubbed = error.scrubbed(of: grant.secrets)
                expectSilence(scrubbed)
                expectSilence(scrubbed.reason)
                expectSilence(scrubbed.explanation)
                if let words = scrubbed.serverError {
                    expectSilence(words)
                    expectSilence([words.detail, words.uri, words.code])
                }
            }
        }
    }

    @Test("Repeated secrets are taken out whole, encoded, cut off, and from every member")
    func scrubbing() {
        let secret = "p/q+r=0123456789"
        func scrubbed(_ detail: String) -> String? {
            TernError(
                .serverError(ServerError(code: "x", detail: detail, members: ["a": ["b": [.string(detail)]]])),
                at: .refresh
            )
            .scrubbed(of: ["", secret]).serverError.map {
                #expect($0.members["a"]?["b"]?.array?.first?.string?.contains("q") != true)
                return $0.detail ?? ""
            }
        }
        #expect(scrubbed("the token p/q+r=0123456789 is bad") == "the token <secret> is bad")
        #expect(scrubbed("p%2Fq%2Br%3D0123456789!") == "<secret>!")
        #expect(scrubbed("p/q+r=0123456789p/q+r=0123456789") == "<secret><secret>")
        #expect(scrubbed("nothing") == "nothing")
        let long = String(repeating: "-", count: 390) + secret
        #expect(scrubbed(long) == String(repeating: "-", count: 390) + "<secret>")
    }
}
