import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

/// A signed-in session over the real transport, the API of its server, and another origin that answers everything with 200.
struct TwoOrigins {
    let server: TestServer
    let other: TestServer
    let session: Session

    init(_ change: (inout AuthorizationServer) -> Void = { _ in }) async throws {
        var authorizationServer = AuthorizationServer()
        change(&authorizationServer)
        server = try TestServer.start(authorizationServer)
        other = try TestServer.start()
        other.served.add(Fault(at: nil, .replace(HTTPResponse(status: 200, body: Array("elsewhere".utf8)))))
        let transport = SystemTransport()
        let client = try OAuthClient(
            issuer: server.issuer.text, clientID: TestClient.app.clientID, scope: "openid api",
            in: Environment(transport: transport, store: MemoryStore()))
        session = try await client.signIn(with: RobotUserAgent(transport: transport))
    }

    static let refusal = HTTPResponse(
        status: 401, fields: ["WWW-Authenticate": #"Bearer realm="a, b", error="invalid_token""#])

    /// The API's answer to its call with this number is a redirect.
    func redirect(_ number: Int, to address: String, status: Int = 302) {
        server.served.add(Fault(at: .api, on: .nth(number), .redirect(to: address, status: status)))
    }

    /// What has arrived at the API, the oldest first.
    var calls: [HTTPRequest] { server.requests(to: .api).map(\.request) }
    var callsElsewhere: [HTTPRequest] { other.requests(to: .api).map(\.request) }
    /// The paths below the API that were called, with the tokens that came along.
    var paths: [String] { calls.map { String($0.url.encodedPath.dropFirst(5)) } }
    var tokens: [String?] { calls.map { $0.fields["Authorization"] } }
    /// How often the tokens were renewed.
    var refreshes: Int { server.count(of: .token) - 1 }

    func token() async throws -> String { "Bearer " + (try await session.accessToken().exposedText) }

    func request(
        _ path: String, _ method: HTTPMethod = .get, _ fields: HTTPFields = [:], body: HTTPRequest.Body = .none
    )
        throws -> HTTPRequest
    {
        HTTPRequest(method, try uri(server.apiAddress(path)), fields: fields, body: body)
    }
}

/// A user agent that counts how often the page is shown.
struct CountedAgent: UserAgent {
    let agent: RobotUserAgent
    let visits = Locked(0)

    func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        visits.withLock { $0 += 1 }
        return try await agent.prepare(for: redirectURI)
    }
}
