import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A client with a key at a server, to look at how its authorization requests reach it.
struct RequestWorld {
    let provider: TestProvider
    let client: OAuthClient
    let key: SigningKey

    init(
        algorithm: SignatureAlgorithm = .es256, scope: Scope = ["openid", "api"],
        server change: (inout AuthorizationServer) -> Void = { _ in },
        client adjust: (inout ClientConfiguration, SigningKey) -> Void = { _, _ in }
    ) throws {
        let key = try SigningKey(try JWK.generate(for: algorithm, keyID: "k1"))
        var server = AuthorizationServer(clients: [TestClient("signer", authentication: .privateKeyJWT(key))])
        change(&server)
        provider = TestProvider(server)
        var configuration = try provider.client(authentication: .privateKeyJWT(key)).configuration
        configuration.scope = scope
        adjust(&configuration, key)
        client = OAuthClient(configuration, in: provider.environment)
        self.key = key
    }

    func signIn(_ options: SignInOptions = SignInOptions()) async throws -> Session {
        try await client.signIn(options, with: provider.userAgent)
    }

    /// The query of the first address that the browser opened at the authorization endpoint.
    func opened() throws -> FormParameters {
        try #require(provider.server.requests(to: .authorization).first).parameters
    }

    /// The form of the last pushed request.
    func pushed() throws -> FormParameters {
        try #require(provider.server.requests(to: .pushedAuthorization).last).parameters
    }

    func count(_ endpoint: TernTesting.Endpoint) -> Int { provider.server.count(of: endpoint) }

    func reason<Result>(_ body: () async throws -> Result) async throws -> TernError.Reason? {
        do {
            _ = try await body()
            return nil
        } catch let error as TernError {
            return error.reason
        }
    }

    /// The code of the server's error for which a body fails.
    func serverCode<Result>(_ body: () async throws -> Result) async throws -> String? {
        guard case .serverError(let words) = try await reason(body) else { return nil }
        return words.code
    }
}
