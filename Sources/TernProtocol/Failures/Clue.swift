/// One thing that was known when an error arose and that makes one of its causes likelier than another. None holds a secret.
public enum Clue: Sendable, Hashable {
    /// What the server or the system said is about this.
    case mentions(Topic)
    /// The server gave a code, or nothing, and no text.
    case wordless
    /// The status of the HTTP answer.
    case status(Int)

    /// The client has no secret and no key.
    case publicClient
    /// How the client authenticated: `client_secret_basic`, `private_key_jwt` and so on.
    case authenticated(String)
    /// The client's secret has characters that a form encodes, and servers differ on whether they must be.
    case secretNeedsEncoding
    /// The metadata list the ways to authenticate, and the client's is not among them.
    case authenticationNotAdvertised
    /// The metadata list the scopes, and one that was asked for is not among them.
    case scopeNotAdvertised
    /// The server's name points to this provider.
    case provider(Provider)

    /// The redirect URI that was sent is of this kind.
    case redirect(RedirectURI.Kind)
    /// The redirect URI names `localhost`.
    case redirectNamesLocalhost
    /// The redirect URI and another one that is known differ so.
    case redirectDiffers(Difference)
    /// Two issuers differ so.
    case issuerDiffers(Difference)
    /// The server publishes a template for the issuers of many tenants.
    case issuerIsTemplate

    /// The sign-in was begun by an earlier process.
    case restored
    /// This process has sent the same code before.
    case codeSentBefore
    /// More than ten minutes lie between the beginning of the sign-in and the failure.
    case slowSignIn
    /// The clock of this device and the server's differ by more than a minute.
    case clockDiffers
    /// The clock of this device and the server's agree.
    case clockAgrees
    /// The page was open and nothing at all arrived at the port where the answer was awaited.
    case nothingArrived
    /// Something arrived while the page was open, and was refused.
    case somethingRefused
    /// The program runs in a remote session, so the browser is on another machine.
    case remoteSession
    /// There is no display.
    case noDisplay
    /// The system knows no application for the scheme of the redirect URI.
    case schemeUnregistered
    /// The system gives the scheme of the redirect URI to another application.
    case schemeTakenByAnother

    /// The tokens were got more than a week ago.
    case oldGrant
    /// The tokens were got within the last hour.
    case youngGrant

    /// The same server answered before, through the same client.
    case reachedBefore
    /// Another port or name of this machine is meant.
    case loopbackHost
    /// The name of the host is one of a private network.
    case privateHost
    /// Keys are pinned.
    case pinned
    /// The environment names a proxy.
    case proxied

    /// What a text is about.
    public enum Topic: String, Sendable, Hashable, CaseIterable {
        /// The redirect URI.
        case redirectURI = "redirect_uri"
        /// Something that is over.
        case expiry
        /// Something that was used before.
        case reuse
        /// Access that was taken back.
        case revocation
        /// PKCE.
        case codeVerifier
        /// The client's secret.
        case secret
        /// Clients without a secret.
        case publicClient
        /// A client that is not known.
        case unknownClient
        /// How the client authenticates.
        case clientAuthentication
        /// A certificate.
        case certificate
        /// Requests that are pushed or signed.
        case pushing
        /// The scope.
        case scope
        /// What the user has allowed.
        case consent
        /// Administrators and policies.
        case administrator
        /// Users who test what is not published.
        case testUsers
        /// Times and clocks.
        case clock
        /// Keys and signatures.
        case key
        /// For whom something is.
        case audience
        /// Another client.
        case anotherClient
        /// The refresh token.
        case refreshToken
        /// A locked store.
        case locked
        /// A store that somebody else holds.
        case inUse
        /// A missing entitlement.
        case entitlement
        /// Missing rights.
        case permission
        /// Missing space.
        case diskFull
        /// A service that does not run.
        case missingService
        /// A passphrase.
        case passphrase
        /// The name in a certificate.
        case hostName
        /// Who signed a certificate.
        case selfSigned
        /// Versions of TLS.
        case protocolVersion
    }

