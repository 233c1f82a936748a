import Tern
import TernTesting
import Testing

enum ReadmeExamples {
    /// It would open a browser, so it is compiled and not run.
    static func tenLines() async throws {
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", scope: ["openid", "email", "offline_access"],
            in: .standard(application: "my-app"))

        let session = try await client.signIn(with: LoopbackUserAgent(application: "My App"))
        let reply = try await session.send(.get("https://api.example.com/me"))
        // a fresh token, one refresh for all callers
        print(reply.status, try await session.userInfo().email ?? "no address")
        try await session.signOut()
    }

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
