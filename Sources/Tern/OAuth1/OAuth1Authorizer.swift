internal import TernCrypto
internal import TernJOSE
public import TernOAuth1
public import TernProtocol

/// Signs requests of OAuth 1.0a with the time and the random bytes of an environment: for a client in its own right, which
/// has no user ("two-legged"), and for a token that came some other way. A ``Session`` does the same for its account.
///
/// Where a service refuses a request and its clock is far from the device's, the service's time is used from then on, and
/// the request is sent once more.
public struct OAuth1Authorizer: RequestAuthorizer {
    private let signer: OAuth1Signer
    private let fields: HTTPFields
    private let clock: ServerClock
    private let environment: Environment

    /// Makes an authorizer.
    ///
    /// - Parameters:
    ///   - signer: what signs, and how.
    ///   - fields: further fields of every request that does not have them, such as a `User-Agent` that a service insists on.
    ///   - environment: the edges of the world.
    public init(_ signer: OAuth1Signer, fields: HTTPFields = [:], in environment: Environment) {
        self.init(signer, fields: fields, clock: ServerClock(clock: environment.clock), environment)
    }

    init(_ signer: OAuth1Signer, fields: HTTPFields, clock: ServerClock, _ environment: Environment) {
        self.signer = signer
        self.fields = fields
        self.clock = clock
        self.environment = environment
    }

    /// The request, signed.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; what
    ///   ``/TernOAuth1/OAuth1Signer/sign(_:timestamp:nonce:parameters:)`` throws.
    public func authorize(_ request: HTTPRequest) async throws(TernError) -> HTTPRequest {
        try request.url.checkForToken()
        return try signed(request)
    }

    func signed(_ request: HTTPRequest, _ parameters: FormParameters = [:]) throws(TernError) -> HTTPRequest {
        var request = request
        for field in fields.fields where request.fields[field.name] == nil { request.fields[field.name] = field.value }
        return try signer.sign(
            request, timestamp: clock.now, nonce: OAuth1Signer.nonce(from: environment.random), parameters: parameters)
    }

    /// One repeat when a wrong clock was the reason; everything else is handed over.
    public func decision(
        on response: HTTPResponse, to request: HTTPRequest, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision {
        guard attempt <= 1, hasCorrectedClock(after: response, to: request) else { return .handOver }
        return bodyCanBeReplayed ? .sendAgain : .fail(TernError(.bodyNotReplayable, at: .resourceRequest))
    }

    /// Sends a request, signed.
    ///
    /// - Throws: ``/TernProtocol/TernError``: what ``authorize(_:)`` throws; what the transport throws.
    public func send(_ request: HTTPRequest) async throws(TernError) -> HTTPResponse {
        try await send(request, over: environment.transport, followingRedirects: false)
    }

    /// The statuses with which services refuse a signature.
    static let refusals: Set<Int> = [400, 401, 403]

    /// Takes over the service's time where a refusal shows that it is another one than the request was signed with.
    ///
    /// - Returns: whether that is so, and the request is worth another try.
    func hasCorrectedClock(after response: HTTPResponse, to request: HTTPRequest) -> Bool {
        guard Self.refusals.contains(response.status),
            let theirs = response.fields["Date"].flatMap({ HTTPDate($0)?.date }),
            let ours = (try? OAuth1SignedRequest(reading: request))?.timestamp,
            abs(theirs.secondsSince1970 - ours.secondsSince1970) > ServerClock.tolerance
        else { return false }
        clock.note(theirs)
        return true
    }

    /// Whether a service says that the token is dead, and not only that the signature does not fit.
    func isTokenRefused(by response: HTTPResponse) -> Bool {
        guard response.status == 401, let problem = OAuth1Failure.problem(in: response) else { return false }
        return ["token_rejected", "token_revoked", "token_expired", "token_used", "invalid_token"].contains(
            problem.code)
    }
}
