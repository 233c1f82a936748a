internal import TernCrypto
internal import TernProtocol

/// A transport that adds to errors below HTTP what is known of the host and the way to it.
struct ObservedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let hasAnswered = Locked(false)

    /// Looks on at a transport; one that is looked on at already is not wrapped twice.
    init(_ transport: any HTTPTransport) {
        self.transport = (transport as? ObservedTransport)?.transport ?? transport
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        do throws(TernError) {
            let response = try await transport.send(request, step: step)
            hasAnswered.withLock { $0 = true }
            return response
        } catch {
            guard case .network = error.reason else { throw error }
            var clues = Surroundings.clues(of: request.url)
            if hasAnswered.withLock({ $0 }) { clues.insert(.reachedBefore) }
            throw error.with(Evidence(clues))
        }
    }
}
