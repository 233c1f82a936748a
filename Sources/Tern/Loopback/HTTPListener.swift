internal import TernCrypto
public import TernProtocol

/// A small HTTP/1.1 server for this machine alone: it catches callbacks, and serves test servers to browsers.
///
/// It listens at loopback addresses and never at any other. One thread of its own serves all connections, so that a
/// silent one blocks nobody. Everything has a limit: 64 connections, 16 KiB for a request's head, 1 MiB for its body,
/// 5 seconds for its arrival. Requests that name another host than 127.0.0.1, [::1] or localhost with the right port get
/// status 400, so that a web page cannot reach the listener under a name of its own (DNS rebinding). Requests whose body
/// has no stated length are refused.
public final class HTTPListener: Sendable {
    /// Answers a request. The request's address is absolute, with the host that the client named.
    public typealias Handler = @Sendable (HTTPRequest) async -> HTTPResponse

    /// The port, known from the beginning; the same at every address.
    public let port: Int
    /// The addresses at which it listens.
    public let hosts: [LoopbackHost]

    private enum State {
        case bound([Int32])
        case running(HTTPListenerLoop)
        case stopped(HTTPListenerLoop?)
    }

    private let handler: HTTPListenerLoop.Handler
    private let state: Locked<State>

    private static let attemptsAtAFreePort = 16

    /// Takes a port. From now on connections wait in line, and ``start()`` begins to serve them.
    ///
    /// - Parameters:
    ///   - hosts: the addresses to listen at; one that this machine does not have is left out, unless none remains.
    ///   - port: the port; 0 for a free one.
    ///   - handler: answers the requests.
    /// - Throws: ``/TernProtocol/TernError`` with ``/TernProtocol/TernError/Reason/portInUse(_:)`` when the port is taken
    ///   at one of the addresses, or ``/TernProtocol/TernError/Reason/network(_:)``.
    public convenience init(
        hosts: [LoopbackHost] = [.ipv4], port: Int = 0, handler: @escaping Handler
    ) throws(TernError) {
        try self.init(hosts: hosts, port: port, replying: { HTTPReply(await handler($0)) })
    }

    /// Takes a port for a server that can fail on purpose.
    package init(
        hosts: [LoopbackHost] = [.ipv4], port: Int = 0,
        replying handler: @escaping @Sendable (HTTPRequest) async -> HTTPReply
    ) throws(TernError) {
        let bound = try Self.bind(hosts, port: port)
        self.port = bound.port
        self.hosts = bound.hosts
        self.handler = handler
        state = Locked(.bound(bound.sockets))
    }

    deinit {
        switch state.withLock({ $0 }) {
        case .bound(let sockets): sockets.forEach { LoopbackSocket.closeSocket($0) }
        case .running(let loop): loop.stop()
        case .stopped: break
        }
    }

    /// The address of the server's root, such as `http://127.0.0.1:49152`, without a slash at its end.
    public var baseURL: String { "http://\((hosts.first ?? .ipv4).rawValue):\(port)" }

    /// Begins to serve; a second call changes nothing.
    ///
    /// - Throws: ``/TernProtocol/TernError`` when the system has no thread or descriptor left, or after ``stop()``.
    public func start() throws(TernError) {
        let isRunning = state.withLock { state in
            switch state {
            case .bound(let sockets):
                let loop = HTTPListenerLoop(sockets, port: port, handler: handler)
                guard loop.start() else { return false }
                state = .running(loop)
                return true
            case .running: return true
            case .stopped: return false
            }
        }
        if !isRunning { throw TernError(.network(.other("the listener cannot start")), at: .serving) }
    }

    /// From now on connections are reset, unread, as soon as something arrives; with `false` they are served again. It
    /// counts only while the listener runs.
    package func setResetting(_ isResetting: Bool) { loop?.setResetting(isResetting) }

    /// How many connections were reset, unread.
    package var resetCount: Int { loop?.resetCount ?? 0 }

    private var loop: HTTPListenerLoop? {
        switch state.withLock({ $0 }) {
        case .bound: nil
        case .running(let loop): loop
        case .stopped(let loop): loop
        }
    }

    /// Frees the port, lets answers that are under way be written for at most a second, and ends. May be called at any
    /// moment and more than once; every call returns when the listener has ended.
    public func stop() async {
        let loop: HTTPListenerLoop? = state.withLock { state in
            switch state {
            case .bound(let sockets):
                sockets.forEach { LoopbackSocket.closeSocket($0) }
                state = .stopped(nil)
                return nil
            case .running(let loop):
                loop.stop()
                state = .stopped(loop)
                return loop
            case .stopped(let loop): return loop
            }
        }
        await loop?.ended()
    }

    private static func bind(
        _ hosts: [LoopbackHost], port: Int
    ) throws(TernError) -> (sockets: [Int32], hosts: [LoopbackHost], port: Int) {
        for _ in 0..<attemptsAtAFreePort {
            if let bound = try bindOnce(hosts, port: port) { return bound }
        }
        throw TernError(.network(.other("no port is free at every address")), at: .serving)
    }

    /// Returns `nil` when the free port that the first address got is taken at another one.
    private static func bindOnce(
        _ hosts: [LoopbackHost], port: Int
    ) throws(TernError) -> (sockets: [Int32], hosts: [LoopbackHost], port: Int)? {
        var sockets: [Int32] = []
        var found: [LoopbackHost] = []
        var current = port
        var failure = LoopbackSocket.OpenFailure.noSuchAddress
        for host in hosts where !found.contains(host) {
            do throws(LoopbackSocket.OpenFailure) {
                let (socket, bound) = try LoopbackSocket.listen(host, port: current)
                sockets.append(socket)
                found.append(host)
                current = bound
            } catch {
                failure = error
                if error == .noSuchAddress { continue }
                sockets.forEach { LoopbackSocket.closeSocket($0) }
                if error == .portInUse, port == 0, !found.isEmpty { return nil }
                throw Self.error(error, port: port)
            }
        }
        guard !sockets.isEmpty else { throw Self.error(failure, port: port) }
        return (sockets, found, current)
    }

    private static func error(_ failure: LoopbackSocket.OpenFailure, port: Int) -> TernError {
        switch failure {
        case .portInUse: TernError(.portInUse([port]), at: .serving)
        case .noSuchAddress:
            TernError(.network(.other("this machine does not have the loopback address")), at: .serving)
        case .other(let code):
            TernError(.network(.other("port \(port) cannot be opened (system error \(code))")), at: .serving)
        }
    }
}
