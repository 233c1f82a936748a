import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Core 1.0 §2 and §3.1.3.7.
@Suite("ID token")
struct IDTokenTests {
    private static let key = try? JWK.generate(for: .es256, keyID: "k1")
    private static let now = 1_750_000_000.0

    private func claims(_ changes: [String: JSON?] = [:]) -> JWTClaims {
        var claims: JSONObject = [
            "iss": "https://idp.example", "sub": "u-1", "aud": "app", "iat": .number(JSONNumber(1_749_999_990)),
            "exp": .number(JSONNumber(1_750_003_600)), "nonce": "n-1",
        ]
        for (name, value) in changes { claims[name] = value }
        return JWTClaims(claims)
    }

    private func expectation(
        _ change: (inout IDToken.Expectation) -> Void = { _ in }
    ) -> IDToken.Expectation {
        var expected = IDToken.Expectation(
            issuer: "https://idp.example", clientID: "app", nonce: .required("n-1"))
        change(&expected)
        return expected
    }

    private func verify(
        _ claims: JWTClaims, _ change: (inout IDToken.Expectation) -> Void = { _ in }
    ) throws -> IDToken {
        let key = try #require(Self.key)
        let text = try JWT.sign(claims, header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        return try IDToken(
            verifying: EncodedIDToken(text), keys: JWKSet([key]), expecting: expectation(change),
            now: NumericDate(Self.now))
    }

    private func rejection(
        _ changes: [String: JSON?], _ change: (inout IDToken.Expectation) -> Void = { _ in }
    ) throws -> IDTokenRejection? {
        guard let reason = try reason({ try verify(claims(changes), change) }) else { return nil }
        guard case .idTokenRejected(let rejection) = reason else {
            Issue.record("\(reason)")
            return nil
        }
        return rejection
    }

    private func date(_ offset: Double) -> JSON { JSONNumber(Self.now + offset).map(JSON.number) ?? .null }

    @Test("A good token")
    func good() throws {
        let token = try verify(claims(["auth_time": date(-100)]))
        #expect(token.issuer == "https://idp.example")
        #expect(token.subject == "u-1")
        #expect(token.expiration == NumericDate(1_750_003_600))
        #expect(token.issuedAt == NumericDate(1_749_999_990))
        #expect(token.authenticationTime == NumericDate(Self.now - 100))
        #expect(token.claims["aud"] == "app")
    }

    @Test(
        "iss is compared octet by octet",
        arguments: [
            "https://idp.example/", "https://IDP.example", "http://idp.example", "",
        ])
    func issuer(text: String) throws {
        #expect(
            try rejection(["iss": .string(text)])
                == .issuerMismatch(expected: "https://idp.example", received: text))
        #expect(try rejection(["iss": nil]) == .issuerMismatch(expected: "https://idp.example", received: nil))
        #expect(try rejection(["iss": 7]) == .issuerMismatch(expected: "https://idp.example", received: nil))
    }

    @Test("Of a template's tenants only the allowed ones, octet by octet")
    func tenants() throws {
        func rejection(_ tenant: JSON?, _ allowed: Set<String>?) throws -> IDTokenRejection? {
            let issuer = "https://login.example/\(tenant?.string ?? "")/v2.0"
            return try self.rejection(["iss": .string(issuer), "tid": tenant]) {
                $0.issuer = "https://login.example/{tenantid}/v2.0"
                $0.allowedTenants = allowed
            }
        }
        #expect(try rejection("t-1", nil) == nil)
        #expect(try rejection("t-1", ["t-1", "t-2"]) == nil)
        #expect(try rejection("t-3", ["t-1", "t-2"]) == .tenantNotAllowed)
        #expect(try rejection("T-1", ["t-1"]) == .tenantNotAllowed)
        #expect(try rejection("t-1", []) == .tenantNotAllowed)
        // With one issuer alone the tenant counts too.
        #expect(try self.rejection([:]) { $0.allowedTenants = ["t-1"] } == .malformedClaim("tid"))
        #expect(try self.rejection(["tid": "t-1"]) { $0.allowedTenants = ["t-1"] } == nil)
    }

