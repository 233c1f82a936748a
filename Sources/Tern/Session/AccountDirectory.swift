public import TernJOSE
public import TernProtocol

/// What is known of each account beside its credential: a label, whose it is, and which one is the default.
///
/// It can be read without unlocking anything: listing asks the credential store for its keys and never for a record. So
/// the directory lies in the clear, in a store of its own, and must hold nothing secret; whoever can read that store
/// learns who is signed in where.
///
/// The credential store alone says who is signed in. An account without an entry is listed all the same, an entry that
/// cannot be read counts as none, and the entry of an account that is gone goes with the next listing.
public struct AccountDirectory: Sendable {
    private let credentials: any CredentialStore
    private let entries: any CredentialStore

    /// Makes a directory.
    ///
    /// - Parameters:
    ///   - credentials: the store of the credentials, possibly a locked or an encrypted one.
    ///   - entries: a store for the directory alone, whose records can be read at any time.
    public init(of credentials: any CredentialStore, in entries: any CredentialStore) {
        self.credentials = credentials
        self.entries = entries
    }

    /// What is known of one account.
    public struct Entry: Sendable, Hashable {
        /// Under which name its credential is stored.
        public let account: StoreKey
        /// What the user calls it.
        public var label: String?
        /// The issuer, where an ID token named it.
        public var issuer: String?
        /// The client that the tokens were issued to.
        public var clientID: String?
        /// The user, where an ID token said so.
        public var subject: String?
        /// The user's name, where the ID token told it.
        public var name: String?
        /// The user's address, where the ID token told it.
        public var email: String?
        /// When somebody signed in to it last.
        public var lastSignIn: NumericDate?
        /// What the application wants to remember of it; nothing secret.
        public var notes: [String: String] = [:]

        /// Makes an entry that says nothing yet.
        public init(account: StoreKey) { self.account = account }
    }

    /// All accounts, sorted by name, also those of which nothing is known. No credential is read.
    ///
    /// - Throws: `storeUnavailable` when the credential store cannot be listed.
    public func list() async throws(TernError) -> [Entry] {
        let accounts = try await accounts()
        var list: [Entry] = []
        for account in accounts { list.append(await entry(of: account)) }
        await forgetOthers(than: Set(accounts))
        return list
    }

    /// What is known of an account, whether it is signed in or not.
    public func entry(of account: StoreKey) async -> Entry {
        guard let record = try? await entries.load(account), let json = try? JSON(parsing: record.exposedBytes).object
        else { return Entry(account: account) }
        return Entry(account, json)
    }

    /// The accounts that a word may mean: the one of this name, or else all that have it as their label.
    ///
    /// - Throws: what ``list()`` throws.
    public func accounts(called word: String) async throws(TernError) -> [StoreKey] {
        let list = try await list()
        if let exact = list.first(where: { $0.account.name == word }) { return [exact.account] }
        return list.filter { $0.label == word }.map(\.account)
    }

    /// Changes an entry, as one step against every other writer in this process or another one.
    ///
    /// - Throws: `storeUnavailable`; `invalidConfiguration` when the entry becomes too large.
    public func update(
        _ account: StoreKey, _ change: @Sendable (inout Entry) -> Void
    ) async throws(TernError) {
        try await entries.withExclusiveAccess(to: account) { () async throws(TernError) in
            var entry = await entry(of: account)
            change(&entry)
            try await entries.save(StoredRecord(JSON.object(entry.json).serialized()), for: account)
        }
    }

