#if SecretService && os(Linux)
    internal import Dispatch
    public import TernProtocol

    /// A store on the Secret Service of a Linux desktop (gnome-keyring, KWallet, KeePassXC), which encrypts what it keeps
    /// with the user's password; it is there with the package trait `SecretService`.
    ///
    /// A record is one item with the attributes `application` and `account`, whose secret is the record. Nobody is ever
    /// asked to unlock anything: without a session bus, without a service, and with a locked keyring every call is
    /// ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` with advice, at once, and so is one that the service leaves
    /// without an answer, after a time limit. Nobody is signed out for that.
    ///
    /// What that protects: while the keyring is locked, nobody reads the tokens, from the disk or a backup either. What it
    /// does not protect from: other programs of the same user, once the keyring is unlocked.
    ///
    /// The Secret Service has no locks. Exclusive access, and the order of writers, rest on lock files in a folder, as
    /// with ``FileStore``; no secret is in that folder.
    public struct SecretServiceStore: CredentialStore {
        /// Whose records they are.
        public let application: String

        /// How long the service has for an answer, when nobody says otherwise.
        public static let defaultTimeLimit = Duration.seconds(5)

        private let address: String?
        private let timeLimit: Duration
        private let files: StoreFolder
        private let locks: RecordLocks
        // The calls wait for other processes: never on a thread that runs Swift's tasks.
        private let worker = DispatchQueue(label: "tern.secret-service-store")

        /// Uses the Secret Service on the user's session bus, which is looked for at each call.
        ///
        /// - Parameters:
        ///   - application: The application's name or bundle identifier.
        ///   - lockFolder: Where the lock files are, the same for every process of the application; `nil` for
        ///     ``FileStore/defaultFolder(application:)``.
        ///   - longestWait: How long a task waits for exclusive access to a record that another process holds.
        ///   - timeLimit: How long the service has for an answer.
        /// - Throws: ``/TernProtocol/TernError`` with the field `application` or `lockFolder` when it is empty or holds a
        ///   zero byte, or the folder is no absolute path;
        ///   ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the environment names no home for the folder.
        public init(
            application: String, lockFolder: String? = nil, longestWait: Duration = FileStore.defaultLongestWait,
            timeLimit: Duration = defaultTimeLimit
        ) throws(TernError) {
            try self.init(
                application: application, lockFolder: lockFolder, longestWait: longestWait, timeLimit: timeLimit,
                address: nil)
        }

        /// - Parameter address: of the bus, in D-Bus's form; `nil` for the user's session bus.
        init(
            application: String, lockFolder: String?, longestWait: Duration = FileStore.defaultLongestWait,
            timeLimit: Duration = defaultTimeLimit, address: String?
        ) throws(TernError) {
            guard !application.isEmpty, !application.utf8.contains(0) else {
                throw TernError(
                    .invalidConfiguration(field: "application", problem: "it is empty or holds a zero byte"),
                    at: .storage)
            }
            if let lockFolder, !lockFolder.hasPrefix("/") || lockFolder.utf8.contains(0) {
                throw TernError(
                    .invalidConfiguration(field: "lockFolder", problem: "it must be an absolute path"), at: .storage)
            }
            self.application = application
            self.address = address
            self.timeLimit = timeLimit
            if let lockFolder {
                files = StoreFolder(path: lockFolder)
            } else {
                files = StoreFolder(path: try FileStore.defaultFolder(application: application))
            }
            locks = RecordLocks(in: files, longestWait: longestWait)
        }

        /// Loads a record; `nil` when there is none and the keyring is open.
        ///
        /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when there is no bus, no service or no
        ///   keyring, when the keyring is locked, and when no answer comes in time;
        ///   ``/TernProtocol/TernError/Reason/corruptedRecord(_:)`` when the secret is larger than
        ///   ``StoredRecord/maximumByteCount``.
        public func load(_ key: StoreKey) async throws(TernError) -> StoredRecord? {
            try await asking { keyring throws(TernError) in try Self.find(key, in: keyring)?.record }
        }

        /// Saves a record in the place of the old one, in the same item. A new one goes to the default keyring.
        ///
        /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` as ``load(_:)`` does.
        ///   ``/TernProtocol/TernError/Reason/invalidConfiguration(field:problem:)`` when it is too large.
        public func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError) {
            try record.checkSize()
            try await writing { keyring throws(TernError) in
                let items = try Self.unlockedItems(of: key, in: keyring)
                if items.isEmpty { try keyring.add(record, for: key.name) }
                for item in items { try keyring.update(item, to: record) }
            }
        }

        /// Saves a record only where exactly the old one is still there. That holds against every process with the same
        /// lock folder.
        ///
        /// - Returns: whether it was there.
        /// - Throws: what ``save(_:for:)`` and ``load(_:)`` throw.
        public func replace(
            _ old: StoredRecord, with new: StoredRecord, for key: StoreKey
        ) async throws(TernError) -> Bool {
            try new.checkSize()
            return try await writing { keyring throws(TernError) in
                guard let found = try Self.find(key, in: keyring), found.record == old else { return false }
                for item in found.items { try keyring.update(item, to: new) }
                return true
            }
        }

        /// Deletes a record; one that is not there is no error.
        ///
        /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``; then it is there still.
        public func delete(_ key: StoreKey) async throws(TernError) {
            try await writing { keyring throws(TernError) in
                let items = try Self.unlockedItems(of: key, in: keyring)
                if items.isEmpty { try keyring.checkThatItIsOpen() }
                for item in items { try keyring.remove(item) }
            }
        }

        /// The keys of all records, sorted, from the attributes alone: no secret is read. Services that hide the
        /// attributes of locked items make it fail, others do not.
        ///
        /// - Throws: ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` as ``load(_:)`` does.
        public func keys() async throws(TernError) -> [StoreKey] {
            try await asking { keyring throws(TernError) in
                let items = try keyring.items()
                if items.isEmpty { try keyring.checkThatItIsOpen() }
                var keys = Set<StoreKey>()
                for item in items {
                    guard let account = item.account else { throw KeyringTrouble.locked }
                    if let key = try? StoreKey(account) { keys.insert(key) }
                }
                return keys.sorted()
            }
        }

        /// Runs `body` while nobody else, in this process or another one with the same lock folder, runs under the same
        /// key. Calling it again for the same key inside `body` waits for ever.
        ///
        /// - Throws: what `body` throws; ``/TernProtocol/TernError/Reason/cancelled`` when the task is cancelled before
        ///   its turn; ``/TernProtocol/TernError/Reason/storeUnavailable(_:)`` when the lock file cannot be made, or
        ///   another process holds it for longer than the longest wait.
        public func withExclusiveAccess<Result: Sendable>(
            to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
        ) async throws(TernError) -> Result {
            try await locks.withExclusiveAccess(to: key, body)
        }
    }

    extension SecretServiceStore {
        private static func unlockedItems(of key: StoreKey, in keyring: Keyring) throws(TernError) -> [KeyringItem] {
            let items = try keyring.items(of: key.name)
            guard !items.contains(where: \.isLocked) else { throw KeyringTrouble.locked }
            return items
        }

        private static func find(
            _ key: StoreKey, in keyring: Keyring
        ) throws(TernError) -> (record: StoredRecord, items: [KeyringItem])? {
            let items = try keyring.items(of: key.name, withSecrets: true)
            guard let first = items.first else {
                try keyring.checkThatItIsOpen()
                return nil
            }
            guard !items.contains(where: \.isLocked), let record = try first.record() else {
                throw KeyringTrouble.locked
            }
            return (record, items)
        }

        /// One writer at a time, so that what was compared is what is replaced.
        private func writing<Value: Sendable>(
            _ body: @escaping @Sendable (Keyring) throws(TernError) -> Value
        ) async throws(TernError) -> Value {
            let files = files
            return try await asking { keyring throws(TernError) in
                try files.whileNobodyWrites { () throws(TernError) in try body(keyring) }
            }
        }

        private func asking<Value: Sendable>(
            _ body: @escaping @Sendable (Keyring) throws(TernError) -> Value
        ) async throws(TernError) -> Value {
            let answer = OneShot<Result<Value, TernError>>()
            let interruption = Interruption()
            let (seconds, attoseconds) = timeLimit.components
            DispatchQueue.global().asyncAfter(deadline: .now() + Double(seconds) + Double(attoseconds) / 1e18) {
                // The caller goes on also when what hangs cannot be interrupted.
                answer.resolve(.failure(KeyringTrouble.overdue(timeLimit)))
                interruption.interrupt()
            }
            worker.async {
                answer.resolve(
                    Result { () throws(TernError) in
                        try Keyring.use(at: address, for: application, interruption, body)
                    })
            }
            // Not given up when the task is cancelled: whether a record was saved must be known.
            return try await answer.value().get()
        }
    }
#endif
