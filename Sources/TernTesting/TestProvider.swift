public import Tern
public import TernOAuth1
public import TernProtocol

/// Everything that a test of a sign-in needs, put together: a server, the way to it, a clock, a store, and a user.
///
/// ```swift
/// let provider = TestProvider()
/// let client = try provider.client()
/// let session = try await client.signIn(with: provider.userAgent)
/// ```
///
/// To test code that makes its own client, give it ``environment``, ``userAgent`` and the ``issuer``.
public struct TestProvider: Sendable {
    /// The server, to look at and to change.
    public let server: ServedAuthorizationServer
    /// The clock of the client and the server; a test moves it.
    public let clock: FakeClock
    /// The way to the server.
    public let transport: TestTransport
    /// Where the client keeps its credentials.
    public let store: MemoryStore
    /// The robot in the place of the user's browser.
    public let browser: RobotBrowser

    /// Puts everything together.
    ///
    /// - Parameters:
    ///   - server: the server; by default one with ``TestUser/ada`` and ``TestClient/app``.
    ///   - clock: the clock.
    ///   - user: as whom the robot logs in; `nil` for one who cannot.
    ///   - consent: what the robot answers when it is asked to allow something.
    public init(
        _ server: AuthorizationServer = AuthorizationServer(), clock: FakeClock = FakeClock(),
        user: TestUser? = .ada, consent: RobotBrowser.Consent = .give
    ) {
        self.server = ServedAuthorizationServer(server)
        self.clock = clock
        transport = TestTransport(self.server, clock: clock)
        store = MemoryStore()
        browser = RobotBrowser(transport: transport, user: user, consent: consent)
    }

    /// The issuer, as a client is configured with it.
    public var issuer: String { server.issuer.text }

    /// The edges of the world for a client.
    public var environment: Environment { Environment(transport: transport, store: store, clock: clock) }

    /// The robot as a user agent.
    public var userAgent: RobotUserAgent { RobotUserAgent(browser) }

    /// The address of a path of the server's protected API, for example `notes/1`.
    public func apiAddress(_ path: String) -> String { server.server.apiAddress(path) }

    /// A client of the server that speaks OAuth 1.0a. The server must know it: ``TestClient/oauth1App`` is such a one.
    ///
    /// - Parameters:
    ///   - key: what it signs with.
    ///   - clientID: its identifier.
    ///   - redirectURI: where the answer goes.
    ///   - change: changes what the client knows of the server.
    /// - Throws: `TernError` for a wrong address.
    public func oauth1Client(
        _ key: OAuth1SigningKey = .hmacSHA1(ClientSecret("test-secret")), clientID: String = "test-key",
        redirectURI: String = "com.example.app:/callback", _ change: (inout OAuth1Server) -> Void = { _ in }
    ) throws(TernError) -> OAuthClient {
        var server = try self.server.server.oauth1Server()
        change(&server)
        return try OAuthClient(
            oauth1: server, clientID: clientID, key: key, redirectURI: redirectURI, in: environment)
    }

    /// A client of the server. It tries a renewal once, so that a fault shows at once; a test of retries makes its own
    /// client, with a clock whose sleeps pass at once.
    ///
    /// - Parameters:
    ///   - client: its registration; the first of the server's clients where it is left out.
    ///   - redirectURI: where the answer goes; the client's first address that is no loopback one where it is left out.
    ///   - scope: what is asked for.
    ///   - authentication: how it proves who it is; as it is registered where it is left out, which is possible for clients
    ///     with a secret or a certificate.
    /// - Throws: `TernError` with the field `client_id` when the server has no client.
    public func client(
        _ client: TestClient? = nil, redirectURI: String? = nil,
        scope: Scope = ["openid", "profile", "email", "api"], authentication: ClientAuthentication? = nil
    ) throws(TernError) -> OAuthClient {
        guard let client = client ?? server.server.clients.first else {
            throw TernError(
                .invalidConfiguration(field: "client_id", problem: "the server has no client"), at: .configuration)
        }
        let addresses = client.redirectURIs
        let redirect = redirectURI ?? addresses.first { !$0.hasPrefix("http:") } ?? addresses.first ?? ""
        let registered: ClientAuthentication? =
            switch client.authentication {
            case .none: ClientAuthentication.none
            case .basic(let secret), .basicOrPost(let secret): .basic(ClientSecret(secret.exposedText))
            case .post(let secret): .post(ClientSecret(secret.exposedText))
            case .secretJWT(let secret): .secretJWT(ClientSecret(secret.exposedText))
            case .tls: .tls
            case .privateKeyJWT, .attestation:
                nil
            }
        guard let authentication = authentication ?? registered else {
            throw TernError(
                .invalidConfiguration(
                    field: "client_id", problem: "the client's key is its own: give its authentication"),
                at: .configuration)
        }
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(issuer)), clientID: client.clientID,
            redirectURI: try RedirectURI(redirect), scope: scope, authentication: authentication)
        configuration.retryPolicy = .never
        configuration.wantsCertificateBoundTokens = client.bindsTokensToCertificate
        return OAuthClient(configuration, in: environment)
    }
}
