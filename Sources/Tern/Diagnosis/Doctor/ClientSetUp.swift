public import TernProtocol

/// What a ``Doctor`` looks at: everything about a client that is known before anybody signs in. What is not known is left out,
/// and the checks that need it say so.
public struct ClientSetUp: Sendable {
    /// The issuer as the configuration writes it, right or wrong.
    public var issuer: String?
    /// How the issuer of the server's metadata is held against the configured one.
    public var issuerRule = IssuerRule.exact
    /// The client identifier.
    public var clientID: String?
    /// How the client proves who it is, as metadata name it, such as `none` or `client_secret_basic`.
    public var authenticationMethod: String?
    /// Where answers arrive, right or wrong.
    public var redirectURI: String?
    /// What is asked for.
    public var scope: Scope = []
    /// The grants that the client uses.
    public var grants = ["authorization_code"]
    /// What the app's own files say.
    public var app: AppleApp?
    /// Where the association file is looked at; `nil` for the place where the system looks for the redirect's host.
    public var associationFile: AssociationSource?
    /// Hosts that may be asked beside that of the issuer, in lower case. The server's endpoints may lie at other hosts; these
    /// are asked only when they are named here.
    public var furtherHosts: Set<String> = []

    /// Where an association file is looked at.
    public enum AssociationSource: Sendable, Hashable {
        /// In a file of one's own that is not yet served.
        case file([UInt8])
        /// At an address.
        case address(URI)
    }

    /// Knows nothing.
    public init() {}
}
