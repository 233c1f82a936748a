public import TernProtocol

extension StoreKey {
    /// How the names of records begin that the library keeps beside the accounts.
    static let reservedPrefix = "tern:"

    /// A record of the library's own.
    init(reserved name: String) { self.name = Self.reservedPrefix + name }

    /// Whether the library keeps this name for itself, so that no account can have it.
    public var isReserved: Bool { name.hasPrefix(Self.reservedPrefix) }

    /// The key, where an account may have it.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `account` for a reserved name.
    func asAccount() throws(TernError) -> StoreKey {
        guard !isReserved else {
            throw TernError(
                .invalidConfiguration(
                    field: "account", problem: "names that begin with \"\(Self.reservedPrefix)\" are the library's own"),
                at: .configuration)
        }
        return self
    }
}

extension CredentialStore {
    /// The accounts of the store, sorted: ``keys()`` without what the library keeps beside them.
    ///
    /// - Throws: `storeUnavailable` when they cannot be listed.
    public func accounts() async throws(TernError) -> [StoreKey] { try await keys().filter { !$0.isReserved } }
}
