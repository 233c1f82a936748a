import Tern
import TernTesting
import Testing

struct NotingTransport: HTTPTransport {
    let base: any HTTPTransport
    let note: @Sendable (Step, Int) -> Void

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        let response = try await base.send(request, step: step)
        note(step, response.status)  // neither addresses nor bodies: they hold secrets
        return response
    }
}

enum RecipeExamples {
    static func lasting(_ session: Session, _ client: OAuthClient) async throws -> AccessToken {
        let deadline = client.environment.clock.now + .seconds(600)
        if let end = try await session.credential().expiration, end < deadline { try await session.refresh() }
        let token = try await session.accessToken()
        return token
    }

    static func user(
        _ userID: String, _ knownSubject: String?, _ client: OAuthClient, _ agent: some UserAgent
    ) async throws -> Session {
        var options = SignInOptions()
        options.account = try StoreKey("user-\(userID)")
        options.expectedSubject = knownSubject  // nil the first time; later nobody else can sign in here
        let session = try await client.signIn(options, with: agent)
        return session
    }

    static func client(
        for tenant: String, of tenants: Set<String>, in environment: Environment
    ) throws -> OAuthClient? {
        guard tenants.contains(tenant) else { return nil }  // never build an issuer from a text that anybody sent
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer("https://\(tenant).id.example.com")), clientID: "my-app",
            redirectURI: try RedirectURI(OAuthClient.loopbackRedirect))
        configuration.account = try StoreKey("tenant-\(tenant)")
        return OAuthClient(configuration, in: environment)
    }

    static func trust(_ pem: [UInt8], in environment: inout Environment) {
        environment.transport = SystemTransport(policy: TransportPolicy(certificateAuthorities: pem))
    }

    static func pin(_ current: String, _ next: String, in environment: inout Environment) throws {
        let pins = [try PublicKeyPin(current), try PublicKeyPin(next)]
        environment.transport = SystemTransport(policy: TransportPolicy(pins: pins))
    }

    static func askAgain(_ session: Session, _ agent: some UserAgent) async throws {
        try await session.signIn(meeting: StepUpChallenge(maxAge: .seconds(300)), with: agent)
    }

    static func signOutEverywhere(_ client: OAuthClient) async throws {
        for account in try await client.environment.store.accounts() {
            try await client.session(account)?.signOut()
        }
    }

    static func finish(_ client: OAuthClient, _ signIn: SignIn, _ pasted: String) async throws {
        let callback = try URI.required(pasted, field: "callback")
        try await client.finish(signIn, callback: callback, delivery: .pasted)
    }

    /// It would open a browser, so it is compiled and not run.
    static func wait(_ client: OAuthClient) async throws -> Session {
        let session = try await client.signIn(opening: SystemBrowser())
        return session
    }
}

@Suite("Examples: recipes")
struct RecipeExampleTests {
    @Test("A token that ends too soon is renewed before, and only then")
    func lasting() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let first = try await RecipeExamples.lasting(session, client)
        #expect(provider.server.count(of: .token) == 1)
        provider.clock.advance(by: .seconds(3300))
        #expect(try await RecipeExamples.lasting(session, client) != first)
        #expect(provider.server.count(of: .token) == 2)
    }

    @Test("An account a user, which nobody else can take over; and all of them signed out")
    func users() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await RecipeExamples.user("17", nil, client, provider.userAgent)
        #expect(session.account.name == "user-17")
        await #expect(throws: TernError.self) {
            try await RecipeExamples.user("17", "somebody-else", client, provider.userAgent)
        }
        _ = try await RecipeExamples.user("18", TestUser.ada.subject, client, provider.userAgent)
        try await RecipeExamples.signOutEverywhere(client)
        #expect(try await provider.store.accounts().isEmpty)
    }

    @Test("A tenant has a client and an account of its own")
    func tenants() throws {
        let environment = TestProvider().environment
        let known: Set = ["blue", "green"]
        #expect(try RecipeExamples.client(for: "evil.example/", of: known, in: environment) == nil)
        let blue = try RecipeExamples.client(for: "blue", of: known, in: environment)
        #expect(blue?.configuration.account.name == "tenant-blue")
    }

    @Test("Authorities and pins are given to a transport")
    func transports() throws {
        var environment = TestProvider().environment
        RecipeExamples.trust(Array("-----BEGIN CERTIFICATE-----".utf8), in: &environment)
        #expect(environment.transport is SystemTransport)
        let pin = Base64.encode([UInt8](repeating: 7, count: 32))
        try RecipeExamples.pin("sha256/\(pin)", pin, in: &environment)
        #expect(throws: TernError.self) { try RecipeExamples.pin(pin, "no pin", in: &environment) }
    }

    @Test("Every request of a sign-in is seen")
    func noting() async throws {
        let provider = TestProvider()
        var environment = provider.environment
        let (steps, noted) = AsyncStream<Step>.makeStream()
        environment.transport = NotingTransport(base: provider.transport) { step, _ in noted.yield(step) }
        let client = OAuthClient(try provider.client().configuration, in: environment)
        _ = try await client.signIn(with: provider.userAgent)
        noted.finish()
        var seen: Set<Step> = []
        for await step in steps { seen.insert(step) }
        #expect(seen.isSuperset(of: [.discovery, .tokenRequest]))
    }

    @Test("A login that is too old is done again")
    func again() async throws {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(1800))
        let before = try await session.credential().idToken
        try await RecipeExamples.askAgain(session, provider.userAgent)
        #expect(try await session.credential().idToken != before)
    }

    @Test("A sign-in is tested without a network")
    func continuousIntegration() async throws {
        let provider = TestProvider()
        let client = try OAuthClient(
            issuer: provider.issuer, clientID: "test-app", redirectURI: "com.example.app:/callback",
            scope: ["openid", "api"], in: provider.environment)
        let session = try await client.signIn(with: provider.userAgent)

        provider.server.add(Fault(at: .api, on: .first(1), .status(401)))
        let reply = try await session.send(.get(provider.apiAddress("notes")))
        #expect(reply.status == 200)  // one refresh, one repeat
        #expect(provider.server.count(of: .token) == 2)
    }

    @Test("A callback is pasted")
    func pasted() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let signIn = try await client.begin()
        let callback = try await provider.browser.signIn(
            at: signIn.address, stoppingAt: try RedirectURI("com.example.app:/callback"))
        try await RecipeExamples.finish(client, signIn, callback.text)
        #expect(try await client.session() != nil)
        await #expect(throws: TernError.self) { try await RecipeExamples.finish(client, signIn, "no address") }
    }
}
