import Tern
import TernJOSE
import TernProtocol
import TernTesting

/// A server with a clock that stands still, a transport that leads to it, and a browser.
struct Rig {
    let served: ServedAuthorizationServer
    let clock = FakeClock()
    let transport: TestTransport
    let browser: RobotBrowser

    /// The pair of RFC 7636 appendix B.
    static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
    static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
    static let redirect = "com.example.app:/callback"

    init(
        _ server: AuthorizationServer = Rig.server(), user: TestUser? = .ada, consent: RobotBrowser.Consent = .give
    ) {
        served = ServedAuthorizationServer(server)
        transport = TestTransport(served, clock: clock)
        browser = RobotBrowser(transport: transport, user: user, consent: consent)
    }

    static func server(
        _ clients: [TestClient] = [.app], change: (inout AuthorizationServer) -> Void = { _ in }
    ) -> AuthorizationServer {
        var server = AuthorizationServer(clients: clients, random: SeededRandomSource())
        change(&server)
        return server
    }

    func address(_ endpoint: Endpoint) -> URI { URI(served.server.address(of: endpoint)) ?? served.issuer }

    /// A good authorization request with changes; `nil` takes a parameter out.
    func authorization(_ changes: [String: String?] = [:]) -> URI {
        var parameters: FormParameters = [
            "response_type": "code", "client_id": "test-app", "redirect_uri": Self.redirect,
            "scope": "openid profile email api", "state": "st-1", "nonce": "n-1", "code_challenge": Self.challenge,
            "code_challenge_method": "S256",
        ]
        for (name, value) in changes { parameters[name] = value }
        return URI(address(.authorization).appendingQuery(parameters)) ?? served.issuer
    }

    /// Goes through the pages and reads the answer.
    func answer(_ changes: [String: String?] = [:], at redirect: String = Rig.redirect) async throws -> FormParameters {
        let callback = try await browser.signIn(at: authorization(changes), stoppingAt: RedirectURI(redirect))
        return FormParameters(decoding: callback.encodedQuery ?? callback.encodedFragment ?? "") ?? [:]
    }

    /// Sends one request without cookies.
    func send(_ method: HTTPMethod = .get, _ url: URI, _ fields: HTTPFields = [:], form: FormParameters? = nil)
        async throws -> HTTPResponse
    {
        let body = form.map(HTTPRequest.Body.form) ?? .none
        return try await transport.send(HTTPRequest(method, url, fields: fields, body: body), step: .tokenRequest)
    }

    func exchange(code: String, _ changes: [String: String?] = [:], _ fields: HTTPFields = [:]) async throws
        -> HTTPResponse
    {
        var form: FormParameters = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": Self.redirect,
            "code_verifier": Self.verifier, "client_id": "test-app",
        ]
        for (name, value) in changes { form[name] = value }
        return try await send(.post, address(.token), fields, form: form)
    }

    func refresh(_ token: String, _ changes: [String: String?] = [:]) async throws -> HTTPResponse {
        var form: FormParameters = ["grant_type": "refresh_token", "refresh_token": token, "client_id": "test-app"]
        for (name, value) in changes { form[name] = value }
        return try await send(.post, address(.token), form: form)
    }

    /// A whole sign-in: the token answer.
    func tokens(_ changes: [String: String?] = [:]) async throws -> Tokens {
        let code = try await answer(changes)["code"] ?? ""
        return try Tokens(await exchange(code: code, ["client_id": changes["client_id"] ?? "test-app"]))
    }

    func callAPI(_ token: String, _ path: String = "notes") async throws -> HTTPResponse {
        try await send(.get, URI(served.server.apiAddress(path)) ?? served.issuer, ["Authorization": "Bearer \(token)"])
    }

    /// The claims of an ID token whose signature fits the published keys.
    func claims(of token: String) async throws -> JSONObject {
        let keys = try JWKSet(parsing: await send(.get, address(.keys)).body)
        let jws = try JWS(compact: token)
        try jws.verify(with: keys, allowed: SignatureAlgorithm.asymmetric)
        return try JSON(parsing: jws.payload).object ?? [:]
    }
}

struct Tokens {
    let json: JSONObject
    var access: String { json["access_token"]?.string ?? "" }
    var refresh: String { json["refresh_token"]?.string ?? "" }
    var id: String { json["id_token"]?.string ?? "" }

    init(_ response: HTTPResponse) throws { json = try JSON(parsing: response.body).object ?? [:] }
}

extension HTTPResponse {
    var json: JSON { (try? JSON(parsing: body)) ?? .null }
    var text: String { String(decoding: body, as: UTF8.self) }
    var errorCode: String? { json["error"]?.string }
}
