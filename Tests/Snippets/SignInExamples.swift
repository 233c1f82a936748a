import Foundation
import Tern
import TernTesting
import Testing

enum SignInExamples {
    /// It would open a browser, so it is compiled and not run.
    static func withOptions(_ client: OAuthClient) async throws -> Session {
        var options = SignInOptions()
        options.loginHint = "ada@example.com"
        options.maxAge = .seconds(3600)  // the login may be an hour old at most, and the ID token must prove it
        options.whenBusy = .takeOver
        let session = try await client.signIn(options, with: LoopbackUserAgent(application: "My App"))
        return session
    }

    static func overview() async throws -> HTTPResponse {
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", scope: ["openid", "email", "offline_access"],
            in: .standard(application: "my-app"))
        let session = try await client.signIn(with: LoopbackUserAgent(application: "My App"))
        let reply = try await session.send(.get("https://api.example.com/me"))
        return reply
    }

    static func begin(_ client: OAuthClient, show: (URI) -> Void) async throws -> Data {
        let signIn = try await client.begin()
        let record = try JSONEncoder().encode(signIn)
        show(signIn.address)
        return record
    }

    static func finish(_ client: OAuthClient, _ record: Data, _ callback: URI) async throws -> Session? {
        let signIn = try JSONDecoder().decode(SignIn.self, from: record)
        switch signIn.judge(callback, delivery: .open) {
        case .success, .signedOut, .failure:
            try await client.finish(signIn, callback: callback)  // throws what the server said, if it said no
            return try await client.session()
        case .refused, .notMine:
            return nil  // somebody else's address; the sign-in goes on waiting
        }
    }

    static func byHand(
        _ transport: some HTTPTransport, show: (URI) async throws -> URI
    ) async throws -> TokenResponse? {
        let discovery = MetadataRequest(issuer: try Issuer("https://id.example.com"))
        let metadata = try discovery.answer(
            from: try await transport.send(try discovery.request(), step: discovery.step))

        let verifier = CodeVerifier()
        let redirect = try RedirectURI("com.example.app:/callback")
        let state = Base64URL.encode(SystemRandomSource().bytes(32))
        let request = AuthorizationRequest(
            endpoint: try metadata.address(of: .authorization, for: .authorizationRequest), clientID: "test-app",
            redirectURI: redirect, scope: ["api"], state: state, codeChallenge: verifier.challenge)
        let callback = try await show(try request.url())

        let expected = AuthorizationResponse.Expectation(
            redirectURI: redirect, state: state, issuer: metadata.issuer,
            requiresIssuer: metadata.promisesIssuerInAnswers)
        guard let response = try AuthorizationResponse(callback: callback, expecting: expected) else {
            return nil  // the address is somebody else's
        }

        let grant = AuthorizationCodeGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest), code: response.code,
            redirectURI: redirect, codeVerifier: verifier)
        var exchange = try grant.request()
        let occasion = ClientAuthentication.Occasion(at: metadata, now: SystemWallClock().now)
        try ClientAuthentication.none.authenticate(&exchange, clientID: "test-app", on: occasion)
        let tokens = try grant.answer(from: try await transport.send(exchange, step: grant.step))
        return tokens
    }

    @Test("A sign-in in two halves survives the end of the process")
    static func twoHalves() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let pages = Pages()
        let record = try await begin(client, show: pages.show)
        let page = try #require(pages.shown)
        let callback = try await provider.browser.signIn(
            at: page, stoppingAt: try RedirectURI("com.example.app:/callback"))

        let stranger = try #require(URI("com.example.app:/callback?code=c&state=s"))
        #expect(try await finish(client, record, stranger) == nil)
        let session = try #require(try await finish(client, record, callback))
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test("The messages make the round trip by hand")
    static func messages() async throws {
        let provider = TestProvider()
        let tokens = try await byHand(provider.transport) { page in
            try await provider.browser.signIn(at: page, stoppingAt: try RedirectURI("com.example.app:/callback"))
        }
        #expect(tokens?.accessToken.isEmpty == false)
    }

    /// What was shown to the user.
    private final class Pages {
        var shown: URI?
        func show(_ page: URI) { shown = page }
    }
}
