#if canImport(Darwin)
    internal import Foundation
    internal import TernCrypto
    internal import TernProtocol

    /// What a session of ``URLSessionTransport`` calls.
    ///
    /// Challenges are taken for each task and not for the session, because only so it is known which request a server
    /// that is not trusted belongs to.
    final class SessionDelegate: NSObject, URLSessionDataDelegate {
        private let trust: SessionTrust
        private let exchanges = Locked<[Int: SessionExchange]>([:])

        init(_ trust: SessionTrust) { self.trust = trust }

        /// Must come before the task begins.
        func add(_ exchange: SessionExchange, to task: URLSessionTask) {
            exchanges.withLock { $0[task.taskIdentifier] = exchange }
        }

        private func exchange(of task: URLSessionTask) -> SessionExchange? {
            exchanges.withLock { $0[task.taskIdentifier] }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
            completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
        ) {
            let answer = trust.answer(to: challenge)
            if let failure = answer.failure { exchange(of: task)?.fail(.network(failure)) }
            completionHandler(answer.disposition, answer.credential)
        }

        func urlSession(
            _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
            completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) {
            completionHandler(exchange(of: dataTask)?.take(response) == true ? .allow : .cancel)
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            if exchange(of: dataTask)?.take(data) != true { dataTask.cancel() }
        }

        func urlSession(
            _ session: URLSession, task: URLSessionTask, didFinishCollecting metrics: URLSessionTaskMetrics
        ) {
            exchange(of: task)?.take(metrics)
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            exchanges.withLock { $0.removeValue(forKey: task.taskIdentifier) }?.complete(error)
        }
    }
#endif
