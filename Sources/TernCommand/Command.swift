internal import Tern

/// A subcommand: what it takes, and what it does.
protocol Command: Sendable {
    static var specification: CommandSpecification { get }
    init(_ arguments: Arguments) throws(UsageError)
    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus
}

/// What a subcommand works with.
struct CommandContext: Sendable {
    let console: Console
    /// The folder of the accounts; it is made when something is saved.
    let storeFolder: String?

    func accounts() throws(TernError) -> Accounts {
        let folder: String
        if let storeFolder { folder = storeFolder } else { folder = try FileStore.defaultFolder(application: "tern") }
        return try Accounts(folder: folder)
    }

    /// The session of the named account, or of the default.
    func session(_ name: String?) async throws(TernError) -> Session {
        let accounts = try accounts()
        return try await session(of: try await accounts.chosen(name, console), accounts)
    }

    /// The session of an account.
    func session(of account: StoreKey, _ accounts: Accounts) async throws(TernError) -> Session {
        let settings = try await accounts.client(of: account)
        let client = try await settings.client(account: account, store: accounts.credentials)
        guard let session = try await client.session() else { throw TernError(.signedOut, at: .storage) }
        // A login that was killed between its two files must not send one server's tokens to the other.
        let credential = try await session.credential()
        guard credential.clientID == settings.clientID, credential.issuer ?? settings.issuer == settings.issuer,
            (credential.tokenSecret != nil) == (settings.oauth1 != nil)
        else {
            throw TernError(.corruptedRecord("the settings beside it are those of another client"), at: .storage)
        }
        return session
    }

    /// Does something with the session of the named account, or of the default. When it is cancelled while the tokens are being
    /// renewed, the end of the renewal is waited for: the server has then exchanged the refresh token already, and
    /// without the new one the account would be lost.
    func withSession<Result: Sendable>(
        _ name: String?, _ body: @Sendable (Session) async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await with(try await session(name), body)
    }

    /// Does something with a session, as ``withSession(_:_:)`` does.
    func with<Result: Sendable>(
        _ session: Session, _ body: @Sendable (Session) async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        do throws(TernError) {
            return try await body(session)
        } catch {
            if error.reason == .cancelled { await waitForRenewal(of: session) }
            throw error
        }
    }

    /// A renewal holds the account's lock until it has stored what came.
    private func waitForRenewal(of session: Session) async {
        let turn = Task {
            try? await session.client.environment.store.withExclusiveAccess(to: session.account) {}
        }
        let limit = Task {
            try await Task.sleep(for: .seconds(1))
            console.note("Waiting for the end of the renewal; Ctrl-C ends it at once.")
            try await Task.sleep(for: Self.longestWaitForRenewal)
            turn.cancel()
        }
        await turn.value
        limit.cancel()
    }

    private static let longestWaitForRenewal = Duration.seconds(10)
}

extension OptionSpecification {
    static let account = OptionSpecification(
        "--account", value: "NAME", "which account, by name or label; the default where it is left out")
}
