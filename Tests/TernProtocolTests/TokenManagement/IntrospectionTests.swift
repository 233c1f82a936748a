import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 7662 §2 and RFC 9701 §5, with the example of that section.
@Suite("Introspection")
struct IntrospectionTests {
    private static let issuer = "https://as.example.com/"
    private static let audience = "https://rs.example.com/resource"
    private static let example: JSONObject = [
        "active": true, "iss": "https://as.example.com/", "aud": "https://rs.example.com/resource",
        "iat": 1_514_797_822, "exp": 1_514_797_942, "client_id": "paiB2goo0a", "scope": "read write dolphin",
        "sub": "Z5O3upPC88QrAjx00dis", "birthdate": "1982-02-01", "given_name": "John", "family_name": "Doe",
        "jti": "t1FoCCaZd4Xv4ORJUWVUeTZfsKhW30CQCrWDDjwXy6w",
    ]
    private let bench = TokenBench(
        type: "token-introspection+jwt",
        claims: [
            "iss": .string(issuer), "aud": .string(audience), "iat": 1_514_797_892,
            "token_introspection": .object(example),
        ])

    private func request(
        signed: Bool = false
    ) throws -> IntrospectionRequest {
        var request = IntrospectionRequest(endpoint: try address("https://as.example.com/in"), AccessToken("at-1"))
        request.wantsSignedAnswer = signed
        return request
    }

    private func plain(_ body: String, status: Int = 200) throws -> Introspection? {
        guard case .plain(let answer) = try request().answer(from: answer(status, "application/json", body)) else {
            return nil
        }
        return answer
    }

    @Test("The question names the token and its kind")
    func question() throws {
        let access = try request(signed: true).request()
        #expect(access.method == .post && access.form["token"] == "at-1")
        #expect(access.form["token_type_hint"] == "access_token")
        #expect(access.fields["Accept"] == "application/token-introspection+jwt")
        #expect(access.fields["Authorization"] == nil)
        var refresh = IntrospectionRequest(endpoint: try address("https://as.example.com/in"), RefreshToken("rt-1"))
        refresh.authorization = AccessToken("at-2")
        #expect(try refresh.request().form["token_type_hint"] == "refresh_token")
        #expect(try refresh.request().fields["Authorization"] == "Bearer at-2")
        #expect(refresh.secrets == ["rt-1", "at-2"])
        #expect(!String(reflecting: refresh).contains("rt-1"))
    }

    @Test("Every member is kept, and the known ones have names")
    func members() throws {
        let answer = try Introspection(members: Self.example)
        #expect(answer.isActive && answer.scope?.values == ["read", "write", "dolphin"])
        #expect(answer.clientID == "paiB2goo0a" && answer.subject == "Z5O3upPC88QrAjx00dis")
        #expect(answer.expiration == NumericDate(1_514_797_942) && answer.issuedAt == NumericDate(1_514_797_822))
        #expect(answer.audience == [Self.audience] && answer.issuer == Self.issuer)
        #expect(answer.tokenID == "t1FoCCaZd4Xv4ORJUWVUeTZfsKhW30CQCrWDDjwXy6w")
        #expect(answer["birthdate"] == "1982-02-01" && answer.members.count == 12)
        #expect(answer.username == nil && answer.tokenType == nil && answer.confirmation == nil)
    }

    @Test("An inactive token is an answer; nothing else of it counts")
    func inactive() throws {
        let answer = try #require(try plain(#"{"active":false,"exp":"soon","cnf":7}"#))
        #expect(!answer.isActive && answer.expiration == nil && answer.confirmation == nil)
        #expect(!answer.isGood(at: NumericDate(0)))
    }

