public import TernCrypto
public import TernOAuth1

/// How a client of a test server signs with OAuth 1.0a.
public struct OAuth1Registration: Sendable, Hashable {
    enum Key: Sendable, Hashable {
        case secret(Secret<TestClient>)
        case publicKey(RSAPublicKey)
    }

    let key: Key
    /// The methods that are taken.
    public var methods: Set<OAuth1SignatureMethod>
    /// Whether the client may trade a user's password for a token (xAuth).
    public var allowsPasswords = false

    /// A client that shares a secret with the server.
    public init(
        secret: String, methods: Set<OAuth1SignatureMethod> = [.hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext]
    ) {
        key = .secret(Secret(secret))
        self.methods = methods
    }

    /// A client that signs with a private key.
    public init(publicKey: RSAPublicKey, methods: Set<OAuth1SignatureMethod> = [.rsaSHA1, .rsaSHA256, .rsaSHA512]) {
        key = .publicKey(publicKey)
        self.methods = methods
    }
}

extension TestClient {
    /// A client of OAuth 1.0a with the identifier `test-key`, the secret `test-secret`, and the addresses of
    /// ``TestClient/app``.
    public static let oauth1App: TestClient = {
        var client = TestClient("test-key", name: "Old App")
        client.oauth1 = OAuth1Registration(secret: "test-secret")
        return client
    }()
}
