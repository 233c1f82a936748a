import Tern
import TernTesting
import Testing

enum CallbackExamples {
    static func opened(
        with address: URI, _ hub: CallbackHub, show: (any Sendable) -> Void
    ) async -> Bool {
        switch await hub.handle(address) {
        case .delivered: break  // whoever waits for it goes on
        case .finished(let session): show(session)  // an earlier process began it
        case .failed(let error): show(error)
        case .notMine: return false  // somebody else's address
        }
        return true
    }

    static func signIn(_ client: OAuthClient) async throws -> Session {
        let hub = CallbackHub([client])
        let session = try await client.signIn(with: HubUserAgent(hub))
        return session
    }

    @Test("An application that was opened with the callback of an earlier process finishes it")
    static func coldStart() async throws {
        let provider = TestProvider()
        let signIn = try await provider.client().begin()
        let callback = try await provider.browser.signIn(
            at: signIn.address, stoppingAt: try RedirectURI("com.example.app:/callback"))

        let hub = CallbackHub([try provider.client()])
        var shown: [any Sendable] = []
        let stranger = try #require(URI("com.example.app:/share?code=c"))
        #expect(await opened(with: stranger, hub) { shown.append($0) } == false)
        #expect(await opened(with: callback, hub) { shown.append($0) })
        #expect(shown.count == 1 && shown.first is Session)
    }
}
