import Tern
import TernTesting
import Testing

extension Provocation {
    static let redirect: [Provocation] = [
        pushed("redirect_uri_trailing_slash", "https://app.example.com/cb", registered: "https://app.example.com/cb/"),
        pushed("redirect_uri_letter_case", "com.example.app:/Callback", registered: "com.example.app:/callback"),
        pushed("redirect_uri_port", "https://app.example.com:8443/cb", registered: "https://app.example.com/cb"),
        pushed(
            "redirect_uri_loopback_name", "http://localhost:4000/callback", registered: "http://127.0.0.1:4000/callback"
        ),
        pushed(
            "redirect_uri_encoding", "https://app.example.com/%7Eada/cb", registered: "https://app.example.com/~ada/cb"),
        pushed("redirect_uri_other_address", "https://app.example.com/cb", registered: "https://app.example.com/back"),
        signIn(
            "redirect_uri_not_registered",
            [Fault(at: .pushedAuthorization, .replace(.error("invalid_request", "redirect_uri is not registered")))]
        ) { $0.requestDelivery.pushing = .always },
    ]

    /// A pushed request with a redirect URI that is not the registered one.
    private static func pushed(_ cause: String, _ sent: String, registered: String) -> Provocation {
        signIn(cause, at: AuthorizationServer(clients: [TestClient("test-app", redirectURIs: [registered])])) {
            $0.redirectURI = try RedirectURI(sent)
            $0.requestDelivery.pushing = .always
        }
    }

    static let callback: [Provocation] = [
        Provocation("user_closed_page") {
            let (_, client) = try World.quiet()
            return try await whatFails { try await client.signIn(with: FailingAgent(reason: .userCancelled)) }
        },
        noAnswer("server_showed_error", redirectURI: "http://localhost:4000/callback"),
        noAnswer("scheme_not_registered", knowing: [.schemeUnregistered]),
        noAnswer("scheme_claimed_by_another", knowing: [.schemeTakenByAnother]),
        noAnswer("association_file", redirectURI: "https://app.example.com/callback"),
        Provocation("loopback_blocked") {
            let (world, client) = try World.quiet { $0.redirectURI = try RedirectURI("http://127.0.0.1/callback") }
            let opened = Door()
            let agent = LoopbackUserAgent(application: "Test", browser: BrowserToNowhere(opened: opened))
            let signIn = Task { try await client.signIn(with: agent) }
            await opened.arrival()
            await world.clock.waitForSleepers(1)
            world.clock.advance(by: .seconds(601))
            return try await whatFails { try await signIn.value }
        },
        noAnswer(
            "browser_on_another_machine", redirectURI: "http://127.0.0.1:4000/callback", surroundings: [.remoteSession]),
        Provocation("page_left_open") {
            let (world, client) = try World.quiet()
            let signIn = try await client.begin()
            world.clock.advance(by: .seconds(3_600))
            let callback = try #require(URI("com.example.app:/callback?code=c&state=\(state(of: signIn))"))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        Provocation("foreign_answers") {
            let (_, client) = try World.quiet()
            let agent = FailingAgent(reason: .flowExpired(refused: ["state_mismatch"]))
            return try await whatFails { try await client.signIn(with: agent) }
        },
        Provocation("other_device_too_slow") {
            let world = try GrantWorld(.app) { $0.settings.deviceCodeLifetime = .seconds(4) }
            let signIn = Task { [client = world.client] in try await client.signInOnOtherDevice { _ in } }
            await world.provider.clock.waitForSleepers()
            world.provider.clock.advance(by: .seconds(5))
            return try await whatFails { try await signIn.value }
        },
        Provocation("no_browser") {
            let (_, client) = try World.quiet { $0.redirectURI = try RedirectURI("http://127.0.0.1/callback") }
            let agent = LoopbackUserAgent(application: "Test", browser: NoBrowser())
            return try await whatFails { try await client.signIn(with: agent) }
        },
        Provocation("port_taken") {
            let agent = LoopbackUserAgent(application: "Test", browser: NoBrowser())
            let first = try await agent.prepare(for: try RedirectURI("http://127.0.0.1/callback"))
            let taken = try await whatFails { try await agent.prepare(for: first.redirectURI) }
            await first.dismiss()
            return taken
        },
        Provocation("sign_in_called_twice") {
            let (_, client) = try World.quiet()
            let agent = FailingAgent(reason: nil)
            let first = Task { try await client.signIn(with: agent) }
            await agent.arrival.arrival()
            let second = try await whatFails { try await client.signIn(with: agent) }
            client.cancelSignIn()
            _ = try? await first.value
            return second
        },
        Provocation("answer_of_earlier_page") {
            let (_, client) = try World.quiet()
            let (first, second) = (try await client.begin(), try await client.begin())
            let callback = try #require(URI("com.example.app:/callback?code=c&state=\(state(of: first))"))
            return try await whatFails { try await client.finish(second, callback: callback) }
        },
        arriving("state_not_returned", "com.example.app:/callback?code=c"),
        arriving("sign_in_gone", "com.example.app:/callback?code=c&state=s", begun: false),
        Provocation("callback_reported_twice") {
            let (world, client) = try World.quiet()
            let signIn = try await client.begin()
            let callback = try await world.callback(of: signIn)
            try await client.finish(callback: callback)
            return try await whatFails { try await client.finish(callback: callback) }
        },
        arriving("address_of_other_part", "com.example.app:/settings"),
        Provocation("callback_changed") {
            let (_, client) = try World.quiet()
            let signIn = try await client.begin()
            let state = try state(of: signIn)
            let callback = try #require(URI("com.example.app:/callback?code=c&code=d&state=\(state)"))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        Provocation("other_response_mode") {
            let (_, client) = try World.quiet()
            let signIn = try await client.begin()
            let callback = try #require(URI("com.example.app:/callback#code=c&state=\(state(of: signIn))"))
            return try await whatFails { try await client.finish(signIn, callback: callback) }
        },
        Provocation("redirect_needs_other_agent") {
            let (_, client) = try World.quiet()
            let agent = LoopbackUserAgent(application: "Test", browser: NoBrowser())
            return try await whatFails { try await client.signIn(with: agent) }
        },
    ]

    /// An address with which the system opens the application.
    private static func arriving(_ cause: String, _ callback: String, begun: Bool = true) -> Provocation {
        Provocation(cause) {
            let (_, client) = try World.quiet()
            if begun { _ = try await client.begin() }
            return try await whatFails { try await client.finish(callback: try #require(URI(callback))) }
        }
    }
}

private struct NoBrowser: BrowserOpener {
    func open(_ page: URI) async throws(TernError) {
        throw TernError(.browserUnavailable("there is none"), at: .userAgent)
    }
}

private struct BrowserToNowhere: BrowserOpener {
    let opened: Door

    func open(_ page: URI) async throws(TernError) {
        await opened.open()
        await opened.pass()
    }
}
