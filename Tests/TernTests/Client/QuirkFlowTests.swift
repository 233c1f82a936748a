import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A sign-in at a server that speaks as WeChat and DingTalk do: other names, a GET with the secret in its query, answers that
/// are always 200, a code under another name, and an API that takes the token in a field of its own.
@Suite("A provider with quirks")
struct QuirkFlowTests {
    private let provider: TestProvider
    private let client: OAuthClient
    private let robot: RobotUserAgent
    private let odd: OddServer

    init() throws {
        var app = TestClient(
            "wx1", authentication: .post("a-secret-of-the-client"), redirectURIs: ["https://app.example.com/cb"])
        app.asksForConsent = false
        provider = TestProvider(AuthorizationServer(clients: [app]))
        odd = OddServer(base: provider.transport)
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(provider.issuer)), clientID: "wx1",
            redirectURI: try RedirectURI("https://app.example.com/cb"), scope: ["profile", "api"],
            authentication: .post(ClientSecret("a-secret-of-the-client")))
        configuration.retryPolicy = .never
        var quirks = Quirks()
        quirks.authorization.parameterNames = ["client_id": "appid"]
        quirks.authorization.omittedParameters = ["code_challenge", "code_challenge_method"]
        quirks.authorization.scopeSeparator = ","
        quirks.authorization.fragment = "wechat_redirect"
        quirks.callback.parameterNames = ["code": "authCode"]
        quirks.callback.treatsMissingCodeAsDenial = true
        quirks.tokenRequest.form = .get
        quirks.tokenRequest.parameterNames = ["client_id": "appid", "client_secret": "secret"]
        quirks.tokenRequest.omittedParameters = ["code_verifier"]
        quirks.tokenAnswer.memberNames = ["access_token": "accessToken", "expires_in": "expireIn"]
        quirks.tokenAnswer.success = TokenAnswerQuirks.SuccessRule(member: "errcode", values: ["0"])
        quirks.tokenAnswer.errorCodePath = ["errcode"]
        quirks.tokenAnswer.errorTextPath = ["errmsg"]
        quirks.tokenAnswer.errorCodes = ["40029": "invalid_grant"]
        quirks.api.headerName = "x-acs-dingtalk-access-token"
        configuration.quirks = quirks
        client = OAuthClient(
            configuration, in: Environment(transport: odd, store: provider.store, clock: provider.clock))
        robot = RobotUserAgent(RobotBrowser(transport: odd, user: .ada, consent: .give))
    }

    @Test("The whole round trip: sign-in, a call, a renewal, and a call after it")
    func roundTrip() async throws {
        let session = try await client.signIn(with: robot)
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
        provider.clock.advance(by: .seconds(3_601))
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
        #expect(odd.tokenRequests.withLock { $0 } == ["authorization_code", "refresh_token"])
        #expect(odd.plainRequests.withLock { $0 } == 0)
    }

    @Test("An API that refuses the token gets one new token and one repeat")
    func repeated() async throws {
        let session = try await client.signIn(with: robot)
        provider.server.add(
            Fault(at: .api, on: .first(1), .status(401), .header("WWW-Authenticate", "Bearer error=\"invalid_token\"")))
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
        #expect(odd.tokenRequests.withLock { $0 } == ["authorization_code", "refresh_token"])
    }

    @Test("A dead grant is known by the provider's own code, which stays in the words")
    func deadGrant() async throws {
        let session = try await client.signIn(with: robot)
        odd.answersDead.withLock { $0 = true }
        provider.clock.advance(by: .seconds(3_601))
        let error = try await whatFails { try await session.accessToken() }
        guard case .reauthenticationRequired(let words) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(words?.detail == "40029: invalid code")
    }

    @Test("A GET that was lost on its way may have used up the code, and is not sent again")
    func lost() async throws {
        provider.server.add(Fault(at: .token, .dropAnswer))
        odd.hidesLosses.withLock { $0 = true }
        let error = try await whatFails { try await client.signIn(with: robot) }
        #expect(error.reason == .outcomeUnknown)
        #expect(odd.tokenRequests.withLock { $0 } == ["authorization_code"])
    }

    @Test("A refusal that is only a callback without a code")
    func denial() async throws {
        let signIn = try await client.begin()
        let callback = try #require(URI("https://app.example.com/cb?state=\(signIn.address.state)"))
        let error = try await whatFails { try await client.finish(signIn, callback: callback) }
        guard case .serverError(let words) = error.reason else {
            Issue.record("\(error)")
            return
        }
        #expect(words.code == "access_denied")
    }

    @Test("A sign-in that another process finishes knows the quirks of its callback")
    func otherProcess() async throws {
        let signIn = try SignIn(try await client.begin().record)
        #expect(signIn.address.encodedFragment == "wechat_redirect")
        let callback = try #require(
            URI("https://app.example.com/cb?authCode=c1&state=\(signIn.address.state)&iss=https%3A%2F%2Fid.example.com")
        )
        #expect(signIn.judge(callback, delivery: .open) == .success)
    }
}

