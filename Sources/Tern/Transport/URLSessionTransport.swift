#if canImport(Darwin)
    internal import Foundation
    internal import TernCrypto
    internal import TernFoundation
    public import TernProtocol

    /// The transport of Apple's systems, on `URLSession`.
    ///
    /// It keeps no cookies, no cache and no credentials, and shows none of the system's. Connections are kept and used
    /// again. The system's proxies count. Making a transport costs nothing: the session is made by the first request and
    /// ends with the transport.
    ///
    /// What `URLSession` does in its own way: fields of one name arrive as one line, joined by commas; a GET cannot
    /// carry a body; and App Transport Security holds beside the policy, so that an authority of one's own may need an
    /// exception for its host in the application's `Info.plist`.
    public final class URLSessionTransport: HTTPTransport {
        /// What the transport keeps to.
        public let policy: TransportPolicy

        private struct Running: Sendable {
            let session: URLSession
            let delegate: SessionDelegate
        }

        private let running = Locked<Running?>(nil)
        private static let connectionLimit = 32

        /// Makes a transport.
        public init(policy: TransportPolicy = TransportPolicy()) { self.policy = policy }

        // A session keeps its delegate until it is told to end.
        deinit { running.withLock { $0 }?.session.invalidateAndCancel() }

        /// Whether a session was made.
        package var isStarted: Bool { running.withLock { $0 != nil } }

        /// Sends one request.
        public func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            if Task.isCancelled { throw TernError(.cancelled, at: step) }
            if let reason = request.transportProblem { throw TernError(reason, at: step) }
            let outgoing = try outgoing(request, step)
            let running = try start(step)
            let exchange = SessionExchange(request, step: step, bodyLimit: max(0, policy.bodyLimit))
            let task = running.session.dataTask(with: outgoing)
            running.delegate.add(exchange, to: task)
            task.resume()
            let result = await exchange.outcome.value(whenCancelled: .failure(TernError(.cancelled, at: step)))
            // Nothing happens to a task that is over.
            task.cancel()
            return try result.get()
        }

        private func start(_ step: Step) throws(TernError) -> Running {
            try running.withLock { (running) throws(TernError) in
                if let running { return running }
                let delegate = SessionDelegate(try SessionTrust(policy, step))
                // Without a queue of ours the session makes a serial one, so that callbacks come one by one.
                let session = URLSession(configuration: configuration(), delegate: delegate, delegateQueue: nil)
                let started = Running(session: session, delegate: delegate)
                running = started
                return started
            }
        }

        private func configuration() -> URLSessionConfiguration {
            let configuration = URLSessionConfiguration.ephemeral
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalAndRemoteCacheData
            configuration.httpCookieStorage = nil
            configuration.httpCookieAcceptPolicy = .never
            configuration.httpShouldSetCookies = false
            configuration.urlCredentialStorage = nil
            configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
            configuration.waitsForConnectivity = false
            configuration.httpMaximumConnectionsPerHost = Self.connectionLimit
            let seconds = Double(policy.timeout.boundedMilliseconds) / 1_000
            configuration.timeoutIntervalForResource = seconds
            // This one is the longest pause between two pieces of an answer.
            configuration.timeoutIntervalForRequest = seconds
            return configuration
        }

        private func outgoing(_ request: HTTPRequest, _ step: Step) throws(TernError) -> URLRequest {
            guard let address = URI(request.url.withoutFragment), let url = URL(address) else {
                throw TernError(.invalidConfiguration(field: "url", problem: "it cannot be read"), at: step)
            }
            let body = request.bodyBytes
            guard body == nil || request.method != .get else {
                throw TernError(.invalidConfiguration(field: "body", problem: "GET carries none here"), at: step)
            }
            var outgoing = URLRequest(url: url)
            outgoing.httpMethod = request.method.rawValue
            outgoing.httpShouldHandleCookies = false
            for field in request.fieldsToSend { outgoing.addValue(field.value, forHTTPHeaderField: field.name) }
            if case .form = request.body, request.fields["Content-Type"] == nil {
                outgoing.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            }
            if request.fields["User-Agent"] == nil {
                outgoing.setValue(policy.userAgentField, forHTTPHeaderField: "User-Agent")
            }
            // The session would ask for compressed answers and unpack them, and the field Content-Encoding would stay.
            if request.fields["Accept-Encoding"] == nil {
                outgoing.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
            }
            if let body { outgoing.httpBody = Data(body) }
            return outgoing
        }
    }
#endif
