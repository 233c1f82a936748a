internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// An ``AuthorizationServer`` that several parties hold: the transport that calls it and the test that looks at it.
public final class ServedAuthorizationServer: Sendable {
    private let value: Locked<AuthorizationServer>

    /// The issuer.
    public let issuer: URI

    /// Puts a server into service.
    public init(_ server: AuthorizationServer = AuthorizationServer()) {
        value = Locked(server)
        issuer = server.issuer
    }

    /// The server as it is now; a copy.
    public var server: AuthorizationServer { value.withLock { $0 } }

    /// Changes the server, between two requests.
    public func change<Result>(_ body: (inout AuthorizationServer) -> Result) -> Result { value.withLock { body(&$0) } }

    /// Adds a fault.
    public func add(_ fault: Fault) { change { $0.faults.add(fault) } }

    /// How many requests have arrived at an endpoint.
    public func count(of endpoint: Endpoint) -> Int { change { $0.journal.count(of: endpoint) } }

    /// The requests that have arrived at an endpoint, the oldest first.
    public func requests(to endpoint: Endpoint) -> [Journal.Entry] { change { $0.requests(to: endpoint) } }

    /// Answers a request; see ``AuthorizationServer/deliver(_:at:)``.
    public func deliver(_ request: HTTPRequest, at now: NumericDate) -> Delivery {
        change { $0.deliver(request, at: now) }
    }
}
