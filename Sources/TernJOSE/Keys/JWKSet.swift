/// Several keys that belong together, as an issuer publishes them: a JWK set (RFC 7517 §5).
///
/// A key that cannot be used never spoils the set: it is left out, and ``skippedKeys`` says why.
public struct JWKSet: Sendable {
    /// A key of the set that was left out.
    public struct SkippedKey: Sendable, Hashable {
        /// The place in the list of the set, from 0.
        public let index: Int
        /// Why the key cannot be used.
        public let reason: JOSEError
    }

    /// The usable keys in the order of the set. Keys with the use `enc` are among them; they are never chosen for a
    /// signature, nor those with the use `sig` for a decryption.
    public let keys: [JWK]

    /// The keys that were left out.
    public let skippedKeys: [SkippedKey]

    /// How many keys of a set are read, 100; what comes after them is skipped.
    public static let maximumKeyCount = 100

    /// Collects keys.
    public init(_ keys: [JWK]) {
        self.keys = keys
        skippedKeys = []
    }

    /// Reads a set from JSON text.
    ///
    /// - Throws: ``JOSEError/json(_:)`` when the text is not JSON, repeats a member anywhere or passes `limits`,
    ///   and what reading a set from a JSON value throws.
    public init(parsing bytes: [UInt8], limits: JSONLimits = .standard) throws(JOSEError) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: bytes, limits: limits) } catch { throw .json(error) }
        try self.init(json)
    }

    /// Reads a set from a JSON value.
    ///
    /// - Throws: ``JOSEError/malformed(_:)`` with `keys` when the value is not an object with a list of that name.
    public init(_ json: JSON) throws(JOSEError) {
        guard let list = json["keys"]?.array else { throw .malformed("keys") }
        var keys: [JWK] = []
        var skipped: [SkippedKey] = []
        for (index, value) in list.enumerated() {
            guard index < Self.maximumKeyCount else {
                let reason = JOSEError.keyUnusable("the set has more than \(Self.maximumKeyCount) keys")
                skipped.append(SkippedKey(index: index, reason: reason))
                continue
            }
            do throws(JOSEError) {
                keys.append(try JWK(value))
            } catch {
                skipped.append(SkippedKey(index: index, reason: error))
            }
        }
        self.keys = keys
        skippedKeys = skipped
    }

    /// The public halves as a JSON object, fit to be published; symmetric keys are left out.
    public func publicJSON() -> JSONObject {
        ["keys": .array(keys.compactMap { $0.publicJSON().map(JSON.object) })]
    }

    /// The keys with which the signature under a header may be verified, best first.
    ///
    /// A key must fit the algorithm by `kty`, `crv`, `alg`, `use` and `key_ops`. When the header names a key ID, only the
    /// keys with that ID count, and when there is none of those, the keys without any ID: an empty answer then means that
    /// the issuer may have a newer set. Without a key ID in the header every key that fits counts.
    public func candidates(for header: JWSHeader) -> [JWK] {
        let fitting = keys.filter { $0.mismatch(verifying: header.algorithm) == nil }
        guard let keyID = header.keyID else { return fitting }
        let named = fitting.filter { $0.keyID.map { hasSameCodePoints($0, keyID) } ?? false }
        return named.isEmpty ? fitting.filter { $0.keyID == nil } : named
    }
}
