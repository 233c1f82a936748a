import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// OAuth 2.0 Multiple Response Types, OpenID Connect Core 1.0 §3.2 and §3.3, Form Post Response Mode, JARM.
@Suite("Response types and modes of the server") struct ResponseTypeTests {
    private func rig(_ change: (inout TestClient) -> Void = { _ in }) -> Rig {
        var client = TestClient.app
        change(&client)
        return Rig(Rig.server([client]) { $0.settings.responseTypes = Set(ResponseType.all) })
    }

    @Test func theAnswerHoldsWhatTheTypePromises() async throws {
        for type in ResponseType.all {
            let answer = try await rig().answer(["response_type": type.text])
            #expect((answer["code"] != nil) == type.hasCode)
            #expect((answer["id_token"] != nil) == type.hasIDToken)
            #expect((answer["access_token"] != nil) == type.hasToken)
            #expect(answer["token_type"] == (type.hasToken ? "Bearer" : nil))
            #expect(answer["expires_in"] == (type.hasToken ? "3600" : nil))
            #expect(answer["refresh_token"] == nil)
            #expect(answer["state"] == "st-1" && answer["iss"] == "https://id.example.com")
        }
    }

    @Test func theIDTokenVouchesForWhatCameAlong() async throws {
        let rig = rig()
        let answer = try await rig.answer(["response_type": "code id_token token"])
        let claims = try await rig.claims(of: answer["id_token"] ?? "")
        for (hash, text) in [("c_hash", "code"), ("at_hash", "access_token"), ("s_hash", "state")] {
            let digest = HashFunction.sha256.digest(Array((answer[text] ?? "").utf8))
            #expect(claims[hash]?.string == Base64URL.encode(Array(digest.prefix(16))))
        }
        #expect(claims["nonce"] == "n-1")
        #expect(claims["email"] == nil)
        let alone = try await rig.answer(["response_type": "id_token"])
        let all = try await rig.claims(of: alone["id_token"] ?? "")
        #expect(all["email"] != nil && all["c_hash"] == nil && all["at_hash"] == nil)
    }

    @Test func theAccessTokenOpensTheAPI() async throws {
        let rig = rig()
        let answer = try await rig.answer(["response_type": "token"])
        #expect(try await rig.callAPI(answer["access_token"] ?? "").status == 200)
    }

    static let wrong: [([String: String?], String)] = [
        (["response_type": "code id_token", "nonce": nil], "invalid_request"),
        (["response_type": "id_token", "scope": "profile"], "invalid_request"),
        (["response_type": "token", "response_mode": "query"], "invalid_request"),
        (["response_type": "code token", "response_mode": "query"], "invalid_request"),
        (["response_type": "code id_token", "response_mode": "query.jwt"], "invalid_request"),
        (["response_type": "code code"], "unsupported_response_type"),
        (["response_type": "none"], "unsupported_response_type"),
        (["response_type": "code id_token", "code_challenge": nil, "code_challenge_method": nil], "invalid_request"),
        (["response_type": "code id_token", "prompt": "none"], "login_required"),
    ]

    @Test(arguments: wrong) func whatMustNotBeAskedForIsRefused(changes: [String: String?], code: String) async throws {
        let answer = try await rig().answer(changes)
        #expect(answer["error"] == code)
        #expect(answer["state"] == "st-1")
    }

    @Test func whatIsNotOfferedOrNotRegisteredIsRefused() async throws {
        let plain = Rig()
        for type in ResponseType.all.dropFirst() {
            #expect(try await plain.answer(["response_type": type.text])["error"] == "unsupported_response_type")
        }
        let narrow = rig { $0.responseTypes = [.code, .codeIDToken] }
        #expect(try await narrow.answer(["response_type": "code id_token"])["code"] != nil)
        #expect(try await narrow.answer(["response_type": "code token"])["error"] == "unauthorized_client")
    }

    @Test func tokensThatMustBeBoundDoNotComeThroughTheBrowser() async throws {
        let bound = rig { $0.bindsTokensToCertificate = true }
        #expect(try await bound.answer(["response_type": "token"])["error"] == "invalid_request")
        let demanding = rig()
        demanding.served.change { $0.settings.dpop.use = .demanded }
        #expect(try await demanding.answer(["response_type": "code token"])["error"] == "invalid_request")
        #expect(try await demanding.answer(["response_type": "code id_token"])["code"] != nil)
    }

