import Tern
import TernTesting
import Testing

enum OpenIDExamples {
    static func user(_ client: OAuthClient, _ agent: some UserAgent) async throws -> UserInfo {
        let session = try await client.signIn(with: agent)
        let user = try await session.userInfo()
        return user
    }

    static func claims(_ client: OAuthClient, _ agent: some UserAgent) async throws -> Session {
        var options = SignInOptions()
        options.claims = ["userinfo": ["email": ["essential": true]]]
        let session = try await client.signIn(options, with: agent)
        return session
    }

    static func sources(_ user: UserInfo, _ client: OAuthClient, _ bankKeys: JWKSet) async throws -> JSON? {
        let sources = try ClaimSources(in: user.claims)
        let resolution = await sources?.resolve(in: client.environment) { source in
            source.name == "bank" ? ClaimsProvider(issuer: "https://bank.example", keys: bankKeys) : nil
        }
        let score = resolution?.claims["credit_score"]
        return score
    }

    static func find(over transport: some HTTPTransport) async throws -> Issuer {
        let issuer = try await Issuer.find(for: "ada@example.com", over: transport)
        return issuer
    }

    static func initiated(
        _ request: HTTPRequest, _ issuer: Issuer, _ ownOrigin: Origin, _ client: OAuthClient
    ) async throws -> SignIn {
        let policy = LoginInitiation.Policy(issuers: [issuer], targetOrigins: [ownOrigin])
        let initiation = try LoginInitiation(request, allowing: policy)
        let signIn = try await client.begin(SignInOptions(initiation))
        return signIn
    }

    static func tenants(_ configuration: inout ClientConfiguration) throws {
        configuration.server = .issuer(try Issuer("https://login.example.com/common/v2.0"), .tenantTemplate)
        configuration.allowedTenants = ["9c2f", "41aa"]
    }

    static func backChannel(
        _ client: OAuthClient, _ request: HTTPRequest, _ store: some ReplayStore, subject: String, sessionID: String?,
        end: () async -> Void
    ) async throws {
        let logout = try await client.verify(EncodedLogoutToken(postedBy: request), replays: store)
        if logout.ends(subject: subject, sessionID: sessionID) { await end() }
    }

    static func frontChannel(_ address: URI, sessionID: String?, end: () async -> Void) async throws {
        let logout = try FrontChannelLogout(request: address, issuer: "https://id.example.com", requiresSession: true)
        if logout.ends(sessionID: sessionID) { await end() }
    }

    static func message(_ session: Session) async throws -> String? {
        let message = try await session.credential().sessionState?.message(clientID: "my-site")
        return message
    }

    static func share(_ session: Session, share: (EncodedIDToken, DeviceSecret) throws -> Void) async throws {
        let credential = try await session.credential()
        if let idToken = credential.idToken, let secret = credential.deviceSecret { try share(idToken, secret) }
    }

    static func shared(
        _ otherClient: OAuthClient, _ idToken: EncodedIDToken, _ secret: DeviceSecret
    ) async throws -> Session {
        let session = try await otherClient.signIn(sharing: idToken, secret)
        return session
    }
}

@Suite("Examples of OpenID Connect")
struct OpenIDExampleTests {
    @Test("Applications of one maker share a sign-in")
    func sharing() async throws {
        func application(_ clientID: String) -> TestClient {
            var client = TestClient(clientID)
            client.maker = "Example"
            client.scopes.insert("device_sso")
            return client
        }
        let provider = TestProvider(AuthorizationServer(clients: [application("mail"), application("notes")]))
        let first = try await provider.client(scope: ["openid", "device_sso"]).signIn(with: provider.userAgent)
        var shared: (EncodedIDToken, DeviceSecret)?
        try await OpenIDExamples.share(first) { shared = ($0, $1) }
        let (idToken, secret) = try #require(shared)
        let second = try await OpenIDExamples.shared(try provider.client(application("notes")), idToken, secret)
        #expect(try await second.credential().subject == TestUser.ada.subject)
    }

    @Test("A website's page has something to ask the server's page")
    func sessionState() async throws {
        let site = TestClient("my-site", redirectURIs: ["https://site.example/callback"])
        let provider = TestProvider(AuthorizationServer(clients: [site]))
        let session = try await provider.client().signIn(with: provider.userAgent)
        #expect(try await OpenIDExamples.message(session)?.hasPrefix("my-site ") == true)
    }

    @Test("A logout ends the session that it names")
    func logouts() async throws {
        var app = TestClient.app
        app.backChannelLogoutURI = "https://app.example.com/logged-out"
        app.frontChannelLogoutURI = "https://app.example.com/frame"
        let provider = TestProvider(AuthorizationServer(clients: [app]))
        let client = try provider.client()
        let user = try await OpenIDExamples.user(client, provider.userAgent)
        let logouts = provider.server.change { $0.logoutTokens(forUser: user.subject, at: provider.clock.now) }
        let request = try #require(logouts.first?.request)
        var count = 0
        try await OpenIDExamples.backChannel(
            client, request, MemoryReplayStore(), subject: user.subject, sessionID: nil
        ) { count += 1 }
        let frame = try #require(provider.server.server.frontChannelLogouts(forUser: user.subject).first?.address)
        let sessionID = FormParameters(decoding: frame.encodedQuery ?? "")?["sid"]
        try await OpenIDExamples.frontChannel(frame, sessionID: sessionID) { count += 1 }
        #expect(count == 2)
    }
}
