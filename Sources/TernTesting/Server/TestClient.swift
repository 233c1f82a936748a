public import TernCrypto
public import TernJOSE
public import TernProtocol

/// A client that is registered at a test server.
public struct TestClient: Sendable, Hashable, CustomStringConvertible {
    /// How a client proves at the token endpoint who it is (RFC 6749 §2.3).
    public enum Authentication: Sendable, Hashable {
        /// A public client, which has no secret. PKCE is demanded of it.
        case none
        /// HTTP Basic with the form-encoded client ID and secret, and nothing else.
        case basic(Secret<TestClient>)
        /// Client ID and secret in the form, and nothing else.
        case post(Secret<TestClient>)
        /// Either of the two ways.
        case basicOrPost(Secret<TestClient>)
        /// An assertion under an HMAC with the secret (`client_secret_jwt`).
        case secretJWT(Secret<TestClient>)
        /// An assertion that one of these keys signs (`private_key_jwt`).
        case privateKeyJWT(PublicKeys)
        /// The client certificate with this SHA-256 thumbprint in Base64url (`self_signed_tls_client_auth`).
        case tls(String)
        /// An attestation that one of these attesters signs (`attest_jwt_client_auth`).
        case attestation(PublicKeys)

        /// HTTP Basic with this secret.
        public static func basic(_ secret: String) -> Authentication { .basic(Secret(secret)) }
        /// The form with this secret.
        public static func post(_ secret: String) -> Authentication { .post(Secret(secret)) }
        /// Either way with this secret.
        public static func basicOrPost(_ secret: String) -> Authentication { .basicOrPost(Secret(secret)) }
        /// Assertions with this secret.
        public static func secretJWT(_ secret: String) -> Authentication { .secretJWT(Secret(secret)) }
        /// Assertions that this key signs.
        public static func privateKeyJWT(_ key: SigningKey) -> Authentication {
            .privateKeyJWT(PublicKeys(JWKSet([key.publicKey])))
        }
        /// Attestations that this attester signs.
        public static func attestation(by attester: SigningKey) -> Authentication {
            .attestation(PublicKeys(JWKSet([attester.publicKey])))
        }

        var secret: Secret<TestClient>? {
            switch self {
            case .none, .privateKeyJWT, .tls, .attestation: nil
            case .basic(let secret), .post(let secret), .basicOrPost(let secret), .secretJWT(let secret): secret
            }
        }
    }

    /// When a client gets a refresh token.
    public enum RefreshTokens: Sendable, Hashable {
        /// With every code.
        case always
        /// When the scope `offline_access` was granted (OpenID Connect Core 1.0 §11).
        case withOfflineAccess
        /// Never.
        case never
    }

