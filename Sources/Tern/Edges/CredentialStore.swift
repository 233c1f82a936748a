public import TernProtocol

/// Where credentials are kept between runs.
///
/// Records are bytes to a store; what is in them is ``Credential``'s business. A record that is there but cannot be
/// reached now is ``/TernProtocol/TernError/Reason/storeUnavailable(_:)``, never "nothing there".
public protocol CredentialStore: Sendable {
    /// Loads a record; `nil` when there is none.
    ///
    /// - Throws: `storeUnavailable` when it cannot be reached now.
    func load(_ key: StoreKey) async throws(TernError) -> StoredRecord?

    /// Saves a record in the place of the old one; afterwards there is the old or the new one, never neither.
    ///
    /// - Throws: `storeUnavailable` when it cannot be written; `invalidConfiguration` when it is larger than
    ///   ``StoredRecord/maximumByteCount``.
    func save(_ record: StoredRecord, for key: StoreKey) async throws(TernError)

    /// Saves a record only where exactly the old one is still there, as one step against every other writer, in this
    /// process or another one. A renewal saves this way: it must not undo a sign-out, or another sign-in, that came
    /// while the server answered.
    ///
    /// - Returns: whether the old one was there and the new one is now.
    /// - Throws: what ``save(_:for:)`` and ``load(_:)`` throw.
    func replace(_ old: StoredRecord, with new: StoredRecord, for key: StoreKey) async throws(TernError) -> Bool

    /// Deletes a record; one that is not there is no error.
    ///
    /// - Throws: `storeUnavailable` when it cannot be deleted; then it is there still.
    func delete(_ key: StoreKey) async throws(TernError)

    /// The keys of all records, sorted.
    ///
    /// - Throws: `storeUnavailable` when they cannot be listed.
    func keys() async throws(TernError) -> [StoreKey]

    /// Runs `body` while nobody else, in this process or another one, runs under the same key. A session refreshes inside
    /// it, so that a refresh token is used once.
    ///
    /// - Throws: what `body` throws; `cancelled` when the task is cancelled before its turn; `storeUnavailable` when there
    ///   is no exclusive access to be had.
    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result
}

/// The name of a record: 1 to 200 bytes of letters, digits and `-._~@:/%+`, not beginning with a dot.
public struct StoreKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The name.
    public let name: String

    /// The longest name, in bytes.
    public static let maximumByteCount = 200

    /// Checks a name.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `account`.
    public init(_ name: String) throws(TernError) {
        let extra = Set("-._~@:/%+".utf8)
        let isLegal = name.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                || extra.contains(byte)
        }
        guard (1...Self.maximumByteCount).contains(name.utf8.count), isLegal, !name.hasPrefix(".") else {
            throw TernError(
                .invalidConfiguration(
                    field: "account",
                    problem: "1 to \(Self.maximumByteCount) letters, digits or -._~@:/%+ are allowed"),
                at: .storage)
        }
        self.name = name
    }

    /// The same as ``name``.
    public var description: String { name }

    /// By name.
    public static func < (one: StoreKey, other: StoreKey) -> Bool { one.name < other.name }
}

/// The bytes of a record, which print nothing.
public struct StoredRecord: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The bytes, which hold tokens.
    public let exposedBytes: [UInt8]

    /// The largest record, in bytes.
    public static let maximumByteCount = 1 << 20

    /// Wraps bytes.
    public init(_ bytes: [UInt8]) { exposedBytes = bytes }

    /// The size.
    public var description: String { "<record of \(exposedBytes.count) bytes>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
