import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("ID tokens and keys")
struct IDTokenCases {
    private func verify(
        _ vector: FieldVector, accessToken: String? = nil, now: NumericDate = Fixed.now, keys: String? = nil
    ) throws -> IDToken {
        var expected = IDToken.Expectation(
            issuer: Fixed.issuer, clientID: Fixed.clientID, nonce: .required(Fixed.nonce))
        expected.accessToken = accessToken.map { AccessToken($0) }
        let text = keys ?? vector.keys
        let set = text.isEmpty ? JWKSet([]) : try JWKSet(parsing: Array(text.utf8))
        return try IDToken(verifying: EncodedIDToken(vector.token), keys: set, expecting: expected, now: now)
    }

    private func rejection(_ vector: FieldVector, accessToken: String? = nil) throws -> TernError.Reason? {
        try reason { try verify(vector, accessToken: accessToken) }
    }

    @Test("ID-01")
    func unknownKeyTypes() throws {
        let token = try verify(.o1)
        #expect(token.subject == "u-1")
        #expect(token.issuer == Fixed.issuer)
        #expect(token.expiration == NumericDate(1_750_003_600))
        #expect(token.issuedAt == NumericDate(1_749_999_990))
    }

    @Test("ID-01, broken keys around a good one")
    func brokenKeys() throws {
        let good = """
            {"kty":"EC","crv":"P-256","x":"2wr0QIdWVIPTgAVFIGMdewhIOFNtsLfCjKgYKLTnkkY",\
            "y":"Ah2U9OQU3pX7F6GZ5x_UbfQTG9gkLqAfkcGgcnQuHQs","kid":"ec-1"}
            """
        let broken = [
            "null", "7", "[]", "{}", #"{"kty":7}"#, #"{"kty":"EC","kid":"ec-1"}"#, #"{"kty":"RSA","n":"!","e":"AQAB"}"#,
            #"{"kty":"EC","crv":"P-256","x":"AA","y":"AA","kid":"ec-1"}"#, #"{"kty":"OKP","crv":"X25519","x":"AA"}"#,
        ]
        let keys = #"{"keys":[\#((broken + [good] + broken).joined(separator: ","))]}"#
        #expect(try verify(.o1, keys: keys).subject == "u-1")
    }