    /// Notes a sign-in: whose it is, and when. The label and the application's notes stay, unless another user has come.
    ///
    /// - Throws: what ``update(_:_:)`` throws; the user is signed in all the same.
    public func noteSignIn(
        _ credential: Credential, to account: StoreKey, at time: NumericDate
    ) async throws(TernError) {
        let claims = credential.idToken
            .flatMap { try? JWS(compact: $0.exposedText) }.flatMap { try? JWTClaims(parsing: $0.payload) }
        try await update(account) { entry in
            if let known = entry.subject, known != credential.subject { entry = Entry(account: account) }
            entry.issuer = credential.issuer
            entry.clientID = credential.clientID
            entry.subject = credential.subject
            entry.name = claims?["name"]?.string ?? entry.name
            entry.email = claims?["email"]?.string ?? entry.email
            entry.lastSignIn = time
        }
    }

    /// Forgets what is known of an account; its credential is left alone.
    ///
    /// - Throws: `storeUnavailable`.
    public func forget(_ account: StoreKey) async throws(TernError) {
        try await entries.withExclusiveAccess(to: account) { () async throws(TernError) in
            try await entries.delete(account)
        }
    }

    /// The account that is meant where none is named: the one that was chosen, or the only one there is; `nil` where
    /// several are there and none of them was chosen.
    ///
    /// - Throws: `storeUnavailable` when the credential store cannot be listed.
    public func defaultAccount() async throws(TernError) -> StoreKey? {
        let accounts = try await accounts()
        if let chosen = await chosenAccount(), accounts.contains(chosen) { return chosen }
        return accounts.count == 1 ? accounts.first : nil
    }

    /// Chooses the account that is meant where none is named, or takes the choice back.
    ///
    /// - Throws: `storeUnavailable`; `signedOut` for an account that is not there.
    public func setDefaultAccount(_ account: StoreKey?) async throws(TernError) {
        let key = Self.choiceKey
        guard let account else { return try await entries.delete(key) }
        guard try await accounts().contains(account) else { throw TernError(.signedOut, at: .storage) }
        try await entries.save(
            StoredRecord(JSON.object(["account": .string(account.name)]).serialized()), for: key)
    }

    private func chosenAccount() async -> StoreKey? {
        guard let record = try? await entries.load(Self.choiceKey),
            let name = try? JSON(parsing: record.exposedBytes)["account"]?.string
        else { return nil }
        return try? StoreKey(name)
    }

    private func accounts() async throws(TernError) -> [StoreKey] { try await credentials.accounts() }

    /// Tidies up, which must not keep anybody from listing.
    private func forgetOthers(than known: Set<StoreKey>) async {
        for account in (try? await entries.accounts()) ?? [] where !known.contains(account) {
            try? await entries.withExclusiveAccess(to: account) { () async throws(TernError) in
                // Somebody may have signed in to it since the list was made.
                if try await !accounts().contains(account) { try await entries.delete(account) }
            }
        }
    }

    private static let choiceKey = StoreKey(reserved: "default-account")
}

extension AccountDirectory.Entry {
    fileprivate init(_ account: StoreKey, _ json: JSONObject) {
        self.init(account: account)
        label = json["label"]?.string
        issuer = json["iss"]?.string
        clientID = json["client_id"]?.string
        subject = json["sub"]?.string
        name = json["name"]?.string
        email = json["email"]?.string
        lastSignIn = json["last_sign_in"]?.double.map { NumericDate($0) }
        for (name, value) in json["notes"]?.object ?? [:] { notes[name] = value.string }
    }

    fileprivate var json: JSONObject {
        var json: JSONObject = [:]
        json["label"] = label.map(JSON.string)
        json["iss"] = issuer.map(JSON.string)
        json["client_id"] = clientID.map(JSON.string)
        json["sub"] = subject.map(JSON.string)
        json["name"] = name.map(JSON.string)
        json["email"] = email.map(JSON.string)
        json["last_sign_in"] = lastSignIn.flatMap { JSONNumber($0.secondsSince1970) }.map(JSON.number)
        guard !notes.isEmpty else { return json }
        var object: JSONObject = [:]
        for (name, value) in notes.sorted(by: { $0.key < $1.key }) { object[name] = .string(value) }
        json["notes"] = .object(object)
        return json
    }
}
