import Tern
import TernTesting
import Testing

enum RegistrationExamples {
    static func register(in environment: Environment) async throws -> (ClientInformation, OAuthClient) {
        let registrar = ClientRegistrar(server: .issuer(try Issuer("https://id.example.com")), in: environment)
        let information = try await registrar.register(
            ClientMetadata(redirectURIs: ["http://127.0.0.1/callback"], name: "Notes", authenticationMethod: "none"))
        let client = OAuthClient(try information.configuration(server: registrar.server), in: environment)
        return (information, client)
    }
}

@Suite("Examples of registration")
struct RegistrationExampleTests {
    @Test("A client registers itself and is used at once")
    func register() async throws {
        var server = AuthorizationServer()
        server.settings.registration = .open
        let provider = TestProvider(server)
        let (information, client) = try await RegistrationExamples.register(in: provider.environment)
        #expect(client.configuration.clientID == information.clientID)
        #expect(provider.server.server.clients.contains { $0.clientID == information.clientID })
    }
}
