import Tern
import TernTesting
import Testing

enum ReadmeExamples {
    @Test("Test your sign-in without a provider")
    static func signInWithoutProvider() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(3600))  // the access token is over; the next call refreshes it
        let reply = try await session.send(.get(provider.apiAddress("notes")))
        #expect(reply.status == 200)
        #expect(provider.server.count(of: .token) == 2)
    }
}
