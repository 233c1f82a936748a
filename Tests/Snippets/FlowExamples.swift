import Tern
import TernTesting
import Testing

@Suite("Examples: choosing a flow")
struct FlowExamples {
    @Test("One line refuses passwords and tokens through the browser")
    func never() async throws {
        let provider = TestProvider()
        var configuration = try provider.client().configuration
        try configuration.adopt(.oauth21)
        let client = OAuthClient(configuration, in: provider.environment)
        let password = await #expect(throws: TernError.self) {
            try await client.signInHandingOverPassword(
                username: "ada", userPassword: UserPassword("secret"))
        }
        let tokens = await #expect(throws: TernError.self) {
            try await client.signInExposingTokens(with: provider.userAgent)
        }
        #expect(password?.code == "profile_violated" && tokens?.code == "profile_violated")
        #expect(provider.server.server.journal.count == 0)
    }

    @Test("An agent's tokens are for one server")
    func agent() async throws {
        let provider = TestProvider()
        let toolServer = try #require(URI(provider.apiAddress("")))
        var configuration = try provider.client(redirectURI: "http://127.0.0.1/callback").configuration
        configuration.resources = [toolServer]
        try configuration.adopt(.mcp)
        #expect(configuration.profile == .mcp)
    }
}
