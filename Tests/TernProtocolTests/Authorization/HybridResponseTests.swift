import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Core 1.0 §3.2.2.5, §3.3.2.5, with the values of its appendix A.
@Suite("Hybrid and implicit answers")
struct HybridResponseTests {
    private let base = "https://client.example.org/cb"

    private func expectation(
        _ type: ResponseType, _ mode: AuthorizationRequest.ResponseMode = .fragment,
        delivery: CallbackDelivery = .open
    ) throws -> AuthorizationResponse.Expectation {
        var expected = AuthorizationResponse.Expectation(
            redirectURI: try RedirectURI(base), state: "af0ifjsldkj", issuer: "https://server.example.com",
            responseMode: mode, delivery: delivery)
        expected.responseType = type
        return expected
    }

    private func hybrid(_ type: ResponseType, _ callback: String) throws -> AuthorizationResponse {
        try #require(try AuthorizationResponse(callback: try address(callback), expecting: try expectation(type)))
    }

    private func implicit(_ type: ResponseType, _ callback: String) throws -> ImplicitResponse {
        try #require(try ImplicitResponse(callback: try address(callback), expecting: try expectation(type)))
    }

    private let code = "SplxlOBeZQQYbYS6WxSbIA"
    private var whole: String {
        base + "#code=\(code)&id_token=a.b.c&access_token=at&token_type=bearer&state=af0ifjsldkj"
    }

    @Test("A hybrid answer brings what its type promises, and nothing else is taken")
    func hybridAnswers() throws {
        for type in ResponseType.all where type.hasCode {
            let response = try hybrid(
                type, type == .code ? whole.replacing("#", with: "#session_state=x&") : whole + "&session_state=x")
            #expect(response.code.exposedText == code)
            #expect(response.idToken?.exposedText == (type.hasIDToken ? "a.b.c" : nil))
            #expect(response.accessToken?.exposedText == (type.hasToken ? "at" : nil))
            #expect(response.additionalParameters["session_state"] == "x")
            #expect(!response.additionalParameters.parameters.map(\.name).contains("access_token"))
        }
    }

    @Test(
        "What is promised must be there",
        arguments: [
            ("id_token=a.b.c&", ResponseType.codeIDToken), ("code=SplxlOBeZQQYbYS6WxSbIA&", .codeIDToken),
            ("access_token=at&", .codeToken), ("code=SplxlOBeZQQYbYS6WxSbIA&", .codeToken),
            ("access_token=at&", .codeIDTokenToken), ("id_token=a.b.c&", .codeIDTokenToken),
        ])
    func missing(part: String, type: ResponseType) throws {
        for replacement in ["", part.prefix { $0 != "=" } + "=&"] {
            let callback = whole.replacing(part, with: replacement)
            guard case .malformedCallback = try reason({ try hybrid(type, callback) }) else {
                Issue.record("accepted without \(part)")
                return
            }
        }
    }

