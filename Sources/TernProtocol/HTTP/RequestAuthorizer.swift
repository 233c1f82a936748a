/// What an HTTP stack asks before it sends a request and when it has the answer. A session is one; this is where other
/// stacks plug in.
///
/// A stack sends what ``authorize(_:)`` makes of each request, and asks ``decision(on:to:attempt:bodyCanBeReplayed:)`` about
/// each answer. Where it can wrap a call, ``perform(_:bodyCanBeReplayed:isolation:send:)`` does both.
public protocol RequestAuthorizer: Sendable {
    /// The request with what authorises it: the field `Authorization`; for a token that is bound to a key the field `DPoP`;
    /// and where a service of OAuth 1.0a wants it so, further parameters in the query or in the form. It is good for one sending, to the origin of its address and nowhere else, not
    /// even after a redirect.
    ///
    /// - Parameter request: the request as it is to be sent. A body that is a stream may be left out, unless the service
    ///   wants it signed.
    /// - Throws: ``TernError``: `insecureEndpoint` for an address that must not see a token, and why there is no token.
    func authorize(_ request: HTTPRequest) async throws(TernError) -> HTTPRequest

    /// What to do with an answer. Where it refuses the token, this gets another one before it answers; many requests that
    /// are refused at one moment lead to one refresh.
    ///
    /// - Parameters:
    ///   - response: the answer; status and fields are enough.
    ///   - request: the request as it was sent. One without `Authorization`, which a redirect has led to another origin, is
    ///     handed over.
    ///   - attempt: 1 for the first time that the request was sent, 2 after a repeat. A repeat because the server wanted its
    ///     nonce in the proof may be left out of the count, once for each token.
    ///   - bodyCanBeReplayed: whether the body can be sent once more; a stream cannot.
    func decision(
        on response: HTTPResponse, to request: HTTPRequest, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision
}

/// What becomes of an answer.
public enum RetryDecision: Sendable, Hashable {
    /// The caller gets the answer.
    case handOver
    /// The request is to be authorised anew and sent again.
    case sendAgain
    /// The caller gets the error. `bodyNotReplayable` means that there is a new token, and that only the caller can make
    /// the body again.
    case fail(TernError)
}

extension RequestAuthorizer {
    /// Makes a call over any HTTP stack: authorised, and a second time when the first was refused for its token.
    ///
    /// - Parameters:
    ///   - request: the request; of its body, what ``authorize(_:)`` wants.
    ///   - bodyCanBeReplayed: whether the body can be sent once more.
    ///   - isolation: where `send` runs; the caller's own.
    ///   - send: sends the request as it is given, and gives whatever the caller wants, and status and fields of the answer;
    ///     `nil` in their place where a redirect led to another origin.
    /// - Throws: ``TernError``: what ``authorize(_:)`` throws; `bodyNotReplayable`; why there is no other token. Whatever
    ///   `send` throws.
    public func perform<Answer: Sendable>(
        _ request: HTTPRequest, bodyCanBeReplayed: Bool = true, isolation: isolated (any Actor)? = #isolation,
        send: (HTTPRequest) async throws -> (Answer, HTTPResponse?)
    ) async throws -> Answer {
        var (attempt, nonceRepeats) = (1, 0)
        while true {
            let authorized = try await authorize(request)
            let (answer, response) = try await send(authorized)
            guard let response else { return answer }
            let decision = await decision(
                on: response, to: authorized, attempt: attempt, bodyCanBeReplayed: bodyCanBeReplayed)
            switch decision {
            case .handOver: return answer
            case .fail(let error): throw error
            case .sendAgain where response.wantsProofNonce:
                guard nonceRepeats < attempt else { return answer }
                nonceRepeats += 1
            case .sendAgain:
                guard attempt < 2 else { return answer }
                attempt += 1
            }
        }
    }
}
