import Foundation
import TernJOSE
import TernProtocol
import Testing

@Suite("Quirks of the authorization request")
struct AuthorizationQuirkTests {
    private let standard: FormParameters = [
        "response_type": "code", "client_id": "wx1", "redirect_uri": "https://app.example.com/cb", "scope": "a b",
        "state": "s", "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
    ]

    @Test("Without quirks nothing changes")
    func none() { #expect(AuthorizationQuirks().applied(to: standard) == standard) }

    @Test("Names, separators, required scopes, further parameters and a fragment: WeChat's page")
    func weChat() throws {
        var quirks = AuthorizationQuirks()
        quirks.parameterNames = ["client_id": "appid"]
        quirks.omittedParameters = ["code_challenge", "code_challenge_method"]
        quirks.requiredScopes = ["snsapi_login"]
        quirks.scopeSeparator = ","
        quirks.additionalParameters = ["lang": "en", "state": "never"]
        quirks.fragment = "wechat_redirect"
        let parameters = quirks.applied(to: standard)
        #expect(
            parameters.parameters.map { "\($0.name)=\($0.value)" } == [
                "response_type=code", "appid=wx1", "redirect_uri=https://app.example.com/cb", "scope=snsapi_login,a,b",
                "state=s", "lang=en",
            ])
        let page = try #require(URI("https://open.weixin.qq.com/connect/qrconnect"))
        let address = quirks.address(try #require(URI(page.appendingQuery(parameters))))
        #expect(address.encodedFragment == "wechat_redirect")
        #expect(address.encodedQuery?.hasSuffix("lang=en") == true)
    }

    @Test("TikTok's challenge is the digest of RFC 7636's example in hexadecimal digits")
    func hexadecimal() {
        var quirks = AuthorizationQuirks()
        quirks.challengeEncoding = .hexadecimal
        #expect(
            quirks.applied(to: standard)["code_challenge"]
                == "13d31e961a1ad8ec2f16b10c4c982e0876a878ad6df144566ee1894acb70f9c3")
    }

    @Test("A required scope is asked for where none is, and never twice")
    func requiredScope() {
        var quirks = AuthorizationQuirks()
        quirks.requiredScopes = ["atproto"]
        #expect(quirks.applied(to: ["client_id": "a"])["scope"] == "atproto")
        #expect(quirks.applied(to: ["scope": "x atproto"])["scope"] == "x atproto")
    }
}

@Suite("Quirks of the callback")
struct CallbackQuirkTests {
    @Test("A code under another name")
    func name() throws {
        var quirks = CallbackQuirks()
        quirks.parameterNames = ["code": "authCode"]
        let callback = try #require(URI("https://app.example.com/cb?authCode=c1&state=s%201"))
        #expect(quirks.standard(callback).text == "https://app.example.com/cb?code=c1&state=s%201")
        let both = try #require(URI("https://app.example.com/cb?authCode=evil&code=c1&state=s"))
        #expect(quirks.standard(both) == both)
    }

    @Test("The state alone is a refusal at WeChat, and nothing elsewhere")
    func denial() throws {
        let callback = try #require(URI("https://app.example.com/cb?state=s"))
        #expect(CallbackQuirks().standard(callback) == callback)
        var quirks = CallbackQuirks()
        quirks.treatsMissingCodeAsDenial = true
        #expect(quirks.standard(callback).text == "https://app.example.com/cb?state=s&error=access_denied")
        for text in [
            "https://app.example.com/cb?state=s&code=c", "https://app.example.com/cb?a=b", "https://app.example.com/cb",
        ] {
            let other = try #require(URI(text))
            #expect(quirks.standard(other) == other)
        }
    }

    @Test("They are kept with a sign-in that another process finishes")
    func record() {
        var quirks = CallbackQuirks()
        quirks.parameterNames = ["code": "auth_code"]
        quirks.treatsMissingCodeAsDenial = true
        #expect(CallbackQuirks(quirks.json) == quirks)
        #expect(CallbackQuirks([:]) == CallbackQuirks())
    }
}

