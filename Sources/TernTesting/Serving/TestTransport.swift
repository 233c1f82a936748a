public import Tern
internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// A transport that leads straight into servers of this library, without a network.
///
/// It keeps the contract of `HTTPTransport`: broken connections, answers that are too large and cancellation end as
/// they do over a network. Time is the given clock's, so that a ``FakeClock`` decides when a delayed answer comes.
public struct TestTransport: HTTPTransport {
    /// Something that answers the requests to one origin.
    public typealias Handler = @Sendable (HTTPRequest, NumericDate) -> Delivery

    /// The largest body, in bytes; a larger one is refused as over a network.
    public var maximumBodyByteCount = 1 << 20
    /// How long an answer that does not come is waited for.
    public var timeout = Duration.seconds(30)

    /// What the servers see as the certificate of the TLS connection; see ``showing(certificate:)``.
    var clientCertificate: [UInt8]?

    private let clock: any WallClock
    private var handlers: [Origin: Handler] = [:]

    /// Makes a transport that knows the given servers by the origin of their issuers.
    public init(_ servers: ServedAuthorizationServer..., clock: any WallClock = SystemWallClock()) {
        self.clock = clock
        for server in servers {
            // Several issuers may share an origin; then the path decides.
            guard let origin = server.issuer.origin else { continue }
            let sharing = servers.filter { $0.issuer.origin == origin }
            handlers[origin] = { request, now in
                let path = request.url.encodedPath
                let owner =
                    sharing.filter { $0.owns(path) }.max { $0.issuer.encodedPath.count < $1.issuer.encodedPath.count }
                return (owner ?? server).deliver(request, at: now)
            }
        }
    }

    /// The same transport with a further origin, such as that of an API.
    public func answering(_ origin: Origin, with handler: @escaping Handler) -> TestTransport {
        var copy = self
        copy.handlers[origin] = handler
        return copy
    }

    /// Hands the request to the server of its origin.
    ///
    /// - Throws: `TernError`: `network(.hostNotFound)` for an origin without server; `outcomeUnknown` or
    ///   `network(.connectionLost)` for a broken connection; `outcomeUnknown` or `network(.timedOut)` for one on which
    ///   nothing comes for ``timeout``; `responseTooLarge`; `cancelled`.
    public func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        guard let origin = request.url.origin, let handler = handlers[origin] else {
            throw TernError(.network(.hostNotFound), at: step)
        }
        guard !Task.isCancelled else { throw TernError(.cancelled, at: step) }
        var sent = request
        // A fragment stays with the client (RFC 9110 §7.1).
        if request.url.encodedFragment != nil { sent.url = URI(request.url.withoutFragment) ?? request.url }
        sent.fields["Client-Cert"] = clientCertificate.map { ":" + Base64.encode($0) + ":" }
        let delivery = handler(sent, clock.now)
        try await sleep(for: delivery.delay + delivery.timeOfBody, at: step)
        guard !Task.isCancelled else { throw TernError(.cancelled, at: step) }
        switch delivery.outcome {
        case .answer(let response):
            guard response.body.count <= maximumBodyByteCount else {
                throw TernError(.responseTooLarge(limit: maximumBodyByteCount), at: step)
            }
            return response
        case .cutOff, .dropped:
            let isSilent = delivery.end == .silence
            if isSilent { try await sleep(for: timeout, at: step) }
            let failure = isSilent ? TernError.NetworkFailure.timedOut : .connectionLost
            throw TernError(request.method.isIdempotent ? .network(failure) : .outcomeUnknown, at: step)
        }
    }

    private func sleep(for duration: Duration, at step: Step) async throws(TernError) {
        guard duration > .zero else { return }
        do { try await clock.sleep(for: duration) } catch { throw TernError(.cancelled, at: step) }
    }
}

extension Delivery {
    /// How long the body takes from its first byte to its last.
    fileprivate var timeOfBody: Duration {
        guard let pace else { return .zero }
        let count =
            switch outcome {
            case .answer(let response): response.body.count
            case .cutOff(let response, let count): min(count, response.body.count)
            case .dropped: 0
            }
        return pace.pause * ((count - 1) / max(1, pace.byteCount))
    }
}

extension ServedAuthorizationServer {
    fileprivate func owns(_ path: String) -> Bool { change { Endpoint(path: path, prefix: $0.pathPrefix) != .other } }
}
