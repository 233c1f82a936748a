import Tern
import TernTesting
import Testing

enum ResourceServerExamples {
    static func answer(_ request: HTTPRequest, _ keys: JWKSet, now: NumericDate) -> HTTPResponse {
        func notes(of subject: String) -> HTTPResponse { HTTPResponse(status: 200, body: Array(subject.utf8)) }
        let expected = JWTAccessToken.Expectation(issuer: "https://id.example.com", audience: "https://api.example.com")
        func answer(_ request: HTTPRequest, now: NumericDate) -> HTTPResponse {
            do {
                let token = try JWTAccessToken(
                    verifying: AccessToken(bearerOf: request), keys: keys, expecting: expected, now: now)
                try token.require(scope: ["notes:read"])
                return notes(of: token.subject)
            } catch {
                return BearerChallenge(error).response
            }
        }
        return answer(request, now: now)
    }

    /// The back-channel logout address of an application that runs on a server.
    static func logout(
        _ request: HTTPRequest, _ client: OAuthClient, _ store: some ReplayStore,
        end: (LogoutToken) async -> Void
    ) async -> HTTPResponse {
        do {
            let token = try await client.verify(EncodedLogoutToken(postedBy: request), replays: store)
            await end(token)
            return LogoutToken.response()
        } catch {
            return LogoutToken.response(error)
        }
    }
}

@Suite("Examples for servers")
struct ResourceServerExampleTests {
    @Test("An API answers with what the token allows")
    func resourceServer() async throws {
        var app = TestClient.app
        app.scopes.insert("notes:read")
        var server = AuthorizationServer(clients: [app])
        server.settings.accessTokenFormat = .jwt(audience: "https://api.example.com")
        let provider = TestProvider(server)
        let client = try provider.client(scope: ["openid", "notes:read"])
        let session = try await client.signIn(with: provider.userAgent)
        let keys = try await client.keys()
        let request = try await session.authorize(.get("https://api.example.com/notes"))
        let now = provider.clock.now
        #expect(ResourceServerExamples.answer(request, keys, now: now).body == Array(TestUser.ada.subject.utf8))
        #expect(ResourceServerExamples.answer(try .get("https://api.example.com/notes"), keys, now: now).status == 401)
    }

    @Test("A logout is done once")
    func logout() async throws {
        var app = TestClient.app
        app.backChannelLogoutURI = "https://app.example.com/logged-out"
        let provider = TestProvider(AuthorizationServer(clients: [app]))
        let client = try provider.client()
        _ = try await client.signIn(with: provider.userAgent)
        let logouts = provider.server.change { $0.logoutTokens(forUser: TestUser.ada.subject, at: provider.clock.now) }
        let request = try #require(logouts.first?.request)
        let store = MemoryReplayStore()
        #expect(await ResourceServerExamples.logout(request, client, store) { _ in }.status == 200)
        #expect(await ResourceServerExamples.logout(request, client, store) { _ in }.status == 400)
    }
}
