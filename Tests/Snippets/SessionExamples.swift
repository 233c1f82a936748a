import Tern
import TernTesting
import Testing

enum SessionExamples {
    static func restore(_ client: OAuthClient, with agent: some UserAgent) async throws -> Session {
        guard let session = try await client.session() else {
            return try await client.signIn(with: agent)
        }
        let reply = try await session.send(.get("https://api.example.com/me"))
        let token = try await session.accessToken()  // for other HTTP stacks
        print(reply.status, token)
        return session
    }

    static func listen(to session: Session, askForSignIn: (String) -> Void, showWelcome: () -> Void) async {
        for await event in session.events() {
            switch event {
            case .signedIn, .refreshed: break
            case .signInNeeded(let error): askForSignIn(error.explanation.whatHappened)
            case .signedOut: showWelcome()
            }
        }
    }

    static func onDemand(_ session: Session, with agent: some UserAgent) async throws -> (HTTPResponse, HTTPResponse) {
        await session.setInteraction(.allowed(with: agent))
        let reply = try await session.send(.get("https://api.example.com/me"))  // shows the page if the grant is dead

        let quiet = try await Interaction.forbidding {
            try await session.send(.get("https://api.example.com/news"))  // throws rather than show it
        }
        return (reply, quiet)
    }

    static func secondAccount(
        _ client: OAuthClient, with agent: some UserAgent
    ) async throws -> (Session, [StoreKey], Session?) {
        var options = SignInOptions()
        options.account = try StoreKey("work")
        let work = try await client.signIn(options, with: agent)

        let accounts = try await client.environment.store.accounts()
        let restored = try await client.session(try StoreKey("work"))
        return (work, accounts, restored)
    }

    static func signOut(_ session: Session, with agent: some UserAgent, log: (String) -> Void) async throws {
        let report = try await session.signOut(.browserToo(agent))
        if case .failed(let error) = report.revocation { log(error.code) }
    }

    static func tellErrors(
        _ client: OAuthClient, with agent: some UserAgent, offerToTryAgain: () -> Void,
        show: (String, [String]) -> Void, log: (String) -> Void
    ) async {
        do {
            _ = try await client.signIn(with: agent)
        } catch {
            switch error.reason {
            case .userCancelled, .cancelled: return
            case .network, .transient: offerToTryAgain()
            default: show(error.explanation.whatHappened, error.explanation.whatToDo)
            }
            log("\(error.code) while \(error.step.phrase)")
        }
    }

    static func stores() throws -> Environment {
        let store = try FileStore(folder: try FileStore.defaultFolder(application: "my-app"))
        let environment = Environment(transport: SystemTransport(), store: store)
        return environment
    }

    @Test("Several accounts live side by side, and each is signed out by itself")
    static func accounts() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let first = try await client.signIn(with: provider.userAgent)
        let (work, accounts, restored) = try await secondAccount(client, with: provider.userAgent)
        #expect(accounts == [first.account, work.account].sorted())
        #expect(restored?.account == work.account)

        try await signOut(work, with: provider.userAgent) { Issue.record("revocation: \($0)") }
        #expect(try await client.session(work.account) == nil)
        #expect(try await client.session() != nil)
    }

    @Test("A refusal is told in the server's words")
    static func refusal() async throws {
        let provider = TestProvider(consent: .deny)
        let told = Told()
        await tellErrors(try provider.client(), with: provider.userAgent, offerToTryAgain: {}) { what, _ in
            told.text += what
        } log: {
            told.text += $0
        }
        #expect(told.text.contains("access_denied"))
    }

    @Test("A redirect URI warns of what is unwise")
    static func warnings() throws {
        let redirect = try RedirectURI("myapp://callback")
        for warning in redirect.warnings { print(warning) }
        #expect(redirect.warnings == [.schemeWithoutDot("myapp"), .hostInPrivateUseScheme("callback")])
    }

    private final class Told {
        var text = ""
    }
}
