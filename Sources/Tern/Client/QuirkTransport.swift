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
        let request = quirks.tokenRequest.applied(to: request, step: step, clientID: clientID)
        let response = try await transport.send(request, step: step)
        return quirks.tokenAnswer.standard(response, step: step, now: clock.now)
    }
}
