import Tern
import TernTesting
import Testing

@Suite("Examples of quirks")
struct QuirkExamples {
    @Test("Strava asks for scopes with commas")
    func strava() async throws {
        let secret = "a-secret-of-the-client"
        var quirks = Quirks()
        quirks.authorization.scopeSeparator = ","
        quirks.tokenAnswer.expiryMember = "expires_at"
        var configuration = try ClientConfiguration(
            server: .metadata(
                ServerMetadata(
                    authorizationEndpoint: "https://www.strava.com/oauth/authorize",
                    tokenEndpoint: "https://www.strava.com/api/v3/oauth/token")),
            clientID: "12345", redirectURI: RedirectURI("https://app.example.com/callback"),
            scope: ["read", "activity:read"],
            authentication: .post(ClientSecret(secret)))
        configuration.quirks = quirks

        let client = OAuthClient(configuration, in: TestProvider().environment)
        let address = try await client.begin().address
        #expect(address.text.hasPrefix("https://www.strava.com/oauth/authorize?"))
        #expect(address.encodedQuery?.contains("scope=read%2Cactivity%3Aread&") == true)
    }
}