    @Test("ID-01, a key for encryption is no key for signatures")
    func encryptionKey() throws {
        let keys = FieldVector.o1.keys.replacing(#""use":"sig""#, with: #""use":"enc""#)
        #expect(try reason { try verify(.o1, keys: keys) } == .idTokenRejected(.unknownKey))
    }

    @Test("ID-02 a")
    func leadingZeroOfModulus() throws { #expect(try verify(.o2).subject == "u-1") }

    @Test("ID-02 b")
    func shortCoordinate() throws { #expect(try verify(.o3).subject == "u-1") }

    @Test("ID-03 a")
    func twoKeysWithOneID() throws { #expect(try verify(.o4).subject == "u-1") }

    @Test("ID-03 b")
    func noKeyID() throws { #expect(try verify(.o9).subject == "u-1") }

    @Test("ID-04 a")
    func fractionalTime() throws { #expect(try verify(.o5).expiration == NumericDate(1_750_003_600.811)) }

    @Test("ID-04 b")
    func timeAsText() throws { #expect(try rejection(.o18) == .idTokenRejected(.malformedClaim("exp"))) }

    @Test("ID-05 a")
    func hashOfES384() throws {
        #expect(try verify(.o6, accessToken: "at-open-0001").subject == "u-1")
        #expect(try rejection(.o6, accessToken: "at-open-0002") == .idTokenRejected(.accessTokenHashMismatch))
    }

    @Test("ID-05 b")
    func hashOfEdDSA() throws {
        #expect(try verify(.o16, accessToken: "at-open-0001").subject == "u-1")
        #expect(try rejection(.o16, accessToken: "") == .idTokenRejected(.accessTokenHashMismatch))
    }

    @Test("ID-06 a")
    func derSignature() throws { #expect(try rejection(.o7) == .idTokenRejected(.signature)) }

    @Test("ID-06 b")
    func noAlgorithm() throws {
        guard case .idTokenRejected(.unsupportedAlgorithm("none")) = try rejection(.o8) else {
            Issue.record("\(String(describing: try rejection(.o8)))")
            return
        }
    }

    @Test("ID-06 c")
    func encrypted() throws { #expect(try rejection(.o10) == .encryptedIDTokenUnsupported) }

    @Test("ID-06, texts that are no token", arguments: [
        "", ".", "..", "...", "....", "a.b.c", "eyJhbGciOiJFUzI1NiJ9..", "null", "eyJhbGciOiJFUzI1NiJ9.e30.====",
        "eyJhbGciOiJFUzI1NiJ9.e30", "W10.e30.AA", "eyJhbGciOiJFUzI1NiJ9.W10.AA",
    ])
    func malformed(text: String) throws {
        let reason = try rejection(FieldVector(keys: FieldVector.o1.keys, token: text))
        switch reason {
        case .idTokenRejected, .encryptedIDTokenUnsupported: break
        default: Issue.record("\(String(describing: reason))")
        }
    }

    @Test("ID-07 a")
    func furtherAudience() throws { #expect(try verify(.o12).subject == "u-1") }

    @Test("ID-07 b")
    func foreignAudience() throws { #expect(try rejection(.o15) == .idTokenRejected(.audienceMismatch)) }

    @Test("ID-08 a")
    func slightlyAhead() throws { #expect(try verify(.o13).subject == "u-1") }

    @Test("ID-08 b")
    func farAhead() throws {
        #expect(try rejection(.o17) == .idTokenRejected(.clockSkew(ahead: 2820)))
        let text = TernError(.idTokenRejected(.clockSkew(ahead: 2820)), at: .idToken).explanation.whatHappened
        #expect(text.contains("clock of this device"))
        #expect(text.contains("2820 seconds"))
    }

    @Test("ID-08 c")
    func serverClock() throws {
        var response = answer(200, "application/json", #"{"access_token":"at"}"#)
        response.fields["Date"] = "Sun, 15 Jun 2025 15:53:40 GMT"
        let time = try #require(try TokenResponse(reading: response).serverTime)
        #expect(time == NumericDate(1_750_002_820))
        #expect(try verify(.o17, now: time).subject == "u-1")
    }

    @Test("ID-10")
    func nonceMissing() throws { #expect(try rejection(.o14) == .idTokenRejected(.nonceMissing)) }

    @Test("ID-11 a", arguments: [
        (#""true""#, true), ("true", true), (#""false""#, false), ("false", false), (#""yes""#, nil), ("1", nil),
    ] as [(String, Bool?)])
    func flagAsText(written: String, flag: Bool?) throws {
        let request = UserInfoRequest(
            endpoint: try address("https://idp.example/u"), accessToken: AccessToken("at"))
        let body = #"{"sub":"u-1","email_verified":\#(written)}"#
        guard case .claims(let claims) = try request.answer(from: answer(200, "application/json", body)) else {
            Issue.record("not plain")
            return
        }
        #expect(try UserInfo(claims: claims, expectedSubject: "u-1").emailVerified == flag)
    }

    @Test("ID-11 b", arguments: [
        #"{"email":"a@mail.example"}"#, #"{"sub":""}"#, #"{"sub":null}"#, #"{"sub":1}"#, #"{"sub":"U-1"}"#,
        #"{"sub":"u-1 "}"#,
    ])
    func subjectMissing(body: String) throws {
        let claims = try #require(try JSON(parsing: body).object)
        guard case .userInfoRejected = try reason({ try UserInfo(claims: claims, expectedSubject: "u-1") }) else {
            Issue.record("accepted")
            return
        }
    }
}
