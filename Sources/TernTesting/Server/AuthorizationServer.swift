public import TernCrypto
public import TernJOSE
public import TernOAuth1
public import TernProtocol

/// An OpenID provider as a value: a request goes in, an answer comes out, and nothing else happens.
///
/// The server opens no socket, reads no clock and waits for nothing; time and random bytes come in from outside. So it
/// runs in any unit test, on a phone too, and a test sees and sets all that it holds. To sign in against it without a
/// network use ``TestTransport``; to show its pages in a browser use ``TestServer``.
///
/// It offers discovery, the code flow with PKCE, refresh with rotation and reuse detection, user information,
/// revocation, sign-out, a protected API and the three legs of OAuth 1.0a (see ``Endpoint``), and it is strict: what the standards forbid it refuses.
/// ``faults`` make it misbehave.
///
/// It is for tests: passwords are compared as they are, and nothing outlives the value.
public struct AuthorizationServer: Sendable {
    /// The issuer: an absolute address without query and fragment. A path is allowed; a slash at the end counts.
    public internal(set) var issuer: URI
    /// The users that can log in.
    public var users: [TestUser]
    /// The clients that are registered.
    public var clients: [TestClient]
    /// Lifetimes and the like.
    public var settings = ServerSettings()
    /// The keys that sign ID tokens.
    public var keys: KeyRing
    /// What goes wrong on purpose.
    public var faults = Faults()
    /// The requests that have arrived, the oldest first.
    public internal(set) var journal = Journal()

    let random: any RandomSource
    var state = ServerState()
    var lastAnswers: [Endpoint: HTTPResponse] = [:]
    private var arrivals = 0

    /// Makes a server.
    ///
    /// - Parameters:
    ///   - issuer: the issuer; by default `https://id.example.com`.
    ///   - users: by default ``TestUser/ada``.
    ///   - clients: by default ``TestClient/app``.
    ///   - keys: by default a ring that shares its first RSA key with the other servers of the process.
    ///   - random: where tokens come from; a ``SeededRandomSource`` makes them the same in every run.
    public init(
        issuer: URI = AuthorizationServer.defaultIssuer, users: [TestUser] = [.ada], clients: [TestClient] = [.app],
        keys: KeyRing = KeyRing(), random: any RandomSource = SystemRandomSource()
    ) {
        self.issuer = issuer
        self.users = users
        self.clients = clients
        self.keys = keys
        self.random = random
    }

    /// `https://id.example.com`.
    public static let defaultIssuer: URI = {
        guard let uri = URI("https://id.example.com") else { preconditionFailure("a constant address") }
        return uri
    }()

    /// The address of an endpoint.
    public func address(of endpoint: Endpoint) -> String {
        switch endpoint {
        case .authorizationServerMetadata: (issuer.origin.map(\.description) ?? "") + endpoint.path + pathPrefix
        case .webFinger: (issuer.origin.map(\.description) ?? "") + endpoint.path
        case .resourceMetadata: resourceMetadataAddress
        default: base + endpoint.path
        }
    }

    /// The server as a client of OAuth 1.0a knows it.
    ///
    /// - Throws: `TernError` for an issuer that is plain http beyond loopback.
    public func oauth1Server() throws(TernError) -> OAuth1Server {
        try OAuth1Server(
            temporaryCredentialEndpoint: address(of: .temporaryCredentials),
            authorizationEndpoint: address(of: .oauth1Authorization), tokenEndpoint: address(of: .tokenCredentials))
    }

    /// The address of a path of the protected API, for example `notes/1`.
    public func apiAddress(_ path: String) -> String { address(of: .api) + path }

    /// Makes new keys the current ones.
    ///
    /// - Parameter keepingPrevious: whether the key set goes on showing the old ones.
    public mutating func rotateKeys(keepingPrevious: Bool = true) { keys.rotate(keepingPrevious: keepingPrevious) }

    /// Ends every grant of a user, as an administrator would: access and refresh tokens are refused from now on.
    public mutating func revokeGrants(ofUser subject: String) {
        for (id, grant) in state.grants where grant.subject == subject { state.grants[id]?.isRevoked = true }
        for (token, grant) in state.oauth1Grants where grant.subject == subject {
            state.oauth1Grants[token]?.isRevoked = true
        }
    }

    /// Ends every access token that is out, as a restart of a server without memory would; refresh tokens stay good.
    public mutating func forgetAccessTokens() { state.accessTokens = [:] }

    /// Signs every browser out.
    public mutating func forgetSessions() { state.sessions = [:] }

