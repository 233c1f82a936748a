public import TernCrypto

/// How a token is signed: the `alg` values of RFC 7518 §3.1, RFC 8037 §3.1 and RFC 9864 §2.2 that are supported.
///
/// The raw value is the exact spelling; `rs256` is not an algorithm. `none` is not one either, on purpose.
public enum SignatureAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rs256 = "RS256"
    /// RSASSA-PKCS1-v1_5 with SHA-384.
    case rs384 = "RS384"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rs512 = "RS512"
    /// RSASSA-PSS with SHA-256.
    case ps256 = "PS256"
    /// RSASSA-PSS with SHA-384.
    case ps384 = "PS384"
    /// RSASSA-PSS with SHA-512.
    case ps512 = "PS512"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// ECDSA on P-384 with SHA-384.
    case es384 = "ES384"
    /// ECDSA on P-521 with SHA-512.
    case es512 = "ES512"
    /// HMAC with SHA-256, with a key that both sides know.
    case hs256 = "HS256"
    /// HMAC with SHA-384, with a key that both sides know.
    case hs384 = "HS384"
    /// HMAC with SHA-512, with a key that both sides know.
    case hs512 = "HS512"
    /// EdDSA; Ed25519 is the curve that is supported.
    case edDSA = "EdDSA"
    /// EdDSA with Ed25519 under its fully specified name (RFC 9864).
    case ed25519 = "Ed25519"

    /// The algorithms with a public and a private key: all but HS256, HS384 and HS512.
    public static let asymmetric = Set(allCases.filter(\.isAsymmetric))

    /// Whether the key that verifies differs from the key that signs.
    public var isAsymmetric: Bool {
        switch self {
        case .hs256, .hs384, .hs512: false
        default: true
        }
    }

    /// The hash that goes with the algorithm, also for `at_hash` and `c_hash` of OpenID Connect; SHA-512 for Ed25519.
    public var hashFunction: HashFunction {
        switch self {
        case .rs256, .ps256, .es256, .hs256: .sha256
        case .rs384, .ps384, .es384, .hs384: .sha384
        case .rs512, .ps512, .es512, .hs512, .edDSA, .ed25519: .sha512
        }
    }

    /// The `kty` of the keys that fit.
    public var keyType: JWK.KeyType {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256, .es384, .es512: .ellipticCurve
        case .hs256, .hs384, .hs512: .octetSequence
        case .edDSA, .ed25519: .octetKeyPair
        }
    }

    /// The curve that ECDSA works on, `nil` for everything else.
    var curve: EllipticCurve? {
        switch self {
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        default: nil
        }
    }

    /// The padding of an RSA signature, `nil` for everything else.
    var padding: RSAPadding? {
        switch self {
        case .rs256, .rs384, .rs512: .pkcs1v15
        case .ps256, .ps384, .ps512: .pss
        default: nil
        }
    }

    /// Whether a key that is marked for the algorithm of this name may be used: the same name, or the other name of the
    /// same algorithm.
    func isMeant(by name: String) -> Bool {
        if name == rawValue { return true }
        return keyType == .octetKeyPair && (name == Self.edDSA.rawValue || name == Self.ed25519.rawValue)
    }
}