    @Test("In a query tokens are not taken")
    func query() throws {
        #expect(
            try reason { try hybrid(.codeIDToken, whole.replacing("#", with: "?")) }
                == .unexpectedResponseMode(expected: "fragment", received: "query"))
        #expect(
            try reason { try hybrid(.codeIDToken, whole.replacing("#", with: "?") + "#form_post") }
                == .unexpectedResponseMode(expected: "fragment", received: "form_post"))
    }

    @Test("An implicit answer: OpenID Connect Core §3.2.2.5")
    func implicitAnswers() throws {
        let callback =
            base + "#access_token=SlAV32hkKG&token_type=bearer&id_token=eyJ0.NiJ9.eyJ1c&expires_in=3600"
            + "&scope=openid%20email&state=af0ifjsldkj&refresh_token=rt&session_state=x"
        let response = try implicit(.idTokenToken, callback)
        #expect(response.idToken?.exposedText == "eyJ0.NiJ9.eyJ1c")
        #expect(response.tokens?.accessToken.exposedText == "SlAV32hkKG")
        #expect(response.tokens?.lifetime == .seconds(3600))
        #expect(response.tokens?.scope == ["openid", "email"])
        #expect(response.tokens?.refreshToken == nil, "RFC 6749 §4.2.2 forbids one")
        #expect(response.additionalParameters == ["session_state": "x"])
        #expect(try implicit(.idToken, callback).tokens == nil)
        #expect(try implicit(.token, callback).idToken == nil)
    }

    @Test("What is wrong with an implicit answer")
    func implicitRefusals() throws {
        let good = base + "#access_token=at&token_type=bearer&id_token=a.b.c&state=af0ifjsldkj"
        func refusal(_ old: String, _ new: String) throws -> TernError.Reason? {
            try reason { try implicit(.idTokenToken, good.replacing(old, with: new)) }
        }
        #expect(try refusal("x", "x") == nil)
        #expect(try refusal("state=af0ifjsldkj", "state=other") == .stateMismatch)
        #expect(try refusal("&state=af0ifjsldkj", "") == .stateMismatch)
        #expect(
            try refusal("state=af0ifjsldkj", "state=af0ifjsldkj&iss=https%3A%2F%2Fevil.example")?.code
                == "issuer_mismatch")
        #expect(try refusal("token_type=bearer", "token_type=mac")?.code == "unsupported_token_type")
        #expect(try refusal("access_token=at", "access_token=")?.code == "malformed_callback")
        #expect(try refusal("id_token=a.b.c", "id=a")?.code == "malformed_callback")
        #expect(try refusal("access_token=at", "access_token=at&access_token=at")?.code == "malformed_callback")
        let words = try refusal("access_token=at", "error=login_required")?.words
        #expect(words?.code == "login_required")
    }

    @Test("Where iss is promised, only an answer with an ID token may come without it: that says it too")
    func issuer() throws {
        for type in ResponseType.all {
            var expected = try expectation(type, type.standardMode)
            expected.requiresIssuer = true
            let callback = try address(type == .code ? whole.replacing("#", with: "?") : whole)
            let reason = try reason {
                if type.hasCode {
                    _ = try AuthorizationResponse(callback: callback, expecting: expected)
                } else {
                    _ = try ImplicitResponse(callback: callback, expecting: expected)
                }
            }
            #expect(
                reason
                    == (type.hasIDToken
                        ? nil : .issuerMismatch(expected: "https://server.example.com", received: nil)))
        }
    }

    @Test("An issuer that was escaped twice is taken from a posted form, and another one is not")
    func escapedTwice() throws {
        func reason(_ issuer: String, _ mode: AuthorizationRequest.ResponseMode) throws -> TernError.Reason? {
            let mark = mode == .formPost ? "#form_post" : ""
            let callback = base + "?code=c&state=af0ifjsldkj&iss=" + PercentCodec.encode(issuer) + mark
            return try TernProtocolTests.reason {
                try AuthorizationResponse(callback: try address(callback), expecting: try expectation(.code, mode))
            }
        }
        let escaped = PercentCodec.encode("https://server.example.com")
        #expect(try reason(escaped, .formPost) == nil)
        #expect(try reason(escaped, .query)?.code == "issuer_mismatch")
        for other in ["https://evil.example", "https://server.example.com/", escaped] {
            #expect(try reason(PercentCodec.encode(other), .formPost)?.code == "issuer_mismatch")
        }
    }

    @Test("A posted answer is none in the query, and the other way round")
    func posted() throws {
        let callback = try address(base + "?code=c&state=af0ifjsldkj#form_post")
        #expect(
            try AuthorizationResponse(callback: callback, expecting: try expectation(.code, .formPost))?.code
                .exposedText
                == "c")
        #expect(
            try reason { try AuthorizationResponse(callback: callback, expecting: try expectation(.code, .query)) }
                == .unexpectedResponseMode(expected: "query", received: "form_post"))
        let plain = try address(base + "?code=c&state=af0ifjsldkj")
        #expect(
            try reason { try AuthorizationResponse(callback: plain, expecting: try expectation(.code, .formPost)) }
                == .unexpectedResponseMode(expected: "form_post", received: "query"))
    }
}

/// The hashes by which an ID token vouches for what came with it (OpenID Connect Core 1.0 §3.1.3.6, §3.3.2.11).
@Suite("Hashes in ID tokens")
struct TokenHashTests {
    private let key = try? JWK.generate(for: .es256, keyID: "k1")
    // OpenID Connect Core 1.0, appendix A.3, A.4 and A.6.
    private let code = "Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk"
    private let codeHash = "LDktKdoQak3Pk0cnXxCltA"
    private let accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y"
    private let accessTokenHash = "77QmUPtjPfzWtF2AnpK9RQ"

