#if canImport(Darwin)
    internal import Foundation
    internal import TernCrypto
    internal import TernProtocol

    /// One request of a ``URLSessionTransport`` and what came of it so far.
    final class SessionExchange: Sendable {
        private struct State {
            var response: HTTPResponse?
            /// Whether the request began to be written; `nil` as long as nobody said.
            var wasStarted: Bool?
        }

        let outcome = OneShot<Result<HTTPResponse, TernError>>()
        private let request: HTTPRequest
        private let step: Step
        private let bodyLimit: Int
        private let state = Locked(State())

        init(_ request: HTTPRequest, step: Step, bodyLimit: Int) {
            self.request = request
            self.step = step
            self.bodyLimit = bodyLimit
        }

        /// Ends the exchange; only the first end counts.
        func fail(_ reason: TernError.Reason) { outcome.resolve(.failure(TernError(reason, at: step))) }

        /// - Returns: whether the body is wanted.
        func take(_ response: URLResponse) -> Bool {
            guard let response = response as? HTTPURLResponse else {
                fail(.malformedResponse(field: "status"))
                return false
            }
            guard request.method == .head || response.expectedContentLength <= Int64(bodyLimit) else {
                fail(.responseTooLarge(limit: bodyLimit))
                return false
            }
            var fields = HTTPFields()
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { fields.append(name, value) }
            }
            let head = HTTPResponse(status: response.statusCode, fields: fields)
            state.withLock { $0.response = head }
            return true
        }

        /// - Returns: whether more is wanted.
        func take(_ data: Data) -> Bool {
            let fits = state.withLock { state in
                guard let received = state.response?.body.count, data.count <= bodyLimit - received else {
                    return false
                }
                state.response?.body.append(contentsOf: data)
                return true
            }
            if !fits { fail(.responseTooLarge(limit: bodyLimit)) }
            return fits
        }

        func take(_ metrics: URLSessionTaskMetrics) {
            let wasStarted = metrics.transactionMetrics.contains { $0.requestStartDate != nil }
            state.withLock { $0.wasStarted = wasStarted }
        }

        func complete(_ error: (any Error)?) {
            let (response, wasStarted) = state.withLock { ($0.response, $0.wasStarted) }
            if let error { return fail(reason(of: error, wasStarted: wasStarted ?? true)) }
            guard let response else { return fail(.network(.connectionLost)) }
            outcome.resolve(.success(response))
        }

        private func reason(of error: any Error, wasStarted: Bool) -> TernError.Reason {
            guard let error = error as? URLError else { return lost(.other("the system's stack failed"), wasStarted) }
            switch error.code {
            case .badURL, .unsupportedURL: return .invalidConfiguration(field: "url", problem: "it cannot be read")
            case .cannotFindHost, .dnsLookupFailed: return .network(.hostNotFound)
            case .cannotConnectToHost, .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff:
                return .network(.connectionFailed)
            case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot,
                .serverCertificateNotYetValid:
                return .network(.untrustedCertificate(error.localizedDescription))
            case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired:
                return .network(.tls(error.localizedDescription))
            case .appTransportSecurityRequiresSecureConnection:
                return .network(.other("App Transport Security forbids http to this host"))
            case .timedOut: return lost(.timedOut, wasStarted)
            // Cancelled without the caller's doing: a connection that was to be shared did not come about.
            case .networkConnectionLost, .badServerResponse, .cannotParseResponse, .cancelled:
                return lost(.connectionLost, wasStarted)
            default: return lost(.other("URLError \(error.code.rawValue)"), wasStarted)
            }
        }

        private func lost(_ failure: TernError.NetworkFailure, _ wasStarted: Bool) -> TernError.Reason {
            wasStarted && !request.method.isIdempotent ? .outcomeUnknown : .network(failure)
        }
    }
#endif
