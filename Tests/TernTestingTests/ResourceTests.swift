import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("User information and the protected API") struct ResourceTests {
    func userInfo(_ rig: Rig, _ token: String) async throws -> HTTPResponse {
        try await rig.send(.get, rig.address(.userInfo), ["Authorization": "Bearer \(token)"])
    }

    @Test func scopesOpenClaims() async throws {
        let rig = Rig()
        let little = try await userInfo(rig, rig.tokens(["scope": "openid"]).access)
        #expect(little.json == ["sub": "user-ada"])
        let more = try await userInfo(rig, rig.tokens(["scope": "openid email phone"]).access)
        #expect(more.json["email"] == "ada@example.com")
        #expect(more.json["phone_number"] == "+44 20 7946 0000")
        #expect(more.json["name"] == nil)
    }

    @Test func aSignedAnswerNamesIssuerAndAudience() async throws {
        var client = TestClient.app
        client.userInfoAlgorithm = .es256
        let rig = Rig(Rig.server([client]))
        let answer = try await userInfo(rig, rig.tokens().access)
        #expect(answer.mediaType == "application/jwt")
        let claims = try await rig.claims(of: answer.text)
        #expect(claims["aud"] == "test-app")
        #expect(claims["iss"] == "https://id.example.com")
        #expect(claims["name"] == "Ada Lovelace")
    }

    @Test func theTokenMayComeInThePostedForm() async throws {
        let rig = Rig()
        let token = try await rig.tokens().access
        let posted = try await rig.send(.post, rig.address(.userInfo), form: ["access_token": token])
        #expect(posted.json["sub"] == "user-ada")
        let twice = try await rig.send(
            .post, rig.address(.userInfo), ["Authorization": "Bearer \(token)"], form: ["access_token": token])
        #expect(twice.status == 400)
        let inQuery = try #require(URI(rig.address(.userInfo).appendingQuery(["access_token": token])))
        #expect(try await rig.send(.get, inQuery).status == 401)
    }

    @Test func challenges() async throws {
        let rig = Rig()
        let none = try await rig.send(.get, rig.address(.userInfo))
        #expect(none.status == 401)
        #expect(none.fields["WWW-Authenticate"] == "Bearer realm=\"test\"")
        let wrong = try await userInfo(rig, "nonsense")
        #expect(wrong.status == 401)
        #expect(wrong.fields["WWW-Authenticate"]?.contains("error=\"invalid_token\"") == true)
        let narrow = try await userInfo(rig, rig.tokens(["scope": "api"]).access)
        #expect(narrow.status == 403)
        #expect(narrow.fields["WWW-Authenticate"]?.contains("error=\"insufficient_scope\"") == true)
        #expect(narrow.fields["WWW-Authenticate"]?.contains("scope=\"openid\"") == true)
    }

    @Test func theAPIChecksTokenTimeAndScope() async throws {
        let rig = Rig()
        let token = try await rig.tokens().access
        let good = try await rig.callAPI(token, "notes/1")
        #expect(good.json["path"] == "/api/notes/1")
        #expect(good.json["sub"] == "user-ada")
        #expect(good.json["client_id"] == "test-app")
        let forbidden = try await rig.callAPI(token, "admin/users")
        #expect(forbidden.status == 403)
        #expect(forbidden.fields["WWW-Authenticate"]?.contains("scope=\"admin\"") == true)
        #expect(try await rig.callAPI(rig.tokens(["scope": "openid admin"]).access, "admin/users").status == 200)
        rig.clock.advance(by: .seconds(3600))
        let late = try await rig.callAPI(token)
        #expect(late.status == 401)
        #expect(late.errorCode == "invalid_token")
    }
}

@Suite("Revocation and sign-out") struct EndingTests {
    func revoke(_ rig: Rig, _ token: String, client: String = "test-app") async throws -> HTTPResponse {
        try await rig.send(.post, rig.address(.revocation), form: ["token": token, "client_id": client])
    }

    @Test func aRefreshTokenTakesItsAccessTokensWithIt() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        #expect(try await revoke(rig, tokens.refresh).status == 200)
        #expect(try await rig.callAPI(tokens.access).status == 401)
        #expect(try await rig.refresh(tokens.refresh).errorCode == "invalid_grant")
    }

    @Test func anAccessTokenGoesAlone() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        #expect(try await revoke(rig, tokens.access).status == 200)
        #expect(try await rig.callAPI(tokens.access).status == 401)
        #expect(try await rig.refresh(tokens.refresh).status == 200)
    }

    @Test func unknownForeignAndMissingTokens() async throws {
        let rig = Rig(Rig.server([.app, TestClient("other")]))
        let tokens = try await rig.tokens()
        #expect(try await revoke(rig, "nonsense").status == 200)
        #expect(try await revoke(rig, tokens.refresh, client: "other").errorCode == "invalid_grant")
        #expect(try await rig.callAPI(tokens.access).status == 200)
        #expect(try await revoke(rig, "").errorCode == "invalid_request")
        #expect(try await revoke(rig, tokens.access, client: "nobody").status == 401)
    }

    func signOut(_ rig: Rig, _ parameters: FormParameters) throws -> URI {
        try #require(URI(rig.address(.endSession).appendingQuery(parameters)))
    }

    @Test func signOutAsksAndGoesBackWithState() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        let url = try signOut(
            rig, ["id_token_hint": tokens.id, "post_logout_redirect_uri": Rig.redirect, "state": "out-1"])
        let page = try #require(await rig.browser.open(url).page)
        #expect(page.title?.hasPrefix("Sign out") == true)
        let back = try await rig.browser.signIn(at: url, stoppingAt: RedirectURI(Rig.redirect))
        #expect(back.text == Rig.redirect + "?state=out-1")
        #expect(try await rig.answer(["prompt": "none"])["error"] == "login_required")
    }

    @Test func whoStaysIsStillSignedIn() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        let page = try #require(await rig.browser.open(signOut(rig, ["id_token_hint": tokens.id])).page)
        let form = try #require(page.forms.first)
        _ = try await rig.browser.submit(form, on: page, pressing: form.buttons.last)
        #expect(try await rig.answer(["prompt": "none"])["code"] != nil)
    }

    @Test func withoutSessionItGoesStraightBack() async throws {
        let rig = Rig(Rig.server { $0.settings.asksBeforeSigningOut = false })
        let url = try signOut(rig, ["client_id": "test-app", "post_logout_redirect_uri": Rig.redirect])
        let response = try await rig.send(.get, url)
        #expect(response.fields["Location"] == Rig.redirect)
        let plain = try await rig.send(.get, rig.address(.endSession))
        #expect(plain.text.contains("You are signed out."))
    }

    @Test(
        arguments: [
            ["post_logout_redirect_uri": "https://evil.example/", "client_id": "test-app"],
            ["post_logout_redirect_uri": Rig.redirect], ["id_token_hint": "nonsense"],
        ] as [[String: String]])
    func signOutRefuses(parameters: [String: String]) async throws {
        let rig = Rig()
        var form: FormParameters = [:]
        for (name, value) in parameters { form.append(name, value) }
        let response = try await rig.send(.get, signOut(rig, form))
        #expect(response.status == 400)
        #expect(response.fields["Location"] == nil)
    }

    @Test func theHintMustFitTheClient() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        let response = try await rig.send(.get, signOut(rig, ["id_token_hint": tokens.id, "client_id": "other"]))
        #expect(response.status == 400)
    }
}
