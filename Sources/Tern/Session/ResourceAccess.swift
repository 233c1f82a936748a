internal import TernCrypto
public import TernProtocol

/// A session's way to some of its APIs, with tokens that are good for these alone (RFC 8707 §2.2): what one API gets is of
/// no use at another. The tokens come of the session's refresh token and live as long as the process; a session remembers
/// those of 32 such ways.
///
/// ```swift
/// let calendar = session.access(to: [calendarAPI], scope: ["calendar.read"])
/// let reply = try await calendar.send(request)
/// ```
public struct ResourceAccess: RequestAuthorizer {
    struct Extent: Hashable {
        let resources: [URI]
        let scope: Scope?
    }

    static let maximumCount = 32

    /// The session.
    public let session: Session
    let extent: Extent

    /// A token for these APIs that is good for use.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where there is no refresh token; `serverError` with the code
    ///   `invalid_target` where the grant is not for these APIs; `reauthenticationRequired`, `signedOut`,
    ///   `storeUnavailable`; the server's and the network's trouble.
    public func accessToken() async throws(TernError) -> AccessToken {
        try await session.credential(for: extent, insteadOf: nil).accessToken
    }

    /// Sends a request, as ``Session/send(_:followingRedirects:)`` does with the session's own token.
    ///
    /// - Throws: what ``accessToken()`` throws, and what the transport throws.
    public func send(
        _ request: HTTPRequest, followingRedirects: Bool = false
    ) async throws(TernError) -> HTTPResponse {
        try await send(
            request, over: session.client.environment.transport, followingRedirects: followingRedirects)
    }

    /// The request with the token on it, and with a proof where the token is bound to a key.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; what ``accessToken()``
    ///   throws.
    public func authorize(_ request: HTTPRequest) async throws(TernError) -> HTTPRequest {
        try request.url.checkForToken()
        let credential = try await session.credential(for: extent, insteadOf: nil)
        return try session.authorized(request, with: credential)
    }

    /// What to do with an answer: where it refuses the token, the request is sent once more with another one.
    public func decision(
        on response: HTTPResponse, to request: HTTPRequest, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision {
        do throws(TernError) {
            if try !session.wantsAnotherProof(response, request, attempt, session.binding.withLock { $0 }) {
                guard attempt <= 1, response.refusesToken, let used = session.token(on: request) else {
                    return .handOver
                }
                _ = try await session.credential(for: extent, insteadOf: used)
            }
            return bodyCanBeReplayed ? .sendAgain : .fail(TernError(.bodyNotReplayable, at: .resourceRequest))
        } catch {
            return .fail(error)
        }
    }
}

extension Session {
    /// A way to some of the session's APIs, with tokens that are good for these alone.
    ///
    /// - Parameters:
    ///   - resources: the APIs, all of which the sign-in named.
    ///   - scope: what the tokens are good for; everything that was granted where it is left out.
    public nonisolated func access(to resources: [URI], scope: Scope? = nil) -> ResourceAccess {
        ResourceAccess(session: self, extent: ResourceAccess.Extent(resources: resources, scope: scope))
    }

    nonisolated func authorized(_ request: HTTPRequest, with credential: Credential) throws(TernError) -> HTTPRequest {
        try authorized(request, credential.accessToken, credential.usedBinding)
    }
}

extension Credential {
    /// The key that is shown with the access token.
    fileprivate var usedBinding: DPoPBinding? { tokenType == .dpop ? dpop : nil }
}
