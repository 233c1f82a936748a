internal import Dispatch
internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// A store on the keychain of Apple's systems. On other systems there is none, and no way to make this one.
///
/// A record is one generic password. It is changed in place and never deleted to be added again, so there is always the
/// old or the new one, and after a save exactly one, whatever class or synchronisation an earlier release gave it.
///
/// A keychain that is locked, or that may not ask the user now, is
/// ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``: nobody is signed out for that.
///
/// Items outlive the application. ``forgetRecords(lastWrittenBefore:)`` is for those who do not want that.
public struct KeychainStore: CredentialStore {
    /// How the items are kept.
    public let options: KeychainOptions

    private let items: any KeychainItems
    private let queue = AccessQueue()
    private let locks: FileStore?
    // The calls block, for as long as the user thinks where somebody is asked.
    private let worker = DispatchQueue(label: "tern.keychain-store")

    init(_ options: KeychainOptions, items: any KeychainItems) throws(TernError) {
        self.options = options
        self.items = items
        if let folder = options.lockFolder {
            locks = try FileStore(folder: folder)
        } else {
            locks = nil
        }
    }

    /// Loads a record; `nil` when there is none.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` while the keychain is locked or may not be used,
    ///   ``/TernProtocol/TernError/Reason/userCancelled`` when the user refuses the system's question,
    ///   ``/TernProtocol/TernError/Reason/corruptedRecord(_:)`` when the item cannot be decoded or is too large.
    public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        try await blocking { () throws(TernError) in try find(key)?.item.record }
    }

    /// Saves a record in the place of the old one.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when it cannot be written; the old record is
    ///   there still. ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when it is too large.
    public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try record.checkSize()
        try await blocking { () throws(TernError) in
            let (query, values) = (self.query(key), self.values(record))
            var status = items.update(query, to: values)
            if status == .itemNotFound { status = items.add(query, values) }
            // Added by another process meanwhile, or there all along and hidden while the device was locked.
            if status == .duplicateItem { status = items.update(query, to: values) }
            guard status == .success else { throw status.failure }
            // What stays behind of the other kind is not read while this one is there, so trouble here loses nothing.
            _ = items.delete(twin(of: query))
        }
    }

    /// Saves a record only where exactly the old one is still there. The keychain itself compares the item's revision, so
    /// this holds against every other process too.
    ///
    /// - Returns: whether it was there.
    /// - Throws: what ``save(_:for:)`` and ``load(_:)`` throw.
    public func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool {
        try new.checkSize()
        return try await blocking { () throws(TernError) -> Bool in
            guard let found = try find(key), found.item.record == old else { return false }
            var query = found.query
            // An item of another writer may have no revision; it gets one now.
            query.revision = found.item.revision
            let status = items.update(query, to: values(new))
            switch status {
            case .success: return true
            case .itemNotFound: return false
            default: throw status.failure
            }
        }
    }

    /// Deletes a record; one that is not there is no error. The other devices lose a synchronised one too.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``; then it is there still.
    public func delete(_ key: StoreKey) async throws(TernError) {
        try await blocking { () throws(TernError) in try remove(key.name) }
    }

    /// The keys of all records, sorted. No secret is read and nobody is asked. Items with other names are passed over.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``.
    public func keys() async throws(TernError) -> [StoreKey] {
        let entries = try await blocking { () throws(TernError) in try self.entries() }
        return Set(entries.compactMap { try? StoreKey($0.account) }).sorted()
    }

    /// Deletes every record that was last written before a time. Items outlive the application: one that shall begin
    /// signed out after it was installed again calls this with the time of the installation, before anything else.
    ///
    /// - Returns: the keys that were deleted, sorted.
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``; some may be deleted then.
    @discardableResult
    public func forgetRecords(lastWrittenBefore date: NumericDate) async throws(TernError) -> [StoreKey] {
        try await blocking { () throws(TernError) -> [StoreKey] in
            // An account of two items counts by the younger one, as both go together.
            let entries = try self.entries()
            let kept = Set(entries.filter { $0.modified.map { $0 >= date } ?? true }.map(\.account))
            var forgotten: [StoreKey] = []
            for account in Set(entries.map(\.account)).subtracting(kept).sorted() {
                guard let key = try? StoreKey(account) else { continue }
                try remove(account)
                forgotten.append(key)
            }
            return forgotten.sorted()
        }
    }

    /// Runs `body` while nobody else runs under the same key: nobody with this store, and with a
    /// ``KeychainOptions/lockFolder`` nobody in any process that uses the same folder. Calling it again for the same key
    /// inside `body` waits for ever.
    ///
    /// - Throws: what `body` throws; ``/TernProtocol/TernError/Reason/cancelled`` when the task is cancelled before its
    ///   turn; ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when a lock file cannot be made.
    public func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        if let locks { return try await locks.withExclusiveAccess(to: key, body) }
        try await queue.enter(key)
        defer { queue.leave(key) }
        return try await body()
    }
}

extension KeychainStore {
    private func query(_ key: StoreKey) -> KeychainQuery {
        KeychainQuery(
            service: options.service, account: key.name, accessGroup: options.accessGroup,
            isSynchronizable: options.isSynchronizable, prompt: options.accessControl?.prompt)
    }

    /// The item that an earlier release, with the other choice about synchronisation, may have left.
    private func twin(of query: KeychainQuery) -> KeychainQuery {
        var twin = query
        twin.isSynchronizable = !options.isSynchronizable
        return twin
    }

    private func values(_ record: StoredRecord) -> KeychainValues {
        KeychainValues(
            record: record, revision: (0..<16).map { _ in UInt8.random(in: .min ... .max) },
            accessibility: options.accessibility, accessControl: options.accessControl)
    }

    private func find(_ key: StoreKey) throws(TernError) -> (item: KeychainItem, query: KeychainQuery)? {
        let own = query(key)
        for query in [own, twin(of: own)] {
            switch items.copy(query) {
            case .success(let item):
                guard item.record.exposedBytes.count <= StoredRecord.maximumByteCount else {
                    throw TernError(
                        .corruptedRecord("it is larger than \(StoredRecord.maximumByteCount) bytes"), at: .storage)
                }
                return (item, query)
            case .failure(.itemNotFound): continue
            case .failure(let status): throw status.failure
            }
        }
        // Some systems say "not found" for what they cannot decrypt while the device is locked. Not so with an access
        // control: what another finger made unreadable for good must count as gone, or nobody could sign in again.
        if options.accessControl == nil, try entries(key.name).isEmpty == false {
            throw KeychainStatus.dataNotAvailable.failure
        }
        return nil
    }

    private func entries(_ account: String? = nil) throws(TernError) -> [KeychainEntry] {
        let query = KeychainQuery(service: options.service, account: account, accessGroup: options.accessGroup)
        switch items.list(query) {
        case .success(let entries): return entries
        case .failure(.itemNotFound): return []
        case .failure(let status): throw status.failure
        }
    }

    private func remove(_ account: String) throws(TernError) {
        let status = items.delete(
            KeychainQuery(service: options.service, account: account, accessGroup: options.accessGroup))
        guard status == .success || status == .itemNotFound else { throw status.failure }
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(TernError) -> Value
    ) async throws(TernError) -> Value {
        let result = await withCheckedContinuation { continuation in
            worker.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }
}
