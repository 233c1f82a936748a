import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Core 1.0 §5.3.
@Suite("User info")
struct UserInfoTests {
    private func request() throws -> UserInfoRequest {
        UserInfoRequest(endpoint: try address("https://idp.example/me"), accessToken: AccessToken("at"))
    }

    @Test("The request carries the token in its header")
    func asks() throws {
        let request = try request().request()
        #expect(request.method == .get)
        #expect(request.url.text == "https://idp.example/me")
        #expect(request.fields["Authorization"] == "Bearer at")
        #expect(request.bodyBytes == nil)
    }

    @Test("Plain claims")
    func plain() throws {
        let body = #"{"sub":"u-1","name":"Ana","preferred_username":"ana","email":"a@m.example","email_verified":true}"#
        guard case .claims(let claims) = try request().answer(from: answer(200, "application/json", body)) else {
            Issue.record("not plain")
            return
        }
        let info = try UserInfo(claims: claims, expectedSubject: "u-1")
        #expect(info.subject == "u-1")
        #expect(info.name == "Ana")
        #expect(info.preferredUsername == "ana")
        #expect(info.email == "a@m.example")
        #expect(info.emailVerified == true)
        #expect(info["sub"] == "u-1")
        #expect(
            try reason { try UserInfo(claims: claims, expectedSubject: "u-2") }
                == .userInfoRejected("sub is not the one of the ID token"))
    }

    @Test(
        "Refusals",
        arguments: [
            (401, #"Bearer error="invalid_token", error_description="expired""#, "invalid_token"),
            (401, nil, "http_status"), (403, #"Bearer error="insufficient_scope""#, "insufficient_scope"),
            (503, nil, "transient"), (200, nil, "malformed_response"),
        ] as [(Int, String?, String)])
    func refusals(status: Int, challenge: String?, code: String) throws {
        var response = answer(status, nil)
        response.fields["WWW-Authenticate"] = challenge
        #expect(try reason { try request().answer(from: response) }?.code == code)
    }

    @Test(
        "A signed answer",
        arguments: [
            ([:], nil), (["iss": nil, "aud": nil], nil), (["aud": ["x", "app"]], nil),
            (["iss": "https://evil.example"], "id_token_issuer_mismatch"), (["aud": "x"], "id_token_audience_mismatch"),
            (["aud": 7], "id_token_audience_mismatch"), (["sub": "u-2"], "user_info_rejected"),
            (["sub": nil], "user_info_rejected"),
        ] as [([String: JSON?], String?)])
    func signed(changes: [String: JSON?], code: String?) throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        var claims: JSONObject = ["iss": "https://idp.example", "aud": "app", "sub": "u-1"]
        for (name, value) in changes { claims[name] = value }
        let text = try JWT.sign(JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        guard
            case .signed(let jwt) = try request().answer(
                from: answer(200, "Application/JWT; charset=utf-8", "\n\(text)\r\n"))
        else {
            Issue.record("not signed")
            return
        }
        #expect(jwt.exposedText == text)
        func verify(_ keys: [JWK]) throws -> TernError.Reason? {
            try reason {
                try UserInfo(
                    verifying: jwt, keys: JWKSet(keys), issuer: "https://idp.example", clientID: "app",
                    expectedSubject: "u-1")
            }
        }
        #expect(try verify([key])?.code == code)
        #expect(try verify([try JWK.generate(for: .es256, keyID: "k1")]) == .idTokenRejected(.signature))
    }
}
