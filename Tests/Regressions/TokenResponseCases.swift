import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Token responses")
struct TokenResponseCases {
    private func tokens(
        _ body: String, _ type: String? = "application/json", format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws -> TokenResponse {
        try TokenResponse(reading: answer(200, type, body), format: format)
    }

    @Test("TR-01 a")
    func quotedLifetime() throws {
        let tokens = try tokens(
            """
            {"access_token":"at-o1","token_type":"Bearer","expires_in":"3599","expires_on":"1750003599",\
            "refresh_token":"rt-o1"}
            """)
        #expect(tokens.accessToken.exposedText == "at-o1")
        #expect(tokens.lifetime == .seconds(3599))
        #expect(tokens.refreshToken?.exposedText == "rt-o1")
        #expect(tokens.additionalMembers == ["expires_on": "1750003599"])
    }

    @Test("TR-01 b")
    func zeroLifetime() throws {
        let tokens = try tokens(
            #"{"access_token":"at-o1","token_type":"Bearer","expires_in":0,"expires_on":"1750003599"}"#)
        #expect(tokens.lifetime == nil)
        #expect(tokens.refreshToken == nil)
    }

    @Test("TR-01, the class", arguments: [
        ("3600", 3600), ("3600.5", 3600.5), ("3.6e3", 3600), (#""60""#, 60), ("1E1", 10), ("null", nil), ("-5", nil),
        ("0", nil), ("0.0", nil), (#""0""#, nil), (#""-1""#, nil), ("1e400", nil), ("99999999999999999999", nil),
        (#""99999999999999999999999999""#, nil), (#""soon""#, nil), (#""""#, nil), ("true", nil), ("[60]", nil),
        (#"{"seconds":60}"#, nil), (#""3600 ""#, nil), (#""0x10""#, nil), (#""1e3""#, nil),
    ] as [(String, Double?)])
    func lifetimes(written: String, seconds: Double?) throws {
        let tokens = try tokens(#"{"access_token":"at-o1","expires_in":\#(written)}"#)
        #expect(tokens.lifetime == seconds.map { .seconds($0) })
    }

    @Test("TR-02 a, b", arguments: ["", #","token_type":"bearer""#, #","token_type":"BEARER""#])
    func bearerInAnyCase(type: String) throws {
        #expect(try tokens(#"{"access_token":"at-o2"\#(type)}"#).accessToken.exposedText == "at-o2")
    }

    @Test("TR-02 c")
    func unknownType() throws {
        #expect(
            try reason { try tokens(#"{"access_token":"at-o2","token_type":"mac"}"#) } == .unsupportedTokenType("mac"))
    }

    @Test("TR-02 d")
    func typeOfAProvider() throws {
        let body = #"{"access_token":"at-o2","token_type":"bot"}"#
        #expect(try reason { try tokens(body) } == .unsupportedTokenType("bot"))
        var format = TokenAnswerFormat()
        format.bearerLikeTypes = ["bot"]
        #expect(try tokens(body, format: format).accessToken.exposedText == "at-o2")
    }

    @Test("TR-03")
    func formAnswer() throws {
        let tokens = try tokens(
            "access_token=at-o3&expires=5183999&scope=repo%2Cuser%3Aemail", "text/plain;charset=UTF-8")
        #expect(tokens.accessToken.exposedText == "at-o3")
        #expect(tokens.scope?.values == ["repo,user:email"])
        #expect(tokens.lifetime == .seconds(5_183_999))
    }

    @Test("TR-03, `expires` counts in form data alone, and only without `expires_in`")
    func expiresOfOldServices() throws {
        #expect(try tokens(#"{"access_token":"at-o3","expires":"5183999"}"#).lifetime == nil)
        #expect(try tokens(#"{"access_token":"at-o3","expires":5183999}"#).lifetime == nil)
        #expect(try tokens("access_token=at-o3&expires=99&expires_in=60").lifetime == .seconds(60))
    }

    @Test("TR-03, blanks around form data", arguments: [
        "\r\n access_token=at-o3&token_type=bearer", "access_token=at-o3&token_type=bearer\r\n",
        "\u{FEFF}access_token=at-o3&token_type=bearer\n",
    ])
    func blanksAroundForms(body: String) throws {
        #expect(try tokens(body, "text/plain").accessToken.exposedText == "at-o3")
    }

    @Test("TR-04 a, b", arguments: ["text/plain; charset=utf-8", nil, "text/html", "application/x-www-form-urlencoded"])
    func labelDoesNotMatter(label: String?) throws {
        #expect(try tokens(#"{"access_token":"at-o4","token_type":"Bearer"}"#, label).accessToken.exposedText == "at-o4")
    }

    @Test("TR-04 c", arguments: [[0xEF, 0xBB, 0xBF], [0xEF, 0xBB, 0xBF, 0x0D, 0x0A, 0x20], [0x09, 0x0A]] as [[UInt8]])
    func byteOrderMark(mark: [UInt8]) throws {
        let body = mark + Array(#"{"access_token":"at-o4","token_type":"Bearer"}"#.utf8)
        #expect(try TokenResponse(reading: answer(200, nil, body)).accessToken.exposedText == "at-o4")
    }

    @Test("TR-05 a")
    func scopeArray() throws {
        let tokens = try tokens(#"{"access_token":"at-o5","token_type":"Bearer","scope":["read","write:items"]}"#)
        #expect(tokens.scope?.values == ["read", "write:items"])
    }

    @Test("TR-05 b")
    func commaInScope() throws {
        let body = #"{"access_token":"at-o5","token_type":"Bearer","scope":"read,write:items"}"#
        #expect(try tokens(body).scope?.values == ["read,write:items"])
        var format = TokenAnswerFormat()
        format.scopeSeparator = ","
        #expect(try tokens(body, format: format).scope?.values == ["read", "write:items"])
    }

    @Test("TR-05, an empty or null scope says nothing", arguments: [#""""#, "null", "[]", #"" ""#, "7"])
    func emptyScope(written: String) throws {
        #expect(try tokens(#"{"access_token":"at-o5","scope":\#(written)}"#).scope == nil)
    }

    @Test("TR-06")
    func nestedToken() throws {
        let body = """
            {"ok":true,"access_token":"xb-o6","token_type":"bot","authed_user":\
            {"id":"U1","access_token":"xp-o6","token_type":"user","scope":"chat:write"}}
            """
        var format = TokenAnswerFormat()
        format.tokenPath = ["authed_user"]
        format.bearerLikeTypes = ["user"]
        let tokens = try tokens(body, format: format)
        #expect(tokens.accessToken.exposedText == "xp-o6")
        #expect(tokens.scope?.values == ["chat:write"])
        #expect(try reason { try self.tokens(body) } == .unsupportedTokenType("bot"))
        let without = #"{"ok":true,"access_token":"xb-o6","token_type":"bot"}"#
        #expect(try reason { try self.tokens(without, format: format) }?.malformedField == "authed_user")
    }

    @Test("TR-07", arguments: [
        "null", #""""#, "7", "true", "[]", #"["at"]"#, "{}",
    ])
    func noToken(written: String) throws {
        #expect(
            try reason { try tokens(#"{"access_token":\#(written),"token_type":"Bearer"}"#) }?.malformedField
                == "access_token")
    }

    @Test("TR-07, anything that is not an object is malformed", arguments: [
        "", "null", "[]", #"["access_token"]"#, #""access_token=x""#, "7", "<html>access_token=x</html>",
        #"{"access_token":"at""#, #"{"access_token":"at"} x"#, "OK", "{}", "token_type=bearer",
    ])
    func notAnObject(body: String) throws {
        #expect(try reason { try tokens(body) }?.malformedField != nil)
    }

    @Test("TR-08, a body above the limit is never read")
    func tooLarge() throws {
        let body = #"{"access_token":"at-o8","token_type":"Bearer","pad":""# + String(repeating: "x", count: 8_388_608)
        #expect(try reason { try tokens(body + "\"}") } != nil)
        #expect(try reason { try tokens(body) } != nil)
    }

    @Test("TR-09")
    func repeatedMember() throws {
        let body = #"{"access_token":"at-first","token_type":"Bearer","access_token":"at-last"}"#
        #expect(try reason { try tokens(body) }?.malformedField == "body")
        #expect(try reason { try tokens("access_token=at-first&access_token=at-last") }?.malformedField == "body")
    }

    @Test("TR, unknown members survive without loss")
    func unknownMembers() throws {
        let tokens = try tokens(
            #"{"access_token":"at","id":12345678901234567890123,"nested":{"a":[1,2.50]},"none":null}"#)
        #expect(tokens.additionalMembers["id"]?.number?.text == "12345678901234567890123")
        #expect(JSON.object(tokens.additionalMembers).text.contains("2.50"))
        #expect(tokens.additionalMembers["none"] == .null)
    }
}