    @Test("A template takes the token's tenant and no other address")
    func template() throws {
        let template = "https://login.example/{tenantid}/v2.0"
        func rejection(_ issuer: String, _ tenant: JSON?) throws -> IDTokenRejection? {
            try self.rejection(["iss": .string(issuer), "tid": tenant]) { $0.issuer = template }
        }
        #expect(try rejection("https://login.example/t-1/v2.0", "t-1") == nil)
        #expect(
            try rejection("https://login.example/t-1/v2.0", "t-2")
                == .issuerMismatch(
                    expected: "https://login.example/t-2/v2.0", received: "https://login.example/t-1/v2.0"))
        #expect(try rejection("https://login.example/t-1/v2.0", nil) == .malformedClaim("tid"))
        #expect(try rejection("https://login.example//v2.0", "") == .malformedClaim("tid"))
        #expect(try rejection("https://login.example/a/b/v2.0", "a/b") == .malformedClaim("tid"))
    }

    @Test("sub is a text that is not empty", arguments: [nil, "", 7, .null, ["u-1"]] as [JSON?])
    func subject(value: JSON?) throws {
        #expect(try rejection(["sub": value]) == .malformedClaim("sub"))
    }

    @Test(
        "aud and azp",
        arguments: [
            ("app", nil, nil), (["app"], nil, nil), (["app"], "app", nil), (["app", "api"], "app", nil),
            ("app", "other", .authorizedPartyMismatch), (["app", "api"], nil, .authorizedPartyMismatch),
            (["app", "api"], "api", .authorizedPartyMismatch), (["app"], 7, .authorizedPartyMismatch),
            ("other", nil, .audienceMismatch), (["api"], "app", .audienceMismatch), ([], nil, .audienceMismatch),
            ("APP", nil, .audienceMismatch), (nil, "app", .malformedClaim("aud")), (7, nil, .malformedClaim("aud")),
            (["app", 7], nil, .malformedClaim("aud")), (.null, nil, .malformedClaim("aud")),
        ] as [(JSON?, JSON?, IDTokenRejection?)])
    func audience(audience: JSON?, party: JSON?, expected: IDTokenRejection?) throws {
        #expect(try rejection(["aud": audience, "azp": party]) == expected)
    }

    @Test(
        "exp may be 30 s past and not 15 min",
        arguments: [
            (1, nil), (-30, nil), (-59.5, nil), (-60, .expired(by: 60)), (-61, .expired(by: 61)),
            (-900, .expired(by: 900)), (-1e18, .expired(by: 1_000_000_000_000_000)),
        ] as [(Double, IDTokenRejection?)])
    func expiration(offset: Double, expected: IDTokenRejection?) throws {
        #expect(try rejection(["exp": date(offset)]) == expected)
    }

    @Test("The leeway is what the caller says")
    func leeway() throws {
        #expect(try rejection(["exp": date(-200)]) { $0.leeway = .seconds(300) } == nil)
        #expect(try rejection(["exp": date(-1)]) { $0.leeway = .zero } == .expired(by: 1))
        #expect(try rejection(["exp": date(0)]) { $0.leeway = .zero } == .expired(by: 0))
    }

    @Test(
        "iat may be 30 s ahead and not 15 min",
        arguments: [
            (30, nil), (60, nil), (61, .clockSkew(ahead: 61)), (900, .clockSkew(ahead: 900)), (-1e9, nil),
        ] as [(Double, IDTokenRejection?)])
    func issuedAt(offset: Double, expected: IDTokenRejection?) throws {
        #expect(try rejection(["iat": date(offset)]) == expected)
    }

    @Test(
        "nbf may be 30 s ahead and not 15 min",
        arguments: [
            (30, nil), (60, nil), (61, .notYetValid(by: 61)), (900, .notYetValid(by: 900)), (-900, nil),
        ] as [(Double, IDTokenRejection?)])
    func notBefore(offset: Double, expected: IDTokenRejection?) throws {
        #expect(try rejection(["nbf": date(offset)]) == expected)
    }

    @Test("Times are numbers", arguments: ["exp", "iat", "nbf"], ["1750000000", .null, [], true] as [JSON])
    func timeTypes(name: String, value: JSON) throws {
        #expect(try rejection([name: value]) == .malformedClaim(name))
    }

    @Test("exp and iat must be there", arguments: ["exp", "iat"])
    func missingTimes(name: String) throws {
        #expect(try rejection([name: nil]) == .malformedClaim(name))
    }

    @Test(
        "max_age demands auth_time and holds it against the clock",
        arguments: [
            (-300, nil), (-340, nil), (-361, .authenticationTooOld(by: 61)), (-3_600, .authenticationTooOld(by: 3_300)),
            (30, nil), (900, .clockSkew(ahead: 900)),
        ] as [(Double, IDTokenRejection?)])
    func maxAge(offset: Double, expected: IDTokenRejection?) throws {
        #expect(try rejection(["auth_time": date(offset)]) { $0.maxAge = .seconds(300) } == expected)
    }

    @Test("auth_time counts only where max_age was asked for")
    func authenticationTime() throws {
        #expect(try rejection([:]) { $0.maxAge = .seconds(300) } == .malformedClaim("auth_time"))
        #expect(try rejection(["auth_time": "x"]) { $0.maxAge = .zero } == .malformedClaim("auth_time"))
        #expect(try rejection(["auth_time": "x"]) == nil)
        #expect(try rejection(["auth_time": date(900)]) == nil)
    }

    @Test(
        "acr is one of those demanded",
        arguments: [
            ("urn:b", nil), ("urn:c", .authenticationContextMismatch), (nil, .authenticationContextMismatch),
            (7, .authenticationContextMismatch),
        ] as [(JSON?, IDTokenRejection?)])
    func acr(value: JSON?, expected: IDTokenRejection?) throws {
        #expect(try rejection(["acr": value]) { $0.acrValues = ["urn:a", "urn:b"] } == expected)
        #expect(try rejection(["acr": value]) == nil)
    }

    @Test("The nonce of a sign-in must be there; after a refresh it must only not be another one")
    func nonce() throws {
        #expect(try rejection(["nonce": nil]) == .nonceMissing)
        #expect(try rejection(["nonce": "n-2"]) == .nonceMismatch)
        #expect(try rejection(["nonce": "N-1"]) == .nonceMismatch)
        #expect(try rejection(["nonce": .null]) == .nonceMismatch)
        #expect(try rejection(["nonce": 1]) == .nonceMismatch)
        #expect(try rejection(["nonce": nil]) { $0.nonce = .ifPresent("n-1") } == nil)
        #expect(try rejection([:]) { $0.nonce = .ifPresent("n-1") } == nil)
        #expect(try rejection([:]) { $0.nonce = .ifPresent("n-2") } == .nonceMismatch)
        #expect(try rejection([:]) { $0.nonce = .ifPresent(nil) } == nil)
    }

    @Test("Another user than the expected one is refused")
    func expectedSubject() throws {
        #expect(try rejection([:]) { $0.subject = "u-1" } == nil)
        #expect(try rejection([:]) { $0.subject = "u-2" } == .subjectMismatch)
        // The same to the eye and to `==`, and yet another name.
        #expect(try rejection(["sub": "u-\u{E9}"]) { $0.subject = "u-e\u{301}" } == .subjectMismatch)
    }

    @Test("The example of OpenID Connect Core 1.0 appendix A.3 gives its at_hash, A.4 its c_hash")
    func examplesOfTheStandard() throws {
        let keys = try JWK.generate(for: .rs256, keyID: "r")
        func rejection(_ name: String, _ hash: JSON, _ change: (inout IDToken.Expectation) -> Void) throws
            -> TernError.Reason?
        {
            let text = try JWT.sign(
                claims([name: hash]), header: JWSHeader(algorithm: .rs256, keyID: "r"), key: keys)
            return try reason {
                try IDToken(
                    verifying: EncodedIDToken(text), keys: JWKSet([keys]), expecting: expectation(change),
                    now: NumericDate(Self.now))
            }
        }
        let token = AccessToken("jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y")
        let code = AuthorizationCode("Qcb0Orv1zh30vL1MPRsbm-diHiMwcLyZvn1arpZv-Jxf_11jnpEX3Tgfvk")
        #expect(try rejection("at_hash", "77QmUPtjPfzWtF2AnpK9RQ") { $0.accessToken = token } == nil)
        #expect(try rejection("c_hash", "LDktKdoQak3Pk0cnXxCltA") { $0.code = code } == nil)
        for hash in ["77QmUPtjPfzWtF2AnpK9RR", "", "77QmUPtjPfzWtF2AnpK9RQ==", 7, .null] as [JSON] {
            #expect(
                try rejection("at_hash", hash) { $0.accessToken = token }
                    == .idTokenRejected(.accessTokenHashMismatch))
            #expect(
                try rejection("c_hash", hash) { $0.code = code } == .idTokenRejected(.codeHashMismatch))
        }
        #expect(try rejection("at_hash", "x") { $0.code = code } == nil)
    }

    @Test("Signatures, algorithms and keys")
    func signatures() throws {
        let key = try #require(Self.key)
        let other = try JWK.generate(for: .es256, keyID: "k1")
        let unnamed = try JWK.generate(for: .es256)
        let renamed = try JWK.generate(for: .es256, keyID: "k2")
        let text = try JWT.sign(claims(), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        func rejection(
            _ text: String, _ keys: [JWK], _ change: (inout IDToken.Expectation) -> Void = { _ in }
        ) throws -> TernError.Reason? {
            try reason {
                try IDToken(
                    verifying: EncodedIDToken(text), keys: JWKSet(keys), expecting: expectation(change),
                    now: NumericDate(Self.now))
            }
        }
        #expect(try rejection(text, [other, key]) == nil)
        #expect(try rejection(text, [other]) == .idTokenRejected(.signature))
        #expect(try rejection(text, [unnamed]) == .idTokenRejected(.signature))
        #expect(try rejection(text, [renamed]) == .idTokenRejected(.unknownKey))
        #expect(try rejection(text, []) == .idTokenRejected(.unknownKey))
        #expect(
            try rejection(text, [key]) { $0.algorithms = [.rs256] } == .idTokenRejected(.unsupportedAlgorithm("ES256")))
        #expect(try rejection(text + ".", [key])?.code == "id_token_malformed")
        #expect(try rejection(text + "..", [key]) == .encryptedIDTokenUnsupported)
        #expect(try rejection(String(text.dropLast(2)), [key]) == .idTokenRejected(.signature))
        #expect(try rejection(String(repeating: "a", count: 1 << 20), [key])?.code == "id_token_malformed")

        let shared = try JWK.generate(for: .hs256, keyID: "k1")
        let symmetric = try JWT.sign(claims(), header: JWSHeader(algorithm: .hs256, keyID: "k1"), key: shared)
        #expect(
            try rejection(symmetric, [shared, key]) == .idTokenRejected(.unsupportedAlgorithm("HS256")))
    }

    @Test(
        "A payload that is no object, or names a claim twice, is malformed",
        arguments: [
            "[]", "null", "", "7", #"{"sub":"a","sub":"b"}"#, #"{"iss":"#,
        ])
    func payloads(payload: String) throws {
        let key = try #require(Self.key)
        let text = try JWS.sign(
            payload: Array(payload.utf8), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        #expect(
            try reason {
                try IDToken(
                    verifying: EncodedIDToken(text), keys: JWKSet([key]), expecting: expectation(),
                    now: NumericDate(Self.now))
            }?.code == "id_token_malformed")
    }
}
