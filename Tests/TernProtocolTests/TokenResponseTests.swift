import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 6749 §5.1 and §5.2.
@Suite("Token response")
struct TokenResponseTests {
    private func tokens(_ body: String, _ format: TokenAnswerFormat = TokenAnswerFormat()) throws -> TokenResponse {
        try TokenResponse(reading: answer(200, "application/json", body), format: format)
    }

    @Test("The example of RFC 6749 §5.1")
    func example() throws {
        let tokens = try tokens(
            """
            {
              "access_token":"2YotnFZFEjr1zCsicMWpAA",
              "token_type":"example",
              "expires_in":3600,
              "refresh_token":"tGzv3JOkF0XG5Qx2TlKWIA",
              "example_parameter":"example_value"
            }
            """, like("example"))
        #expect(tokens.accessToken.exposedText == "2YotnFZFEjr1zCsicMWpAA")
        #expect(tokens.lifetime == .seconds(3600))
        #expect(tokens.refreshToken?.exposedText == "tGzv3JOkF0XG5Qx2TlKWIA")
        #expect(tokens.scope == nil)
        #expect(tokens.idToken == nil)
        #expect(tokens.additionalMembers == ["example_parameter": "example_value"])
    }

    private func like(_ types: String...) -> TokenAnswerFormat {
        var format = TokenAnswerFormat()
        format.bearerLikeTypes = types
        return format
    }

    @Test("The error of RFC 6749 §5.2")
    func error() throws {
        let words = try reason {
            try TokenResponse(reading: answer(400, "application/json", #"{"error":"invalid_request"}"#))
        }?.words
        #expect(words?.code == "invalid_request")
        #expect(words?.status == 400)
        #expect(words?.detail == nil)
    }

    @Test(
        "Lifetimes from 1 s to a hundred years are believed",
        arguments: [
            ("1", 1), ("0.5", 0.5), ("3155760000", 3_155_760_000), ("3155760001", nil), ("1e-400", nil), ("-0", nil),
            (#""00060""#, 60), (#""٣""#, nil),
        ] as [(String, Double?)])
    func lifetimeBounds(written: String, seconds: Double?) throws {
        #expect(
            try tokens(#"{"access_token":"a","expires_in":\#(written)}"#).lifetime
                == seconds.map { .seconds($0) })
    }

    @Test("Types are compared without case, and the profile's too", arguments: ["Bearer", "bEARER", "BOT", "bot"])
    func types(type: String) throws {
        #expect(
            try tokens(#"{"access_token":"a","token_type":"\#(type)"}"#, like("Bot")).accessToken.exposedText == "a")
    }

    @Test("A token that is bound to a key is told from a bearer token", arguments: ["DPoP", "dpop", "Bearer", ""])
    func bound(type: String) throws {
        let tokens = try tokens(#"{"access_token":"a","token_type":"\#(type)"}"#)
        #expect(tokens.tokenType == (type.lowercased() == "dpop" ? .dpop : .bearer))
    }

    @Test("Other types are refused by their name", arguments: ["mac", "N_A", "bearer "])
    func otherTypes(type: String) throws {
        #expect(
            try reason { try tokens(#"{"access_token":"a","token_type":"\#(type)"}"#) }
                == .unsupportedTokenType(type))
    }

    @Test("An empty or wrongly typed optional member is none", arguments: [#""""#, "null", "7", "[]"])
    func emptyMembers(written: String) throws {
        let tokens = try tokens(
            #"{"access_token":"a","refresh_token":\#(written),"id_token":\#(written),"token_type":\#(written)}"#)
        #expect(tokens.refreshToken == nil)
        #expect(tokens.idToken == nil)
    }

    @Test("A path leads to the tokens and nowhere else")
    func path() throws {
        var format = TokenAnswerFormat()
        format.tokenPath = ["a", "b"]
        let tokens = try tokens(#"{"access_token":"top","a":{"b":{"access_token":"deep"}}}"#, format)
        #expect(tokens.accessToken.exposedText == "deep")
        #expect(
            try reason { try self.tokens(#"{"access_token":"top","a":{"b":[]}}"#, format) }?.malformedField == "b")
        #expect(
            try reason { try self.tokens(#"{"access_token":"top","a":{"b":{}}}"#, format) }?.malformedField
                == "access_token")
        #expect(
            try reason { try self.tokens(#"{"error":"invalid_grant","a":{"b":{"access_token":"x"}}}"#, format) }?
                .words?.code == "invalid_grant")
    }

    @Test("JSON that is too deep is refused")
    func deep() throws {
        let body = #"{"access_token":"a","x":"# + String(repeating: "[", count: 10_000)
        #expect(try reason { try tokens(body) }?.malformedField == "body")
    }

    @Test(
        "Statuses without an error object",
        arguments: [
            (400, false), (401, false), (403, false), (404, false), (405, false), (418, false), (300, false),
            (408, true), (429, true), (500, true), (501, true), (502, true), (503, true), (504, true),
        ])
    func statuses(status: Int, isTransient: Bool) throws {
        let expected: TernError.Reason =
            isTransient ? .transient(status: status, retryAfter: nil) : .httpStatus(status, location: nil)
        for body in ["", "<!doctype html><p>a=b</p>", "{}", "[]", #"{"access_token":"a"}"#, "not found", "{"] {
            #expect(try reason { try TokenResponse(reading: answer(status, "text/html", body)) } == expected)
        }
    }

    @Test("A redirect is named without its query")
    func redirect() throws {
        let response = answer(
            302, nil, "", ["Location": "https://u:p@idp.example/token/?code=c&client_secret=s#f"])
        #expect(
            try reason { try TokenResponse(reading: response) }
                == .httpStatus(302, location: "https://idp.example/token/"))
        #expect(
            try reason { try TokenResponse(reading: answer(302, nil, "", ["Location": "/token/?code=c"])) }
                == .httpStatus(302, location: "another address"))
    }

    @Test("invalid_grant ends a grant on refresh alone; a profile may have other words for it")
    func deadGrant() throws {
        var grant = RefreshTokenGrant(
            endpoint: try address("https://idp.example/t"), refreshToken: RefreshToken("rt"))
        #expect(
            try grant.request().form == ["grant_type": "refresh_token", "refresh_token": "rt"])
        let gone = answer(400, "application/json", #"{"error":"token_revoked"}"#)
        #expect(try reason { try grant.answer(from: gone) }?.code == "token_revoked")
        grant.format.deadGrantCodes = ["token_revoked"]
        for status in [200, 400, 503] {
            let reason = try reason {
                try grant.answer(from: answer(status, "application/json", #"{"error":"token_revoked"}"#))
            }
            #expect(reason?.code == "reauthentication_required")
        }
        #expect(
            try reason { try TokenResponse(reading: answer(400, nil, #"{"error":"invalid_grant"}"#)) }?.code
                == "invalid_grant")
    }

    @Test("A grant's further parameters collide with nothing")
    func collisions() throws {
        var grant = RefreshTokenGrant(
            endpoint: try address("https://idp.example/t"), refreshToken: RefreshToken("rt"))
        grant.scope = ["a", "b"]
        grant.resources = [try address("https://api.example/1"), try address("https://api.example/2")]
        grant.additionalParameters = ["audience": "x"]
        #expect(
            try grant.request().form
                == [
                    "grant_type": "refresh_token", "refresh_token": "rt", "scope": "a b",
                    "resource": "https://api.example/1", "resource": "https://api.example/2", "audience": "x",
                ])
        grant.additionalParameters = ["refresh_token": "x"]
        #expect(try reason { try grant.request() }?.invalidField == "refresh_token")
    }
}
