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
    /// How many redirects are followed for one request.
    private static var maximumRedirects: Int { 5 }

    /// Sends a request with a token on it over a `URLSession`. A refused token leads to one refresh and one repeat at most.
    ///
    /// Redirects are not left to the system, which on Linux carries every field to every origin and loses bodies. They are
    /// followed here, up to five: at another origin the request has neither the token nor any other field that may hold a
    /// credential, and it does not get them back; nothing leads from https to http. What the session's own delegate says
    /// about redirects does not count; its answers to authentication challenges do.
    ///
    /// Cancelling the calling task ends the call at once. On Linux give a session whose configuration has no `urlCache`:
    /// one that has a cache cannot be cancelled safely there, so the transfer goes on for nobody.
    ///
    /// - Parameters:
    ///   - request: the request. An `Authorization` of its own is replaced. A body that is a stream is sent once.
    ///   - urlSession: what sends it.
    ///   - followingRedirects: whether redirects are followed or handed over.
    /// - Throws: ``/TernProtocol/TernError``: what ``/TernProtocol/RequestAuthorizer/authorization(for:)`` throws;
    ///   `bodyNotReplayable` when the body is a stream and the token was refused, and has been renewed, or when a redirect
    ///   wants the body again; for redirects `insecureEndpoint` and `malformedResponse` with the field `Location`, and
    ///   `httpStatus` beyond the limit. `URLError` for trouble of the connection, `CancellationError`.
    public func data(
        for request: URLRequest, over urlSession: URLSession, followingRedirects: Bool = true
    ) async throws -> (Data, HTTPURLResponse) {
        var call = try await AuthorizedCall(
            request, by: self, maximumRedirects: followingRedirects ? Self.maximumRedirects : 0)
        while true {
            let (data, response) = try await URLSessionCall.answer(to: call.request, over: urlSession)
            guard try await call.goesOn(after: HTTPResponse(response)) else { return (data, response) }
        }
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
        if isCancelled { return continuation.resume(throwing: CancellationError()) }
        task.resume()
    }

    private func cancel(in session: URLSession) {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        end(.failure(CancellationError()))
        #if canImport(FoundationNetworking)
            guard session.configuration.urlCache == nil else { return }
        #endif
        if let task { DispatchQueue.global().async { task.cancel() } }
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
}
