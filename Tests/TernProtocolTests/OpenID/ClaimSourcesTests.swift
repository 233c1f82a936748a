import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Core 1.0 §5.6.2.
@Suite("Claims of other parties")
struct ClaimSourcesTests {
    private let bench = TokenBench(
        type: "JWT", claims: ["iss": "https://bank.example", "credit_score": 650, "address": ["country": "DE"]])

    private func sources(_ json: String) throws -> ClaimSources? {
        try ClaimSources(in: try #require(try JSON(parsing: json).object))
    }

    @Test("Names lead to sources; a source without names is left out")
    func parsing() throws {
        let found = try #require(
            try sources(
                """
                {"sub": "u", "_claim_names": {"address": "src1", "phone": "src1", "credit_score": "src2"},
                 "_claim_sources": {
                   "src1": {"JWT": "a.b.c"},
                   "src2": {"endpoint": "https://bank.example/claims", "access_token": "at-bank"},
                   "src3": {"JWT": "x.y.z"}}}
                """))
        #expect(found.sources.map(\.name) == ["src1", "src2"])
        #expect(found.sources[0].claimNames == ["address", "phone"])
        #expect(found.sources[0].place == .aggregated(EncodedClaims("a.b.c")))
        #expect(
            try found.sources[1].place == .distributed(address("https://bank.example/claims"), AccessToken("at-bank")))
        #expect(try sources(#"{"sub":"u"}"#) == nil)
        #expect(!String(reflecting: found).contains("at-bank") && !String(reflecting: found).contains("a.b.c"))
    }

    @Test(
        "What does not belong together",
        arguments: [
            (#"{"_claim_names":{"a":"s"}}"#, "_claim_sources"),
            (#"{"_claim_sources":{"s":{"JWT":"x"}}}"#, "_claim_names"),
            (#"{"_claim_names":{"a":"t"},"_claim_sources":{"s":{"JWT":"x"}}}"#, "_claim_names"),
            (#"{"_claim_names":{"a":7},"_claim_sources":{"s":{"JWT":"x"}}}"#, "_claim_names"),
            (#"{"_claim_names":{"a":"s"},"_claim_sources":{"s":{}}}"#, "_claim_sources"),
            (#"{"_claim_names":{"a":"s"},"_claim_sources":{"s":{"endpoint":"/claims"}}}"#, "_claim_sources"),
            (
                #"{"_claim_names":{"a":"s"},"_claim_sources":{"s":{"endpoint":"https://u@b.example/"}}}"#,
                "_claim_sources"
            ),
        ])
    func malformed(json: String, field: String) throws {
        #expect(try reason { try sources(json) }?.malformedField == field)
    }

    @Test("Distributed claims never come by plain http, nor from too many places")
    func limits() throws {
        for scheme in ["http://bank.example/c", "http://127.0.0.1/c", "ftp://bank.example/c"] {
            let json = #"{"_claim_names":{"a":"s"},"_claim_sources":{"s":{"endpoint":"\#(scheme)"}}}"#
            #expect(try reason { try sources(json) } == .insecureEndpoint(field: "_claim_sources"))
        }
        let many = (0...ClaimSources.maximumCount).map { #""s\#($0)":{"JWT":"x"}"# }.joined(separator: ",")
        let json = #"{"_claim_names":{"a":"s1"},"_claim_sources":{\#(many)}}"#
        #expect(try reason { try sources(json) }?.malformedField == "_claim_sources")
        let plain = try address("http://bank.example/c")
        #expect(
            try reason { try DistributedClaimsRequest(endpoint: plain, accessToken: nil) }
                == .insecureEndpoint(field: "_claim_sources"))
    }

    private func claims(
        _ names: [String] = ["credit_score"], _ changes: [String: JSON?] = [:], clientID: String? = nil,
        signedBy key: JWK? = nil
    ) throws -> JSONObject {
        var party = ClaimsProvider(issuer: "https://bank.example", keys: try bench.keys)
        party.clientID = clientID
        return try party.claims(
            named: names, verifying: EncodedClaims(bench.token(changes, signedBy: key)),
            now: NumericDate(TokenBench.now))
    }

    @Test("Only what the source is asked for is taken")
    func verified() throws {
        #expect(try claims() == ["credit_score": 650])
        #expect(try claims(["credit_score", "address"], ["sub": "u"]).names == ["credit_score", "address"])
        #expect(try claims(["credit_score"], ["aud": "app"], clientID: "app") == ["credit_score": 650])
    }

    @Test("What a source's token is refused for")
    func refusals() throws {
        #expect(
            try tokenRejection { try claims(["credit_score"], ["iss": "x"]) }
                == .issuerMismatch(expected: "https://bank.example", received: "x"))
        #expect(try tokenRejection { try claims(["credit_score"], ["iss": nil]) } != nil)
        #expect(try tokenRejection { try claims(["age"]) } == .malformedClaim("age"))
        #expect(try tokenRejection { try claims(["credit_score"], ["aud": "app"]) } == .audienceMismatch)
        #expect(try tokenRejection { try claims(["credit_score"], ["aud": "x"], clientID: "app") } == .audienceMismatch)
        #expect(
            try tokenRejection { try claims(["credit_score"], ["exp": TokenBench.date(-60)]) } == .expired(by: 60))
        #expect(
            try tokenRejection { try claims(["credit_score"], ["nbf": TokenBench.date(61)]) } == .notYetValid(by: 61))
        #expect(
            try tokenRejection { try claims(["credit_score"], ["iat": TokenBench.date(61)]) } == .clockSkew(ahead: 61))
        let foreign = try JWK.generate(for: .es256, keyID: "k1")
        #expect(try tokenRejection { try claims(signedBy: foreign) } == .signature)
    }

    @Test("The request has the source's own token, and the answer a limit")
    func request() throws {
        let there = try address("https://bank.example/claims")
        let request = try DistributedClaimsRequest(endpoint: there, accessToken: AccessToken("at-bank"))
        #expect(request.request().fields["Authorization"] == "Bearer at-bank" && request.secrets == ["at-bank"])
        #expect(
            try DistributedClaimsRequest(endpoint: there, accessToken: nil).request().fields["Authorization"] == nil)
        #expect(try request.answer(from: answer(200, "application/jwt", " a.b.c\n")).exposedText == "a.b.c")
        let large = String(repeating: "a", count: 65_537)
        #expect(
            try reason { try request.answer(from: answer(200, "application/jwt", large)) }
                == .responseTooLarge(limit: 65_536))
        #expect(try reason { try request.answer(from: answer(404)) } == .httpStatus(404, location: nil))
    }
}

