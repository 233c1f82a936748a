public import TernProtocol

/// Sends a request and brings back the answer; the only way to the network.
///
/// What every transport keeps to:
/// - no redirect is followed;
/// - an answer larger than the limit fails with ``/TernProtocol/TernError/Reason/responseTooLarge(limit:)`` and is
///   never handed over cut off;
/// - cancelling the calling task ends the call with ``/TernProtocol/TernError/Reason/cancelled``;
/// - trouble below HTTP is ``/TernProtocol/TernError/Reason/network(_:)``, and
///   ``/TernProtocol/TernError/Reason/outcomeUnknown`` when the request had been sent and is not idempotent;
/// - no cookies, no cache, no credentials of the system.
public protocol HTTPTransport: Sendable {
    /// Sends one request.
    ///
    /// - Parameters:
    ///   - request: the request, complete; a form in its body is sent as `application/x-www-form-urlencoded`.
    ///   - step: the step that errors name.
    /// - Returns: the answer, whatever its status.
    /// - Throws: ``/TernProtocol/TernError`` with one of the reasons above.
    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse
}
