import Tern
import TernTesting
import Testing

enum ReadmeExamples {
    @Test("Test your sign-in without a provider")
    static func signInWithoutProvider() async throws {
        let server = ServedAuthorizationServer()
        let transport = TestTransport(server)
        let client = try OAuthClient(
            issuer: AuthorizationServer.defaultIssuer.text, clientID: TestClient.app.clientID,
            redirectURI: "com.example.app:/callback", in: Environment(transport: transport, store: MemoryStore()))
        let session = try await client.signIn(with: RobotUserAgent(transport: transport))
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }
}
