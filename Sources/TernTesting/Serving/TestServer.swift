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
/// It is reached from this machine alone, by plain http, which clients allow for loopback. A connection that a fault
/// drops is answered with status 502, and a body that a fault cuts off ends where it is cut; to see how a client takes
/// a broken connection use ``TestTransport``.
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
        let listener = try HTTPListener(port: port) { request in
            guard let served = holder.withLock({ $0 }) else { return HTTPResponse(status: 503) }
            return await answer(served.deliver(request, at: clock.now), clock)
        }
        let served = ServedAuthorizationServer(
            make(try URI.required(listener.baseURL, field: "issuer", step: .serving)))
        holder.withLock { $0 = served }
        try listener.start()
        return TestServer(served: served, listener: listener)
    }

    /// Ends the service and frees the port.
    public func stop() async { await listener.stop() }

    /// How many requests have arrived at an endpoint.
    public func count(of endpoint: Endpoint) -> Int { served.count(of: endpoint) }

    /// The requests that have arrived at an endpoint, the oldest first.
    public func requests(to endpoint: Endpoint) -> [Journal.Entry] { served.requests(to: endpoint) }

    /// The address of a path of the protected API, for example `notes/1`.
    public func apiAddress(_ path: String) -> String { served.server.apiAddress(path) }

    private static func answer(_ delivery: Delivery, _ clock: any WallClock) async -> HTTPResponse {
        if delivery.delay > .zero { try? await clock.sleep(for: delivery.delay) }
        switch delivery.outcome {
        case .answer(let response): return response
        case .cutOff(var response):
            response.fields["Connection"] = "close"
            return response
        case .dropped: return HTTPResponse(status: 502, fields: ["Connection": "close"])
        }
    }
}
