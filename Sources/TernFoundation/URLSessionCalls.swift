internal import TernCrypto
public import TernProtocol

#if canImport(FoundationNetworking)
    internal import Dispatch
    public import Foundation
    public import FoundationNetworking
#else
    internal import Dispatch
    public import Foundation
#endif

extension RequestAuthorizer {
    /// Sends a request with a token on it over a `URLSession`. A refused token leads to one refresh and one repeat at most.
    ///
    /// Redirects are not left to the system, which on Linux carries every field to every origin and loses bodies. They are
    /// followed here, up to five: at another origin the request has neither the token nor any other field that may hold a
    /// credential, those of the session's `httpAdditionalHeaders` included, and it does not get them back; nothing leads
    /// from https to http. What the session's own delegate says about redirects does not count; its answers to
    /// authentication challenges do.
    ///
    /// Cancelling the calling task ends the call at once. On Linux give a session whose configuration has no `urlCache`:
    /// one that has a cache cannot be cancelled safely there, so the transfer goes on for nobody. There, too, the body of a
    /// 401 that asks for HTTP Basic is lost.
    ///
    /// - Parameters:
    ///   - request: the request. An `Authorization` of its own is replaced. A body that is a stream is sent once, on Linux
    ///     in chunks.
    ///   - urlSession: what sends it.
    ///   - followingRedirects: whether redirects are followed or handed over.
    /// - Throws: ``/TernProtocol/TernError``: what ``/TernProtocol/RequestAuthorizer/authorize(_:)`` throws;
    ///   `bodyNotReplayable` when the body is a stream and the token was refused, and has been renewed, or when a redirect
    ///   wants the body again; for redirects `insecureEndpoint` and `malformedResponse` with the field `Location`, and
    ///   `httpStatus` beyond the limit. `URLError` for trouble of the connection, `CancellationError`.
    public func data(
        for request: URLRequest, over urlSession: URLSession, followingRedirects: Bool = true
    ) async throws -> (Data, HTTPURLResponse) {
        var call = try await AuthorizedCall(request, by: self, followingRedirects: followingRedirects)
        var elsewhere: URLSession?
        defer { elsewhere?.finishTasksAndInvalidate() }
        while true {
            if call.isElsewhere, elsewhere == nil { elsewhere = urlSession.forOtherOrigins }
            let (data, response) = try await URLSessionCall.answer(to: call.request, over: elsewhere ?? urlSession)
            guard try await call.goesOn(after: HTTPResponse(response)) else { return (data, response) }
        }
    }
}

extension URLSession {
    /// A session like this one without the fields that it puts on every request and that may hold a credential; `nil` where
    /// there are none.
    fileprivate var forOtherOrigins: URLSession? {
        let fields = configuration.httpAdditionalHeaders ?? [:]
        let harmless = fields.filter { name, _ in (name as? String).map(Redirect.carriesElsewhere) ?? false }
        guard harmless.count < fields.count else { return nil }
        let configuration = configuration.copy() as? URLSessionConfiguration ?? .ephemeral
        configuration.httpAdditionalHeaders = harmless
        return URLSession(configuration: configuration, delegate: delegate, delegateQueue: delegateQueue)
    }
}

/// One task of a session, whose redirects are not followed.
///
/// `URLSession`'s own asynchronous calls hang on Linux when they are cancelled at the wrong moment, since the task is then
/// cancelled under a lock that its completion waits for. Here the waiting ends first, and the task is cancelled elsewhere.
private final class URLSessionCall: NSObject, URLSessionTaskDelegate, @unchecked Sendable {
    typealias Answer = (Data, HTTPURLResponse)

    private struct State {
        var continuation: CheckedContinuation<Answer, any Error>?
        var task: URLSessionTask?
        var isCancelled = false
    }

    private let state = Locked(State())

    static func answer(to request: URLRequest, over session: URLSession) async throws -> Answer {
        try Task.checkCancellation()
        let call = URLSessionCall()
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { call.start(request, over: session, $0) }
        } onCancel: {
            call.cancel(in: session)
        }
    }

    private func start(
        _ request: URLRequest, over session: URLSession, _ continuation: CheckedContinuation<Answer, any Error>
    ) {
        var request = request
        #if canImport(FoundationNetworking)
            // A stream goes out in chunks; a length beside them would let the server see another request in them.
            if request.httpBodyStream != nil { request.setValue(nil, forHTTPHeaderField: "Content-Length") }
        #endif
        let task = session.dataTask(with: request) { [self] data, response, error in
            if let error { return end(.failure(error)) }
            guard let response = response as? HTTPURLResponse else {
                return end(.failure(URLError(.badServerResponse)))
            }
            end(.success((data ?? Data(), response)))
        }
        task.delegate = self
        let isCancelled = state.withLock { state in
            if !state.isCancelled { (state.continuation, state.task) = (continuation, task) }
            return state.isCancelled
        }
        guard !isCancelled else {
            continuation.resume(throwing: CancellationError())
            return Self.abandon(task, in: session)
        }
        task.resume()
    }

    private func cancel(in session: URLSession) {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        end(.failure(CancellationError()))
        if let task { Self.abandon(task, in: session) }
    }

    private static func abandon(_ task: URLSessionTask, in session: URLSession) {
        #if canImport(FoundationNetworking)
            guard session.configuration.urlCache == nil else { return }
        #endif
        DispatchQueue.global().async { task.cancel() }
    }

    private func end(_ result: Result<Answer, any Error>) {
        let continuation = state.withLock { state in
            defer { (state.continuation, state.task) = (nil, nil) }
            return state.continuation
        }
        continuation?.resume(with: result)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) { completionHandler(nil) }

    #if canImport(FoundationNetworking)
        /// A challenge for which nobody has a credential leaves the task waiting for ever there; on other systems the answer
        /// that held it is handed over.
        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let refusal = challenge.failureResponse as? HTTPURLResponse
            let hasProposal = challenge.proposedCredential != nil
            let decide: @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void = {
                [self] disposition, credential in
                switch disposition {
                case .useCredential where credential != nil, .performDefaultHandling where hasProposal,
                    .cancelAuthenticationChallenge:
                    completionHandler(disposition, credential)
                default:
                    if let refusal { end(.success((Data(), refusal))) }
                    completionHandler(.cancelAuthenticationChallenge, nil)
                }
            }
            guard let delegate = session.delegate as? any URLSessionTaskDelegate else {
                return decide(.performDefaultHandling, nil)
            }
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: decide)
        }
    #endif
}