    private func rejection(
        _ hashes: JSONObject, _ algorithm: SignatureAlgorithm = .es256,
        _ change: (inout IDToken.Expectation) -> Void = { _ in }
    ) throws -> IDTokenRejection? {
        let key = algorithm == .es256 ? try #require(key) : try JWK.generate(for: algorithm, keyID: "k1")
        var claims: JSONObject = [
            "iss": "https://server.example.com", "sub": "248289761001", "aud": "s6BhdRkqt3",
            "nonce": "n-0S6_WzA2Mj", "exp": .number(JSONNumber(1_311_281_970)),
            "iat": .number(JSONNumber(1_311_280_970)),
        ]
        for (name, value) in hashes { claims[name] = value }
        var expected = IDToken.Expectation(
            issuer: "https://server.example.com", clientID: "s6BhdRkqt3", nonce: .required("n-0S6_WzA2Mj"))
        expected.code = AuthorizationCode(code)
        expected.accessToken = AccessToken(accessToken)
        expected.requiresHashes = true
        change(&expected)
        let text = try JWT.sign(JWTClaims(claims), header: JWSHeader(algorithm: algorithm, keyID: "k1"), key: key)
        let reason = try reason {
            try IDToken(
                verifying: EncodedIDToken(text), keys: JWKSet([key]), expecting: expected,
                now: NumericDate(1_311_281_000))
        }
        guard let reason else { return nil }
        guard case .idTokenRejected(let rejection) = reason else {
            Issue.record("\(reason)")
            return nil
        }
        return rejection
    }

    @Test("The values of appendix A are taken: A.3, A.4, A.6")
    func vectors() throws {
        let both: JSONObject = ["c_hash": .string(codeHash), "at_hash": .string(accessTokenHash)]
        #expect(try rejection(both) == nil)
        #expect(try rejection(["at_hash": .string(accessTokenHash)]) { $0.code = nil } == nil)
        #expect(try rejection(["c_hash": .string(codeHash)]) { $0.accessToken = nil } == nil)
    }

    @Test("Any other value is refused")
    func wrong() throws {
        let swapped: JSONObject = ["c_hash": .string(accessTokenHash), "at_hash": .string(accessTokenHash)]
        #expect(try rejection(swapped) == .codeHashMismatch)
        let good: JSONObject = ["c_hash": .string(codeHash), "at_hash": .string(accessTokenHash)]
        for bad in ["", String(codeHash.dropLast()), codeHash + "=", codeHash.lowercased(), code] {
            var hashes = good
            hashes["c_hash"] = .string(bad)
            #expect(try rejection(hashes) == .codeHashMismatch)
            hashes = good
            hashes["at_hash"] = .string(bad)
            #expect(try rejection(hashes) == .accessTokenHashMismatch)
        }
        var numbers = good
        numbers["c_hash"] = 7
        #expect(try rejection(numbers) == .codeHashMismatch)
        #expect(try rejection(good) { $0.code = AuthorizationCode("stolen") } == .codeHashMismatch)
        #expect(try rejection(good) { $0.accessToken = AccessToken("stolen") } == .accessTokenHashMismatch)
    }

    @Test("Through the browser they must be there; from the token endpoint they may be missing")
    func missing() throws {
        #expect(try rejection(["at_hash": .string(accessTokenHash)]) == .malformedClaim("c_hash"))
        #expect(try rejection(["c_hash": .string(codeHash)]) == .malformedClaim("at_hash"))
        #expect(try rejection([:]) { $0.requiresHashes = false } == nil)
        #expect(try rejection(["c_hash": "x"]) { $0.requiresHashes = false } == .codeHashMismatch)
    }

    @Test("s_hash may be missing, and otherwise fits")
    func state() throws {
        let good: JSONObject = ["c_hash": .string(codeHash), "at_hash": .string(accessTokenHash)]
        #expect(try rejection(good) { $0.state = "af0ifjsldkj" } == nil)
        var hashes = good
        let digest = HashFunction.sha256.digest(Array("af0ifjsldkj".utf8))
        hashes["s_hash"] = .string(Base64URL.encode(Array(digest.prefix(16))))
        #expect(try rejection(hashes) { $0.state = "af0ifjsldkj" } == nil)
        #expect(try rejection(hashes) { $0.state = "other" } == .stateHashMismatch)
        #expect(try rejection(hashes) == nil, "where no state is held against it, it says nothing")
    }

    @Test("The hash is the one of the signature's algorithm", arguments: [SignatureAlgorithm.es384, .es512])
    func algorithms(algorithm: SignatureAlgorithm) throws {
        let digest = algorithm.hashFunction.digest(Array(code.utf8))
        let half = Base64URL.encode(Array(digest.prefix(digest.count / 2)))
        #expect(try rejection(["c_hash": .string(half)], algorithm) { $0.accessToken = nil } == nil)
        #expect(
            try rejection(["c_hash": .string(codeHash)], algorithm) { $0.accessToken = nil } == .codeHashMismatch)
    }
}