    /// Providers whose refusals have causes of their own.
    public enum Provider: String, Sendable, Hashable, CaseIterable {
        /// Sign in with Apple.
        case apple
        /// Google.
        case google
        /// Microsoft's identity platform.
        case microsoft
        /// GitHub.
        case gitHub
        /// Facebook.
        case facebook
    }
}

extension Clue.Topic {
    /// The words by which a text shows what it is about; small letters.
    public var words: [String] {
        switch self {
        case .redirectURI:
            [
                "redirect_uri", "redirect uri", "redirect url", "reply url", "reply address", "callback url",
                "aadsts50011",
            ]
        case .expiry: ["expired", "too old", "has passed", "no longer valid", "aadsts70008", "aadsts7000222"]
        case .reuse: ["already", "used before", "was used", "reuse", "redeemed", "aadsts54005"]
        case .revocation: ["revoked", "disabled", "deactivated", "suspended", "password", "aadsts50173"]
        case .codeVerifier:
            ["code_verifier", "code verifier", "pkce", "code_challenge", "code challenge", "aadsts501481"]
        case .secret: ["secret", "credentials", "aadsts7000215"]
        case .publicClient: ["public client", "must not present", "aadsts700025"]
        case .unknownClient: ["unknown client", "client not found", "not registered", "no client", "aadsts700016"]
        case .clientAuthentication:
            ["authentication method", "auth method", "client_secret_basic", "client_secret_post", "aadsts7000218"]
        case .certificate: ["certificate"]
        case .pushing: ["pushed", "request object", "request_uri"]
        case .scope: ["scope"]
        case .consent: ["consent", "not allowed this", "aadsts65001"]
        case .administrator: ["administrator", "admin ", "policy", "aadsts90094"]
        case .testUsers: ["test user", "not completed the google verification", "access blocked", "being tested"]
        case .clock: ["clock", "timestamp", "in the future", "issued at", " iat", "skew"]
        case .key: ["key", "jkt", "thumbprint", "signature"]
        case .audience: ["audience", " aud"]
        case .anotherClient: ["another client", "different client", "other client", "not issued to"]
        case .refreshToken: ["refresh"]
        case .locked: ["locked", "unlock", "may not ask"]
        case .inUse: ["database is locked", "locked for writing", "another process"]
        case .entitlement: ["entitlement", "-34018"]
        case .permission: ["permission", "not permitted", "read-only", "belongs to", "others may", "open to other"]
        case .diskFull: ["no space", "disk full", "quota", "is full"]
        case .missingService:
            ["no service", "no keyring", "not running", "session bus", "no default keyring", "no keychain"]
        case .passphrase: ["passphrase"]
        case .hostName: ["host name", "hostname", "subject name", "subjectaltname", "does not match", "no alternative"]
        case .selfSigned: ["self-signed", "self signed", "unable to get local issuer", "unknown authority"]
        case .protocolVersion: ["version", "handshake", "protocol"]
        }
    }

    /// What a text is about.
    static func topics(of text: String) -> [Clue.Topic] {
        let text = text.asciiLowercased
        return allCases.filter { topic in topic.words.contains { text.contains($0) } }
    }
}

extension Clue.Provider {
    /// The provider of a server, by the name of its host.
    public init?(host: String) {
        let domains: [(String, Clue.Provider)] = [
            ("appleid.apple.com", .apple), ("accounts.google.com", .google), ("googleapis.com", .google),
            ("microsoftonline.com", .microsoft), ("github.com", .gitHub), ("facebook.com", .facebook),
        ]
        let host = host.asciiLowercased
        guard let match = domains.first(where: { host == $0.0 || host.hasSuffix("." + $0.0) }) else { return nil }
        self = match.1
    }
}
