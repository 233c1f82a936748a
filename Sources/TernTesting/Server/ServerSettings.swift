internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// What can be set about a test server beside its users and clients.
public struct ServerSettings: Sendable, Hashable {
    /// How long a code is good.
    public var codeLifetime = Duration.seconds(60)
    /// How long an access token is good.
    public var accessTokenLifetime = Duration.seconds(3600)
    /// How long a refresh token is good.
    public var refreshTokenLifetime = Duration.seconds(30 * 86_400)
    /// How long an ID token is good.
    public var idTokenLifetime = Duration.seconds(600)
    /// How long a browser stays signed in.
    public var sessionLifetime = Duration.seconds(8 * 3600)
    /// How long metadata and keys may be kept (`Cache-Control: max-age`); `nil` for answers that say nothing about it.
    public var metadataLifetime: Duration? = .seconds(3600)
    /// Whether each use of a refresh token gives a new one and a second use of the old one ends the grant (RFC 9700 §4.14).
    public var rotatesRefreshTokens = true
    /// For how long after its first use a rotated refresh token still gives tokens, so that a client that lost the answer
    /// can ask again; zero for not at all.
    public var rotationGrace = Duration.zero
    /// Whether refreshing brings a new ID token.
    public var renewsIDTokens = true
    /// Whether the token answer says how long the token is good (`expires_in`).
    public var announcesLifetimes = true
    /// Whether answers of the authorization endpoint carry `iss` (RFC 9207).
    public var identifiesItself = true
    /// What answers of the authorization endpoint may bring.
    public var responseTypes: Set<ResponseType> = [.code]
    /// What becomes of proofs of possession.
    public var dpop = DPoPPolicy()
    /// Whether answers go to registered redirect URIs alone, as they must; a server that does not look is an open redirector.
    public var checksRedirectURIs = true
    /// Whether the user is asked before the browser is signed out.
    public var asksBeforeSigningOut = true
    /// Whether answers to websites say what state the user's session is in, which their pages can ask about later (OpenID
    /// Connect Session Management 1.0).
    public var managesSessions = true
    /// Whether the login page names the users and their passwords, which spares the reader of the page a search.
    public var showsUsersOnLoginPage = false
    /// The scope that a path below `/api/` needs, by the beginning of the path; the longest beginning counts.
    public var scopesOfAPI: [String: String] = ["/api/admin": "admin"]
    /// What a path below `/api/` wants of the login, by the beginning of the path; the longest beginning counts.
    public var loginsOfAPI: [String: LoginDemand] = [:]
    /// How authorization requests come, and what they may ask for.
    public var requests = RequestPolicy()
    /// Members to put into the metadata of the API, over what stands there; `nil` takes a member out.
    public var resourceMetadataChanges: [String: JSON?] = [:]
    /// Whether the API names the address of its metadata when it refuses a call (RFC 9728 §5.1).
    public var namesResourceMetadata = true
    /// How long the codes of a device are good (RFC 8628).
    public var deviceCodeLifetime = Duration.seconds(600)
    /// How long a client waits before each question for the tokens of a user who is asked elsewhere.
    public var pollInterval = Duration.seconds(5)
    /// How long a user has who is asked elsewhere (OpenID Connect CIBA Core 1.0).
    public var backchannelLifetime = Duration.seconds(300)
    /// The codes that must come along when a user is asked elsewhere, by the user's `sub`.
    public var backchannelUserCodes: [String: String] = [:]
    /// The login hint tokens that are known, with the `sub` that each means.
    public var loginHintTokens: [String: String] = [:]
    /// Whether users may hand their passwords to clients (RFC 6749 §4.3), which RFC 9700 §2.4 forbids.
    public var allowsPasswordGrant = false
    /// Whose assertions are taken (RFC 7523).
    public var trustedIssuers: [TrustedIssuer] = []
    /// Who may act for whom in a token exchange, by the subject (RFC 8693 §4.4).
    public var delegations: [String: Set<String>] = [:]
    /// The audiences and resources for which tokens are exchanged; `nil` for any.
    public var exchangeTargets: Set<String>?
    /// What access tokens look like.
    public var accessTokenFormat = AccessTokenFormat.opaque
    /// The scope of an access token that permits to ask about tokens, in the place of client authentication.
    public var introspectionScope = "introspection"
    /// Members to put into the metadata, over what stands there; `nil` takes a member out.
    public var metadataChanges: [String: JSON?] = [:]

    /// Members to put into token answers, over what stands there; `nil` takes a member out.
    public var tokenAnswerChanges: [String: JSON?] = [:]
    /// What the server takes for its own name in client assertions.
    public var assertionAudiences: Set<AssertionAudience> = [.issuer]
    /// How far ahead the end of an assertion may lie.
    public var longestAssertionLifetime = Duration.seconds(300)
    /// How the server gives challenges for the proofs of attestations.
    public var attestationChallenges = AttestationChallenges.none
    /// How long such a challenge is good.
    public var challengeLifetime = Duration.seconds(300)
    /// The origin at which the server asks for client certificates (`mtls_endpoint_aliases`); `nil` for none of its own. A
    /// test routes it to the server with ``TestTransport/answering(_:with:)``.
    public var certificateOrigin: String?
    /// Who may register.
    public var registration = ClientRegistrationRule.closed
    /// Whether a client gets a new registration token with every answer about its registration.
    public var rotatesRegistrationTokens = true
    /// How long the secrets of registered clients are good; `nil` for ever.
    public var registeredSecretLifetime: Duration?
    /// Members that are registered otherwise than asked; `nil` takes a member out.
    public var registrationChanges: [String: JSON?] = [:]
    /// Who may vouch for clients with software statements.
    public var softwareStatementIssuers: [String: PublicKeys] = [:]
    /// What lies at the addresses that are client IDs, or hold the keys of clients: nothing is fetched.
    public var clientDocuments: [String: JSONObject] = [:]

    /// The settings of a server that does everything right.
    public init() {}
}
