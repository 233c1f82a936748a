public import TernProtocol

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

/// What adapters of stacks that work with `URLRequest` are made of.
extension RequestAuthorizer {
    /// The request with what authorises it; see ``/TernProtocol/RequestAuthorizer/authorize(_:)``.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` for a request without an absolute address; what
    ///   ``/TernProtocol/RequestAuthorizer/authorize(_:)`` throws; `unsupported` where a service of OAuth 1.0a wants its
    ///   parameters in a form and the body is a stream.
    public func authorize(_ request: URLRequest) async throws(TernError) -> URLRequest {
        let value = try request.value()
        return try request.authorized(as: try await authorize(value), insteadOf: value)
    }

    /// What to do with an answer; see ``/TernProtocol/RequestAuthorizer/decision(on:to:attempt:bodyCanBeReplayed:)``. An
    /// answer from another origin than the request's, after a redirect, is handed over.
    ///
    /// - Parameters:
    ///   - response: the answer.
    ///   - request: the request as it was sent.
    ///   - attempt: 1 for the first time that the request was sent, 2 after a repeat.
    ///   - bodyCanBeReplayed: whether the body can be sent once more. A `httpBodyStream` never can.
    public func decision(
        on response: HTTPURLResponse, to request: URLRequest, attempt: Int, bodyCanBeReplayed: Bool = true
    ) async -> RetryDecision {
        guard let from = response.url.flatMap({ URI($0) }), let sent = try? request.value(),
            from.origin == sent.url.origin
        else { return .handOver }
        return await decision(
            on: HTTPResponse(response), to: sent, attempt: attempt,
            bodyCanBeReplayed: bodyCanBeReplayed && request.bodyCanBeReplayed)
    }
}

extension URLRequest {
    /// The request that a stack means to send after a redirect, as it may be sent: within the origin it has the token of the
    /// request before it again, which some systems take off; at any other origin it has no field that may hold a credential.
    ///
    /// - Parameters:
    ///   - response: the redirect.
    ///   - previous: the request that was redirected, as it was sent (a task's `currentRequest`). Not the first of several:
    ///     another origin could then lead back to an address of its choice, and the token would be there.
    /// - Returns: `nil` when the redirect must not be followed: from https to http, to plain http beyond loopback, or to an
    ///   address with a user name in it.
    public func redirected(by response: HTTPURLResponse, from previous: URLRequest) -> URLRequest? {
        guard let from = response.url.flatMap({ URI($0) }), let to = try? address(), !to.hasUserInformation,
            Redirect.mayLead(from: from, to: to)
        else { return nil }
        var request = self
        if let before = try? previous.address(), before.origin == from.origin, from.origin == to.origin {
            request.setValue(previous.value(forHTTPHeaderField: "Authorization"), forHTTPHeaderField: "Authorization")
        } else {
            for name in (allHTTPHeaderFields ?? [:]).keys where !Redirect.carriesElsewhere(name) {
                request.setValue(nil, forHTTPHeaderField: name)
            }
        }
        return request
    }
}
