internal import Dispatch
internal import TernCrypto
public import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// A store of one file a record, for systems without a better place and for machines without a user in front.
///
/// The folder has the mode 0700 and the files 0600. What that protects: other users of the machine cannot read the
/// tokens. What it does not protect from: other programs of the same user, the administrator, whoever takes the disk or
/// a backup of it. Where that matters, use the system's keychain, or a disk that is encrypted. A folder or a file that is
/// open to others, or belongs to another user, is refused with the command that puts it right; it is never quietly
/// used, and never quietly changed.
///
/// A record is replaced atomically: whatever happens, power loss and `kill -9` included, the old or the new one is
/// there. What a dying writer leaves behind is removed by a later save.
///
/// Exclusive access holds across processes. It rests on a lock file beside the record, which the system frees when its
/// holder dies. Lock files are empty and stay, also after the record is deleted. The folder must be on a file system
/// with `flock`; local ones have it.
public struct FileStore: CredentialStore {
    /// The folder, as an absolute path.
    public var folder: String { files.path }

    private let files: StoreFolder
    private let locks: RecordLocks
    // The disk may be slow: the calls block a thread of this queue and never one that runs Swift's tasks.
    private let worker = DispatchQueue(label: "tern.file-store")
    private let lastCleaning = Locked(Int.min)

    /// How long a task waits for a record that another process holds, when nobody says otherwise.
    public static let defaultLongestWait = Duration.seconds(60)

    /// Uses a folder, which is made at the first save.
    ///
    /// - Parameters:
    ///   - folder: A path; a relative one counts from the working directory of this moment.
    ///   - longestWait: How long a task waits for exclusive access to a record that another process holds, so that one
    ///     that was stopped does not make others wait for ever. It should be longer than a refresh can take.
    /// - Throws: ``/TernProtocol/TernError`` with the field `folder` when it is empty or holds a zero byte.
    public init(folder: String, longestWait: Duration = defaultLongestWait) throws(TernError) {
        guard !folder.isEmpty, !folder.utf8.contains(0) else {
            throw TernError(
                .invalidConfiguration(field: "folder", problem: "it is empty or holds a zero byte"), at: .storage)
        }
        files = StoreFolder(path: folder.hasPrefix("/") ? folder : try Self.workingFolder() + "/" + folder)
        locks = RecordLocks(in: files, longestWait: longestWait)
    }

    /// Loads a record; `nil` when there is none.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the folder or the file cannot be read or
    ///   is not this user's alone, ``/TernProtocol/TernError/Reason/corruptedRecord(_:)`` when the file is larger than
    ///   ``StoredRecord/maximumByteCount``.
    public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
        let name = RecordFileName.encode(key)
        return try await blocking { () throws(TernError) in try files.read(name) }.map(StoredRecord.init)
    }

    /// Saves a record in the place of the old one.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when it cannot be written; the old record is
    ///   there still. ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when it is too large.
    public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
        try record.checkSize()
        let name = RecordFileName.encode(key)
        try await blocking { () throws(TernError) in
            cleanUp()
            try files.whileNobodyWrites { () throws(TernError) in try files.replace(name, with: record.exposedBytes) }
        }
    }

    /// Saves a record only where exactly the old one is still there.
    ///
    /// - Returns: whether it was there.
    /// - Throws: what ``save(_:for:)`` and ``load(_:)`` throw.
    public func replace(
        _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
    ) async throws(TernError) -> Bool {
        try new.checkSize()
        let name = RecordFileName.encode(key)
        return try await blocking { () throws(TernError) in
            try files.whileNobodyWrites { () throws(TernError) in
                guard try files.read(name) == old.exposedBytes else { return false }
                try files.replace(name, with: new.exposedBytes)
                return true
            }
        }
    }

    /// Deletes a record; one that is not there is no error.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``.
    public func delete(_ key: StoreKey) async throws(TernError) {
        let name = RecordFileName.encode(key)
        try await blocking { () throws(TernError) in
            // Without a folder there is nothing to delete, and nothing to make one for.
            guard try files.exists() else { return }
            try files.whileNobodyWrites { () throws(TernError) in try files.remove(name) }
        }
    }

    /// The keys of all records, sorted. Files that are not records are passed over.
    ///
    /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``.
    public func keys() async throws(TernError) -> [StoreKey] {
        try await blocking { () throws(TernError) in try files.names() }.compactMap(RecordFileName.decode).sorted()
    }

    /// Runs `body` while nobody else, in this process or another one, runs under the same key. Tasks that share this
    /// store come in the order of their arrival; between processes there is no order. Calling it again for the same key
    /// inside `body` waits for ever.
    ///
    /// - Throws: what `body` throws; ``/TernProtocol/TernError/Reason/cancelled`` when the task is cancelled before its
    ///   turn; ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the lock file cannot be made, or another
    ///   process holds it for longer than the longest wait.
    public func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        try await locks.withExclusiveAccess(to: key, body)
    }

    private func blocking<Value: Sendable>(
        _ work: @escaping @Sendable () throws(TernError) -> Value
    ) async throws(TernError) -> Value {
        let result = await withCheckedContinuation { continuation in
            worker.async { continuation.resume(returning: Result(catching: work)) }
        }
        return try result.get()
    }

    /// Looks through the folder at the first save and then rarely, since it may hold many records. Trouble here must not
    /// keep a record from being saved.
    private func cleanUp() {
        let now = Int(time(nil))
        let isDue = lastCleaning.withLock { last in
            guard last == .min || abs(now - last) >= StoreFolder.temporaryFileAge else { return false }
            last = now
            return true
        }
        if isDue { try? files.removeStaleTemporaryFiles(now: now) }
    }

    private static func workingFolder() throws(TernError) -> String {
        guard let path = getcwd(nil, 0) else {
            throw TernError(.storeUnavailable("the working directory: \(SystemCall.words(errno))"), at: .storage)
        }
        defer { free(path) }
        return String(cString: path)
    }
}
