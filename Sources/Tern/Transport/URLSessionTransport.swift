#if canImport(Darwin)
    internal import Foundation
    internal import Security
    internal import TernCrypto
    internal import TernFoundation
    public import TernProtocol

    /// The transport of Apple's systems, on `URLSession`.
    ///
    /// It has a session of its own without cache, cookies and stored credentials. `URLSession` does not limit the time of
    /// connecting by itself, so ``TransportPolicy/connectTimeout`` has no effect; ``TransportPolicy/timeout`` holds for the
    /// whole exchange. A client identity is a PKCS#12 file or one of the
    /// keychain. Making a transport costs nothing: the session is made by
    /// the first request, and ends with the transport.
    public final class URLSessionTransport: HTTPTransport {
        /// What the transport keeps to.
        public let policy: TransportPolicy

        private struct Running: Sendable {
            let session: URLSession
            let delegate: URLSessionExchanges
        }

        private let running = Locked<Running?>(nil)

        /// Makes a transport.
        public init(policy: TransportPolicy = TransportPolicy()) { self.policy = policy }

        deinit { running.withLock { $0 }?.session.finishTasksAndInvalidate() }

        /// Sends one request.
        public func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            if Task.isCancelled { throw TernError(.cancelled, at: step) }
            if let reason = request.transportProblem { throw TernError(reason, at: step) }
            guard let prepared = prepared(request) else {
                throw TernError(.invalidConfiguration(field: "url", problem: "it cannot be read"), at: step)
            }
            let running = try start(step)
            let exchange = URLSessionExchange(request, step: step, bodyLimit: max(0, policy.bodyLimit))
            let task = running.session.dataTask(with: prepared)
            running.delegate.add(exchange, for: task)
            task.resume()
            let result = await exchange.outcome.value(whenCancelled: .failure(TernError(.cancelled, at: step)))
            // Here and not in the cancellation handler: the session may be about to resume this very call.
            if Task.isCancelled { task.cancel() }
            return try result.get()
        }

        private func prepared(_ request: HTTPRequest) -> URLRequest? {
            var request = request
            let fields = request.fieldsToSend
            request.fields = HTTPFields()
            for field in fields { request.fields.append(field.name, field.value) }
            if request.fields["User-Agent"] == nil { request.fields["User-Agent"] = policy.userAgentField }
            var prepared = URLRequest(request)
            prepared?.timeoutInterval = seconds
            prepared?.httpShouldHandleCookies = false
            prepared?.cachePolicy = .reloadIgnoringLocalCacheData
            return prepared
        }

        private var seconds: TimeInterval { TimeInterval(policy.timeout.boundedMilliseconds) / 1_000 }

        private func start(_ step: Step) throws(TernError) -> Running {
            let policy = policy
            let seconds = seconds
            return try running.withLock { (running) throws(TernError) in
                if let running { return running }
                let delegate = URLSessionExchanges(trust: try URLSessionTrust(policy, step: step))
                let configuration = URLSessionConfiguration.ephemeral
                configuration.urlCache = nil
                configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
                configuration.httpCookieStorage = nil
                configuration.httpShouldSetCookies = false
                configuration.httpCookieAcceptPolicy = .never
                configuration.urlCredentialStorage = nil
                configuration.waitsForConnectivity = false
                configuration.tlsMinimumSupportedProtocolVersion = .TLSv12
                configuration.timeoutIntervalForRequest = seconds
                configuration.timeoutIntervalForResource = seconds
                let queue = OperationQueue()
                queue.maxConcurrentOperationCount = 1
                let new = Running(
                    session: URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue),
                    delegate: delegate)
                running = new
                return new
            }
        }
    }
#endif
