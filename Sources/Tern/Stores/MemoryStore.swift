internal import TernCrypto
public import TernProtocol

/// A store that forgets everything when the process ends: for tests, and for applications that keep nothing.
///
/// Exclusive access is granted in the order of arrival. A waiter whose task is cancelled leaves the line with
/// ``/TernProtocol/TernError/Reason/cancelled``; the one inside is not disturbed.
public final class MemoryStore: CredentialStore {
    private let records = Locked<[StoreKey: StoredRecord]>([:])
    let queue = AccessQueue()

    /// Makes an empty store.
    public init() {}

    /// Loads a record; `nil` when there is none. It never throws.
    public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? { records.withLock { $0[key] } }

    /// Saves a record in the place of the old one.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when it is larger than
    ///   ``StoredRecord/maximumByteCount``.
    public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try record.checkSize()
        records.withLock { $0[key] = record }
    }

    /// Saves a record only where exactly the old one is still there.
    ///
    /// - Returns: whether it was there.
    /// - Throws: what ``save(_:for:)`` throws.
    public func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool {
        try new.checkSize()
        return records.withLock { records in
            guard records[key] == old else { return false }
            records[key] = new
            return true
        }
    }

    /// Deletes a record; one that is not there is no error. It never throws.
    public func delete(_ key: StoreKey) async throws(TernError) { records.withLock { $0[key] = nil } }

    /// The keys of all records, sorted. It never throws.
    public func keys() async throws(TernError) -> [StoreKey] { records.withLock { $0.keys.sorted() } }

    /// Runs `body` while nobody else runs under the same key. Calling it again for the same key inside `body` waits for
    /// ever.
    ///
    /// - Throws: what `body` throws; ``/TernProtocol/TernError/Reason/cancelled`` when the task is cancelled before
    ///   its turn.
    public func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await queue.enter(key)
        defer { queue.leave(key) }
        return try await body()
    }
}

extension StoredRecord {
    /// - Throws: `invalidConfiguration` for a record above ``maximumByteCount``, so that nothing is saved that could not
    ///   be loaded again.
    func checkSize() throws(TernError) {
        guard exposedBytes.count <= Self.maximumByteCount else {
            throw TernError(
                .invalidConfiguration(
                    field: "record", problem: "it is larger than \(Self.maximumByteCount) bytes"), at: .storage)
        }
    }
}
