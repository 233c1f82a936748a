import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Token endpoint") struct TokenEndpointTests {
    @Test func aGoodExchange() async throws {
        let rig = Rig()
        let response = try await rig.exchange(code: rig.answer()["code"] ?? "")
        #expect(response.status == 200)
        #expect(response.fields["Cache-Control"] == "no-store")
        #expect(response.json["token_type"] == "Bearer")
        #expect(response.json["expires_in"] == 3600)
        #expect(response.json["scope"] == "openid profile email api")
        #expect(response.json["refresh_token"]?.string?.isEmpty == false)
        #expect(response.json["id_token"]?.string?.isEmpty == false)
    }

    @Test(
        arguments: [
            (["code": "nonsense"], "invalid_grant"), (["code": nil], "invalid_request"),
            (["redirect_uri": nil], "invalid_grant"), (["redirect_uri": "http://127.0.0.1/callback"], "invalid_grant"),
            (["code_verifier": nil], "invalid_grant"),
            (["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXK"], "invalid_grant"),
            (["code_verifier": Rig.challenge], "invalid_grant"), (["grant_type": nil], "invalid_request"),
            (["grant_type": "password"], "unsupported_grant_type"),
        ] as [([String: String?], String)])
    func aBadExchange(changes: [String: String?], code: String) async throws {
        let rig = Rig()
        let issued = try await rig.answer()["code"] ?? ""
        let response = try await rig.exchange(code: issued, changes)
        #expect(response.status == 400)
        #expect(response.errorCode == code)
        #expect(response.json["access_token"] == nil)
    }

    @Test func aSecondUseOfTheCodeEndsWhatCameOfTheFirst() async throws {
        let rig = Rig()
        let code = try await rig.answer()["code"] ?? ""
        let tokens = try Tokens(await rig.exchange(code: code))
        #expect(try await rig.callAPI(tokens.access).status == 200)
        #expect(try await rig.exchange(code: code).errorCode == "invalid_grant")
        #expect(try await rig.callAPI(tokens.access).status == 401)
        #expect(try await rig.refresh(tokens.refresh).errorCode == "invalid_grant")
    }

    @Test func aWrongVerifierUsesTheCodeUp() async throws {
        let rig = Rig()
        let code = try await rig.answer()["code"] ?? ""
        _ = try await rig.exchange(code: code, ["code_verifier": Rig.challenge])
        #expect(try await rig.exchange(code: code).errorCode == "invalid_grant")
    }

    @Test func aCodeGetsOld() async throws {
        let rig = Rig()
        let code = try await rig.answer()["code"] ?? ""
        rig.clock.advance(by: .seconds(60))
        #expect(try await rig.exchange(code: code).errorCode == "invalid_grant")
    }

    @Test func anotherClientsCodeIsUnknownAndStaysGood() async throws {
        let rig = Rig(Rig.server([.app, TestClient("other")]))
        let code = try await rig.answer()["code"] ?? ""
        #expect(try await rig.exchange(code: code, ["client_id": "other"]).errorCode == "invalid_grant")
        #expect(try await rig.exchange(code: code).status == 200)
    }

    @Test func aVerifierWithoutChallengeIsRefused() async throws {
        let rig = Rig(Rig.server([TestClient("web", authentication: .post("s"))]))
        let code = try await rig.answer(["client_id": "web", "code_challenge": nil, "code_challenge_method": nil])[
            "code"]
        let response = try await rig.exchange(code: code ?? "", ["client_id": "web", "client_secret": "s"])
        #expect(response.errorCode == "invalid_grant")
    }

    @Test func repeatedParametersAndOtherBodiesAreRefused() async throws {
        let rig = Rig()
        var form: FormParameters = ["grant_type": "authorization_code", "client_id": "test-app"]
        form.append("client_id", "test-app")
        #expect(try await rig.send(.post, rig.address(.token), form: form).errorCode == "invalid_request")
        let json = HTTPRequest(
            .post, rig.address(.token), fields: ["Content-Type": "application/json"], body: .bytes(Array("{}".utf8)))
        #expect(try await rig.transport.send(json, step: .tokenRequest).errorCode == "invalid_request")
    }

    @Test func withoutOpenIDThereIsNoIDToken() async throws {
        let tokens = try await Rig().tokens(["scope": "api"])
        #expect(tokens.json["id_token"] == nil)
        #expect(!tokens.access.isEmpty)
    }

    @Test func offlineAccessCanDecideAboutRefreshTokens() async throws {
        var client = TestClient.app
        client.refreshTokens = .withOfflineAccess
        #expect(try await Rig(Rig.server([client])).tokens().json["refresh_token"] == nil)
        #expect(try await !Rig(Rig.server([client])).tokens(["scope": "openid offline_access"]).refresh.isEmpty)
        client.refreshTokens = .never
        #expect(try await Rig(Rig.server([client])).tokens(["scope": "openid offline_access"]).refresh.isEmpty)
    }
}

