internal import TernProtocol

/// A transport for the calls of the token endpoint that speaks as the provider does, and hands over what it says as the
/// standards have it.
struct QuirkTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let quirks: Quirks
    private let clientID: String
    private let clock: any WallClock

    init(_ transport: any HTTPTransport, _ quirks: Quirks, clientID: String, clock: any WallClock) {
        self.transport = transport
        self.quirks = quirks
        self.clientID = clientID
        self.clock = clock
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        let wire = quirks.tokenRequest.applied(to: request, step: step, clientID: clientID)
        let response: HTTPResponse
        do throws(TernError) {
            response = try await transport.send(wire, step: step)
        } catch {
            throw wire.method == request.method ? error : Self.asOfPost(error)
        }
        return quirks.tokenAnswer.standard(response, step: step, now: clock.now)
    }

    /// A code that goes out in a GET is used up all the same, although a transport takes every GET for one that may be lost and
    /// repeated.
    private static func asOfPost(_ error: TernError) -> TernError {
        switch error.reason {
        case .network(.connectionLost), .network(.timedOut): TernError(.outcomeUnknown, at: error.step)
        default: error
        }
    }
}
