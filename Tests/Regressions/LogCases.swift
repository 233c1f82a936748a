import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("Logs and memory")
struct LogCases {
    private func texts(_ value: Any) -> [String] {
        var dumped = ""
        dump(value, to: &dumped)
        return [dumped, "\(value)", String(reflecting: value)]
            + Mirror(reflecting: value).children.map { "\($0)" }
    }

    @Test("LG-01")
    func nothingShows() async throws {
        let secrets = ["at-LG-o", "rt-LG-o", "cs-LG-o", "code-LG-o", "idt-LG-o"]
        let isRefusing = Locked(false)
        let held = try await HeldGrant(
            nil,
            configure: {
                $0.authentication = .post(ClientSecret("cs-LG-o"))
                $0.additionalTokenParameters = ["assertion": "cs-LG-o"]
            },
            { _ in
                isRefusing.withLock { $0 }
                    ? answer(400, "application/json", #"{"error":"x","error_description":"rt-LG-o cs-LG-o"}"#)
                    : answer(
                        200, "application/json",
                        #"{"access_token":"at-LG-o","refresh_token":"rt-LG-o","expires_in":60,"x":"at-LG-o"}"#)
            })
        let signIn = try await held.client.begin()
        let state = try #require(FormParameters(decoding: signIn.address.encodedQuery ?? "")?["state"])
        let credential = try await held.client.finish(
            signIn, callback: address("com.example.app:/cb?code=code-LG-o&state=\(state)"))
        let session = try await held.session()
        var seen: [Any] = [
            signIn, credential, credential.record, session, held.client, held.client.configuration,
            held.client.environment, held.transport.sent, try await session.authorize(.get("https://api.example/x")),
        ]
        isRefusing.withLock { $0 = true }
        held.expire()
        do {
            try await session.refresh()
            Issue.record("refreshed")
        } catch {
            #expect(error.serverError?.code == "x")
            seen += [error, error.reason, error.explanation, error.serverError as Any]
            seen += [error.serverError?.detail as Any]
        }
        for value in seen {
            for text in texts(value) {
                for secret in secrets { #expect(!text.contains(secret), "\(type(of: value))") }
            }
        }
        // The verifier is known to the token request alone.
        let verifier = try #require(held.transport.sent.first?.form["code_verifier"])
        for value in seen { for text in texts(value) { #expect(!text.contains(verifier), "\(type(of: value))") } }
    }

    private struct WeakReferences {
        weak var client: OAuthClient?
        weak var session: Session?
        weak var agent: HandAgent?
    }

    /// Lets background work come to its end.
    private func settle(_ isGone: () -> Bool) async {
        for _ in 0..<10_000 where !isGone() { await Task.yield() }
    }

    @Test("LG-02 a")
    func afterSuccess() async throws {
        var weak = WeakReferences()
        do {
            let world = try World()
            let client = world.newClient()
            let agent = HandAgent()
            let running = Task { try await client.signIn(with: agent) }
            let page = try await agent.page()
            let callback = try await world.callback(from: page)
            #expect(agent.arrive(callback) == .success)
            let session = try await running.value
            try await session.refresh()
            weak = WeakReferences(client: client, session: session, agent: agent)
            #expect(weak.session != nil)
        }
        await settle { weak.client == nil && weak.session == nil && weak.agent == nil }
        #expect(weak.client == nil)
        #expect(weak.session == nil)
        #expect(weak.agent == nil)
    }

    @Test("LG-02 b, c", arguments: [true, false])
    func afterFailure(byUser: Bool) async throws {
        var weak = WeakReferences()
        do {
            let world = try World()
            let client = world.newClient()
            let agent = HandAgent(
                problem: byUser ? nil : TernError(.browserUnavailable("none"), at: .userAgent))
            let running = Task { try await client.signIn(with: agent) }
            if byUser {
                _ = try await agent.page()
                agent.close()
            }
            #expect(
                try await asyncReason { try await running.value }
                    == (byUser ? .userCancelled : .browserUnavailable("none")))
            weak = WeakReferences(client: client, session: nil, agent: agent)
        }
        await settle { weak.client == nil && weak.agent == nil }
        #expect(weak.client == nil)
        #expect(weak.agent == nil)
    }
}