@Suite("Client authentication") struct ClientAuthenticationTests {
    /// `a b:c+d` and `p%q&r` as RFC 6749 §2.3.1 wants them: form-encoded, joined by a colon, in Base64.
    static let header = "Basic YStiJTNBYyUyQmQ6cCUyNXElMjZy"

    static func rig(_ authentication: TestClient.Authentication) -> Rig {
        Rig(Rig.server([TestClient("a b:c+d", authentication: authentication)]))
    }

    func outcome(
        _ authentication: TestClient.Authentication, _ fields: HTTPFields, _ changes: [String: String?]
    ) async throws -> HTTPResponse {
        let rig = Self.rig(authentication)
        let code = try await rig.answer(["client_id": "a b:c+d"])["code"] ?? ""
        var changes = changes
        if changes["client_id"] == nil { changes["client_id"] = .some(nil) }
        return try await rig.exchange(code: code, changes, fields)
    }

    @Test func basicIsDecodedAsFormData() async throws {
        #expect(try await outcome(.basic("p%q&r"), ["Authorization": Self.header], [:]).status == 200)
        #expect(try await outcome(.basicOrPost("p%q&r"), ["Authorization": Self.header], [:]).status == 200)
    }

    @Test func theFormCarriesTheSecret() async throws {
        let form = ["client_id": "a b:c+d", "client_secret": "p%q&r"] as [String: String?]
        #expect(try await outcome(.post("p%q&r"), [:], form).status == 200)
        #expect(try await outcome(.basicOrPost("p%q&r"), [:], form).status == 200)
    }

    @Test(
        arguments: [
            (.basic("other"), ["Authorization": header], [:]), (.post("p%q&r"), ["Authorization": header], [:]),
            (.none, ["Authorization": header], [:]), (.basic("p%q&r"), ["Authorization": "Basic !!!"], [:]),
            (.basic("p%q&r"), ["Authorization": "Bearer x"], [:]), (.basic("p%q&r"), [:], ["client_id": "a b:c+d"]),
            (.basic("p%q&r"), [:], ["client_id": "a b:c+d", "client_secret": "p%q&r"]),
            (.post("p%q&r"), [:], ["client_id": "a b:c+d", "client_secret": "wrong"]),
            (.post("p%q&r"), [:], ["client_id": "a b:c+d"]), (.none, [:], [:]), (.none, [:], ["client_id": "nobody"]),
            (.none, [:], ["client_id": "a b:c+d", "client_secret": "p%q&r"]),
        ] as [(TestClient.Authentication, HTTPFields, [String: String?])])
    func whoCannotProveItGets401(
        authentication: TestClient.Authentication, fields: HTTPFields, changes: [String: String?]
    ) async throws {
        let response = try await outcome(authentication, fields, changes)
        #expect(response.status == 401)
        #expect(response.errorCode == "invalid_client")
        #expect(response.fields["WWW-Authenticate"]?.hasPrefix("Basic realm=") == true)
    }

    @Test func twoWaysAtOnceAreRefused() async throws {
        let response = try await outcome(
            .basicOrPost("p%q&r"), ["Authorization": Self.header], ["client_secret": "p%q&r"])
        #expect(response.status == 400)
        #expect(response.errorCode == "invalid_request")
    }
}