    /// Answers a request. Faults that change the answer are applied; of those that concern the connection nothing is
    /// seen here, see ``deliver(_:at:)``. A dropped connection is an answer with the status 502.
    public mutating func respond(to request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        switch deliver(request, at: now).outcome {
        case .answer(let response): response
        case .cutOff(let response, let count): response.cutOff(after: count)
        case .dropped: HTTPResponse(status: 502)
        }
    }

    var pathPrefix: String {
        let path = issuer.encodedPath
        return path.hasSuffix("/") ? String(path.dropLast()) : path
    }

    private var base: String { issuer.text.hasSuffix("/") ? String(issuer.text.dropLast()) : issuer.text }

    /// The answer that a server without faults gives.
    mutating func honestAnswer(to request: HTTPRequest, for endpoint: Endpoint, at now: NumericDate) -> HTTPResponse {
        arrivals &+= 1
        noteArrival(of: request, at: now)
        if arrivals % 256 == 0 { state.forget(before: now) }
        var request = request
        let isHead = request.method == .head
        if isHead { request.method = .get }
        var response = answer(to: request, for: endpoint, at: now)
        tellBrowserState(in: &response, to: request, at: endpoint)
        if isHead { response.body = [] }
        return response
    }

    private mutating func answer(to request: HTTPRequest, for endpoint: Endpoint, at now: NumericDate) -> HTTPResponse {
        let isGet = request.method == .get
        let isPost = request.method == .post
        switch endpoint {
        case .openIDConfiguration, .authorizationServerMetadata:
            return isGet ? metadataAnswer() : .methodNotAllowed("GET, HEAD")
        case .keys: return isGet ? keySetAnswer() : .methodNotAllowed("GET, HEAD")
        case .authorization: return isGet || isPost ? authorize(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .interaction: return isGet || isPost ? interact(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .token: return isPost ? exchange(request, at: now) : .methodNotAllowed("POST")
        case .userInfo: return isGet || isPost ? tellUserInfo(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .revocation: return isPost ? revoke(request) : .methodNotAllowed("POST")
        case .endSession: return isGet || isPost ? endSession(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .temporaryCredentials:
            return isGet || isPost ? issueTemporaryCredentials(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .oauth1Authorization: return isGet ? authorizeOAuth1(request, at: now) : .methodNotAllowed("GET, HEAD")
        case .tokenCredentials:
            return isGet || isPost ? issueTokenCredentials(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .registration: return isPost ? register(request, at: now) : .methodNotAllowed("POST")
        case .registeredClient: return manageRegistration(request, at: now)
        case .attestationChallenge: return isPost ? giveChallenge() : .methodNotAllowed("POST")
        case .deviceAuthorization: return isPost ? authorizeDevice(request, at: now) : .methodNotAllowed("POST")
        case .deviceVerification:
            return isGet || isPost ? verifyDevice(request, at: now) : .methodNotAllowed("GET, HEAD, POST")
        case .backchannelAuthentication:
            return isPost ? authenticateOverBackchannel(request, at: now) : .methodNotAllowed("POST")
        case .introspection: return isPost ? introspect(request, at: now) : .methodNotAllowed("POST")
        case .pushedAuthorization:
            guard settings.requests.takesPushed else { return HTTPResponse(status: 404) }
            return isPost ? push(request, at: now) : .methodNotAllowed("POST")
        case .resourceMetadata: return isGet ? resourceMetadataAnswer() : .methodNotAllowed("GET, HEAD")
        case .webFinger: return isGet ? finger(request) : .methodNotAllowed("GET, HEAD")
        case .checkSession: return isGet ? sessionCheckPage() : .methodNotAllowed("GET, HEAD")
        case .api: return callAPI(request, at: now)
        case .other: return HTTPResponse(status: 404)
        }
    }

    func user(_ subject: String) -> TestUser? { users.first { $0.subject == subject } }

    func client(_ clientID: String?) -> TestClient? {
        clients.first { $0.clientID == clientID } ?? documentClient(clientID)
    }

    /// A new random text that nobody guesses, with a beginning that tells people what it is.
    func token(_ kind: String) -> String { "\(kind)-\(Base64URL.encode(random.bytes(24)))" }
}

extension HTTPResponse {
    fileprivate func cutOff(after count: Int) -> HTTPResponse {
        var response = self
        response.body = Array(body.prefix(count))
        return response
    }
}

extension AuthorizationServer: CustomStringConvertible, CustomReflectable {
    /// The issuer. The tokens that the server holds are not shown.
    public var description: String { "test server \(issuer)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
