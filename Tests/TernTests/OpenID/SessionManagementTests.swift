import Tern
import TernCrypto
import TernTesting
import Testing

/// Whether the user is still logged in at the server, as a website's page finds out (OpenID Connect Session Management 1.0).
@Suite("Session management")
struct SessionManagementTests {
    private static let redirect = "https://app.example/callback"

    private func provider(_ change: (inout ServerSettings) -> Void = { _ in }) -> TestProvider {
        var server = AuthorizationServer(clients: [
            TestClient("site", redirectURIs: [Self.redirect]),
            TestClient("tool", redirectURIs: ["http://127.0.0.1/cb"]),
            .app,
        ])
        change(&server.settings)
        return TestProvider(server)
    }

    private func origin() throws -> Origin { try #require(URI(Self.redirect)?.origin) }

    /// What the page's script reads: the cookie as the browser holds it.
    private func browserState(_ provider: TestProvider) async throws -> String {
        // Any request from the browser shows it.
        let address = try #require(URI(provider.server.server.address(of: .checkSession)))
        _ = try await provider.browser.open(address)
        let request = try #require(provider.server.requests(to: .checkSession).last?.request)
        for pair in (request.fields["Cookie"] ?? "").split(separator: ";") {
            let pair = pair.drop { $0 == " " }
            if pair.hasPrefix("tern_browser_state=") { return String(pair.dropFirst("tern_browser_state=".count)) }
        }
        return ""
    }

    private func isCurrent(_ state: SessionState, _ provider: TestProvider) async throws -> Bool {
        state.isCurrent(
            clientID: "site", origin: try origin(), browserState: try await browserState(provider))
    }

    @Test("The state lasts as long as the user's login in this browser")
    func untilSignOut() async throws {
        let provider = provider { $0.asksBeforeSigningOut = false }
        let session = try await provider.client().signIn(with: provider.userAgent)
        let state = try #require(try await session.credential().sessionState)
        #expect(try await isCurrent(state, provider))
        // Another client's sign-in with the same login changes nothing.
        let next = try await provider.client().signIn(with: provider.userAgent)
        let nextState = try #require(try await next.credential().sessionState)
        #expect(nextState != state)
        #expect(try await isCurrent(state, provider))
        #expect(try await isCurrent(nextState, provider))
        // Neither another origin nor another client could have it confirmed.
        let browser = try await browserState(provider)
        let stranger = try #require(URI("https://evil.example")?.origin)
        #expect(!state.isCurrent(clientID: "site", origin: stranger, browserState: browser))
        #expect(!state.isCurrent(clientID: "app", origin: try origin(), browserState: browser))

        _ = try await provider.browser.open(try #require(URI(provider.server.server.address(of: .endSession))))
        #expect(try await browserState(provider).isEmpty)
        #expect(try await !isCurrent(state, provider))
    }

    @Test("A new login makes a new state, even of the same user")
    func newLogin() async throws {
        let provider = provider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        let state = try #require(try await session.credential().sessionState)
        var options = SignInOptions()
        options.prompt = [.login]
        _ = try await provider.client().signIn(options, with: provider.userAgent)
        #expect(try await !isCurrent(state, provider))
    }

    @Test("The cookie that scripts read tells nothing of the one that logs in")
    func cookies() async throws {
        let provider = provider()
        _ = try await provider.client().signIn(with: provider.userAgent)
        let page = try await provider.browser.open(
            try #require(URI(provider.server.server.address(of: .checkSession)))
        ).page
        #expect(page?.response.status == 200)
        let fields = try #require(provider.server.requests(to: .checkSession).last?.request.fields["Cookie"])
        let session = try #require(fields.split(separator: ";").first { $0.contains("tern_session") })
        let secret = session.split(separator: "=").last.map(String.init) ?? ""
        #expect(!secret.isEmpty)
        #expect(try await !browserState(provider).contains(secret))
    }

    @Test("The page runs its own script and nothing else, in frames of registered websites alone")
    func page() async throws {
        let provider = provider()
        let client = try provider.client()
        let address = try #require(try await client.metadata()[.checkSession])
        let answer = try await provider.transport.send(HTTPRequest(.get, address), step: .userAgent)
        let policy = try #require(answer.fields["Content-Security-Policy"])
        let text = String(decoding: answer.body, as: UTF8.self)
        let script = try #require(text.between("<script>", "</script>"))
        let digest = Base64.encode(HashFunction.sha256.digest(Array(script.utf8)))
        #expect(
            policy == "default-src 'none'; script-src 'sha256-\(digest)'; base-uri 'none'; "
                + "frame-ancestors http://127.0.0.1:* https://app.example")
        #expect(answer.fields["X-Frame-Options"] == nil)
        let posted = try await provider.transport.send(HTTPRequest(.post, address), step: .userAgent)
        #expect(posted.status == 405)
    }

    @Test("Applications without a website get no state; nor does anybody where the server has none")
    func without() async throws {
        let provider = provider()
        let app = try #require(provider.server.server.clients.last)
        let session = try await provider.client(app).signIn(with: provider.userAgent)
        #expect(try await session.credential().sessionState == nil)
        let plain = try await provider.client(scope: ["api"]).signIn(with: provider.userAgent)
        #expect(try await plain.credential().sessionState == nil)

        let other = self.provider { $0.managesSessions = false }
        let client = try other.client()
        let silent = try await client.signIn(with: other.userAgent)
        #expect(try await silent.credential().sessionState == nil)
        #expect(try await client.metadata()[.checkSession] == nil)
        #expect(try await browserState(other).isEmpty)
    }
}

extension String {
    fileprivate func between(_ start: String, _ end: String) -> String? {
        let parts = split(separator: start, maxSplits: 1)
        return parts.count == 2 ? parts[1].split(separator: end, maxSplits: 1).first.map(String.init) : nil
    }
}
