import Foundation
import Tern
import TernFoundation
import TernTesting
import Testing

struct AppBrowser: BrowserOpener {
    let show: @MainActor @Sendable (URL) async -> Bool

    func open(_ page: URI) async throws(TernError) {
        guard let url = URL(page), await show(url) else {
            throw TernError(.browserUnavailable("the system did not open the page"), at: .userAgent)
        }
    }
}

enum StartAppExamples {
    static func make(in environment: Environment) throws -> (OAuthClient, CallbackHub) {
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", redirectURI: "com.example.app:/callback",
            scope: ["openid", "offline_access"], in: environment)
        let hub = CallbackHub([client])
        return (client, hub)
    }

    static func signIn(_ client: OAuthClient, _ hub: CallbackHub, _ browser: AppBrowser) async throws -> Session {
        let session = try await client.signIn(with: HubUserAgent(hub, browser: browser))
        return session
    }

    static func opened(with url: URL, _ hub: CallbackHub, show: (Session) -> Void) async {
        guard let address = URI(url), case .finished(let session) = await hub.handle(address) else { return }
        show(session)  // an earlier process began it: the system had ended the application meanwhile
    }

    static func signIn(_ client: OAuthClient, sheet: (URL) async -> String?) async throws -> Session? {
        let signIn = try await client.begin()
        guard let page = URL(signIn.address), let answer = await sheet(page), let callback = URI(answer) else {
            return nil
        }
        try await client.finish(signIn, callback: callback, delivery: .system)
        return try await client.session()
    }

    static func launch(_ client: OAuthClient, showWelcome: () -> Void) async throws {
        guard let session = try await client.session() else { return showWelcome() }
        await session.renewInBackground()
    }
}

@Suite("Examples: start with an app")
struct StartAppExampleTests {
    private let provider = TestProvider()

    private func callback(of page: URL) async -> URI? {
        guard let page = URI(page), let redirect = try? RedirectURI("com.example.app:/callback") else { return nil }
        return try? await provider.browser.signIn(at: page, stoppingAt: redirect)
    }

    @Test("The application's own browser, and the address that comes back to the hub")
    func browser() async throws {
        let client = try provider.client()
        let hub = CallbackHub([client])
        let browser = AppBrowser { page in
            guard let address = await callback(of: page) else { return false }
            if case .delivered = await hub.handle(address) { return true }
            return false
        }
        let session = try await StartAppExamples.signIn(client, hub, browser)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let deaf = AppBrowser { _ in false }
        await #expect(throws: TernError.self) { try await StartAppExamples.signIn(client, hub, deaf) }
    }

    @Test("An application that the system had ended")
    func coldStart() async throws {
        let page = try #require(URL(try await provider.client().begin().address))
        let address = try #require(await callback(of: page))
        let hub = CallbackHub([try provider.client()])
        var sessions: [Session] = []
        await StartAppExamples.opened(with: try #require(URL(address)), hub) { sessions.append($0) }
        #expect(sessions.count == 1)
    }

    @Test("A sheet gives the answer, or is closed")
    func sheet() async throws {
        let client = try provider.client()
        #expect(try await StartAppExamples.signIn(client) { _ in nil } == nil)
        let session = try await StartAppExamples.signIn(client) { page in await callback(of: page)?.text }
        #expect(session != nil)
        var isWelcome = false
        try await StartAppExamples.launch(client) { isWelcome = true }
        #expect(!isWelcome)
        try await session?.signOut()
        try await StartAppExamples.launch(client) { isWelcome = true }
        #expect(isWelcome)
    }

    @Test("Nothing is asked of the network when client and hub are made")
    func make() throws {
        let (client, _) = try StartAppExamples.make(in: provider.environment)
        #expect(client.configuration.redirectURI.warnings.isEmpty)
        #expect(provider.server.count(of: .openIDConfiguration) == 0)
    }
}
