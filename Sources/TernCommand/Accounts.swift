internal import Tern

/// The accounts that the command keeps: for each a credential, and beside it how its client is set up.
struct Accounts: Sendable {
    let credentials: FileStore
    private let clients: FileStore

    init(folder: String) throws(TernError) {
        credentials = try FileStore(folder: folder + "/credentials")
        clients = try FileStore(folder: folder + "/clients")
    }

    func save(_ client: SavedClient, for account: StoreKey) async throws(TernError) {
        try await clients.save(client.record, for: account)
    }

    func client(of account: StoreKey) async throws(TernError) -> SavedClient {
        guard let record = try await clients.load(account) else { throw TernError(.signedOut, at: .storage) }
        return try SavedClient(record)
    }

    func names() async throws(TernError) -> [StoreKey] { try await credentials.accounts() }

    func forget(_ account: StoreKey) async throws(TernError) { try await clients.delete(account) }

    /// The named account, or the only one there is.
    func chosen(_ name: String?) async throws(TernError) -> StoreKey {
        if let name { return try StoreKey(name) }
        let all = try await names()
        guard let first = all.first else { throw TernError(.signedOut, at: .storage) }
        guard all.count == 1 else {
            throw TernError(
                .invalidConfiguration(
                    field: "--account",
                    problem: "there are several accounts; name one of \(all.map(\.name).joined(separator: ", "))"),
                at: .configuration)
        }
        return first
    }
}
