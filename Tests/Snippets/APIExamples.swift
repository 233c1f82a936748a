import Tern
import TernTesting
import Testing

enum APIExamples {
    static func check(_ request: HTTPRequest, _ client: OAuthClient) async throws(TernError) -> JWTAccessToken {
        let token = try await client.verify(AccessToken(bearerOf: request), for: "https://api.example.com")
        try token.require(scope: ["notes:read"])
        return token
    }

    static func ask(_ request: HTTPRequest, _ client: OAuthClient, now: NumericDate) async throws -> Bool {
        var options = OAuthClient.IntrospectionOptions()
        options.signed = true
        let answer = try await client.introspect(AccessToken(bearerOf: request), options)
        guard answer.isGood(at: now), answer.scope?.contains("notes:read") ?? false else { return false }
        return true
    }

    static func refuse(
        _ request: HTTPRequest, _ answer: (HTTPRequest) async throws(TernError) -> HTTPResponse
    ) async -> HTTPResponse {
        do {
            return try await answer(request)
        } catch {
            return BearerChallenge.isAbout(error) ? BearerChallenge(error).response : HTTPResponse(status: 503)
        }
    }

    static func bound(_ request: HTTPRequest, _ client: OAuthClient, now: NumericDate) async throws -> JWTAccessToken {
        let token = try AccessToken(bearerOf: request)
        let proof = try DPoPProof(of: request, expecting: .init(accessToken: token), now: now)
        let verified = try await client.verify(token, for: "https://api.example.com") { expected in
            expected.proof = TokenConfirmation.Proof(keyThumbprint: proof.thumbprint)
        }
        return verified
    }
}

@Suite("Examples for APIs")
struct APIExampleTests {
    private func provider() -> TestProvider {
        var app = TestClient.app
        app.scopes.insert("notes:read")
        var api = TestClient("api", authentication: .basic("secret"), redirectURIs: [])
        api.isProtectedResource = true
        var server = AuthorizationServer(clients: [app, api])
        server.settings.accessTokenFormat = .jwt(audience: "https://api.example.com")
        return TestProvider(server)
    }

    private func client(_ provider: TestProvider) throws -> OAuthClient {
        let api = try #require(provider.server.server.clients.last)
        return try provider.client(api, redirectURI: OAuthClient.loopbackRedirect)
    }

    @Test("A token is verified, asked about, and refused in the standard's words")
    func bearer() async throws {
        let provider = provider()
        let api = try client(provider)
        let session = try await provider.client(scope: ["openid", "notes:read"]).signIn(with: provider.userAgent)
        let request = try await session.authorize(.get("https://api.example.com/notes"))
        #expect(try await APIExamples.check(request, api).subject == TestUser.ada.subject)
        #expect(try await APIExamples.ask(request, api, now: provider.clock.now))
        let answer = await APIExamples.refuse(try .get("https://api.example.com/notes")) {
            (request) async throws(TernError) in
            _ = try await APIExamples.check(request, api)
            return HTTPResponse(status: 200)
        }
        #expect(answer.status == 401)
    }

    @Test("A bound token is taken with its proof")
    func bound() async throws {
        let provider = provider()
        let api = try client(provider)
        var configuration = try provider.client(scope: ["openid", "notes:read"]).configuration
        configuration.dpop = DPoP()
        let session = try await OAuthClient(configuration, in: provider.environment).signIn(with: provider.userAgent)
        let request = try await session.authorize(.get("https://api.example.com/notes"))
        let now = provider.clock.now
        #expect(try await APIExamples.bound(request, api, now: now).subject == TestUser.ada.subject)
        await #expect(throws: TernError.self) { try await APIExamples.check(request, api) }
    }
}