@Suite("Quirks of the token request")
struct TokenRequestQuirkTests {
    private func request(_ form: FormParameters) throws -> HTTPRequest {
        HTTPRequest(.post, try #require(URI("https://id.example.com/token?v=1")), body: .form(form))
    }
    private let code: FormParameters = [
        "grant_type": "authorization_code", "code": "c1", "redirect_uri": "https://app.example.com/cb",
        "client_id": "id 1",
        "client_secret": "s&1",
    ]
    private let renewal: FormParameters = [
        "grant_type": "refresh_token", "refresh_token": "r1", "client_id": "id", "client_secret": "s1",
    ]

    @Test("Without quirks, and at other endpoints, nothing changes")
    func none() throws {
        let request = try request(code)
        #expect(TokenRequestQuirks().applied(to: request, step: .tokenRequest, clientID: "id 1") == request)
        var quirks = TokenRequestQuirks()
        quirks.form = .json
        #expect(quirks.applied(to: request, step: .revocation, clientID: "id 1") == request)
    }

    @Test("A GET with other names, and renewals elsewhere without a secret: WeChat")
    func weChat() throws {
        var quirks = TokenRequestQuirks()
        quirks.form = .get
        quirks.parameterNames = ["client_id": "appid", "client_secret": "secret"]
        quirks.omittedParameters = ["redirect_uri"]
        quirks.omittedAtRefresh = ["client_secret"]
        quirks.refreshEndpoint = URI("https://id.example.com/refresh_token")
        let first = quirks.applied(to: try request(code), step: .tokenRequest, clientID: "id 1")
        #expect(first.method == .get && first.body == .none)
        #expect(
            first.url.text
                == "https://id.example.com/token?v=1&grant_type=authorization_code&code=c1&appid=id%201&secret=s%261")
        let second = quirks.applied(to: try request(renewal), step: .refresh, clientID: "id")
        #expect(
            second.url.text
                == "https://id.example.com/refresh_token?grant_type=refresh_token&refresh_token=r1&appid=id")
    }

    @Test("A JSON body with a version: Notion")
    func json() throws {
        var quirks = TokenRequestQuirks()
        quirks.form = .json
        quirks.headers = ["Notion-Version": "2025-09-03"]
        quirks.omittedParameters = ["client_id", "client_secret"]
        let request = quirks.applied(to: try request(code), step: .tokenRequest, clientID: "id 1")
        #expect(request.fields["Content-Type"] == "application/json")
        #expect(request.fields["Notion-Version"] == "2025-09-03")
        let body = try JSON(parsing: try #require(request.bodyBytes))
        #expect(
            body == ["grant_type": "authorization_code", "code": "c1", "redirect_uri": "https://app.example.com/cb"])
    }

    @Test("Further parameters, a repeated client ID, and an empty password: Withings, Reddit")
    func authentication() throws {
        var quirks = TokenRequestQuirks()
        quirks.additionalParameters = ["action": "requesttoken"]
        #expect(
            quirks.applied(to: try request(renewal), step: .refresh, clientID: "id").form["action"] == "requesttoken")
        var reddit = TokenRequestQuirks()
        reddit.sendsEmptyPassword = true
        var open = renewal
        open["client_secret"] = nil
        let sent = reddit.applied(to: try request(open), step: .refresh, clientID: "id")
        #expect(sent.fields["Authorization"] == "Basic aWQ6")
        #expect(sent.form["client_id"] == nil)
        var both = TokenRequestQuirks()
        both.repeatsClientID = true
        var basic = try request(["grant_type": "refresh_token"])
        basic.fields["Authorization"] = "Basic aWQ6czE="
        #expect(both.applied(to: basic, step: .refresh, clientID: "id").form["client_id"] == "id")
    }
}

@Suite("Quirks of the token answer")
struct TokenAnswerQuirkTests {
    private let now = NumericDate(1_800_000_000)

    private func standard(_ quirks: TokenAnswerQuirks, _ body: String, status: Int = 200) throws -> (JSON, Int) {
        let answer = quirks.standard(
            HTTPResponse(status: status, body: Array(body.utf8)), step: .tokenRequest, now: now)
        return (try JSON(parsing: answer.body), answer.status)
    }

