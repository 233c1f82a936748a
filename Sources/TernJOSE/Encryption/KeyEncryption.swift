internal import TernCrypto

/// The curves of key agreement, with the spelling of the `crv` member (RFC 7518 §6.2.1.1, RFC 8037 §2).
public enum KeyAgreementCurve: String, Sendable, Hashable, CaseIterable {
    /// P-256.
    case p256 = "P-256"
    /// P-384.
    case p384 = "P-384"
    /// P-521.
    case p521 = "P-521"
    /// Curve25519.
    case x25519 = "X25519"
}

extension JWK {
    /// Makes a new key for decrypting, marked with the algorithm and with the use `enc`. RSA keys have 2048 bits, shared
    /// ones the length that the algorithm wants.
    ///
    /// - Parameters:
    ///   - algorithm: how others shall encrypt to the key.
    ///   - curve: the curve for the algorithms of ECDH-ES.
    ///   - encryption: what ``KeyManagementAlgorithm/direct`` encrypts with.
    ///   - keyID: the key's name.
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when the system's cryptographic library fails.
    public static func generate(
        for algorithm: KeyManagementAlgorithm, curve: KeyAgreementCurve = .p256,
        encryption: ContentEncryption = .a256GCM,
        keyID: String? = nil
    ) throws(JOSEError) -> JWK {
        let material: Material
        do throws(CryptoError) {
            switch (algorithm.family, curve) {
            case (.rsa, _): material = .rsaPrivate(try RSAPrivateKey.generate())
            case (.agreement, .x25519), (.agreementWithKeyWrap, .x25519):
                material = .x25519Private(try X25519PrivateKey.generate())
            case (.agreement, _), (.agreementWithKeyWrap, _):
                material = .ecPrivate(try ECPrivateKey.generate(curve.ellipticCurve ?? .p256))
            case (.keyWrap, _), (.gcmKeyWrap, _), (.direct, _):
                let byteCount = algorithm.sharedKeyByteCount(for: encryption) ?? 0
                material = .symmetric(SymmetricKey(SystemRandomSource().bytes(byteCount)))
            }
        } catch {
            throw .keyUnusable(error.description)
        }
        return JWK(material, keyID: keyID, use: "enc", algorithm: algorithm.rawValue)
    }

    /// Why the key must not decrypt what has this header, `nil` when it may.
    func mismatch(decrypting header: JWEHeader) -> String? {
        if let reason = mismatch(with: header) { return reason }
        guard isSecret else { return "a public key cannot decrypt" }
        let wanted: Set = header.algorithm.isAgreement ? ["deriveKey", "deriveBits"] : ["unwrapKey", "decrypt"]
        if let operations, wanted.isDisjoint(with: operations) { return "its key_ops do not allow to decrypt" }
        guard header.algorithm.isAgreement else { return nil }
        if let ephemeral = header.ephemeralKey, ephemeral.curveName != curveName {
            return "its curve does not fit the sender's"
        }
        return nil
    }

    /// Why nothing must be encrypted to the key with this header, `nil` when it may.
    func mismatch(encrypting header: JWEHeader) -> String? {
        if let reason = mismatch(with: header) { return reason }
        // The operations of a private key, and those of a key that agrees, do not speak of what others do with it.
        guard !header.algorithm.isAgreement, !isSecret || keyType == .octetSequence, let operations else { return nil }
        return Set(operations).isDisjoint(with: ["wrapKey", "encrypt"]) ? "its key_ops do not allow to encrypt" : nil
    }

    private func mismatch(with header: JWEHeader) -> String? {
        let algorithm = header.algorithm
        let isRightType =
            switch (algorithm.family, material) {
            case (.rsa, .rsaPublic), (.rsa, .rsaPrivate): true
            case (.agreement, .ecPublic), (.agreement, .ecPrivate), (.agreement, .x25519Public),
                (.agreement, .x25519Private), (.agreementWithKeyWrap, .ecPublic), (.agreementWithKeyWrap, .ecPrivate),
                (.agreementWithKeyWrap, .x25519Public), (.agreementWithKeyWrap, .x25519Private):
                true
            case (.keyWrap, .symmetric), (.gcmKeyWrap, .symmetric), (.direct, .symmetric): true
            default: false
            }
        guard isRightType else { return "its type does not fit the algorithm" }
        if case .symmetric(let key) = material, let count = algorithm.sharedKeyByteCount(for: header.encryption),
            key.exposedBytes.count != count
        {
            return "\(algorithm.rawValue) needs a key of \(count) bytes"
        }
        if let name = self.algorithm, name != algorithm.rawValue {
            // A key that encrypts directly may be marked with what it encrypts with (RFC 7520 §5.6).
            guard algorithm == .direct, name == header.encryption.rawValue else {
                return "it is meant for another algorithm"
            }
        }
        if let use, use != "enc" { return "it is not meant for encryption" }
        return nil
    }
}

extension JWKSet {
    /// The keys with which a token of this header may be decrypted, best first.
    ///
    /// A key must fit the algorithm by `kty`, `crv`, `alg`, `use` and `key_ops`, and be private or shared. When the header
    /// names a key ID, only the keys with that ID count, and when there is none of those, the keys without any ID. Without
    /// a key ID in the header every key that fits counts.
    public func candidates(for header: JWEHeader) -> [JWK] {
        let fitting = keys.filter { $0.mismatch(decrypting: header) == nil }
        guard let keyID = header.keyID else { return fitting }
        let named = fitting.filter { $0.keyID.map { hasSameCodePoints($0, keyID) } ?? false }
        return named.isEmpty ? fitting.filter { $0.keyID == nil } : named
    }
}

extension KeyAgreementCurve {
    fileprivate var ellipticCurve: EllipticCurve? {
        switch self {
        case .p256: .p256
        case .p384: .p384
        case .p521: .p521
        case .x25519: nil
        }
    }
}
