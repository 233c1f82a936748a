#if TERN_CURL
    internal import CCurl
    internal import TernCrypto
    public import TernProtocol

    /// The transport of systems other than Apple's, on libcurl.
    ///
    /// Connections are kept and used again; requests over TLS share one connection where the server speaks HTTP/2. The
    /// environment's `https_proxy`, `http_proxy` and `no_proxy` count as they do for the `curl` command, except that
    /// requests to this machine never use a proxy. Making a transport costs nothing: the library is loaded (libcurl.so.4,
    /// from wherever the system keeps its libraries) and its thread started by the first request, and the thread ends
    /// with the transport.
    public final class CurlTransport: HTTPTransport {
        /// What the transport keeps to.
        public let policy: TransportPolicy

        private let loop = Locked<CurlLoop?>(nil)
        private let counts = Locked(TransportCounters())
        private let whenEnded: (@Sendable () -> Void)?

        /// Makes a transport.
        public convenience init(policy: TransportPolicy = TransportPolicy()) {
            self.init(policy: policy, whenEnded: nil)
        }

        init(policy: TransportPolicy, whenEnded: (@Sendable () -> Void)?) {
            self.policy = policy
            self.whenEnded = whenEnded
        }

        deinit { loop.withLock { $0 }?.stop() }

        /// How many requests ended and how many connections they took.
        package var counters: TransportCounters { counts.withLock { $0 } }

        /// Whether the library and its thread are in use.
        package var isStarted: Bool { loop.withLock { $0 != nil } }

        /// Sends one request.
        ///
        /// - Throws: ``/TernProtocol/TernError``, as ``HTTPTransport`` says.
        public func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            try await send(request, step: step, inspecting: nil)
        }

        func send(
            _ request: HTTPRequest, step: Step, inspecting inspection: CertificateInspection?
        ) async throws(TernError) -> HTTPResponse {
            if let reason = request.transportProblem { throw TernError(reason, at: step) }
            let (curl, loop) = try running(at: step)
            let transfer = CurlTransfer(
                request, step: step, bodyLimit: max(0, policy.bodyLimit), with: curl, inspection)
            let result = await withTaskCancellationHandler {
                await withCheckedContinuation { loop.submit(transfer, $0) }
            } onCancel: {
                loop.cancel(transfer)
            }
            return try result.get()
        }

        private func running(at step: Step) throws(TernError) -> (CurlFunctions, CurlLoop) {
            let curl: CurlFunctions
            do throws(CurlLibrary.Unavailable) {
                curl = try CurlLibrary.shared.get()
            } catch {
                throw TernError(.network(.other(error.words)), at: step)
            }
            let running = loop.withLock { loop in
                if loop == nil {
                    loop = CurlLoop(CurlSetup(policy, with: curl), counters: counts, whenEnded: whenEnded)
                }
                return loop
            }
            guard let running else { throw TernError(.network(.other("no thread to be had")), at: step) }
            return (curl, running)
        }
    }
#endif
