import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// A confidential client that may use every grant, at a server on a clock that the test moves.
struct GrantWorld {
    let provider: TestProvider
    let client: OAuthClient

    static let service = TestClient("service", authentication: .basic("secret"), name: "Service")

    init(
        _ registration: TestClient = GrantWorld.service, scope: Scope = ["openid", "api"],
        clock: FakeClock = FakeClock(), _ change: (inout AuthorizationServer) -> Void = { _ in }
    ) throws {
        var server = AuthorizationServer(clients: [registration, .app])
        change(&server)
        provider = TestProvider(server, clock: clock)
        client = try provider.client(registration, scope: scope)
    }

    /// The same client in a process that has just started.
    func newClient() throws -> OAuthClient {
        OAuthClient(client.configuration, in: provider.environment)
    }

    func count(_ endpoint: Endpoint) -> Int { provider.server.count(of: endpoint) }

    /// The parameters of the last request to the token endpoint.
    func lastGrant() throws -> FormParameters { try #require(provider.server.requests(to: .token).last).parameters }

    func reason<Result>(_ body: () async throws -> Result) async throws -> TernError.Reason? {
        do {
            _ = try await body()
            return nil
        } catch let error as TernError {
            return error.reason
        }
    }

    /// The code of the error for which a body fails.
    func code<Result>(_ body: () async throws -> Result) async throws -> String? { try await reason(body)?.code }
}
