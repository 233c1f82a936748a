import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// JWT Secured Authorization Response Mode for OAuth 2.0, with the parameters of its examples.
@Suite("Signed answers (JARM)")
struct SignedAuthorizationResponseTests {
    private let key = try? JWK.generate(for: .es256, keyID: "k1")
    private let state = "S8NJ7uqk5fY4EjNvP_G_FtyJu6pUsvH9jsYni9dMAJw"
    private let code = "PyyFaux2o7Q0YfXBU32jhw.5FXSQpvr8akv9CeRDSd0QA"
    private let redirect = "https://client.example.com/cb"
    private let now = NumericDate(1_311_281_900)

    private func expectation(
        _ mode: AuthorizationRequest.ResponseMode = .jwt, _ type: ResponseType = .code,
        delivery: CallbackDelivery = .open
    ) throws -> AuthorizationResponse.Expectation {
        var expected = AuthorizationResponse.Expectation(
            redirectURI: try RedirectURI(redirect), state: state, issuer: "https://accounts.example.com",
            responseMode: mode, delivery: delivery)
        expected.responseType = type
        return expected
    }

    private func claims(_ changes: [String: JSON?] = [:]) -> JWTClaims {
        var claims: JSONObject = [
            "iss": "https://accounts.example.com", "aud": "s6BhdRkqt3", "exp": .number(JSONNumber(1_311_281_970)),
            "code": .string(code), "state": .string(state),
        ]
        for (name, value) in changes { claims[name] = value }
        return JWTClaims(claims)
    }

    private func signed(_ claims: JWTClaims, by other: JWK? = nil, _ algorithm: SignatureAlgorithm = .es256) throws
        -> String
    {
        let key = try #require(other ?? key)
        return try JWT.sign(claims, header: JWSHeader(algorithm: algorithm, keyID: "k1"), key: key)
    }

    /// Reads a callback to the end: finds the JWT, checks it, and reads what it stands for.
    private func read(
        _ callback: String, _ expected: AuthorizationResponse.Expectation, keys: JWKSet? = nil
    ) throws -> AuthorizationResponse? {
        let found = try SignedAuthorizationResponse(callback: try address(callback), expecting: expected)
        guard let found else { return nil }
        let plain = try found.plainCallback(
            verifiedWith: try keys ?? JWKSet([#require(key)]), for: "s6BhdRkqt3", expecting: expected, now: now)
        return try AuthorizationResponse(callback: plain, expecting: expected.withoutSignature)
    }

    private func rejection(
        _ changes: [String: JSON?], delivery: CallbackDelivery = .open
    ) throws -> TernError.Reason? {
        try reason {
            try read(redirect + "?response=" + signed(claims(changes)), try expectation(delivery: delivery))
        }
    }

    private func refused(_ reason: TokenRejection.Reason) -> TernError.Reason {
        .tokenRejected(TokenRejection(.authorizationResponse, reason))
    }

    @Test("The example, in each mode")
    func modes() throws {
        let token = try signed(claims(["session_state": "x"]))
        for (mode, callback) in [
            (AuthorizationRequest.ResponseMode.jwt, "?response=\(token)"), (.queryJWT, "?response=\(token)"),
            (.fragmentJWT, "#response=\(token)"), (.formPostJWT, "?response=\(token)#form_post"),
        ] {
            let response = try #require(try read(redirect + callback, try expectation(mode)))
            #expect(response.code.exposedText == code)
            #expect(response.additionalParameters == ["session_state": "x"], "what is about the JWT is not among it")
        }
        let hybrid = try signed(claims(["id_token": "a.b.c"]))
        let expected = try expectation(.jwt, .codeIDToken)
        #expect(try read(redirect + "#response=" + hybrid, expected)?.idToken?.exposedText == "a.b.c")
    }

    @Test("An error comes in it too")
    func error() throws {
        let reason = try rejection(["code": nil, "error": "access_denied", "error_description": "no"])
        #expect(reason?.words?.code == "access_denied" && reason?.words?.detail == "no")
    }

    @Test("What is about the JWT is checked")
    func checked() throws {
        #expect(try rejection([:]) == nil)
        #expect(
            try rejection(["iss": "https://evil.example"])
                == refused(.issuerMismatch(expected: "https://accounts.example.com", received: "https://evil.example")))
        #expect(try rejection(["iss": nil]) == refused(.malformedClaim("iss")))
        #expect(try rejection(["aud": "other"]) == refused(.audienceMismatch))
        #expect(try rejection(["aud": nil]) == refused(.malformedClaim("aud")))
        #expect(try rejection(["aud": ["other", "s6BhdRkqt3"]]) == nil)
        #expect(try rejection(["exp": .number(JSONNumber(1_311_281_840))]) == refused(.expired(by: 60)))
        #expect(try rejection(["exp": .number(JSONNumber(1_311_281_841))]) == nil, "clocks may be wrong by a minute")
        #expect(try rejection(["exp": nil]) == refused(.malformedClaim("exp")))
        #expect(try rejection(["exp": "1311281970"]) == refused(.malformedClaim("exp")))
        #expect(try rejection(["nbf": .number(JSONNumber(1_311_281_961))]) == refused(.notYetValid(by: 61)))
    }

    @Test("What it stands for is checked like any answer")
    func answers() throws {
        #expect(try rejection(["state": nil]) == .stateMismatch)
        #expect(try rejection(["state": "other"]) == .stateMismatch)
        #expect(try rejection(["state": nil], delivery: .pasted) == nil, "as with a plain answer")
        #expect(try rejection(["code": nil])?.code == "malformed_callback")
        #expect(try rejection(["code": ""])?.code == "malformed_callback")
    }

    @Test("Only a signature of the server counts")
    func signatures() throws {
        let expected = try expectation()
        func reason(_ token: String, _ keys: JWKSet? = nil) throws -> TernError.Reason? {
            try TernProtocolTests.reason { try read(redirect + "?response=" + token, expected, keys: keys) }
        }
        let good = try signed(claims())
        let parts = good.split(separator: ".").map(String.init)
        #expect(
            try reason(parts[0] + "." + parts[1] + "." + Base64URL.encode(Array(repeating: 7, count: 64)))
                == refused(.signature))
        #expect(try reason(try signed(claims(), by: try JWK.generate(for: .es256, keyID: "k1"))) == refused(.signature))
        let unsigned = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + parts[1] + "."
        #expect(try reason(unsigned) == refused(.unsupportedAlgorithm("none")))
        let shared = try JWK.generate(for: .hs256, keyID: "k1")
        #expect(
            try reason(try signed(claims(), by: shared, .hs256), JWKSet([shared]))
                == refused(.unsupportedAlgorithm("HS256")),
            "a key that both sides know proves nothing to a browser's owner")
        #expect(try reason(good, JWKSet([])) == refused(.unknownKey))
        #expect(try reason("x.y")?.code == "authorization_response_malformed")
    }

