internal import TernCrypto
internal import TernProtocol

/// A transport that tells of what goes over it, and adds to errors below HTTP what is known of the host and the way to it.
struct ObservedTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let events: (any EventSink)?
    private let hasAnswered = Locked(false)

    /// Looks on at a transport; one that is looked on at already is not wrapped twice.
    init(_ transport: any HTTPTransport, telling events: (any EventSink)?) {
        self.transport = (transport as? ObservedTransport)?.transport ?? transport
        self.events = events
    }

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        let start = events == nil ? nil : ContinuousClock.now
        do throws(TernError) {
            let response = try await transport.send(request, step: step)
            hasAnswered.withLock { $0 = true }
            if let start { tell(request, step, since: start, response, nil) }
            return response
        } catch {
            var failure = error
            if case .network = error.reason {
                var clues = Surroundings.clues(of: request.url)
                if hasAnswered.withLock({ $0 }) { clues.insert(.reachedBefore) }
                failure = error.with(Evidence(clues))
            }
            if let start { tell(request, step, since: start, nil, failure) }
            throw failure
        }
    }

    private func tell(
        _ request: HTTPRequest, _ step: Step, since start: ContinuousClock.Instant, _ response: HTTPResponse?,
        _ failure: TernError?
    ) {
        let time = (ContinuousClock.now - start).components
        var fields: [Event.FieldName: Event.Value] = [
            .step: .text(step.rawValue), .method: .text(request.method.rawValue),
            .origin: .text(request.url.origin?.description ?? ""), .path: .text(request.url.encodedPath),
            .request: .parameters(MessageParts.fields(of: request)),
            .seconds: .seconds(Double(time.seconds) + Double(time.attoseconds) / 1e18),
        ]
        if let response {
            fields[.status] = .number(response.status)
            fields[.bytes] = .number(response.body.count)
            fields[.response] = .parameters(MessageParts.fields(of: response, at: step))
        }
        if let failure { fields[.code] = .text(failure.code) }
        events?.record(Event(.exchange, fields, failure: failure))
    }
}
