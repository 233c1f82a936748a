import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Tokens explained")
struct TokenExplanationTests {
    private static let claims: JSONObject = [
        "iss": "https://id.example.com", "sub": "u1", "aud": "app", "exp": 1_700_003_600, "iat": 1_699_999_999,
        "nonce": "n-1",
    ]

    private func context(_ key: JWK?, _ change: (inout ExplanationContext) -> Void = { _ in }) throws
        -> ExplanationContext
    {
        let keys = try key.map { try JWKSet(.object(JWKSet([$0]).publicJSON())) }
        return Sample.context {
            $0.keys = keys
            $0.issuer = "https://id.example.com"
            $0.clientID = "app"
            change(&$0)
        }
    }

    private func signed(_ claims: JSONObject, type: String? = nil, by key: JWK) throws -> String {
        try JWT.sign(JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "k1", type: type), key: key)
    }

    @Test("A good ID token is verified with the key, and Tern would take it")
    func good() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let findings = Specimen(try signed(Self.claims, by: key)).findings(in: try context(key) { $0.nonce = "n-1" })
        #expect(findings[0] == Finding(.passed, "verified", "by the key \"k1\", ES256"))
        #expect(findings["use"]?.title == "It is an ID token")
        #expect(findings["verdict"]?.title == "Tern would take it")
        #expect(!findings.contains { $0.level == .failed })
    }

    @Test("Without keys, with another key, or changed, it is not verified")
    func notVerified() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let other = try JWK.generate(for: .es256, keyID: "k1")
        let token = try signed(Self.claims, by: key)
        let without = Specimen(token).findings(in: Sample.context())
        #expect(without[0].level == .unchecked)
        #expect(without[0].title == "no keys were given (--jwks), and anybody can write this")
        let foreign = Specimen(token).findings(in: try context(other))
        #expect(foreign[0].level == .failed)
        #expect(foreign[0].title == "the signature is not valid")
        #expect(foreign["verdict"]?.detail?.hasSuffix("[id_token_signature]") == true)
    }

    @Test("A good signature does not make a token good that has ended or is for somebody else")
    func goodSignatureOnly() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        var claims = Self.claims
        claims["exp"] = 1_699_999_000
        claims["aud"] = "other"
        let findings = Specimen(try signed(claims, by: key)).findings(in: try context(key))
        #expect(findings[0].level == .failed)
        #expect(findings[0].title == "the signature is good, and the token must not be taken")
        #expect(findings[0].detail == "It has ended; It is for somebody else; Tern would refuse it.")
        #expect(findings["verdict"]?.level == .failed)
    }

    @Test(
        "Each fault has its finding",
        arguments: [
            (["alg": "none"], [:], "algorithm", "Its algorithm is none: it is not signed"),
            (["alg": "XS1"], [:], "algorithm", "Its algorithm is not known: XS1"),
            (["alg": "ES256", "crit": ["x"]], [:], "critical_header", "The header demands an extension (crit, b64)"),
            ([:], ["exp": 1_699_999_000], "exp", "It has ended"),
            ([:], ["exp": 1_700_003_600_000], "exp", "exp seems to be in milliseconds"),
            ([:], ["exp": "1700003600"], "exp", "exp is not a number"),
            ([:], ["nbf": 1_700_000_900], "nbf", "It is not valid yet"),
            ([:], ["iat": 1_700_000_900], "iat", "iat lies ahead"),
            ([:], ["sub": nil], "required_claim", "There is no sub"),
            ([:], ["iss": "https://id.example.com/"], "issuer", "The issuer is another one"),
            ([:], ["aud": ["app", "b"]], "authorized_party", "There are several audiences and no azp"),
            ([:], ["azp": "b"], "authorized_party", "azp is another client"),
            ([:], ["nonce": "n-2"], "nonce", "The nonce is another one"),
        ] as [(JSONObject, [String: JSON?], String, String)])
    func fault(header: JSONObject, changes: [String: JSON?], name: String, title: String) throws {
        var claims = Self.claims
        for (name, value) in changes { claims[name] = value }
        let token = Sample.token(header.isEmpty ? ["alg": "ES256"] : header, claims)
        let findings = Specimen(token).findings(in: try context(nil) { $0.nonce = "n-1" })
        let found = findings.first { $0.name == name && $0.title == title }
        #expect(found?.level == .failed, "\(findings.map(\.title))")
        #expect(findings[0].name == "verified")
        #expect(findings[0].level != .passed)
    }

    @Test(
        "What a token is for",
        arguments: [
            (["typ": "at+jwt"], [:], "an access token"), ([:], ["scope": "a"], "an access token"),
            (["typ": "logout+jwt"], [:], "a logout token (Back-Channel Logout 1.0)"),
            (["typ": "dpop+jwt"], [:], "a proof of possession (DPoP, RFC 9449)"),
            ([:], ["iss": "c", "sub": "c", "aud": "s", "jti": "1", "exp": 1], "a client's assertion (RFC 7523)"),
            (["typ": "oauth-authz-req+jwt"], [:], "an authorization request (RFC 9101)"),
            ([:], ["code": "c", "state": "s", "exp": 1], "an answer of the sign-in page (JARM)"),
            ([:], ["foo": "bar"], "a token of no known use"),
        ] as [(JSONObject, JSONObject, String)])
    func use(header: JSONObject, claims: JSONObject, words: String) {
        var header = header
        header["alg"] = "ES256"
        let findings = Specimen(Sample.token(header, claims)).findings(in: Sample.context())
        #expect(findings["use"]?.title == "It is \(words)")
    }

    @Test("Access tokens and logout tokens are checked as Tern checks them")
    func others() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        var claims = Self.claims.removing("nonce")
        claims["client_id"] = "c"
        claims["jti"] = "j"
        let access = Specimen(try signed(claims, type: "at+jwt", by: key)).findings(in: try context(key))
        #expect(access[0].level == .passed)
        #expect(access["verdict"]?.title == "Tern would take it")
        claims["events"] = ["http://schemas.openid.net/event/backchannel-logout": [:]]
        let logout = Specimen(try signed(claims, type: "logout+jwt", by: key)).findings(in: try context(key))
        #expect(logout["verdict"]?.title == "Tern would take it")
        claims["nonce"] = "n"
        let bad = Specimen(try signed(claims, type: "logout+jwt", by: key)).findings(in: try context(key))
        #expect(bad["nonce"]?.title == "A logout token must not have a nonce")
        #expect(bad["verdict"]?.detail?.hasSuffix("[logout_token_forbidden_claim]") == true)
    }

    @Test("A proof is held against the request that it names, and is never verified by its own key alone")
    func proof() throws {
        let key = try JWK.generate(for: .es256)
        let proof = try DPoPKey(SigningKey(key, algorithm: .es256)).proof(
            .post, try #require(URI("https://id.example.com/token")), now: Sample.now)
        let good = Specimen(proof).findings(in: Sample.context())
        #expect(good[0].level == .unchecked)
        #expect(good["verdict"]?.title == "It is a good proof for POST https://id.example.com/token")
        #expect(good["proof_key"]?.detail == key.thumbprint())
        let late = Specimen(proof).findings(in: ExplanationContext(now: Sample.now + .seconds(600)))
        #expect(late["iat"]?.title == "The proof is too old")
        #expect(late["verdict"]?.level == .failed)
    }

    @Test("An encrypted token tells with what, and whether the key opens it")
    func encrypted() throws {
        let key = try JWK.generate(for: .ecdhES, curve: .p256)
        let header = JWEHeader(algorithm: .ecdhES, encryption: .a128GCM, contentType: "JWT")
        let token = try JWE.encrypt(
            payload: Array(Sample.idToken.utf8), header: header, key: try #require(key.publicHalf))
        let closed = Specimen(token).findings(in: Sample.context())
        #expect(closed[0].level == .unchecked)
        #expect(closed["encryption"]?.title == "It is encrypted with A128GCM")
        #expect(closed["encryption"]?.detail == "The key for that comes by ECDH-ES.")
        #expect(closed["verdict"]?.level == .unchecked)
        let open = Specimen(token).findings(in: Sample.context { $0.keys = JWKSet([key]) })
        #expect(open["verdict"]?.title == "The key opens it; inside is a signed token")
        let other = try JWK.generate(for: .ecdhES, curve: .p256)
        let wrong = Specimen(token).findings(in: Sample.context { $0.keys = JWKSet([other]) })
        #expect(wrong["verdict"]?.title == "The key does not open it")
        let old = Specimen(Sample.token(["alg": "RSA1_5", "enc": "A128GCM"], [:]) + ".YQ.YQ").findings(
            in: Sample.context())
        #expect(old["verdict"]?.title == "Tern would refuse it")
    }

    @Test("Claims that nobody signed")
    func claims() throws {
        let good = Specimen(JSON.object(Self.claims).text).findings(in: try context(nil))
        #expect(good[0].level == .note)
        #expect(good[0].title == "Nobody signed these claims, so nobody has to believe them")
        var claims = Self.claims
        claims["exp"] = 1
        let bad = Specimen(JSON.object(claims).text).findings(in: try context(nil))
        #expect(bad[0].level == .failed)
        #expect(bad[0].detail == "They look like those of an ID token: It has ended.")
    }
}

@Suite("Keys explained")
struct KeyExplanationTests {
    @Test("A public set: each key and what it is good for")
    func published() throws {
        let signing = try JWK.generate(for: .es256, keyID: "k1")
        var decrypting = try JWK.generate(for: .ecdhES, curve: .p256)
        decrypting.keyID = "k2"
        let text = JSON.object(JWKSet([signing, decrypting]).publicJSON()).text
        let findings = Specimen(text).findings(in: Sample.context())
        #expect(findings[0] == Finding(.passed, "verdict", "2 keys of 2 can be used"))
        #expect(findings["key"]?.title == "key 1 \"k1\", P-256: signatures with ES256")
        #expect(findings.contains { $0.title == "key 2 \"k2\", P-256: encryption with ECDH-ES" })
        #expect(!findings.contains { $0.level == .failed || $0.level == .warning })
    }

    @Test("Private and shared keys are an alarm")
    func alarm() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let text = JSON.object(["keys": [.object(key.privateJSON())]]).text
        let findings = Specimen(text).findings(in: Sample.context())
        #expect(findings[0].title == "This set must not be published")
        #expect(findings["private_key"]?.title == "key 1 \"k1\" is a private key")
        #expect(findings["private_key"]?.detail == "It has d, which only its owner may know.")
        let shared = Specimen(#"{"kty":"oct","k":"c2VjcmV0"}"#).findings(in: Sample.context())
        #expect(shared["private_key"]?.title == "the key is a shared secret")
    }

    @Test(
        "Why a key cannot be used",
        arguments: [
            (#"{"kty":"EC","crv":"secp256k1","x":"AA","y":"AA"}"#, "the curve is missing or not supported."),
            (#"{"kty":"XYZ"}"#, "the key type is not supported."),
            (#"{"kty":"RSA","e":"AQAB"}"#, "the member \"n\" is missing."),
        ])
    func unusable(key: String, reason: String) {
        let findings = Specimen("{\"keys\":[\(key)]}").findings(in: Sample.context())
        #expect(findings["key"]?.title == "key 1 cannot be used")
        #expect(findings["key"]?.detail == reason)
        #expect(findings["signing_keys"]?.level == .warning)
    }

    @Test("Names that are missing or not unique")
    func names() throws {
        func set(_ one: String?, _ two: String?) throws -> [Finding] {
            var keys = [try JWK.generate(for: .es256), try JWK.generate(for: .es256)]
            keys[0].keyID = one
            keys[1].keyID = two
            return Specimen(JSON.object(JWKSet(keys).publicJSON()).text).findings(in: Sample.context())
        }
        #expect(try set("a", "b")["key_ids"] == nil)
        #expect(try set("a", "a")["key_ids"]?.title == "\"a\" is the name of several keys")
        #expect(try set("a", nil)["key_ids"]?.title == "There are keys without a name (kid)")
    }
}
