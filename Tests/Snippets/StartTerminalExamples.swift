import Tern
import TernTesting
import Testing

enum StartTerminalExamples {
    private static func tell(_ text: String) {}

    /// It would open a browser, so it is compiled and not run.
    static func signIn(_ client: OAuthClient) async throws -> Session {
        do {
            return try await client.signIn(with: LoopbackUserAgent(application: "My Tool"))
        } catch {
            guard case .browserUnavailable = error.reason else { throw error }
        }
        return try await client.signIn(
            with: TerminalPasteUserAgent(complain: tell) { page in
                tell(
                    "Open \(page.text) and paste the address at which you arrive, even if the page there cannot be shown:"
                )
            })
    }

    static func call(_ client: OAuthClient) async throws -> HTTPResponse {
        let session: Session
        if let kept = try await client.session() { session = kept } else { session = try await signIn(client) }
        let reply = try await session.send(.get("https://api.example.com/me"))
        return reply
    }

    static func exitStatus(for error: TernError) -> Int32 {
        switch error.reason {
        case .signedOut, .reauthenticationRequired, .interactionForbidden: 3  // a person has to sign in
        case .network, .transient, .outcomeUnknown: 4  // try again later
        case .userCancelled, .cancelled: 130
        default: 1
        }
    }

    @Test("A tool that is signed in asks nobody, and scripts learn what to do")
    static func secondCall() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        _ = try await client.signIn(with: provider.userAgent)
        let pages = provider.server.count(of: .authorization)
        // The provider's API is another one, so what matters is that no page was shown.
        _ = try? await call(client)
        #expect(pages > 0 && provider.server.count(of: .authorization) == pages)
        #expect(exitStatus(for: TernError(.signedOut, at: .refresh)) == 3)
        #expect(exitStatus(for: TernError(.outcomeUnknown, at: .refresh)) == 4)
        #expect(exitStatus(for: TernError(.issuerMismatch(expected: "a", received: "b"), at: .discovery)) == 1)
    }
}
