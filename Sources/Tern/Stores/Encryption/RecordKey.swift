public import TernCrypto
public import TernProtocol

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The purpose of ``Passphrase``.
public enum PassphrasePurpose: Sendable {}

/// Words from which a key is derived.
public typealias Passphrase = Secret<PassphrasePurpose>

/// A key for the records of an ``EncryptedStore``. It prints nothing of itself.
public struct RecordKey: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private enum Source: Sendable {
        case caller(SealingKey)
        case passphrase(PassphraseKeys)
    }

    private let source: Source

    /// The length of a key: 32 bytes.
    public static let byteCount = AESGCMKey.byteCount

    /// A key of 32 random bytes, which the caller keeps safe.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `recordKey` when they are not 32.
    public init(_ bytes: [UInt8]) throws(TernError) {
        try self.init(bytes, field: "recordKey")
    }

    /// A key from a passphrase: PBKDF2 with HMAC-SHA256, 600,000 iterations (RFC 8018 §5.2) and a random salt of 16 bytes,
    /// which is kept with each record. It is derived at the first load or save and then remembered by this value and its
    /// copies, so make one and keep it. The passphrase is taken as it is, octet for octet.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `passphrase` when it is empty.
    public init(passphrase: Passphrase) throws(TernError) {
        try self.init(passphrase: passphrase, iterations: PBKDF2.recommendedIterations)
    }

    init(passphrase: Passphrase, iterations: Int) throws(TernError) {
        guard !passphrase.isEmpty else {
            throw TernError(.invalidConfiguration(field: "passphrase", problem: "it is empty"), at: .configuration)
        }
        source = .passphrase(PassphraseKeys(passphrase, iterations: iterations))
    }

    /// A key from an environment variable: 32 random bytes in base64url without padding, which are 43 characters.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the name of the variable as its field, and never its value, when it is
    ///   not set or holds something else.
    public init(environmentVariable name: String) throws(TernError) {
        try self.init(environmentVariable: name) { name in getenv(name).map { String(cString: $0) } }
    }

    init(environmentVariable name: String, environment: (String) -> String?) throws(TernError) {
        guard let text = environment(name) else {
            throw TernError(
                .invalidConfiguration(field: name, problem: "the environment variable is not set"), at: .configuration)
        }
        guard let bytes = Base64URL.decode(text) else {
            throw TernError(
                .invalidConfiguration(field: name, problem: "it is not base64url without padding"), at: .configuration)
        }
        try self.init(bytes, field: name)
    }

    private init(_ bytes: [UInt8], field: String) throws(TernError) {
        guard let key = try? SealingKey(bytes, origin: .caller) else {
            throw TernError(
                .invalidConfiguration(
                    field: field, problem: "it has \(bytes.count) bytes instead of \(Self.byteCount)"),
                at: .configuration)
        }
        source = .caller(key)
    }

    /// The key that sealed a record; `nil` when it was another one.
    func key(of record: SealedRecord) async throws(TernError) -> SealingKey? {
        let key: SealingKey
        switch (source, record.origin) {
        case (.caller(let given), .caller): key = given
        case (.passphrase(let keys), .passphrase(let salt)): key = try await keys.key(for: salt)
        default: return nil
        }
        return key.id == record.keyID ? key : nil
    }

    /// The key for new records; `nil` as long as that of a passphrase has no salt.
    var current: SealingKey? {
        switch source {
        case .caller(let key): key
        case .passphrase(let keys): keys.current
        }
    }

    /// The key for new records.
    func currentOrNew(_ random: any RandomSource) async throws(TernError) -> SealingKey {
        switch source {
        case .caller(let key): key
        case .passphrase(let keys): try await keys.currentOrNew(random)
        }
    }

    /// Notes that a record was opened with a key, which new records may take too.
    func noteOpened(with key: SealingKey) {
        if case .passphrase(let keys) = source { keys.noteOpened(with: key) }
    }

    /// Says that a key is here, and nothing of it.
    public var description: String { "<record key>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