    /// The client ID.
    public var clientID: String
    /// The name that the pages show.
    public var name: String
    /// How the client proves who it is.
    public var authentication: Authentication
    /// How the client signs with OAuth 1.0a; `nil` for clients of OAuth 2 alone.
    public var oauth1: OAuth1Registration?
    /// The addresses to which answers may go. They are compared as text; of an http address on 127.0.0.1 or [::1] the
    /// port does not count (RFC 8252 §7.3).
    public var redirectURIs: [String]
    /// The addresses to which the browser may go after signing out; compared like ``redirectURIs``.
    public var postLogoutRedirectURIs: [String]
    /// The scopes that the client may ask for.
    public var scopes: Set<String> = [
        "openid", "profile", "email", "address", "phone", "offline_access", "api", "admin",
    ]
    /// Whether the user is asked what the client may do. What was allowed once is not asked again.
    public var asksForConsent = true
    /// When the client gets a refresh token.
    public var refreshTokens = RefreshTokens.always
    /// Whether PKCE is demanded, as it always is of a public client.
    public var requiresProofKey = false
    /// The algorithm that signs ID tokens (`id_token_signed_response_alg`).
    public var idTokenAlgorithm = SignatureAlgorithm.rs256
    /// The algorithm that signs user information (`userinfo_signed_response_alg`); `nil` for plain JSON.
    public var userInfoAlgorithm: SignatureAlgorithm?
    /// Whether the client is an API that asks what tokens are worth, whoever they were issued to (RFC 7662 §2).
    public var isProtectedResource = false
    /// The algorithm that signs answers about tokens (`introspection_signed_response_alg`, RFC 9701 §6).
    public var introspectionAlgorithm = SignatureAlgorithm.rs256
    /// Where logout tokens go (`backchannel_logout_uri`).
    public var backChannelLogoutURI: String?
    /// What the browser loads when the user logs out elsewhere (`frontchannel_logout_uri`).
    public var frontChannelLogoutURI: String?
    /// How ID tokens are encrypted, after they were signed (`id_token_encrypted_response_alg`); `nil` for not at all.
    public var idTokenEncryption: TestEncryption?
    /// How user information is encrypted, signed or not (`userinfo_encrypted_response_alg`); `nil` for not at all.
    public var userInfoEncryption: TestEncryption?
    /// What the client may ask of the authorization endpoint; `nil` for all that the server offers.
    public var responseTypes: Set<ResponseType>?
    /// The algorithm that signs answers of the authorization endpoint (`authorization_signed_response_alg`); the one of ID
    /// tokens where `nil`.
    public var authorizationResponseAlgorithm: SignatureAlgorithm?
    /// How signed answers are encrypted (`authorization_encrypted_response_alg`); `nil` for not at all.
    public var authorizationResponseEncryption: TestEncryption?
    /// Who made the client. Clients of one maker share their users' sign-ins on a device, where the scope `device_sso` was
    /// granted: put it into ``scopes`` (OpenID Connect Native SSO for Mobile Apps 1.0).
    public var maker: String?
    /// Audiences of the ID token beside the client; with any of them the token carries `azp`.
    public var furtherAudiences: [String] = []
    /// Whether access tokens are bound to the client's certificate (RFC 8705 §3).
    public var bindsTokensToCertificate = false
    /// Whether the ID token carries the claims of the user that the scopes open.
    public var putsUserClaimsIntoIDToken = false

    /// The keys that sign the client's requests (RFC 9101), where they are others than those of its assertions.
    public var requestKeys: PublicKeys?
    /// The grants that the client may use beside code and refresh token.
    public var furtherGrants: Set<FurtherGrant> = Set(FurtherGrant.allCases)
    /// How the client gets the tokens of users that are asked elsewhere (OpenID Connect CIBA Core 1.0).
    public var backchannelDelivery = BackchannelDelivery.poll

    /// Registers a client.
    ///
    /// - Parameters:
    ///   - clientID: the client ID.
    ///   - authentication: how the client proves who it is; by default it is a public one.
    ///   - name: the name that the pages show; the client ID where it is left out.
    ///   - redirectURIs: where answers may go; by default `/callback` on the loopback interface and
    ///     `com.example.app:/callback`.
    ///   - postLogoutRedirectURIs: where the browser may go after signing out; the same as the redirect URIs where it is
    ///     left out.
    public init(
        _ clientID: String, authentication: Authentication = .none, name: String? = nil,
        redirectURIs: [String] = TestClient.defaultRedirectURIs, postLogoutRedirectURIs: [String]? = nil
    ) {
        self.clientID = clientID
        self.authentication = authentication
        self.name = name ?? clientID
        self.redirectURIs = redirectURIs
        self.postLogoutRedirectURIs = postLogoutRedirectURIs ?? redirectURIs
    }

    /// `/callback` on the loopback interface, with any port, and `com.example.app:/callback`.
    public static let defaultRedirectURIs = [
        "http://127.0.0.1/callback", "http://[::1]/callback", "com.example.app:/callback",
    ]

    /// A public client with the ID `test-app`.
    public static let app = TestClient("test-app", name: "Test App")

    /// The client ID.
    public var description: String { "test client \(clientID)" }

    var isPublic: Bool { authentication == .none }

    static func isRegistered(_ address: String, in registered: [String]) -> Bool {
        if registered.contains(where: { $0.utf8.elementsEqual(address.utf8) }) { return true }
        guard let sought = portless(address) else { return false }
        return registered.contains { portless($0) == sought }
    }

    private static func portless(_ address: String) -> String? {
        guard let redirect = try? RedirectURI(address), redirect.uri.host?.lowercased() != "localhost" else {
            return nil
        }
        return redirect.withPort(1)?.text
    }
}
