internal import TernCrypto
public import TernJOSE
public import TernOAuth1
public import TernProtocol

/// What a client is: its registration at one server, and how it behaves.
public struct ClientConfiguration: Sendable {
    /// Which server, and how its metadata is known.
    public enum Server: Sendable {
        /// A server with discovery, and how the issuer of its metadata is held against the given one.
        case issuer(Issuer, IssuerRule = .exact)
        /// A server whose metadata is given.
        case metadata(ServerMetadata)
        /// A service that speaks OAuth 1.0a, and what the client signs with.
        case oauth1(OAuth1Server, OAuth1SigningKey)
    }

    /// The server.
    public var server: Server
    /// The client identifier.
    public var clientID: String
    /// Where answers arrive.
    public var redirectURI: RedirectURI
    /// What is asked for at sign-in.
    public var scope: Scope
    /// What a session may ask for beyond ``scope`` by itself, when an API wants it and the page may be shown. An API that
    /// names any other scope gets nothing: it might want a token that is good for more than its own calls.
    public var incrementalScope: Scope = []
    /// What answers bring: a code by default. A hybrid type has the server sign, with an ID token, what comes through the
    /// browser. Types without a code are refused here: see ``OAuthClient/signInExposingTokens(_:with:)`` and
    /// ``OAuthClient/identify(_:with:)``.
    public var responseType = ResponseType.code
    /// How answers come back; where `nil`, as is usual for the response type, and nothing is asked for.
    public var responseMode: AuthorizationRequest.ResponseMode?
    /// The APIs that tokens are for (RFC 8707), where a sign-in names none of its own. They are named at the token endpoint
    /// too, and whenever the token is renewed.
    public var resources: [URI] = []
    /// How authorization requests reach the server.
    public var requestDelivery = RequestDelivery()
    /// How the client proves who it is.
    public var authentication: ClientAuthentication
    /// Whether a client whose proof a server refuses shows it once more in the form that many servers want: Basic credentials
    /// as they are (`rawBasic`), or an assertion for the token endpoint or the endpoint called in the place of the issuer. It
    /// is done only where the other form is of no use to anybody else; ``OAuthClient/acceptedAuthentication`` tells which
    /// one is in use.
    public var triesOtherAuthentication = true
    /// Whether tokens are bound to a key (RFC 9449); `nil` for bearer tokens, which anybody may use who has them.
    public var dpop: DPoP?
    /// Whether the client's tokens are bound to the certificate that the transport shows (RFC 8705 §3), so that the
    /// server's endpoints for certificates are called also where the client authenticates in another way. With
    /// `ClientAuthentication.tls` they always are.
    public var wantsCertificateBoundTokens = false
    /// The private keys that open what the server encrypts for the client: ID tokens and user information. The server knows
    /// the public halves (``/TernJOSE/JWKSet/publicJSON()``). Keys that the client's secret stands for need not be here.
    public var decryptionKeys = JWKSet([])
    /// Whether an ID token may come without encryption; it may by default.
    public var idTokenEncryption = TokenDecryption.Rule.accepted
    /// Whether user information may come without encryption; it may by default.
    public var userInfoEncryption = TokenDecryption.Rule.accepted
    /// How the provider differs from the standards.
    public var quirks = Quirks()
    /// How the provider's token answers differ from the standard.
    public var tokenAnswerFormat = TokenAnswerFormat()
    /// The algorithms that are taken of whatever the server signs; every asymmetric one by default.
    public var acceptedAlgorithms = IDToken.standardAlgorithms
    /// The profile that the configuration keeps to, and that servers are held against; ``adopt(_:)`` sets it.
    public internal(set) var profile: Profile?
    /// Under which name the credential is stored where no other is given; made of client ID and host by default.
    public var account: StoreKey
    /// How long a sign-in may take, from its begin to its callback; a logout at the server too. 600 seconds by default.
    public var signInTimeLimit: Duration = .seconds(600)
    /// How wrong clocks may be when ID tokens are checked; 60 seconds by default.
    public var leeway: Duration = IDToken.standardLeeway
    /// Whether the `Date` of the token answer replaces the device's clock when ID tokens are checked, for devices whose
    /// clock is wrong.
    public var usesServerClock = false
    /// How long before its end a token is renewed; 60 seconds by default, and at most half of the token's lifetime.
    public var refreshWindow: Duration = .seconds(60)
    /// How often a renewal is tried again when the trouble may pass.
    public var retryPolicy = RetryPolicy.standard
    /// What becomes of a token whose lifetime is unknown.
    public var unknownLifetime: UnknownLifetime = .assumeValid
    /// The tenants (`tid`) whose users may sign in, where the issuer is a template for many
    /// (``/TernProtocol/IssuerRule/tenantTemplate``); `nil` lets the users of all in.
    public var allowedTenants: Set<String>?
    /// Further parameters of the authorization request.
    public var additionalAuthorizationParameters: FormParameters = [:]
    /// Further parameters of token requests.
    public var additionalTokenParameters: FormParameters = [:]
    /// What the provider calls `post_logout_redirect_uri`.
    public var logoutRedirectParameterName = "post_logout_redirect_uri"

    /// What becomes of a token whose lifetime is unknown.
    public enum UnknownLifetime: String, Sendable, Hashable, Codable {
        /// It is used until an API refuses it.
        case assumeValid
        /// It is renewed before each use.
        case assumeExpired
    }

    /// Makes a configuration.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with the field `client_id` when it is empty or has control characters.
    public init(
        server: Server, clientID: String, redirectURI: RedirectURI, scope: Scope = ["openid"],
        authentication: ClientAuthentication = .none
    ) throws(TernError) {
        guard !clientID.isEmpty, clientID.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            throw TernError(
                .invalidConfiguration(field: "client_id", problem: "it is empty or has control characters"),
                at: .configuration)
        }
        self.server = server
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scope = scope
        self.authentication = authentication
        account = try Self.standardAccount(server, clientID)
    }

    /// The client at the issuer, path and port included, since one host may serve many issuers. A name that is too long
    /// keeps its beginning and ends in a digest of the whole.
    private static func standardAccount(_ server: Server, _ clientID: String) throws(TernError) -> StoreKey {
        let place: String? =
            switch server {
            case .issuer(let issuer, _): issuer.text
            case .metadata(let metadata): metadata.issuer ?? metadata[.token]?.withoutQueryAndFragment
            case .oauth1(let server, _): server.tokenEndpoint.withoutQueryAndFragment
            }
        let address = (place ?? "server").split(separator: "://", maxSplits: 1).last.map(String.init) ?? "server"
        let segments = address.split(separator: "/").map { PercentCodec.encode(String($0)) }
        let name = PercentCodec.encode(clientID) + "@" + segments.joined(separator: "/")
        guard name.utf8.count > StoreKey.maximumByteCount else { return try StoreKey(name) }
        let digest = Base64URL.encode(HashFunction.sha256.digest(Array(name.utf8)))
        return try StoreKey(name.prefix(StoreKey.maximumByteCount - 1 - digest.utf8.count) + "~" + digest)
    }
}