/// OpenID Connect Native SSO for Mobile Apps 1.0.
@Suite("Native SSO")
struct NativeSSOTests {
    private let bench = TokenBench(
        type: "JWT",
        claims: [
            "iss": "https://idp.example", "sub": "u-1", "aud": "app", "iat": TokenBench.date(-5),
            "exp": TokenBench.date(115), "sid": "s-1",
        ])

    private func token(_ changes: [String: JSON?]) throws -> IDToken {
        try IDToken(
            verifying: EncodedIDToken(bench.token(changes)), keys: bench.keys,
            expecting: .init(issuer: "https://idp.example", clientID: "app", nonce: .ifPresent(nil)),
            now: NumericDate(TokenBench.now))
    }

    @Test("ds_hash ties the ID token to the secret, in either of two forms")
    func binding() throws {
        let secret = DeviceSecret("device-secret-1")
        let digest = HashFunction.sha256.digest(Array("device-secret-1".utf8))
        let whole = Base64URL.encode(digest)
        let half = Base64URL.encode(Array(digest.prefix(16)))
        try token(["ds_hash": .string(whole)]).requireBinding(to: secret)
        try token(["ds_hash": .string(half)]).requireBinding(to: secret)
        func refused(_ changes: [String: JSON?], _ secret: DeviceSecret) throws -> TernError.Reason? {
            try reason { try token(changes).requireBinding(to: secret) }
        }
        #expect(
            try refused(["ds_hash": .string(whole)], DeviceSecret("other"))
                == .idTokenRejected(.malformedClaim("ds_hash")))
        #expect(try refused([:], secret) == .idTokenRejected(.malformedClaim("ds_hash")))
        #expect(
            try refused(["ds_hash": .string(whole), "sid": nil], secret) == .idTokenRejected(.malformedClaim("sid")))
    }

    @Test("The exchange is a token exchange with the device secret as actor")
    func exchange() throws {
        var grant = NativeSSOGrant(
            endpoint: try address("https://idp.example/token"), idToken: EncodedIDToken("a.b.c"),
            deviceSecret: DeviceSecret("ds-1"), issuer: try Issuer("https://idp.example"))
        grant.scope = ["openid", "device_sso"]
        #expect(
            try grant.request().form == [
                "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "audience": "https://idp.example",
                "subject_token": "a.b.c", "subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
                "actor_token": "ds-1", "actor_token_type": "urn:openid:params:token-type:device-secret",
                "scope": "openid device_sso",
            ])
        #expect(grant.secrets == ["a.b.c", "ds-1"] && !String(reflecting: grant).contains("ds-1"))
        let tokens = try grant.answer(
            from: answer(
                200, "application/json", #"{"access_token":"at","token_type":"Bearer","device_secret":"ds-2"}"#))
        #expect(tokens.deviceSecret == DeviceSecret("ds-2"))
    }
}