    @Test("Tokens in an object, numbers that say whether all went well: Withings")
    func withings() throws {
        var quirks = TokenAnswerQuirks()
        quirks.path = ["body"]
        quirks.success = TokenAnswerQuirks.SuccessRule(member: "status", values: ["0"], allowsMissing: false)
        quirks.errorCodePath = ["status"]
        quirks.errorTextPath = ["error"]
        quirks.errorCodes = ["601": "slow_down"]
        quirks.scopeSeparator = ","
        let good = try standard(
            quirks,
            #"{"status":0,"body":{"userid":"7","access_token":"a","refresh_token":"r","scope":"user.info,user.metrics","expires_in":10800}}"#
        )
        #expect(good.0["access_token"] == "a" && good.0["scope"] == "user.info user.metrics" && good.0["userid"] == "7")
        let bad = try standard(quirks, #"{"status":601,"body":{},"error":"Too Many Requests"}"#)
        #expect(bad.0 == ["error": "slow_down", "error_description": "601: Too Many Requests"])
        #expect(bad.1 == 400)
        #expect(try standard(quirks, #"{"body":{}}"#).0["error"] == "unknown_error")
    }

    @Test("A person's token below the bot's, and ok: Slack")
    func slack() throws {
        var quirks = TokenAnswerQuirks()
        quirks.path = ["authed_user"]
        quirks.success = TokenAnswerQuirks.SuccessRule(member: "ok", values: ["true"])
        quirks.errorCodePath = ["error"]
        quirks.errorCodes = ["invalid_code": "invalid_grant"]
        quirks.bearerLikeTypes = ["user"]
        let good = try standard(
            quirks,
            #"{"ok":true,"team":{"id":"T1"},"authed_user":{"id":"U1","access_token":"xoxp","token_type":"user","scope":"chat:write"}}"#
        )
        #expect(good.0["access_token"] == "xoxp" && good.0["token_type"] == "Bearer" && good.0["team"] != nil)
        let bad = try standard(quirks, #"{"ok":false,"error":"invalid_code"}"#)
        #expect(bad.0 == ["error": "invalid_grant", "error_description": "invalid_code"])
        #expect(bad.1 == 400)
    }

    @Test("Other names of members, an absolute end, a default lifetime: DingTalk, Strava, Threads")
    func members() throws {
        var dingTalk = TokenAnswerQuirks()
        dingTalk.memberNames = [
            "access_token": "accessToken", "refresh_token": "refreshToken", "expires_in": "expireIn",
        ]
        let tokens = try standard(dingTalk, #"{"accessToken":"a","refreshToken":"r","expireIn":7200,"corpId":"c"}"#).0
        #expect(tokens == ["corpId": "c", "access_token": "a", "expires_in": 7200, "refresh_token": "r"])
        var strava = TokenAnswerQuirks()
        strava.expiryMember = "expires_at"
        #expect(try standard(strava, #"{"access_token":"a","expires_at":1800000600}"#).0["expires_in"] == 600)
        #expect(try standard(strava, #"{"access_token":"a","expires_at":1}"#).0["expires_in"] == 0)
        var threads = TokenAnswerQuirks()
        threads.defaultLifetime = 3_600
        #expect(try standard(threads, #"{"access_token":"a"}"#).0["expires_in"] == 3_600)
        #expect(try standard(threads, #"{"access_token":"a","expires_in":5}"#).0["expires_in"] == 5)
    }

    @Test("An object in the call of a function, and an error in an object: QQ, Facebook")
    func shapes() throws {
        var qq = TokenAnswerQuirks()
        qq.isCallback = true
        qq.errorCodePath = ["error"]
        qq.success = TokenAnswerQuirks.SuccessRule(member: "error", values: [])
        #expect(
            try standard(qq, #"callback( {"error":100020,"error_description":"code is reused"} );"#).0["error"]
                == "100020")
        var facebook = TokenAnswerQuirks()
        facebook.errorCodePath = ["error", "code"]
        facebook.errorTextPath = ["error", "message"]
        facebook.errorCodes = ["100": "invalid_grant"]
        let bad = try standard(
            facebook, #"{"error":{"message":"This code has been used.","type":"OAuthException","code":100}}"#,
            status: 400)
        #expect(bad.0 == ["error": "invalid_grant", "error_description": "100: This code has been used."])
    }

    @Test("What is no object, and answers of other endpoints, stay as they are")
    func untouched() throws {
        var quirks = TokenAnswerQuirks()
        quirks.path = ["data"]
        for body in ["<html></html>", "", "[1]", #"{"data":5}"#, #"{"access_token":"a"}"#] {
            let response = HTTPResponse(status: 200, body: Array(body.utf8))
            #expect(quirks.standard(response, step: .tokenRequest, now: now) == response, "\(body)")
        }
        let response = HTTPResponse(status: 200, body: Array(#"{"data":{"access_token":"a"}}"#.utf8))
        #expect(quirks.standard(response, step: .userInfo, now: now) == response)
    }
}

@Suite("Quirks of an API")
struct APIQuirkTests {
    private func request() throws -> HTTPRequest {
        try HTTPRequest.get("https://api.example.com/me?fields=a&access_token=old")
    }

    @Test("A scheme, a field and a parameter of the provider's own, each read back")
    func places() throws {
        var plain = try request()
        APIQuirks().authorize(&plain, with: "t1")
        #expect(plain.fields["Authorization"] == "Bearer t1" && APIQuirks().token(on: plain) == "t1")

        var yandex = APIQuirks()
        yandex.authorizationScheme = "OAuth"
        var request1 = try request()
        yandex.authorize(&request1, with: "t1")
        #expect(request1.fields["Authorization"] == "OAuth t1" && yandex.token(on: request1) == "t1")

        var shopify = APIQuirks()
        shopify.headerName = "X-Shopify-Access-Token"
        var request2 = try request()
        request2.fields["Authorization"] = "Bearer stale"
        shopify.authorize(&request2, with: "t1")
        #expect(request2.fields["X-Shopify-Access-Token"] == "t1" && request2.fields["Authorization"] == nil)
        #expect(shopify.token(on: request2) == "t1")

        var weChat = APIQuirks()
        weChat.unsafeQueryParameter = "access_token"
        var request3 = try request()
        weChat.authorize(&request3, with: "t&1")
        #expect(request3.url.text == "https://api.example.com/me?fields=a&access_token=t%261")
        #expect(weChat.token(on: request3) == "t&1" && request3.fields["Authorization"] == nil)
    }

    @Test("A field of the provider's is added, and the caller's own goes before")
    func headers() throws {
        var quirks = APIQuirks()
        quirks.headers = ["User-Agent": "preset", "Notion-Version": "2025-09-03"]
        var request = try request()
        request.fields["User-Agent"] = "mine"
        quirks.authorize(&request, with: "t")
        #expect(request.fields["User-Agent"] == "mine" && request.fields["Notion-Version"] == "2025-09-03")
    }
}

@Suite("Quirks in a file")
struct QuirkCodingTests {
    private let everything: Quirks = {
        var quirks = Quirks()
        quirks.authorization.parameterNames = ["client_id": "appid"]
        quirks.authorization.challengeEncoding = .hexadecimal
        quirks.authorization.fragment = "f"
        quirks.callback.treatsMissingCodeAsDenial = true
        quirks.tokenRequest.form = .get
        quirks.tokenRequest.refreshEndpoint = URI("https://id.example.com/refresh")
        quirks.tokenAnswer.success = TokenAnswerQuirks.SuccessRule(member: "ok", values: ["true"])
        quirks.tokenAnswer.defaultLifetime = 60
        quirks.api.headerName = "X-Token"
        return quirks
    }()

    @Test("What is written is read back, and the standard is an empty object")
    func roundTrip() throws {
        let data = try JSONEncoder().encode(everything)
        #expect(try JSONDecoder().decode(Quirks.self, from: data) == everything)
        #expect(String(decoding: try JSONEncoder().encode(Quirks()), as: UTF8.self) == "{}")
        #expect(try JSONDecoder().decode(Quirks.self, from: Data("{}".utf8)) == Quirks())
    }

    @Test(
        "A member that is unknown or of the wrong type is refused",
        arguments: [
            #"{"authorisation":{}}"#, #"{"authorization":{"scope_seperator":","}}"#, #"{"api":{"headers":[]}}"#,
            #"{"token_request":{"form":"xml"}}"#, #"{"token_answer":{"default_lifetime":"60"}}"#, "[]",
        ])
    func strict(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(Quirks.self, from: Data(text.utf8)) }
    }
}