extension URI {
    fileprivate var state: String { encodedQuery.flatMap { FormParameters(decoding: $0) }?["state"] ?? "" }
}

/// Turns odd requests into standard ones for a standard server, and its answers into odd ones; written from the outside, without
/// the code that it tests.
private struct OddServer: HTTPTransport {
    let base: any HTTPTransport
    let tokenRequests = Locked<[String]>([])
    /// How many requests came as the standards have them.
    let plainRequests = Locked(0)
    let answersDead = Locked(false)
    /// Whether a lost answer looks as it does after a GET over a network.
    let hidesLosses = Locked(false)

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        let path = request.url.encodedPath
        let query = request.url.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
        if path == "/token" { return try await token(request, query, step) }
        if path == "/authorize" { return try await authorize(request, query, step) }
        guard path.hasPrefix("/api") else { return Self.renamed(try await base.send(request, step: step)) }
        var standard = request
        if request.fields["Authorization"] != nil { plainRequests.withLock { $0 += 1 } }
        standard.fields["Authorization"] = request.fields["x-acs-dingtalk-access-token"].map { "Bearer \($0)" }
        return try await base.send(standard, step: step)
    }

    private func token(_ request: HTTPRequest, _ query: FormParameters, _ step: Step) async throws(TernError)
        -> HTTPResponse
    {
        if request.method != .get { plainRequests.withLock { $0 += 1 } }
        tokenRequests.withLock { $0.append(query["grant_type"] ?? "none") }
        if answersDead.withLock({ $0 }) { return Self.json(["errcode": 40029, "errmsg": "invalid code"]) }
        var form: FormParameters = [:]
        for parameter in query.parameters {
            form.append(
                ["appid": "client_id", "secret": "client_secret"][parameter.name] ?? parameter.name, parameter.value)
        }
        let endpoint = URI(request.url.withoutQueryAndFragment) ?? request.url
        let answer: HTTPResponse
        do throws(TernError) {
            answer = try await base.send(HTTPRequest(.post, endpoint, body: .form(form)), step: step)
        } catch {
            throw hidesLosses.withLock { $0 } ? TernError(.network(.connectionLost), at: step) : error
        }
        guard let members = (try? JSON(parsing: answer.body))?.object, answer.isSuccess else {
            return Self.json(["errcode": 40013, "errmsg": "invalid appid"])
        }
        var odd: JSONObject = ["errcode": 0, "unionid": "o6"]
        for (name, value) in members where name != "token_type" {
            odd[["access_token": "accessToken", "expires_in": "expireIn"][name] ?? name] = value
        }
        return Self.json(odd)
    }

    private func authorize(_ request: HTTPRequest, _ query: FormParameters, _ step: Step) async throws(TernError)
        -> HTTPResponse
    {
        if query["client_id"] != nil || query["code_challenge"] != nil { plainRequests.withLock { $0 += 1 } }
        var standard: FormParameters = [:]
        for parameter in query.parameters {
            let value =
                parameter.name == "scope"
                ? parameter.value.split(separator: ",").joined(separator: " ") : parameter.value
            standard.append(parameter.name == "appid" ? "client_id" : parameter.name, value)
        }
        var request = request
        if let url = URI(request.url.withoutQueryAndFragment).flatMap({ URI($0.appendingQuery(standard)) }) {
            request.url = url
        }
        return Self.renamed(try await base.send(request, step: step))
    }

    /// The answer with the code under another name where it leads back to the app.
    private static func renamed(_ answer: HTTPResponse) -> HTTPResponse {
        guard let location = answer.fields["Location"], location.hasPrefix("https://app.example.com/cb?") else {
            return answer
        }
        var odd = answer
        odd.fields["Location"] = location.replacing("code=", with: "authCode=")
        return odd
    }

    private static func json(_ object: JSONObject) -> HTTPResponse {
        HTTPResponse(status: 200, fields: ["Content-Type": "text/plain"], body: JSON.object(object).serialized())
    }
}