    @Test("It is found where it was asked for, once, and signed")
    func places() throws {
        let token = try signed(claims())
        func reason(
            _ callback: String, _ mode: AuthorizationRequest.ResponseMode, _ type: ResponseType = .code
        ) throws -> TernError.Reason? {
            try TernProtocolTests.reason { try read(redirect + callback, try expectation(mode, type)) }
        }
        func unexpected(_ expected: String, _ received: String) -> TernError.Reason {
            .unexpectedResponseMode(expected: expected, received: received)
        }
        #expect(try reason("#response=\(token)", .jwt) == unexpected("query.jwt", "fragment.jwt"))
        #expect(try reason("?response=\(token)", .jwt, .codeIDToken) == unexpected("fragment.jwt", "query.jwt"))
        #expect(try reason("?response=\(token)", .formPostJWT) == unexpected("form_post.jwt", "query.jwt"))
        #expect(try reason("?response=\(token)#form_post", .queryJWT) == unexpected("query.jwt", "form_post.jwt"))
        // What is plain is not believed where a signature was asked for, and says nothing beside a signed answer.
        #expect(try reason("?code=c&state=\(state)", .queryJWT) == unexpected("query.jwt", "query"))
        #expect(try reason("?error=access_denied&state=\(state)", .queryJWT) == unexpected("query.jwt", "query"))
        #expect(try reason("?response=\(token)&code=stolen&state=x", .queryJWT) == nil)
        #expect(try reason("?response=\(token)&response=\(token)", .queryJWT)?.code == "malformed_callback")
        #expect(try reason("?response=", .queryJWT)?.code == "malformed_callback")
        #expect(try reason("?x=y", .queryJWT)?.code == "malformed_callback")
        let elsewhere = try address("https://client.example.com/other?response=\(token)")
        #expect(try SignedAuthorizationResponse(callback: elsewhere, expecting: try expectation()) == nil)
    }

    @Test("Where a plain answer was asked for, a signed one is none, and an unverified one cannot be read")
    func plain() throws {
        let callback = try address(redirect + "?response=" + signed(claims()))
        #expect(
            try reason { try AuthorizationResponse(callback: callback, expecting: try expectation(.query)) }
                == .unexpectedResponseMode(expected: "query", received: "query.jwt"))
        #expect(
            try reason { try AuthorizationResponse(callback: callback, expecting: try expectation(.queryJWT)) }?
                .invalidField == "response_mode")
    }

    @Test("An encrypted one is opened first, wherever it is", arguments: ["?", "#", "form"])
    func encrypted(place: String) throws {
        let secret = try JWK.generate(for: .ecdhES, encryption: .a128GCM, keyID: "e1")
        let inner = try signed(claims())
        let header = JWEHeader(algorithm: .ecdhES, encryption: .a128GCM, keyID: "e1", contentType: "JWT")
        let token = try JWE.encrypt(payload: Array(inner.utf8), header: header, key: try #require(secret.publicHalf))
        let callback = try address(
            redirect + (place == "#" ? "#response=\(token)" : "?response=\(token)")
                + (place == "form" ? "#form_post" : ""))
        let mode: AuthorizationRequest.ResponseMode =
            place == "#" ? .fragmentJWT : place == "?" ? .queryJWT : .formPostJWT
        let expected = try expectation(mode)
        let opened = try TokenDecryption(keys: JWKSet([secret])).opened(callback)
        #expect(try read(opened.text, expected)?.code.exposedText == code)
        #expect(try reason { try read(callback.text, expected) } == refused(.encrypted))
        #expect(try reason { try TokenDecryption().opened(callback) } == .encryptedIDTokenUnsupported)
        let other = JWKSet([try JWK.generate(for: .ecdhES, encryption: .a128GCM, keyID: "e1")])
        #expect(try reason { try TokenDecryption(keys: other).opened(callback) }?.code == "id_token_decryption")
        let plain = try address(redirect + "?response=" + inner + "#x")
        #expect(try TokenDecryption().opened(plain) == plain, "what is not encrypted stays as it is")
    }

    @Test("It prints nothing of itself")
    func secrecy() throws {
        let token = try signed(claims())
        let found = try #require(
            try SignedAuthorizationResponse(
                callback: try address(redirect + "?response=" + token), expecting: try expectation()))
        var dumped = ""
        dump(found, to: &dumped)
        #expect(!("\(found)" + String(reflecting: found) + dumped).contains(token.prefix(20)))
    }
}
