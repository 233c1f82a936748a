#if canImport(Darwin)
    internal import Foundation
    internal import TernCrypto
    internal import TernProtocol

    /// One request on its way. Only the session's delegate queue, which is serial, touches what changes.
    final class URLSessionExchange: @unchecked Sendable {
        let request: HTTPRequest
        let step: Step
        let bodyLimit: Int
        let outcome = OneShot<Result<HTTPResponse, TernError>>()
        var response: HTTPURLResponse?
        var body: [UInt8] = []
        /// Why the exchange was given up from this side.
        var refusal: TernError.Reason?

        init(_ request: HTTPRequest, step: Step, bodyLimit: Int) {
            self.request = request
            self.step = step
            self.bodyLimit = bodyLimit
        }

        func complete(_ error: (any Error)?, byteCountSent: Int64) {
            if let refusal { return fail(refusal) }
            if let error { return fail(reason(of: error as NSError, byteCountSent: byteCountSent)) }
            guard let response else { return fail(.network(.connectionLost)) }
            var fields = HTTPFields()
            for (name, value) in response.allHeaderFields {
                if let name = name as? String, let value = value as? String { fields.append(name, value) }
            }
            outcome.resolve(.success(HTTPResponse(status: response.statusCode, fields: fields, body: body)))
        }

        private func fail(_ reason: TernError.Reason) { outcome.resolve(.failure(TernError(reason, at: step))) }

        private func reason(of error: NSError, byteCountSent: Int64) -> TernError.Reason {
            guard error.domain == NSURLErrorDomain else { return .network(.other("\(error.domain) \(error.code)")) }
            // What ended before a request could leave has no unknown outcome.
            switch error.code {
            case NSURLErrorCancelled: return .cancelled
            case NSURLErrorCannotFindHost, NSURLErrorDNSLookupFailed: return .network(.hostNotFound)
            case NSURLErrorCannotConnectToHost, NSURLErrorNotConnectedToInternet, NSURLErrorDataNotAllowed,
                NSURLErrorInternationalRoamingOff, NSURLErrorCallIsActive:
                return .network(.connectionFailed)
            case NSURLErrorServerCertificateHasBadDate, NSURLErrorServerCertificateUntrusted,
                NSURLErrorServerCertificateHasUnknownRoot, NSURLErrorServerCertificateNotYetValid:
                return .network(.untrustedCertificate(Self.words(of: error.code)))
            case NSURLErrorSecureConnectionFailed, NSURLErrorClientCertificateRejected,
                NSURLErrorClientCertificateRequired, NSURLErrorAppTransportSecurityRequiresSecureConnection:
                return .network(.tls(Self.words(of: error.code)))
            case NSURLErrorBadURL, NSURLErrorUnsupportedURL:
                return .invalidConfiguration(field: "url", problem: "it cannot be read")
            default: break
            }
            let hasBody = request.bodyBytes?.isEmpty == false
            let wasSent = byteCountSent > 0 || !hasBody || error.code == NSURLErrorNetworkConnectionLost
            if wasSent, !request.method.isIdempotent { return .outcomeUnknown }
            switch error.code {
            case NSURLErrorTimedOut: return .network(.timedOut)
            case NSURLErrorNetworkConnectionLost, NSURLErrorBadServerResponse: return .network(.connectionLost)
            default: return .network(.other("URL error \(error.code)"))
            }
        }

        private static func words(of code: Int) -> String {
            switch code {
            case NSURLErrorServerCertificateHasBadDate: "the certificate has expired"
            case NSURLErrorServerCertificateNotYetValid: "the certificate is not yet valid"
            case NSURLErrorServerCertificateHasUnknownRoot: "the authority is not known"
            case NSURLErrorServerCertificateUntrusted: "the certificate is not trusted"
            case NSURLErrorClientCertificateRejected: "the server refused the client certificate"
            case NSURLErrorClientCertificateRequired: "the server wants a client certificate"
            case NSURLErrorAppTransportSecurityRequiresSecureConnection: "App Transport Security forbids the address"
            default: "no secure connection came about"
            }
        }
    }

    /// The session's delegate: finds the exchange of each task, and keeps redirects and long bodies away.
    final class URLSessionExchanges: NSObject, URLSessionDataDelegate {
        private let trust: URLSessionTrust
        private let exchanges = Locked<[Int: URLSessionExchange]>([:])

        init(trust: URLSessionTrust) { self.trust = trust }

        func add(_ exchange: URLSessionExchange, for task: URLSessionTask) {
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
        }

        private func exchange(of task: URLSessionTask) -> URLSessionExchange? {
            exchanges.withLock { $0[task.taskIdentifier] }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) { completionHandler(nil) }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            switch trust.answer(to: challenge) {
            case .system: completionHandler(.performDefaultHandling, nil)
            case .other: completionHandler(.rejectProtectionSpace, nil)
            case .credential(let credential): completionHandler(.useCredential, credential)
            case .refused(let failure):
                exchange(of: task)?.refusal = .network(failure)
                completionHandler(.cancelAuthenticationChallenge, nil)
            }
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            guard let exchange = exchange(of: dataTask) else { return completionHandler(.cancel) }
            exchange.response = response as? HTTPURLResponse
            let isTooLarge = exchange.request.method != .head && response.expectedContentLength > exchange.bodyLimit
            if isTooLarge { exchange.refusal = .responseTooLarge(limit: exchange.bodyLimit) }
            completionHandler(isTooLarge ? .cancel : .allow)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            guard let exchange = exchange(of: dataTask), exchange.refusal == nil else { return }
            if data.count <= exchange.bodyLimit - exchange.body.count {
                exchange.body.append(contentsOf: data)
            } else {
                exchange.refusal = .responseTooLarge(limit: exchange.bodyLimit)
                dataTask.cancel()
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            let exchange = exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }
            exchange?.complete(error, byteCountSent: task.countOfBytesSent)
        }
    }
#endif
