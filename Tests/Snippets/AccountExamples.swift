import Tern
import TernTesting
import Testing

enum AccountExamples {
    static func list(
        _ session: Session, _ store: any CredentialStore, _ entries: any CredentialStore, _ clock: any WallClock
    ) async throws -> AccountDirectory {
        let directory = AccountDirectory(of: store, in: entries)
        try await directory.noteSignIn(try await session.credential(), to: session.account, at: clock.now)
        try await directory.update(session.account) { $0.label = "Work" }
        for entry in try await directory.list() { print(entry.label ?? entry.account.name, entry.email ?? "") }
        return directory
    }

    static func change(_ session: Session, with agent: some UserAgent) async throws -> Session {
        switch try await session.switchAccount(with: agent) {
        case .sameUser: break  // the session goes on with new tokens
        case .otherUser(let other, _): return other  // stored under an account of its own
        }
        return session
    }

    @Test("An account is listed, and switching to the same user keeps the session")
    static func accounts() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let directory = try await list(session, client.environment.store, MemoryStore(), provider.clock)
        #expect(try await directory.defaultAccount() == session.account)
        #expect(try await change(session, with: provider.userAgent) === session)
    }
}
