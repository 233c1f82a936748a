import TernProtocol
import TernTesting
import Testing

@Suite("Authorization endpoint") struct AuthorizationEndpointTests {
    @Test func theAnswerBringsCodeStateAndIssuer() async throws {
        let answer = try await Rig().answer()
        #expect(answer.parameters.map(\.name) == ["code", "state", "iss"])
        #expect(answer["state"] == "st-1")
        #expect(answer["iss"] == "https://id.example.com")
    }

    @Test func withoutStateNoneComesBackAndTheIssuerCanBeLeftOut() async throws {
        let rig = Rig(Rig.server { $0.settings.identifiesItself = false })
        #expect(try await rig.answer(["state": nil]).parameters.map(\.name) == ["code"])
    }

    static let untrusted: [[String: String?]] = [
        ["client_id": "nobody"], ["client_id": nil], ["redirect_uri": "https://evil.example/callback"],
        ["redirect_uri": nil], ["redirect_uri": "com.example.app:/callback/"],
        ["redirect_uri": "http://127.0.0.1:5000/other"], ["redirect_uri": "http://localhost:5000/callback"],
        ["redirect_uri": "com.example.app:/callback?x=1"], ["redirect_uri": "COM.example.app:/callback"],
    ]

    @Test(arguments: untrusted)
    func anUntrustedRedirectGetsAPageAndNoRedirect(changes: [String: String?]) async throws {
        let rig = Rig()
        let response = try await rig.send(.get, rig.authorization(changes))
        #expect(response.status == 400)
        #expect(response.mediaType == "text/html")
        #expect(response.fields["Location"] == nil)
    }

    @Test(arguments: ["http://127.0.0.1:49152/callback", "http://127.0.0.1/callback", "http://[::1]:8000/callback"])
    func loopbackMayHaveAnyPort(redirect: String) async throws {
        let answer = try await Rig().answer(["redirect_uri": redirect], at: redirect)
        #expect(answer["code"] != nil)
    }

    @Test(
        arguments: [
            (["response_type": nil], "invalid_request"), (["response_type": "token"], "unsupported_response_type"),
            (["scope": "openid secret"], "invalid_scope"), (["code_challenge": nil], "invalid_request"),
            (["code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
            (["code_challenge_method": "plain"], "invalid_request"),
            (["code_challenge_method": nil], "invalid_request"),
            (["code_challenge": "short"], "invalid_request"), (["prompt": "none login"], "invalid_request"),
            (["prompt": "dance"], "invalid_request"), (["max_age": "-1"], "invalid_request"),
            (["max_age": "soon"], "invalid_request"), (["response_mode": "pigeon"], "invalid_request"),
            (["prompt": "none"], "login_required"),
        ] as [([String: String?], String)])
    func aWrongRequestIsToldToTheClient(changes: [String: String?], code: String) async throws {
        let answer = try await Rig().answer(changes)
        #expect(answer["error"] == code)
        #expect(answer["state"] == "st-1")
        #expect(answer["iss"] == "https://id.example.com")
        #expect(answer["code"] == nil)
    }

    @Test func arepeatedParameterIsRefused() async throws {
        let rig = Rig()
        let twice = try #require(URI(rig.authorization().text + "&scope=openid"))
        let response = try await rig.send(.get, twice)
        #expect(response.fields["Location"]?.contains("error=invalid_request") == true)
        let client = try #require(URI(rig.authorization().text + "&client_id=test-app"))
        #expect(try await rig.send(.get, client).fields["Location"] == nil)
    }

    @Test func aConfidentialClientMayLeaveOutPKCEUnlessItMust() async throws {
        var client = TestClient("web", authentication: .basic("s"), redirectURIs: [Rig.redirect])
        let changes: [String: String?] = ["client_id": "web", "code_challenge": nil, "code_challenge_method": nil]
        #expect(try await Rig(Rig.server([client])).answer(changes)["code"] != nil)
        client.requiresProofKey = true
        #expect(try await Rig(Rig.server([client])).answer(changes)["error"] == "invalid_request")
    }

    @Test(arguments: ["fragment", "form_post"])
    func otherResponseModes(mode: String) async throws {
        let rig = Rig()
        let callback = try await rig.browser.signIn(
            at: rig.authorization(["response_mode": mode]), stoppingAt: RedirectURI(Rig.redirect))
        let part = mode == "fragment" ? callback.encodedFragment : callback.encodedQuery
        #expect(FormParameters(decoding: part ?? "")?["state"] == "st-1")
        #expect((callback.encodedQuery == nil) == (mode == "fragment"))
    }

    @Test func aPostWorksLikeAGet() async throws {
        let rig = Rig()
        let form = FormParameters(decoding: rig.authorization().encodedQuery ?? "") ?? [:]
        let response = try await rig.send(.post, rig.address(.authorization), form: form)
        #expect(response.status == 200)
        #expect(response.text.contains("autocomplete=\"current-password\""))
    }
}
