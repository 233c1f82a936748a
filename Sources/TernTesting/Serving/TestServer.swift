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

    /// The issuer: `http://127.0.0.1:` and the port, and the path where one was given.
    public var issuer: URI { served.issuer }

    /// The port.
    public var port: Int { listener.port }

    /// Takes a port and begins to serve.
    ///
    /// - Parameters:
    ///   - port: the port; 0 for a free one.
    ///   - path: a path for the issuer, with a slash in front; empty for none.
    ///   - clock: the time.
    ///   - make: makes the server for its issuer.
    /// - Throws: ``TernProtocol/TernError``: `portInUse`; `network`; `invalidConfiguration` for a path that is none.
    public static func start(
        port: Int = 0, path: String = "", clock: any WallClock = SystemWallClock(),
        _ make: (URI) -> AuthorizationServer = { AuthorizationServer(issuer: $0) }
    ) throws(TernError) -> TestServer {
        // The port is known only when the listener has it, and the listener wants to know first who answers.
        let holder = Locked<ServedAuthorizationServer?>(nil)
        let listener = try HTTPListener(port: port) { request in
            guard let served = holder.withLock({ $0 }) else { return HTTPResponse(status: 503) }
            let delivery = served.deliver(request, at: clock.now)
            if delivery.delay > .zero { try? await clock.sleep(for: delivery.delay) }
            switch delivery.outcome {
            case .answer(let response): return response
            case .cutOff(var response):
                response.fields["Connection"] = "close"
                return response
            case .dropped: return HTTPResponse(status: 502, fields: ["Connection": "close"])
            }
        }
        let issuer = try URI.required(listener.baseURL + path, field: "path", step: .serving)
        let served = ServedAuthorizationServer(make(issuer))
        holder.withLock { $0 = served }
        try listener.start()
        return TestServer(served: served, listener: listener)
    }

    /// Ends the service and frees the port.
    public func stop() async { await listener.stop() }
}
