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

    /// The session of the named or only account.
    func session(_ name: String?) async throws(TernError) -> Session {
        let accounts = try accounts()
        let account = try await accounts.chosen(name)
        let client = try await accounts.client(of: account).client(account: account, store: accounts.credentials)
        guard let session = try await client.session() else { throw TernError(.signedOut, at: .storage) }
        return session
    }
}

extension OptionSpecification {
    static let account = OptionSpecification("--account", value: "NAME", "which account; needed when there are several")
}
