import Foundation
import Tern
import TernTesting
import Testing

enum StartServerExamples {
    /// What a framework keeps for one browser.
    final class WebSession {
        let id: String
        var pending: Data?

        init(id: String) { self.id = id }

        func takePending() -> Data? {
            defer { pending = nil }
            return pending
        }
    }

    struct User {
        let account: StoreKey
        let subject: String
        let sessionID: String?
    }

    #if SQLite
        static func make(_ key: SigningKey) throws -> OAuthClient {
            let records = try SQLiteStore(path: "/var/lib/my-site/accounts.sqlite")
            let store = EncryptedStore(records, key: try RecordKey(environmentVariable: "MY_SITE_KEY"))
            let client = try OAuthClient(
                issuer: "https://id.example.com", clientID: "my-site", redirectURI: "https://site.example/callback",
                scope: ["openid", "offline_access"], authentication: .privateKeyJWT(key),
                in: Environment(transport: SystemTransport(), store: store))
            client.prefetch()  // the first user need not wait for metadata and keys
            return client
        }
    #endif

    static func begin(_ client: OAuthClient, _ webSession: WebSession) async throws -> String {
        var options = SignInOptions()
        options.account = try StoreKey("site-\(webSession.id)")
        options.keepsPending = false  // the web session keeps it
        let signIn = try await client.begin(options)
        webSession.pending = try JSONEncoder().encode(signIn)
        return signIn.address.text  // redirect the browser there
    }

    static func finish(_ client: OAuthClient, _ webSession: WebSession, _ callback: URI) async throws -> String? {
        guard let record = webSession.takePending() else { return nil }  // taken out, so that it is used once
        let signIn = try JSONDecoder().decode(SignIn.self, from: record)
        let credential = try await client.finish(signIn, callback: callback)
        return credential.subject
    }

    static func call(_ client: OAuthClient, _ account: StoreKey) async throws -> HTTPResponse? {
        guard let session = try await client.session(account) else { return nil }  // nobody is signed in: begin anew
        return try await session.send(.get("https://api.example.com/me"))
    }

    static func sessionID(_ client: OAuthClient, _ credential: Credential) async throws -> String? {
        guard let idToken = credential.idToken else { return nil }
        let sessionID = try await client.verify(idToken, nonce: .ifPresent(credential.nonce)).sessionID
        return sessionID
    }

    static func logout(
        _ client: OAuthClient, _ request: HTTPRequest, _ replays: some ReplayStore, _ users: [User]
    ) async -> HTTPResponse {
        do {
            let logout = try await client.verify(EncodedLogoutToken(postedBy: request), replays: replays)
            for user in users where logout.ends(subject: user.subject, sessionID: user.sessionID) {
                try await client.session(user.account)?.signOut()
            }
            return LogoutToken.response()
        } catch {
            return LogoutToken.response(error)
        }
    }
}

@Suite("Examples: start with a server")
struct StartServerExampleTests {
    @Test("One process begins, another finishes, and the server's logout ends it")
    func website() async throws {
        var site = TestClient("my-site", redirectURIs: ["https://site.example/callback"])
        site.backChannelLogoutURI = "https://site.example/logged-out"
        let provider = TestProvider(AuthorizationServer(clients: [site]))
        let webSession = StartServerExamples.WebSession(id: "4f1c")
        let page = try await StartServerExamples.begin(provider.client(), webSession)
        let callback = try await provider.browser.signIn(
            at: try URI.required(page, field: "page"), stoppingAt: try RedirectURI("https://site.example/callback"))

        let client = try provider.client()
        let subject = try await StartServerExamples.finish(client, webSession, callback)
        #expect(subject == TestUser.ada.subject)
        #expect(try await StartServerExamples.finish(client, webSession, callback) == nil)

        let account = try StoreKey("site-4f1c")
        let session = try #require(try await client.session(account))
        let sessionID = try await StartServerExamples.sessionID(client, try await session.credential())
        #expect(sessionID != nil)
        let user = StartServerExamples.User(account: account, subject: try #require(subject), sessionID: sessionID)
        let logouts = provider.server.change { $0.logoutTokens(forUser: user.subject, at: provider.clock.now) }
        let request = try #require(logouts.first?.request)
        let replays = MemoryReplayStore()
        #expect(await StartServerExamples.logout(client, request, replays, [user]).status == 200)
        #expect(try await StartServerExamples.call(client, account) == nil)
        #expect(await StartServerExamples.logout(client, request, replays, [user]).status == 400)
    }
}
