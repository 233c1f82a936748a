internal import TernJOSE
internal import TernProtocol

/// What a test server remembers.
struct ServerState: Sendable {
    var sessions: [String: BrowserSession] = [:]
    var interactions: [String: Interaction] = [:]
    var signOuts: [String: SignOut] = [:]
    var codes: [String: IssuedCode] = [:]
    var grants: [String: Grant] = [:]
    var accessTokens: [String: IssuedToken] = [:]
    var refreshTokens: [String: IssuedToken] = [:]
    var consents: [ConsentKey: Set<String>] = [:]
    /// The issued ID tokens by their text, so that one that comes back as a hint is recognised whatever its age.
    var idTokens: [String: IDTokenHint] = [:]
    var temporaryCredentials: [String: TemporaryCredential] = [:]
    var oauth1Grants: [String: OAuth1Grant] = [:]
    /// The nonces of OAuth 1.0a that were used, each behind its timestamp.
    var nonces: Set<String> = []
    var proofs = ProofMemory()
    /// The time of the request that is being answered.
    var now = NumericDate(0)
    /// The client certificate of the connection over which it came.
    var certificate: CertificateThumbprint?
    /// The assertions of clients and of grants that were used, by who made them and `jti`.
    var usedAssertions = UsedOnce()
    var attestationChallenges: [String: NumericDate] = [:]
    var registrations: [String: Registration] = [:]
    var pushed: [String: PushedRequest] = [:]
    var devices: [String: WaitingDevice] = [:]
    var backchannels: [String: WaitingBackchannel] = [:]
    /// The device secret that came with the request that is being answered.
    var shownDeviceSecret: String?

    /// Forgets what is over, so that a server that runs for days does not grow for ever.
    mutating func forget(before now: NumericDate) {
        sessions = sessions.filter { $0.value.expiresAt > now }
        interactions = interactions.filter { $0.value.expiresAt > now }
        signOuts = signOuts.filter { $0.value.expiresAt > now }
        codes = codes.filter { $0.value.expiresAt + .seconds(3600) > now }
        accessTokens = accessTokens.filter { $0.value.expiresAt > now }
        refreshTokens = refreshTokens.filter { $0.value.expiresAt > now }
        temporaryCredentials = temporaryCredentials.filter { $0.value.expiresAt > now }
        // What is older than any timestamp that is taken cannot come again.
        nonces = nonces.filter { nonce in
            nonce.split(separator: " ").first.flatMap { Double($0) }.map { now.secondsSince1970 - $0 < 3600 } ?? false
        }
        proofs.seen.forget(before: now)
        usedAssertions.forget(before: now)
        attestationChallenges = attestationChallenges.filter { $0.value > now }
        pushed = pushed.filter { $0.value.expiresAt > now }
        devices = devices.filter { $0.value.grant.expiresAt + .seconds(3600) > now }
        backchannels = backchannels.filter { $0.value.grant.expiresAt + .seconds(3600) > now }
        idTokens = idTokens.filter { $0.value.forgottenAt > now }
        let alive = Set(
            accessTokens.values.map(\.grantID) + refreshTokens.values.map(\.grantID)
                + codes.values.compactMap(\.grantID))
        grants = grants.filter { alive.contains($0.key) }
    }
}

/// A browser, known by its cookie.
struct BrowserSession: Sendable {
    struct Account: Sendable {
        let subject: String
        let authenticatedAt: NumericDate
        let sessionID: String
    }

    var accounts: [Account] = []
    var currentSubject: String?
    var expiresAt: NumericDate

    var current: Account? { accounts.first { $0.subject == currentSubject } }

    mutating func signIn(_ account: Account) {
        accounts.removeAll { $0.subject == account.subject }
        accounts.append(account)
        currentSubject = account.subject
    }
}

/// An authorization request whose user is at the pages.
struct Interaction: Sendable {
    let input: AuthorizationInput
    let browser: String
    let expiresAt: NumericDate
    var hasChosenAccount = false
    var hasLoggedIn = false
    var hasConsented = false
    var failedUsername: String?
}

struct ConsentKey: Sendable, Hashable {
    let subject: String
    let clientID: String
}

struct IssuedCode: Sendable {
    let input: AuthorizationInput
    let subject: String
    let authenticatedAt: NumericDate
    let sessionID: String
    let expiresAt: NumericDate
    /// The grant that came of the code, once it was used.
    var grantID: String?
    /// The grant of the access token that came beside the code.
    var frontChannelGrantID: String?
}

/// What a user gave a client; the tokens of one sign-in hang on it and die with it.
struct Grant: Sendable {
    let clientID: String
    let subject: String
    let scopes: [String]
    let authenticatedAt: NumericDate
    let sessionID: String
    let authenticationContext: String?
    let nonce: String?
    var isRevoked = false
    /// The key that the refresh tokens of a public client are bound to.
    var thumbprint: String?
    /// Whether the subject is a client or a service, and no user.
    var isOfClient = false
    /// Who acts for the subject (RFC 8693 §4.1).
    var actor: JSONObject?
    /// What the client may do (RFC 9396), as it was asked for.
    var authorizationDetails: JSON?
    /// The APIs that the tokens are for (RFC 8707); any where there is none.
    var resources: [String] = []
    /// What the applications of one maker on the device share.
    var deviceSecret: String?
}

struct IssuedToken: Sendable {
    let grantID: String
    let scopes: [String]
    let expiresAt: NumericDate
    /// The key that it is bound to.
    var thumbprint: String?
    /// The APIs that it is for; any where there is none.
    var resources: [String] = []
    /// When it was exchanged for another one.
    var usedAt: NumericDate?
    /// The client certificate to which it is bound.
    var certificate: CertificateThumbprint?
}

struct IDTokenHint: Sendable {
    let clientID: String
    let subject: String
    let sessionID: String
    let forgottenAt: NumericDate
}

/// A request to sign out whose user is at the page.
struct SignOut: Sendable {
    let browser: String
    let redirect: String?
    let expiresAt: NumericDate
}
