internal import Tern

/// The accounts that the command keeps: for each a credential, and beside it how its client is set up and what is known of
/// it in the clear.
struct Accounts: Sendable {
    let credentials: any CredentialStore
    let directory: AccountDirectory
    /// How clients are set up: those of the accounts, and those that are registered here.
    let clients: FileStore

    init(folder: String) throws(TernError) {
        credentials = try StoreEncryption.around(try FileStore(folder: folder + "/credentials"))
        clients = try FileStore(folder: folder + "/clients")
        directory = AccountDirectory(of: credentials, in: try FileStore(folder: folder + "/directory"))
    }

    func save(_ client: SavedClient, for account: StoreKey) async throws(TernError) {
        try await clients.save(client.record, for: account)
    }

    func client(of account: StoreKey) async throws(TernError) -> SavedClient {
        guard let record = try await clients.load(account) else { throw TernError(.signedOut, at: .storage) }
        return try SavedClient(record)
    }

    func names() async throws(TernError) -> [StoreKey] { try await directory.list().map(\.account) }

    func forget(_ account: StoreKey) async throws(TernError) {
        try await clients.delete(account)
        try await directory.forget(account)
    }

    /// The account of this name or label, or the default.
    func chosen(_ word: String?, _ console: Console) async throws(TernError) -> StoreKey {
        guard let word else { return try await defaultAccount(console) }
        let found = try await directory.accounts(called: word)
        if let only = found.first, found.count == 1 { return only }
        guard found.isEmpty else {
            throw Self.ambiguous("\(found.count) accounts have this label; name one of them", found)
        }
        let list = try await directory.list()
        let known = list.map(\.account.name) + list.compactMap(\.label)
        if !console.isJSON {
            let suggestion = Spelling.nearest(to: word, among: known).map { "; did you mean \"\($0)\"?" } ?? "."
            console.note("There is no account \"\(Console.plain(UsageError.shown(word)))\"\(Console.plain(suggestion))")
        }
        throw TernError(.signedOut, at: .storage)
    }

    private func defaultAccount(_ console: Console) async throws(TernError) -> StoreKey {
        let all = try await names()
        guard !all.isEmpty else { throw TernError(.signedOut, at: .storage) }
        guard let account = try await directory.defaultAccount() else {
            throw Self.ambiguous("there are several accounts and `tern use` has chosen none; name one of", all)
        }
        if all.count > 1 { console.remark("Using \(account), the default account.") }
        return account
    }

    private static func ambiguous(_ problem: String, _ accounts: [StoreKey]) -> TernError {
        TernError(
            .invalidConfiguration(
                field: "--account", problem: "\(problem): \(accounts.map(\.name).joined(separator: ", "))"),
            at: .configuration)
    }
}