    @Test func anErrorComesWhereTheAnswerWouldCome() async throws {
        let redirect = try RedirectURI(Rig.redirect)
        func callback(_ changes: [String: String?]) async throws -> URI {
            let rig = rig()
            let url = rig.authorization(changes.merging(["prompt": "none"]) { $1 })
            return try await rig.browser.signIn(at: url, stoppingAt: redirect)
        }
        #expect(try await callback([:]).encodedQuery?.contains("error=login_required") == true)
        for type in ["code id_token", "token"] {
            #expect(try await callback(["response_type": type]).encodedFragment?.contains("error=") == true)
            let forbidden = try await callback(["response_type": type, "response_mode": "query"])
            #expect(forbidden.encodedFragment?.contains("error=invalid_request") == true)
        }
        #expect(try await callback(["response_mode": "form_post"]).encodedFragment == "form_post")
        let signed = try await callback(["response_mode": "fragment.jwt"])
        let token = try #require(FormParameters(decoding: signed.encodedFragment ?? "")?["response"])
        let claims = try #require(try JSON(parsing: JWS(compact: token).payload).object)
        #expect(claims["error"] == "login_required" && claims["state"] == "st-1" && claims["aud"] == "test-app")
    }

    @Test func aSignedAnswerSaysForWhomAndUntilWhen() async throws {
        let rig = rig { $0.authorizationResponseAlgorithm = .es256 }
        let answer = try await rig.answer(["response_mode": "jwt"])
        #expect(answer.parameters.map(\.name) == ["response"])
        let claims = try await rig.claims(of: answer["response"] ?? "")
        #expect(claims["iss"] == "https://id.example.com" && claims["aud"] == "test-app" && claims["state"] == "st-1")
        #expect(claims["exp"]?.double == rig.clock.now.secondsSince1970.rounded(.down) + 600)
        #expect(claims["code"]?.string != nil)
        #expect(try JWS(compact: answer["response"] ?? "").header.algorithm == .es256)
    }

    @Test func aQueryMayHoldTokensThatNobodyElseCanRead() async throws {
        let key = try JWK.generate(for: .ecdhES, encryption: .a128GCM, keyID: "e1")
        let rig = rig { $0.authorizationResponseEncryption = TestEncryption(.ecdhES, .a128GCM, key: key.publicHalf) }
        let answer = try await rig.answer(["response_type": "code id_token", "response_mode": "query.jwt"])
        let opened = try JWE(compact: answer["response"] ?? "").opened(with: JWKSet([key]))
        let claims = try await rig.claims(of: String(decoding: opened, as: UTF8.self))
        #expect(claims["id_token"]?.string != nil)
    }

    @Test func theFormPostsItselfAndHoldsNothingElseThatRuns() async throws {
        let rig = rig()
        let response = try await rig.send(
            .get, rig.authorization(["response_mode": "form_post", "prompt": "none", "state": "\"><script>x</script>"]))
        #expect(response.status == 200)
        let script = try #require(response.text.firstMatch(of: /<script>(.*)<\/script>/)?.1)
        let digest = Base64.encode(HashFunction.sha256.digest(Array(script.utf8)))
        let policy = try #require(response.fields["Content-Security-Policy"])
        #expect(policy.contains("script-src 'sha256-\(digest)'") && policy.hasPrefix("default-src 'none'"))
        #expect(!policy.contains("unsafe"))
        #expect(response.fields["Cache-Control"] == "no-store")
        #expect(response.text.contains("value=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;\""))
        let login = try await rig.send(.get, rig.authorization())
        #expect(
            !login.text.contains("<script") && login.fields["Content-Security-Policy"]?.contains("script-src") == false)
    }

    @Test func theMetadataSayWhatIsOffered() async throws {
        func metadata(_ rig: Rig) async throws -> JSON {
            try await rig.send(.get, rig.address(.openIDConfiguration)).json
        }
        let plain = try await metadata(Rig())
        #expect(plain["response_types_supported"] == ["code"])
        #expect(plain["grant_types_supported"]?.array?.contains("implicit") == false)
        let all = try await metadata(rig())
        #expect(all["response_types_supported"]?.array?.count == 7)
        #expect(all["grant_types_supported"]?.array?.contains("implicit") == true)
        #expect(all["response_modes_supported"]?.array?.count == 7)
        for name in ["signing_alg", "encryption_alg", "encryption_enc"] {
            #expect(all["authorization_\(name)_values_supported"]?.array?.isEmpty == false)
        }
        #expect(all["authorization_signing_alg_values_supported"]?.array?.contains("none") == false)
    }
}
