import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Error responses")
struct ErrorResponseCases {
    private func tokenReason(
        _ response: HTTPResponse, format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws -> TernError.Reason? {
        try reason { try TokenResponse(reading: response, format: format) }
    }

    private func refreshReason(_ response: HTTPResponse) throws -> TernError.Reason? {
        let grant = RefreshTokenGrant(
            endpoint: try address("https://idp.example/t"), refreshToken: RefreshToken("rt-A"))
        return try reason { try grant.answer(from: response) }
    }

    @Test("ER-01")
    func errorWithStatus200() throws {
        let words = try tokenReason(
            answer(
                200, "application/json",
                """
                {"error":"bad_verification_code","error_description":"Code used up.",\
                "error_uri":"https://docs.example/x"}
                """))?.serverError
        #expect(words?.code == "bad_verification_code")
        #expect(words?.detail == "Code used up.")
        #expect(words?.uri == "https://docs.example/x")
        #expect(words?.status == 200)
    }

    @Test("ER-01, an error beside a token wins, and its form does not matter", arguments: [
        #"{"error":"bad_verification_code","access_token":"at"}"#, "error=bad_verification_code&access_token=at",
        #"{"access_token":"at","error":"bad_verification_code","token_type":"mac"}"#,
    ])
    func errorBesideToken(body: String) throws {
        #expect(try tokenReason(answer(200, "text/html", body))?.serverError?.code == "bad_verification_code")
    }

    @Test("ER-01, what is no error", arguments: ["null", #""""#, "0", "false"])
    func noError(written: String) throws {
        let response = answer(200, "application/json", #"{"access_token":"at","error":\#(written)}"#)
        #expect(try TokenResponse(reading: response).accessToken.exposedText == "at")
    }

    @Test("ER-02")
    func errorObject() throws {
        let words = try tokenReason(
            answer(
                400, "application/json",
                #"{"error":{"message":"Bad code","type":"OAuthException","code":100,"trace":"Z9"}}"#))?.serverError
        #expect(words?.code == "OAuthException")
        #expect(words?.detail == "Bad code")
        #expect(words?.members["error"]?["code"]?.integer == 100)
        #expect(words?.members["error"]?["trace"] == "Z9")
    }

    @Test("ER-02, the class", arguments: [
        (#"{"error":{"status":"UNAUTHENTICATED","code":401,"message":"m"}}"#, "UNAUTHENTICATED"),
        (#"{"error":{"code":190}}"#, "190"), (#"{"error":100}"#, "100"), (#"{"error":true}"#, "unknown_error"),
        (#"{"error":["a"]}"#, "unknown_error"), (#"{"error":{}}"#, "unknown_error"),
        (#"{"error":{"type":7,"status":null,"code":"x"}}"#, "7"),
    ])
    func shapes(body: String, code: String) throws {
        #expect(try tokenReason(answer(400, "application/json", body))?.serverError?.code == code)
    }

    @Test("ER-03 a")
    func gatewayPage() throws {
        let reason = try refreshReason(answer(503, "text/html", "<html><h1>Down</h1></html>"))
        #expect(reason == .transient(status: 503, retryAfter: nil))
        let error = TernError(try #require(reason), at: .refresh)
        #expect(!"\(error) \(error.explanation)".contains("Down"))
    }

    @Test("ER-03 b")
    func empty401() throws {
        #expect(try refreshReason(answer(401, nil)) == .httpStatus(401, location: nil))
    }

    @Test("ER-03, passing trouble", arguments: [408, 429, 500, 502, 503, 504, 599])
    func transientStatuses(status: Int) throws {
        #expect(try refreshReason(answer(status, nil)) == .transient(status: status, retryAfter: nil))
        #expect(
            try refreshReason(answer(status, "application/json", #"{"error":"Service Unavailable"}"#))
                == .transient(status: status, retryAfter: nil))
    }

    @Test("ER-03, passing trouble in words", arguments: ["temporarily_unavailable", "server_error"], [200, 400, 503])
    func transientWords(code: String, status: Int) throws {
        #expect(
            try refreshReason(answer(status, "application/json", #"{"error":"\#(code)"}"#))
                == .transient(status: status, retryAfter: nil))
    }

    @Test("ER-03, invalid_grant means the end with any status", arguments: [200, 400, 401, 403, 408, 429, 500, 503])
    func deadGrant(status: Int) throws {
        guard
            case .reauthenticationRequired(let words) = try refreshReason(
                answer(status, "text/plain", #"{"error":"invalid_grant","error_description":"gone"}"#))
        else {
            Issue.record("not the end")
            return
        }
        #expect(words?.code == "invalid_grant")
        #expect(words?.status == status)
    }

    @Test("ER-03, no other word means the end", arguments: [
        "invalid_client", "invalid_request", "unauthorized_client", "invalid_scope", "access_denied", "Invalid_Grant",
        "invalid_grant_type", "invalid_token",
    ])
    func otherWords(code: String) throws {
        let reason = try refreshReason(answer(400, "application/json", #"{"error":"\#(code)"}"#))
        guard case .serverError(let words) = reason else {
            Issue.record("\(String(describing: reason))")
            return
        }
        #expect(words.code == code)
    }

    @Test("ER-03, Retry-After", arguments: [
        ("120", 120), ("0", 0), ("Sun, 15 Jun 2025 15:08:40 GMT", 120), ("Sunday, 15-Jun-25 15:08:40 GMT", 120),
        ("Sun Jun 15 15:08:40 2025", 120), ("-5", nil), ("soon", nil), ("", nil), ("1.5", nil),
        ("Sun, 15 Jun 2025 15:00:00 GMT", nil), ("99999999999999999999999999", 86_400),
    ] as [(String, Double?)])
    func retryAfter(written: String, seconds: Double?) throws {
        var response = answer(429, nil)
        response.fields["Date"] = "Sun, 15 Jun 2025 15:06:40 GMT"
        response.fields["Retry-After"] = written
        #expect(
            try refreshReason(response) == .transient(status: 429, retryAfter: seconds.map { .seconds($0) }))
    }

    @Test("ER-04")
    func errorUnderAnotherName() throws {
        let response = answer(200, "application/json", #"{"errcode":40029,"errmsg":"bad code"}"#)
        guard case .malformedResponse("access_token", let members) = try tokenReason(response) else {
            Issue.record("not malformed")
            return
        }
        #expect(members["errcode"]?.integer == 40029)
        var format = TokenAnswerFormat()
        format.errorCodeMember = "errcode"
        format.errorDescriptionMember = "errmsg"
        let words = try tokenReason(response, format: format)?.serverError
        #expect(words?.code == "40029")
        #expect(words?.detail == "bad code")
        let good = answer(200, "application/json", #"{"errcode":0,"errmsg":"ok","access_token":"at"}"#)
        #expect(try tokenReason(good, format: format) == nil)
    }
}