    @Test(
        "What must not be passed over is malformed",
        arguments: [
            (#"{}"#, "active"), (#"{"active":"true"}"#, "active"), (#"{"active":true,"exp":"soon"}"#, "exp"),
            (#"{"active":true,"nbf":[]}"#, "nbf"), (#"{"active":true,"cnf":"x"}"#, "cnf"), (#"[true]"#, "body"),
            (#"{"active":true,"iat":true}"#, "iat"),
        ])
    func malformed(body: String, field: String) throws {
        #expect(try reason { try plain(body) }?.malformedField == field)
    }

    @Test("Null counts as absent, digits in quotes as a time")
    func lenient() throws {
        let answer = try #require(try plain(#"{"active":true,"exp":"1750000100","nbf":null,"cnf":null}"#))
        #expect(answer.expiration == NumericDate(1_750_000_100) && answer.notBefore == nil)
    }

    @Test("Whether an API may take it: times and binding count too")
    func good() throws {
        let now = NumericDate(TokenBench.now)
        func isGood(_ members: JSONObject, _ proof: TokenConfirmation.Proof = .none) throws -> Bool {
            try Introspection(members: members).isGood(at: now, proof: proof)
        }
        #expect(try isGood(["active": true]))
        #expect(try !isGood(["active": true, "exp": TokenBench.date(-60)]))
        #expect(try !isGood(["active": true, "nbf": TokenBench.date(61)]))
        #expect(try !isGood(["active": true, "cnf": ["jkt": "a"]]))
        #expect(try isGood(["active": true, "cnf": ["jkt": "a"]], .init(keyThumbprint: "a")))
    }

    @Test("Errors are the server's, passing trouble is none of the token's")
    func errors() throws {
        #expect(
            try reason { try plain(#"{"error":"invalid_client"}"#, status: 401) }?.words?.code == "invalid_client")
        #expect(try reason { try plain("", status: 503) } == .transient(status: 503, retryAfter: nil))
        let challenge = answer(401, nil, "", ["WWW-Authenticate": "Bearer error=\"invalid_token\""])
        #expect(try reason { try request().answer(from: challenge) }?.words?.code == "invalid_token")
        #expect(
            try reason { try request(signed: true).answer(from: answer(200, "application/json", #"{"active":true}"#)) }?
                .malformedField == "Content-Type")
    }

    private func verify(
        _ token: String, now: Double = 1_514_797_900, _ change: (inout Introspection.Expectation) -> Void = { _ in }
    ) throws -> Introspection {
        var expected = Introspection.Expectation(issuer: Self.issuer, audience: Self.audience)
        change(&expected)
        return try Introspection(
            verifying: EncodedIntrospection(token), keys: bench.keys, expecting: expected, now: NumericDate(now))
    }

    @Test("The signed example")
    func signed() throws {
        let token = try bench.token()
        let response = answer(200, "application/token-introspection+jwt; charset=x", token + "\n")
        guard case .signed(let encoded) = try request(signed: true).answer(from: response) else {
            Issue.record("not signed")
            return
        }
        #expect(encoded.exposedText == token)
        #expect(try verify(token).clientID == "paiB2goo0a")
        #expect(try verify(bench.token(type: "application/token-introspection+jwt")).isActive)
        #expect(try verify(bench.token(["token_introspection": ["active": false]])).isActive == false)
    }

    @Test("Every claim of a signed answer is checked")
    func refusals() throws {
        func rejection(_ changes: [String: JSON?], type: String?? = nil) throws -> TokenRejection.Reason? {
            try tokenRejection { try verify(bench.token(changes, type: type)) }
        }
        #expect(try rejection([:], type: "JWT") == .wrongType("JWT"))
        #expect(try rejection([:], type: .some(nil)) == .wrongType(nil))
        #expect(try rejection(["iss": "x"]) == .issuerMismatch(expected: Self.issuer, received: "x"))
        #expect(try rejection(["aud": "x"]) == .audienceMismatch)
        #expect(try rejection(["aud": nil]) == .malformedClaim("aud"))
        #expect(try rejection(["iat": nil]) == .malformedClaim("iat"))
        #expect(try rejection(["iat": 1_514_797_961]) == .clockSkew(ahead: 61))
        #expect(try rejection(["iat": 1_514_797_539]) == .tooOld(by: 61))
        #expect(try rejection(["token_introspection": nil]) == .malformedClaim("token_introspection"))
        #expect(try rejection(["token_introspection": true]) == .malformedClaim("token_introspection"))
        #expect(try reason { try verify(bench.token(["token_introspection": [:]])) }?.malformedField == "active")
        let foreign = try JWK.generate(for: .es256, keyID: "k1")
        #expect(try tokenRejection { try verify(bench.token(signedBy: foreign)) } == .signature)
        #expect(try tokenRejection { try verify("a.b.c.d.e") } == .encrypted)
    }
}
