public import TernCrypto

/// A cryptographic key with what is said about its use: a JSON Web Key (RFC 7517), parsed once and ready to work.
///
/// A JWK prints its type and whether it is private, never a number of the key.
public struct JWK: Sendable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The key types, with the spelling of the `kty` member (RFC 7518 §6.1, RFC 8037 §2).
    public enum KeyType: String, Sendable, Hashable, CaseIterable {
        /// RSA.
        case rsa = "RSA"
        /// A point on one of the curves P-256, P-384 and P-521.
        case ellipticCurve = "EC"
        /// An octet key pair, here on the curves Ed25519 and X25519.
        case octetKeyPair = "OKP"
        /// Bytes that both sides know.
        case octetSequence = "oct"
    }

    /// The key itself.
    public enum Material: Sendable {
        /// An RSA key that verifies and encrypts.
        case rsaPublic(RSAPublicKey)
        /// An RSA key that signs and decrypts too.
        case rsaPrivate(RSAPrivateKey)
        /// A key on a NIST curve that verifies, or agrees on keys.
        case ecPublic(ECPublicKey)
        /// A key on a NIST curve that signs and verifies, or agrees on keys.
        case ecPrivate(ECPrivateKey)
        /// An Ed25519 key that verifies.
        case ed25519Public(Ed25519PublicKey)
        /// An Ed25519 key that signs and verifies.
        case ed25519Private(Ed25519PrivateKey)
        /// An X25519 key with which others agree on keys.
        case x25519Public(X25519PublicKey)
        /// An X25519 key that agrees on keys.
        case x25519Private(X25519PrivateKey)
        /// A shared key for HMAC, for wrapping keys or for encrypting.
        case symmetric(SymmetricKey)
    }

    /// The key itself.
    public let material: Material

    /// The `kid` (RFC 7517 §4.5), a hint which of several keys is meant; several keys may share it.
    public var keyID: String?

    /// The `use` (RFC 7517 §4.2): `sig`, `enc` or another text; `nil` when nothing is said.
    public var use: String?

    /// The `key_ops` (RFC 7517 §4.3), for example `sign` and `verify`; `nil` when nothing is said.
    public var operations: [String]?

    /// The `alg` (RFC 7517 §4.4) for which alone the key is meant; it may be one that is not supported here. `nil` when
    /// nothing is said.
    public var algorithm: String?

    /// Puts a key together.
    public init(
        _ material: Material, keyID: String? = nil, use: String? = nil, operations: [String]? = nil,
        algorithm: String? = nil
    ) {
        self.material = material
        self.keyID = keyID
        self.use = use
        self.operations = operations
        self.algorithm = algorithm
    }

    /// Makes a new key for signing with an algorithm, marked with the algorithm and with the use `sig`. RSA keys have
    /// 2048 bits, keys for HMAC the length of the hash.
    ///
    /// - Throws: ``JOSEError/keyUnusable(_:)`` when the system's cryptographic library fails.
    public static func generate(
        for algorithm: SignatureAlgorithm, keyID: String? = nil
    ) throws(JOSEError) -> JWK {
        let material: Material
        do throws(CryptoError) {
            switch algorithm.keyType {
            case .rsa: material = .rsaPrivate(try RSAPrivateKey.generate())
            case .ellipticCurve: material = .ecPrivate(try ECPrivateKey.generate(algorithm.curve ?? .p256))
            case .octetKeyPair: material = .ed25519Private(try Ed25519PrivateKey.generate())
            case .octetSequence:
                material = .symmetric(SymmetricKey(SystemRandomSource().bytes(algorithm.hashFunction.byteCount)))
            }
        } catch {
            throw .keyUnusable(error.description)
        }
        return JWK(material, keyID: keyID, use: "sig", algorithm: algorithm.rawValue)
    }

    /// The key type.
    public var keyType: KeyType {
        switch material {
        case .rsaPublic, .rsaPrivate: .rsa
        case .ecPublic, .ecPrivate: .ellipticCurve
        case .ed25519Public, .ed25519Private, .x25519Public, .x25519Private: .octetKeyPair
        case .symmetric: .octetSequence
        }
    }

    /// The curve with the spelling of the `crv` member; `nil` for RSA and for symmetric keys.
    public var curveName: String? {
        switch material {
        case .ecPublic(let key): key.curve.name
        case .ecPrivate(let key): key.curve.name
        case .ed25519Public, .ed25519Private: "Ed25519"
        case .x25519Public, .x25519Private: "X25519"
        case .rsaPublic, .rsaPrivate, .symmetric: nil
        }
    }

    /// Whether the key must be kept secret: a private or a symmetric key.
    public var isSecret: Bool {
        switch material {
        case .rsaPublic, .ecPublic, .ed25519Public, .x25519Public: false
        case .rsaPrivate, .ecPrivate, .ed25519Private, .x25519Private, .symmetric: true
        }
    }

    /// The public half, without `key_ops`, which say what the private half is for; `nil` for a symmetric key, which has
    /// none. A public key is its own public half.
    public var publicHalf: JWK? {
        let half: Material
        switch material {
        case .rsaPublic, .ecPublic, .ed25519Public, .x25519Public: return self
        case .rsaPrivate(let key): half = .rsaPublic(key.publicKey)
        case .ecPrivate(let key): half = .ecPublic(key.publicKey)
        case .ed25519Private(let key): half = .ed25519Public(key.publicKey)
        case .x25519Private(let key): half = .x25519Public(key.publicKey)
        case .symmetric: return nil
        }
        return JWK(half, keyID: keyID, use: use, algorithm: algorithm)
    }

    /// The type of the key and whether it is secret, and nothing of it.
    public var description: String {
        let type = curveName.map { "\(keyType.rawValue) \($0)" } ?? keyType.rawValue
        return "<\(isSecret ? "secret" : "public") JWK, \(type)>"
    }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension EllipticCurve {
    /// The spelling of the `crv` member (RFC 7518 §6.2.1.1).
    var name: String {
        switch self {
        case .p256: "P-256"
        case .p384: "P-384"
        case .p521: "P-521"
        }
    }
}
