public import TernCrypto
public import TernProtocol

/// A store that encrypts what it puts into another store, with AES-256-GCM.
///
/// What that protects: whoever gets at the records alone, on a copied disk, in a backup, as another user, can neither read
/// nor change them, nor put the record of one account in the place of another's. What it does not protect from: a program
/// that can read the key, such as one of the same user that looks into the environment or the memory of the process; and
/// somebody who puts an older record of the same account back. The names of the accounts stay readable, so that a list
/// needs no key.
///
/// A record that cannot be opened is left alone, and never "signed out": with another key it is
/// ``/TernProtocol/TernError/Reason/unknownRecordKey``, damaged or changed
/// ``/TernProtocol/TernError/Reason/corruptedRecord(_:)``, not encrypted
/// ``/TernProtocol/TernError/Reason/recordNotEncrypted``, of a later version
/// ``/TernProtocol/TernError/Reason/newerRecord(version:)``.
public struct EncryptedStore: CredentialStore {
    private let store: any CredentialStore
    private let key: RecordKey
    private let oldKeys: [RecordKey]
    private let readsPlainRecords: Bool
    private let random: any RandomSource

    /// The largest record, in bytes: what the envelope leaves of ``StoredRecord/maximumByteCount``.
    public static let maximumByteCount = StoredRecord.maximumByteCount - SealedRecord.maximumOverhead

    /// In how many records a salt is looked for.
    private static let searchedRecordCount = 4
    private static let replaceAttempts = 100

    /// Encrypts the records of a store.
    ///
    /// - Parameters:
    ///   - store: where the encrypted records are kept.
    ///   - key: what new records are encrypted with.
    ///   - oldKeys: keys for reading alone. A record of theirs gets the new key when it is saved next.
    ///   - readsPlainRecords: whether records that are not encrypted are read too; they are encrypted when they are saved
    ///     next. Meant for the time of a move: as long as it is on, whoever can write the records can put in one of their
    ///     own.
    ///   - random: where nonces and salts come from.
    public init(
        _ store: any CredentialStore, key: RecordKey, oldKeys: [RecordKey] = [], readsPlainRecords: Bool = false,
        random: any RandomSource = SystemRandomSource()
    ) {
        self.store = store
        self.key = key
        self.oldKeys = oldKeys
        self.readsPlainRecords = readsPlainRecords
        self.random = random
    }

    /// Loads and decrypts a record; `nil` when there is none.
    ///
    /// - Throws: what the store throws, and ``/TernProtocol/TernError`` with a reason above when it cannot be opened.
    public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        guard let record = try await store.load(key) else { return nil }
        return try await open(record, for: key)
    }

    /// Encrypts a record and saves it in the place of the old one, which need not be one that can be opened.
    ///
    /// - Throws: what the store throws; ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when the
    ///   record is larger than ``maximumByteCount``.
    public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try await store.save(try await seal(record, for: key), for: key)
    }

    /// Saves a record only where exactly the old one is still there, by what is in it: the same record encrypted twice
    /// differs.
    ///
    /// - Returns: whether it was there.
    /// - Throws: what ``save(_:for:)`` and ``load(_:)`` throw.
    public func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool {
        let sealed = try await seal(new, for: key)
        // The store compares what was read a moment ago, so the step is one; where it says no, somebody else was faster,
        // perhaps with the same record.
        for _ in 0..<Self.replaceAttempts {
            guard let present = try await store.load(key), try await open(present, for: key) == old else {
                return false
            }
            if try await store.replace(present, with: sealed, for: key) { return true }
        }
        throw TernError(.storeUnavailable("others write the same record all the time"), at: .storage)
    }

    /// Deletes a record; one that is not there is no error. It needs no key.
    ///
    /// - Throws: what the store throws.
    public func delete(_ key: StoreKey) async throws(TernError) { try await store.delete(key) }

    /// The keys of all records, sorted. It needs no key and opens nothing.
    ///
    /// - Throws: what the store throws.
    public func keys() async throws(TernError) -> [StoreKey] { try await store.keys() }

    /// Runs `body` with the exclusive access of the store below.
    ///
    /// - Throws: what `body` and the store throw.
    public func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await store.withExclusiveAccess(to: key, body)
    }

    private func seal(_ record: StoredRecord, for name: StoreKey) async throws(TernError) -> StoredRecord {
        guard record.exposedBytes.count <= Self.maximumByteCount else {
            throw TernError(
                .invalidConfiguration(
                    field: "record", problem: "it is larger than \(Self.maximumByteCount) bytes"), at: .storage)
        }
        return try SealedRecord.seal(record, with: try await sealingKey(name), for: name, random: random)
    }

    private func open(_ record: StoredRecord, for name: StoreKey) async throws(TernError) -> StoredRecord {
        guard let sealed = try SealedRecord(record) else {
            guard readsPlainRecords else { throw TernError(.recordNotEncrypted, at: .storage) }
            return record
        }
        for candidate in [key] + oldKeys {
            guard let key = try await candidate.key(of: sealed) else { continue }
            guard let opened = sealed.open(with: key, for: name) else {
                throw TernError(
                    .corruptedRecord("it was changed, or put in the place of another account's"), at: .storage)
            }
            candidate.noteOpened(with: key)
            return opened
        }
        throw TernError(.unknownRecordKey, at: .storage)
    }

    /// The key for saving. That of a passphrase takes the salt of a record that is there: with one salt for each process
    /// that ever saved, a later one would have to derive as many keys.
    private func sealingKey(_ name: StoreKey) async throws(TernError) -> SealingKey {
        if let current = key.current { return current }
        let others = (try? await store.keys()) ?? []
        for name in [name] + others.prefix(Self.searchedRecordCount) {
            // What cannot be opened has no salt to give, and its trouble is that of whoever loads it.
            guard let record = try? await store.load(name) else { continue }
            _ = try? await open(record, for: name)
            if let current = key.current { return current }
        }
        return try await key.currentOrNew(random)
    }
}
