import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Examples: what an API wants of a sign-in")
struct StepUpExamples {
    @Test("A challenge is met by another sign-in")
    func challenge() async throws {
        let provider = TestProvider()
        let userAgent = provider.userAgent
        let session = try await provider.client(scope: ["openid", "api"]).signIn(with: userAgent)
        let request = try HTTPRequest.get(provider.apiAddress("admin/users"))

        let response = try await session.send(request)
        if let challenge = StepUpChallenge(response) {
            try await session.signIn(meeting: challenge, with: userAgent)
        }

        #expect(response.status == 403)
        #expect(try await session.send(request).status == 200)
    }

    @Test("Without being asked, and before an API wants it")
    func withoutBeingAsked() async throws {
        let provider = TestProvider()
        provider.server.change { _ = $0.clients[0].scopes.insert("calendar") }
        let userAgent = provider.userAgent
        var configuration = try provider.client(scope: ["openid", "api"]).configuration

        configuration.incrementalScope = ["admin"]

        let session = try await OAuthClient(configuration, in: provider.environment).signIn(with: userAgent)

        await session.setInteraction(.allowed(with: userAgent))

        #expect(try await session.send(.get(provider.apiAddress("admin/users"))).status == 200)

        try await session.signIn(meeting: StepUpChallenge(scope: ["calendar"]), with: userAgent)

        #expect(try await session.credential().scope == ["openid", "api", "admin", "calendar"])
    }
}

@Suite("Examples: profiles")
struct ProfileExamples {
    @Test("A configuration adopts a profile, or is told the clause")
    func adopt() throws {
        var configuration = try TestProvider().client(authentication: .tls).configuration
        configuration.redirectURI = try RedirectURI("https://app.example/callback")

        try configuration.adopt(.fapi2())

        #expect(configuration.requestDelivery.pushing == .always)
    }
}
