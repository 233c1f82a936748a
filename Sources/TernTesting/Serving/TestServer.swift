public import Tern
internal import TernCrypto
public import TernProtocol

/// A test server on the loopback interface, for browsers and for programs in other processes.
///
/// ```swift
/// let server = try TestServer.start()
/// print("sign in at \(server.issuer)")
/// ```
///
/// It is reached from this machine alone, by plain http, which clients allow for loopback. Connections break as the
/// server's ``Fault``s say; a stopped server refuses them, and another one can be started at the same port.
public struct TestServer: Sendable {
    /// The server, to look at and to change.
    public let served: ServedAuthorizationServer
    private let listener: HTTPListener

    /// The issuer: `http://127.0.0.1:`, the port, and the path of the issuer that the server had.
    public var issuer: URI { served.issuer }

    /// The port.
    public var port: Int { listener.port }

    /// Takes a port and begins to serve.
    ///
    /// - Parameters:
    ///   - server: the server. Scheme, host and port of its issuer are replaced by those at which it is served; the path
    ///     stays.
    ///   - port: the port; 0 for a free one.
    ///   - clock: the time.
    /// - Throws: `TernError`: `portInUse`; `network`.
    public static func start(
        _ server: AuthorizationServer = AuthorizationServer(), port: Int = 0, clock: any WallClock = SystemWallClock()
    ) throws(TernError) -> TestServer {
        try start(port: port, clock: clock) { origin in
            var server = server
            server.issuer = URI(origin.text + server.issuer.encodedPath) ?? origin
            return server
        }
    }

    /// Takes a port and begins to serve a server that wants to know its address beforehand.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for a free one.
    ///   - clock: the time.
    ///   - make: makes the server for the address `http://127.0.0.1:` and the port. Its issuer may have a path more.
    /// - Throws: `TernError`: `portInUse`; `network`.
    public static func start(
        port: Int = 0, clock: any WallClock = SystemWallClock(), _ make: (URI) -> AuthorizationServer
    ) throws(TernError) -> TestServer {
        // The port is known only when the listener has it, and the listener wants to know first who answers.
        let holder = Locked<ServedAuthorizationServer?>(nil)
        let listener = try HTTPListener(
            port: port,
            replying: { request in
                guard let served = holder.withLock({ $0 }) else { return HTTPReply(HTTPResponse(status: 503)) }
                let delivery = served.deliver(request, at: clock.now)
                if delivery.delay > .zero { try? await clock.sleep(for: delivery.delay) }
                return delivery.reply
            })
        let served = ServedAuthorizationServer(
            make(try URI.required(listener.baseURL, field: "issuer", step: .serving)))
        holder.withLock { $0 = served }
        try listener.start()
        return TestServer(served: served, listener: listener)
    }

    /// Ends the service and frees the port.
    public func stop() async { await listener.stop() }

    /// From now on every connection is reset as soon as something arrives, and no request is read; with `false` they are
    /// served again.
    public func resetConnections(_ isOn: Bool = true) { listener.setResetting(isOn) }

    /// How many connections were reset unread, see ``resetConnections(_:)``.
    public var resetCount: Int { listener.resetCount }

    /// How many requests have arrived at an endpoint.
    public func count(of endpoint: Endpoint) -> Int { served.count(of: endpoint) }

    /// The requests that have arrived at an endpoint, the oldest first.
    public func requests(to endpoint: Endpoint) -> [Journal.Entry] { served.requests(to: endpoint) }

    /// The address of a path of the protected API, for example `notes/1`.
    public func apiAddress(_ path: String) -> String { served.server.apiAddress(path) }
}

extension Delivery {
    fileprivate var reply: HTTPReply {
        let pace = pace.map { HTTPReply.Pace(byteCount: $0.byteCount, milliseconds: $0.pause.wholeMilliseconds) }
        let broken: HTTPReply.End =
            switch end {
            case .closed: .closed
            case .reset: .reset
            case .silence: .silence
            }
        return switch outcome {
        case .answer(let response): HTTPReply(response, pace: pace)
        case .cutOff(let response, let count): HTTPReply(response, bodyByteCount: count, end: broken, pace: pace)
        case .dropped: HTTPReply(nil, end: broken)
        }
    }
}

extension Duration {
    fileprivate var wholeMilliseconds: Int64 {
        let parts = components
        return min(max(0, parts.seconds), 1 << 40) * 1_000 + parts.attoseconds / 1_000_000_000_000_000
    }
}
