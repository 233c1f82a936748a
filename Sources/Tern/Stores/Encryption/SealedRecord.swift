internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// The envelope around an encrypted record:
///
/// | Bytes | What |
/// | --- | --- |
/// | 8 | `TERNSEAL` |
/// | 4 | the beginning of the SHA-256 digest of all that follows |
/// | 1 | the version of the envelope |
/// | 1 | where the key comes from: 0 the caller, 1 a passphrase |
/// | 4, 16 | only for a passphrase: the number of iterations, most significant byte first, and the salt |
/// | 8 | the key's ID |
/// | the rest | the nonce, the encrypted record and the tag |
///
/// The digest tells a damaged record from one of a later version and from one under another key; against forgery stands the
/// tag. The first three lines are the same in every version.
struct SealedRecord {
    let origin: SealingKey.Origin
    let keyID: [UInt8]
    private let sealed: [UInt8]

    private static let mark = Array("TERNSEAL".utf8)
    private static let version: UInt8 = 1
    private static let digestByteCount = 4
    static let maximumOverhead = 8 + digestByteCount + 2 + 4 + 16 + SealingKey.idByteCount + AESGCMKey.overhead

    /// Whether a record is encrypted, or was before it was damaged.
    static func isSealed(_ record: StoredRecord) -> Bool { record.exposedBytes.starts(with: mark) }

    /// Reads an envelope; `nil` for a plain record, which is a JSON object.
    ///
    /// - Throws: `corruptedRecord`, or `newerRecord` for an envelope of a later version.
    init?(_ record: StoredRecord) throws(TernError) {
        let damaged = TernError(.corruptedRecord("it was damaged or changed"), at: .storage)
        guard Self.isSealed(record) else {
            guard (try? JSON(parsing: record.exposedBytes))?.object != nil else { throw damaged }
            return nil
        }
        var rest = record.exposedBytes.dropFirst(Self.mark.count)
        func take(_ count: Int) throws(TernError) -> [UInt8] {
            guard rest.count >= count else { throw damaged }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        }
        guard try take(Self.digestByteCount) == Self.digest(Array(rest)) else { throw damaged }
        let version = try take(1)[0]
        guard version <= Self.version else { throw TernError(.newerRecord(version: Int64(version)), at: .storage) }
        switch try take(1)[0] {
        case 0 where version == Self.version: origin = .caller
        case 1 where version == Self.version:
            let iterations = try take(4).reduce(0) { $0 << 8 | Int($1) }
            guard (1...KeySalt.maximumIterations).contains(iterations) else { throw damaged }
            origin = .passphrase(KeySalt(bytes: try take(KeySalt.byteCount), iterations: iterations))
        default: throw damaged
        }
        keyID = try take(SealingKey.idByteCount)
        sealed = Array(rest)
    }

    /// The record inside; `nil` when it was sealed under another name, or changed.
    func open(with key: SealingKey, for name: StoreKey) -> StoredRecord? {
        key.key.open(sealed, authenticating: Self.boundData(of: key, for: name)).map(StoredRecord.init)
    }

    /// Encrypts a record.
    ///
    /// - Throws: `storeUnavailable` when the system's library fails.
    static func seal(
        _ record: StoredRecord, with key: SealingKey, for name: StoreKey, random: any RandomSource
    ) throws(TernError) -> StoredRecord {
        do throws(CryptoError) {
            let sealed = try key.key.seal(
                record.exposedBytes, authenticating: boundData(of: key, for: name), random: random)
            let body = header(of: key) + sealed
            return StoredRecord(mark + digest(body) + body)
        } catch {
            throw TernError(.storeUnavailable("encrypting: \(error)"), at: .storage)
        }
    }

    private static func header(of key: SealingKey) -> [UInt8] {
        switch key.origin {
        case .caller: [version, 0] + key.id
        case .passphrase(let salt):
            [version, 1] + (0..<4).map { UInt8(truncatingIfNeeded: salt.iterations >> (24 - 8 * $0)) } + salt.bytes
                + key.id
        }
    }

    /// What must be the same when the record is opened, so that a record put in the place of another account's is refused.
    private static func boundData(of key: SealingKey, for name: StoreKey) -> [UInt8] {
        header(of: key) + Array(name.name.utf8)
    }

    private static func digest(_ bytes: [UInt8]) -> [UInt8] {
        Array(HashFunction.sha256.digest(bytes).prefix(digestByteCount))
    }
}

/// A key that seals, by its ID and with what has to be known to derive it again.
struct SealingKey: Sendable {
    /// Where a key comes from.
    enum Origin: Sendable, Hashable {
        case caller
        case passphrase(KeySalt)
    }

    let key: AESGCMKey
    let id: [UInt8]
    let origin: Origin

    static let idByteCount = 8

    init(_ bytes: [UInt8], origin: Origin) throws(CryptoError) {
        guard bytes.count == AESGCMKey.byteCount else {
            throw CryptoError(.invalidKey(field: "k"), reason: "records are sealed with AES-256")
        }
        key = try AESGCMKey(bytes)
        let code = HMACKey(bytes).authenticationCode(for: Array("tern record key ID".utf8), using: .sha256)
        id = Array(code.prefix(Self.idByteCount))
        self.origin = origin
    }
}

/// How a key is derived from a passphrase.
struct KeySalt: Sendable, Hashable {
    let bytes: [UInt8]
    let iterations: Int

    static let byteCount = 16
    /// More would only serve to keep a reader busy.
    static let maximumIterations = 10_000_000
}
