/// A request of some HTTP stack, as far as it has to be known to authorise it and to follow redirects.
package protocol AuthorizableRequest: Sendable {
    /// The request as a value, without a body that is a stream.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` where it has no absolute address.
    func value() throws(TernError) -> HTTPRequest
    /// Whether its body can be sent once more.
    var bodyCanBeReplayed: Bool { get }
    /// The same request as it is after it was authorised.
    ///
    /// - Parameters:
    ///   - authorized: what was made of its value.
    ///   - value: its value.
    /// - Throws: ``TernError`` where the stack cannot take it.
    func authorized(as authorized: HTTPRequest, insteadOf value: HTTPRequest) throws(TernError) -> Self
    /// The request that a redirect asks for; `nil` when the answer is none.
    ///
    /// - Throws: ``TernError``: `malformedResponse`, `insecureEndpoint`, `bodyNotReplayable`.
    func redirected(by response: HTTPResponse) throws(TernError) -> Self?
}

/// A request on its way through a refused token and redirects: one repeat at most, a limited number of redirects, and the
/// token at the first origin alone.
package struct AuthorizedCall<Request: AuthorizableRequest>: Sendable {
    /// What to send now.
    package private(set) var request: Request
    private var bare: Request
    private var sent: HTTPRequest
    private var attempt = 1
    private var nonceRepeats = 0
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
        (self.request, sent) = try await Self.authorized(request, by: authorizer)
        followsRedirects = followingRedirects
        self.authorizer = authorizer
    }

    /// Whether something is to be sent after this answer; otherwise the answer is the caller's.
    package mutating func goesOn(after response: HTTPResponse) async throws(TernError) -> Bool {
        if !isElsewhere {
            let decision = await authorizer.decision(
                on: response, to: sent, attempt: attempt, bodyCanBeReplayed: bare.bodyCanBeReplayed)
            switch decision {
            case .fail(let error): throw error
            case .sendAgain:
                // A server's nonce says nothing of the token: there may be one such repeat for each.
                if response.wantsProofNonce {
                    guard nonceRepeats < attempt else { break }
                    nonceRepeats += 1
                } else {
                    attempt += 1
                }
                (request, sent) = try await Self.authorized(bare, by: authorizer)
                return true
            case .handOver: break
            }
        }
        guard followsRedirects, let next = try bare.redirected(by: response) else { return false }
        let (from, to) = (try bare.value().url, try next.value().url)
        redirects += 1
        guard redirects <= Redirect.maximumCount else {
            throw TernError(.httpStatus(response.status, location: to.redacted), at: .resourceRequest)
        }
        bare = next
        // The token stays away when a further redirect leads back: the other origin chose that address.
        if from.origin != to.origin { isElsewhere = true }
        if isElsewhere { request = next } else { (request, sent) = try await Self.authorized(next, by: authorizer) }
        return true
    }

    private static func authorized(
        _ request: Request, by authorizer: any RequestAuthorizer
    ) async throws(TernError) -> (Request, HTTPRequest) {
        let value = try request.value()
        let authorized = try await authorizer.authorize(value)
        return (try request.authorized(as: authorized, insteadOf: value), authorized)
    }
}

extension HTTPRequest: AuthorizableRequest {
    package func value() throws(TernError) -> HTTPRequest { self }
    package var bodyCanBeReplayed: Bool { true }
    package func authorized(as authorized: HTTPRequest, insteadOf value: HTTPRequest) throws(TernError) -> HTTPRequest {
        authorized
    }
}
