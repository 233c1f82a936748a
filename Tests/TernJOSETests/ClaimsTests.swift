import Testing

@testable import TernJOSE

@Suite("Claims (RFC 7519 §4)")
struct ClaimsTests {
    private func claims(_ text: String) throws -> JWTClaims { try JWTClaims(parsing: Array(text.utf8)) }

    @Test("Registered claims have their types")
    func registered() throws {
        let claims = try claims(
            #"{"iss":"i","sub":"s","aud":"a","exp":1750003600.811,"nbf":1750000000,"iat":1.75e9,"jti":"j","x":[1]}"#)
        #expect(try claims.issuer == "i")
        #expect(try claims.subject == "s")
        #expect(try claims.audience == ["a"])
        #expect(try claims.expiration == NumericDate(1_750_003_600.811))
        #expect(try claims.notBefore == NumericDate(1_750_000_000))
        #expect(try claims.issuedAt == NumericDate(1_750_000_000))
        #expect(try claims.tokenID == "j")
        #expect(claims["x"] == [1])
        #expect(try claims.text("missing") == nil)
    }

    @Test("Missing claims are nil")
    func missing() throws {
        let claims = try claims("{}")
        #expect(try claims.issuer == nil && claims.subject == nil && claims.audience == nil && claims.tokenID == nil)
        #expect(try claims.expiration == nil && claims.notBefore == nil && claims.issuedAt == nil)
    }

    @Test("The audience is one text or a list of texts")
    func audience() throws {
        #expect(try claims(#"{"aud":["a","b"]}"#).audience == ["a", "b"])
        #expect(try claims(#"{"aud":[]}"#).audience == [])
        for text in ["null", "1", "{}", #"["a",1]"#, #"["a",null]"#] {
            let claims = try claims("{\"aud\":\(text)}")
            #expect(throws: JOSEError.malformedClaim("aud")) { try claims.audience }
        }
    }

    @Test("A date is a number", arguments: [#""1750003600""#, "null", "true", "[1]", "1e999", "-1e999", #""""#])
    func malformedDates(text: String) throws {
        let claims = try claims("{\"exp\":\(text),\"nbf\":\(text),\"iat\":\(text)}")
        #expect(throws: JOSEError.malformedClaim("exp")) { try claims.expiration }
        #expect(throws: JOSEError.malformedClaim("nbf")) { try claims.notBefore }
        #expect(throws: JOSEError.malformedClaim("iat")) { try claims.issuedAt }
    }

    @Test("Absurd dates are dates", arguments: ["1e300", "-1e300", "99999999999999999999999", "0", "-1"])
    func absurdDates(text: String) throws {
        let date = try #require(try claims("{\"exp\":\(text)}").expiration)
        #expect(date.secondsSince1970 == Double(text))
        #expect(!date.description.isEmpty)
    }

    @Test("Texts are texts", arguments: ["null", "1", "[]", "{}", "false"])
    func malformedTexts(text: String) throws {
        let claims = try claims("{\"iss\":\(text),\"sub\":\(text),\"jti\":\(text)}")
        #expect(throws: JOSEError.malformedClaim("iss")) { try claims.issuer }
        #expect(throws: JOSEError.malformedClaim("sub")) { try claims.subject }
        #expect(throws: JOSEError.malformedClaim("jti")) { try claims.tokenID }
    }

    @Test("The payload is an object without repeated claims")
    func payload() {
        for text in ["[]", "null", "1", #""text""#] {
            #expect(throws: JOSEError.malformed("payload")) { try claims(text) }
        }
        #expect(throws: JOSEError.json(JSONError(.repeatedMember("sub"), at: 11))) {
            try claims(#"{"sub":"a","sub":"b"}"#)
        }
        #expect(throws: JOSEError.json(JSONError(.unexpectedEnd, at: 0))) { try claims("") }
        #expect(throws: JOSEError.json(JSONError(.unexpectedByte, at: 0))) { try claims("\u{feff}{}") }
    }

    @Test("Claims are written in their order and read back")
    func signing() throws {
        let key = try JWK.generate(for: .es256, keyID: "k")
        var claims = JWTClaims(["iss": "i", "n": 9_007_199_254_740_993])
        claims["exp"] = .number(JSONNumber(1_750_003_600))
        let jwt = try JWT(compact: try JWT.sign(claims, header: JWSHeader(algorithm: .es256, keyID: "k"), key: key))
        try jwt.jws.verify(with: JWKSet([key]), allowed: [.es256])
        #expect(jwt.claims == claims)
        #expect(jwt.header.keyID == "k")
        #expect(jwt.claims["n"]?.integer == 9_007_199_254_740_993)
        #expect(jwt.jws.payload == Array(#"{"iss":"i","n":9007199254740993,"exp":1750003600}"#.utf8))
    }
}
