public import TernCrypto

/// An encrypted token in its compact form, taken apart but not yet opened (RFC 7516 §7.1).
///
/// Who made it is not known, whatever is in it: anybody can encrypt to a public key. A JWE prints nothing of itself.
public struct JWE: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The longest token that is read unless the caller says otherwise: 128 KiB, enough for the longest signed token inside.
    public static let standardMaximumByteCount = 131_072

    /// What the token says about its encryption.
    public let header: JWEHeader

    let encryptedKey: [UInt8]
    private let sealed: ContentEncryption.Sealed
    /// The header as it came, in ASCII: what is authenticated beside the content.
    private let authenticated: [UInt8]

    /// Whether a text has the five parts of an encrypted token, whatever is in them.
    public static func isCompact(_ text: String) -> Bool { text.utf8.lazy.filter { $0 == dot }.count == 4 }

    private static let dot = UInt8(ascii: ".")

    /// Takes a token apart.
    ///
    /// - Parameters:
    ///   - compact: The token: five parts in strict Base64url, joined by dots.
    ///   - maximumByteCount: The longest token that is read, in bytes. A longer one is refused before anything is done.
    /// - Throws: ``JOSEError/tooLarge``, ``JOSEError/malformed(_:)`` with `token` for another number of parts and with
    ///   `header`, `encrypted_key`, `iv`, `ciphertext` or `tag` for what is not Base64url, and what
    ///   ``JWEHeader/init(parsing:)`` throws.
    public init(
        compact: String, maximumByteCount: Int = JWE.standardMaximumByteCount
    ) throws(JOSEError) {
        guard compact.utf8.count <= maximumByteCount else { throw .tooLarge }
        guard Self.isCompact(compact) else { throw .malformed("token") }
        let parts = compact.utf8.split(separator: Self.dot, omittingEmptySubsequences: false)
        func decoded(_ index: Int, _ name: String) throws(JOSEError) -> [UInt8] {
            guard let bytes = Base64URL.decode(parts[index]) else { throw .malformed(name) }
            return bytes
        }
        header = try JWEHeader(parsing: try decoded(0, "header"))
        encryptedKey = try decoded(1, "encrypted_key")
        sealed = ContentEncryption.Sealed(
            vector: try decoded(2, "iv"), text: try decoded(3, "ciphertext"), tag: try decoded(4, "tag"))
        authenticated = Array(parts[0])
    }

    /// Opens the token.
    ///
    /// - Parameters:
    ///   - key: the private or shared key.
    ///   - allowed: the ways in which the key may come that the caller accepts; every one that is supported where nothing
    ///     is said.
    ///   - encryptions: the ways of encrypting that the caller accepts.
    /// - Returns: the content.
    /// - Throws: ``JOSEError/unsupportedAlgorithm(_:)`` when an algorithm is not allowed, ``JOSEError/keyUnusable(_:)`` when
    ///   the key does not fit, ``JOSEError/malformed(_:)`` for parameters that the algorithm needs, and
    ///   ``JOSEError/decryptionFailed`` for everything that the key decides.
    public func opened(
        with key: JWK, allowed: Set<KeyManagementAlgorithm> = Set(KeyManagementAlgorithm.allCases),
        encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases)
    ) throws(JOSEError) -> [UInt8] {
        try check(allowed, encryptions)
        if let reason = key.mismatch(decrypting: header) { throw .keyUnusable(reason) }
        return try open(key)
    }

    /// Opens the token with one of the keys that ``JWKSet/candidates(for:)-(JWEHeader)`` chooses.
    ///
    /// - Parameters:
    ///   - keys: the recipient's private or shared keys.
    ///   - allowed: the ways in which the key may come that the caller accepts; every one that is supported where nothing
    ///     is said.
    ///   - encryptions: the ways of encrypting that the caller accepts.
    /// - Returns: the content.
    /// - Throws: ``JOSEError/unsupportedAlgorithm(_:)`` when an algorithm is not allowed, ``JOSEError/unknownKey(hasKeyID:)``
    ///   when no key fits, ``JOSEError/malformed(_:)`` for parameters that the algorithm needs, and
    ///   ``JOSEError/decryptionFailed``.
    public func opened(
        with keys: JWKSet, allowed: Set<KeyManagementAlgorithm> = Set(KeyManagementAlgorithm.allCases),
        encryptions: Set<ContentEncryption> = Set(ContentEncryption.allCases)
    ) throws(JOSEError) -> [UInt8] {
        try check(allowed, encryptions)
        let candidates = keys.candidates(for: header)
        guard !candidates.isEmpty else { throw .unknownKey(hasKeyID: header.keyID != nil) }
        for key in candidates.dropLast() {
            do throws(JOSEError) {
                return try open(key)
            } catch {
                guard error == .decryptionFailed else { throw error }
            }
        }
        return try open(candidates[candidates.count - 1])
    }

    private func check(
        _ allowed: Set<KeyManagementAlgorithm>, _ encryptions: Set<ContentEncryption>
    ) throws(JOSEError) {
        guard allowed.contains(header.algorithm) else { throw .unsupportedAlgorithm(header.algorithm.rawValue) }
        guard encryptions.contains(header.encryption) else { throw .unsupportedAlgorithm(header.encryption.rawValue) }
    }

    private func open(_ key: JWK) throws(JOSEError) -> [UInt8] {
        let contentKey = try key.contentKey(of: header, encryptedKey)
        guard let content = header.encryption.open(sealed, with: contentKey, authenticating: authenticated) else {
            throw .decryptionFailed
        }
        return content
    }

    /// Encrypts a payload and writes the token.
    ///
    /// - Parameters:
    ///   - payload: what only the recipient shall read.
    ///   - header: the algorithms and whatever else the header shall say.
    ///   - key: the recipient's public key, or the shared one.
    ///   - random: where the content's key and the initialization vectors come from.
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when the key does not fit the header's algorithm,
    ///   ``JOSEError/criticalHeader`` and ``JOSEError/compressed`` for a header with `crit` or `zip`,
    ///   ``JOSEError/malformed(_:)`` for an `apu` or `apv` that is not base64url.
    public static func encrypt(
        payload: [UInt8], header: JWEHeader, key: JWK, random: any RandomSource = SystemRandomSource()
    ) throws(JOSEError) -> String {
        try encrypt(payload: payload, header: header, key: key, ephemeralKey: nil, random: random)
    }

    /// The same with the sender's key of a key agreement given; only tests know one.
    package static func encrypt(
        payload: [UInt8], header: JWEHeader, key: JWK, ephemeralKey: JWK?, random: any RandomSource
    ) throws(JOSEError) -> String {
        guard header.parameters["crit"] == nil else { throw .criticalHeader }
        guard header.parameters["zip"] == nil else { throw .compressed }
        if let reason = key.mismatch(encrypting: header) { throw .keyUnusable(reason) }
        let new = try key.newContentKey(for: header, ephemeralKey: ephemeralKey, random: random)
        let encodedHeader = Base64URL.encode(new.header.parameters.serialized())
        do throws(CryptoError) {
            let sealed = try header.encryption.seal(
                payload, with: new.key, authenticating: Array(encodedHeader.utf8), random: random)
            return [
                encodedHeader, Base64URL.encode(new.encryptedKey), Base64URL.encode(sealed.vector),
                Base64URL.encode(sealed.text), Base64URL.encode(sealed.tag),
            ].joined(separator: ".")
        } catch {
            throw .keyUnusable(error.description)
        }
    }

    /// Says that a token is here, and nothing of it.
    public var description: String { "<JWE>" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
