internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// The calls of the system's keychain, which block.
protocol KeychainItems: Sendable {
    /// Adds an item; ``KeychainStatus/duplicateItem`` when one is there with the same service, account, access group and
    /// synchronisation. The query names all of them, but for a group of the system's choice.
    func add(_ item: KeychainQuery, _ values: KeychainValues) -> KeychainStatus

    /// Changes every item that the query finds, in one step against all other writers.
    func update(_ query: KeychainQuery, to values: KeychainValues) -> KeychainStatus

    /// Reads one item with its secret.
    func copy(_ query: KeychainQuery) -> Result<KeychainItem, KeychainStatus>

    /// Deletes every item that the query finds.
    func delete(_ query: KeychainQuery) -> KeychainStatus

    /// The attributes of every item that the query finds. It reads no secret and asks nobody.
    func list(_ query: KeychainQuery) -> Result<[KeychainEntry], KeychainStatus>
}

/// Which generic passwords are meant. Protection is no part of it: an item is the same one whatever its class.
struct KeychainQuery: Sendable, Hashable {
    var service: String
    /// `nil` means every account.
    var account: String?
    /// `nil` means every group that the program may use, and for a new item the first one.
    var accessGroup: String?
    /// `nil` means both kinds.
    var isSynchronizable: Bool?
    /// Only the item with this revision (`kSecAttrGeneric`).
    var revision: [UInt8]?
    /// What to tell a user who is asked; `nil` means that nobody may be asked.
    var prompt: String?
}

/// What is written into an item.
struct KeychainValues: Sendable {
    let record: StoredRecord
    /// Random bytes that are new with every change.
    let revision: [UInt8]
    let accessibility: KeychainOptions.Accessibility
    let accessControl: KeychainOptions.AccessControl?
}

/// An item with its secret.
struct KeychainItem: Sendable {
    let record: StoredRecord
    let revision: [UInt8]?
}

/// The attributes of an item.
struct KeychainEntry: Sendable, Hashable {
    let account: String
    let modified: NumericDate?
}
