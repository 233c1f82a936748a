/// A request of some HTTP stack, as far as it has to be known to authorise it and to follow redirects.
package protocol AuthorizableRequest: Sendable {
    /// Where it goes.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` where that is no absolute address.
    func address() throws(TernError) -> URI
    /// Whether its body can be sent once more.
    var bodyCanBeReplayed: Bool { get }
    /// The same request with fields set on it, in the place of those of the same names.
    func setting(_ fields: HTTPFields) -> Self
    /// The request that a redirect asks for; `nil` when the answer is none.
    ///
    /// - Throws: ``TernError``: `malformedResponse`, `insecureEndpoint`, `bodyNotReplayable`.
    func redirected(by response: HTTPResponse) throws(TernError) -> Self?
}

/// A request on its way through a refused token and redirects: one repeat at most, a limited number of redirects, and the
/// token at the first origin alone.
package struct AuthorizedCall<Request: AuthorizableRequest>: Sendable {
    private var bare: Request
    private var authorization: HTTPFields
    private var attempt = 1
    private var redirects = 0
    private let followsRedirects: Bool
    /// Whether a redirect has led to another origin.
    package private(set) var isElsewhere = false
    private let authorizer: any RequestAuthorizer

    /// Begins a call.
    package init(
        _ request: Request, by authorizer: any RequestAuthorizer, followingRedirects: Bool
    ) async throws(TernError) {
        bare = request
        authorization = try await authorizer.authorization(for: request.address())
        followsRedirects = followingRedirects
        self.authorizer = authorizer
    }

    /// What to send now.
    package var request: Request { bare.setting(authorization) }

    /// Whether something is to be sent after this answer; otherwise the answer is the caller's.
    package mutating func goesOn(after response: HTTPResponse) async throws(TernError) -> Bool {
        let decision = await authorizer.decision(
            on: response, sent: authorization, attempt: attempt, bodyCanBeReplayed: bare.bodyCanBeReplayed)
        switch decision {
        case .fail(let error): throw error
        case .sendAgain(let fields):
            authorization = fields
            attempt += 1
            return true
        case .handOver: break
        }
        guard followsRedirects, let next = try bare.redirected(by: response) else { return false }
        let (from, to) = (try bare.address(), try next.address())
        redirects += 1
        guard redirects <= Redirect.maximumCount else {
            throw TernError(.httpStatus(response.status, location: to.redacted), at: .resourceRequest)
        }
        // The token stays away when a further redirect leads back: the other origin chose that address.
        if from.origin != to.origin { (authorization, isElsewhere) = ([:], true) }
        bare = next
        return true
    }
}

extension HTTPRequest: AuthorizableRequest {
    package func address() throws(TernError) -> URI { url }
    package var bodyCanBeReplayed: Bool { true }

    package func setting(_ fields: HTTPFields) -> HTTPRequest {
        var request = self
        for field in fields.fields { request.fields[field.name] = field.value }
        return request
    }
}
