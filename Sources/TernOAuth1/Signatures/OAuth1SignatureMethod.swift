public import TernCrypto

/// How a request of OAuth 1.0a is signed: the value of `oauth_signature_method` (RFC 5849 §3.4).
///
/// The RFC names HMAC-SHA1, RSA-SHA1 and PLAINTEXT; the longer hashes are what services and libraries have agreed on since.
public enum OAuth1SignatureMethod: String, Sendable, Hashable, CaseIterable, Codable {
    /// HMAC with SHA-1 (§3.4.2), which nearly every service knows.
    case hmacSHA1 = "HMAC-SHA1"
    /// HMAC with SHA-256.
    case hmacSHA256 = "HMAC-SHA256"
    /// HMAC with SHA-512.
    case hmacSHA512 = "HMAC-SHA512"
    /// RSASSA-PKCS1-v1_5 with SHA-1 (§3.4.3).
    case rsaSHA1 = "RSA-SHA1"
    /// RSASSA-PKCS1-v1_5 with SHA-256.
    case rsaSHA256 = "RSA-SHA256"
    /// RSASSA-PKCS1-v1_5 with SHA-512.
    case rsaSHA512 = "RSA-SHA512"
    /// The secrets themselves (§3.4.4); over TLS alone.
    case plaintext = "PLAINTEXT"

    /// The hash of the signature; `nil` for ``plaintext``.
    public var hash: HashFunction? {
        switch self {
        case .hmacSHA1, .rsaSHA1: .sha1
        case .hmacSHA256, .rsaSHA256: .sha256
        case .hmacSHA512, .rsaSHA512: .sha512
        case .plaintext: nil
        }
    }

    /// Whether the client signs with a private key, and not with a secret that it shares with the server.
    public var usesPrivateKey: Bool { [.rsaSHA1, .rsaSHA256, .rsaSHA512].contains(self) }
}
