/// What an HTTP stack asks before it sends a request and when it has the answer. A session is one; this is where other
/// stacks plug in.
///
/// A stack sets the fields of ``authorization(for:)`` on each request, and asks ``decision(on:sent:attempt:bodyCanBeReplayed:)``
/// about each answer. Where it can wrap a call, ``perform(to:bodyCanBeReplayed:isolation:send:)`` does both.
public protocol RequestAuthorizer: Sendable {
    /// The fields to set on a request to an address, `Authorization` among them. They hold a token: they go to the origin of
    /// this address and nowhere else, not even after a redirect.
    ///
    /// - Throws: ``TernError``: `insecureEndpoint` for an address that must not see a token, and why there is no token.
    func authorization(for url: URI) async throws(TernError) -> HTTPFields

    /// What to do with an answer. Where it refuses the token, this gets another one before it answers; many requests that
    /// are refused at one moment lead to one refresh.
    ///
    /// - Parameters:
    ///   - response: the answer; status and fields are enough.
    ///   - authorization: the fields with which the request was sent; without `Authorization` where a redirect led to
    ///     another origin.
    ///   - attempt: 1 for the first time that the request was sent, 2 after a repeat.
    ///   - bodyCanBeReplayed: whether the body can be sent once more; a stream cannot.
    func decision(
        on response: HTTPResponse, sent authorization: HTTPFields, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision
}

/// What becomes of an answer. Its description shows no token.
public enum RetryDecision: Sendable, Hashable {
    /// The caller gets the answer.
    case handOver
    /// The request is to be sent again, with these fields.
    case sendAgain(with: HTTPFields)
    /// The caller gets the error. `bodyNotReplayable` means that there is a new token, and that only the caller can make
    /// the body again.
    case fail(TernError)
}

extension RequestAuthorizer {
    /// Makes a call over any HTTP stack: with a token on it, and a second time when the first token was refused.
    ///
    /// - Parameters:
    ///   - url: where the request goes.
    ///   - bodyCanBeReplayed: whether the body can be sent once more.
    ///   - isolation: where `send` runs; the caller's own.
    ///   - send: sends the request with the given fields set on it, and gives whatever the caller wants, and status and
    ///     fields of the answer; `nil` in their place where a redirect led to another origin.
    /// - Throws: ``TernError``: what ``authorization(for:)`` throws; `bodyNotReplayable`; why there is no other token.
    ///   Whatever `send` throws.
    public func perform<Answer: Sendable>(
        to url: URI, bodyCanBeReplayed: Bool = true, isolation: isolated (any Actor)? = #isolation,
        send: (HTTPFields) async throws -> (Answer, HTTPResponse?)
    ) async throws -> Answer {
        let authorization = try await authorization(for: url)
        let (answer, response) = try await send(authorization)
        guard let response else { return answer }
        let decision = await decision(
            on: response, sent: authorization, attempt: 1, bodyCanBeReplayed: bodyCanBeReplayed)
        switch decision {
        case .handOver: return answer
        case .sendAgain(let authorization): return try await send(authorization).0
        case .fail(let error): throw error
        }
    }
}
