public import TernCrypto
public import TernProtocol

/// What a client of OAuth 1.0a signs with, and by which method (RFC 5849 §3.4). It prints nothing of itself.
public struct OAuth1SigningKey: Sendable, CustomStringConvertible, CustomReflectable {
    enum Material: Sendable {
        case secret(ClientSecret)
        case privateKey(RSAPrivateKey)
    }

    /// The method.
    public let method: OAuth1SignatureMethod
    let material: Material

    /// Signs with a secret, which may be empty.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `signature_method` for one that wants a private key.
    public init(_ method: OAuth1SignatureMethod, secret: ClientSecret) throws(TernError) {
        guard !method.usesPrivateKey else { throw Self.unfit("\(method.rawValue) signs with a private key") }
        self.init(method, .secret(secret))
    }

    /// Signs with a private key.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `signature_method` for one that wants a secret.
    public init(_ method: OAuth1SignatureMethod, privateKey: RSAPrivateKey) throws(TernError) {
        guard method.usesPrivateKey else { throw Self.unfit("\(method.rawValue) signs with a secret") }
        self.init(method, .privateKey(privateKey))
    }

    private init(_ method: OAuth1SignatureMethod, _ material: Material) {
        self.method = method
        self.material = material
    }

    private static func unfit(_ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: "signature_method", problem: problem), at: .configuration)
    }

    /// HMAC-SHA1 with a secret.
    public static func hmacSHA1(_ secret: ClientSecret) -> OAuth1SigningKey { Self(.hmacSHA1, .secret(secret)) }
    /// HMAC-SHA256 with a secret.
    public static func hmacSHA256(_ secret: ClientSecret) -> OAuth1SigningKey { Self(.hmacSHA256, .secret(secret)) }
    /// HMAC-SHA512 with a secret.
    public static func hmacSHA512(_ secret: ClientSecret) -> OAuth1SigningKey { Self(.hmacSHA512, .secret(secret)) }
    /// RSA-SHA1 with a private key.
    public static func rsaSHA1(_ key: RSAPrivateKey) -> OAuth1SigningKey { Self(.rsaSHA1, .privateKey(key)) }
    /// RSA-SHA256 with a private key.
    public static func rsaSHA256(_ key: RSAPrivateKey) -> OAuth1SigningKey { Self(.rsaSHA256, .privateKey(key)) }
    /// RSA-SHA512 with a private key.
    public static func rsaSHA512(_ key: RSAPrivateKey) -> OAuth1SigningKey { Self(.rsaSHA512, .privateKey(key)) }
    /// PLAINTEXT, which sends the secret with every request: over TLS alone.
    public static func plaintext(_ secret: ClientSecret) -> OAuth1SigningKey { Self(.plaintext, .secret(secret)) }

    /// The secret, where there is one.
    public var secret: ClientSecret? {
        if case .secret(let secret) = material { secret } else { nil }
    }

    /// The method.
    public var description: String { "<\(method.rawValue) key>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
