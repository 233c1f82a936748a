import Foundation
import Tern
import TernFoundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The part of Alamofire's public interface that the documented adapter touches, declared as it is there (5.10), over a
/// transport of this library. What is asserted of the adapter here is asserted of its use of that interface alone.
enum Alamofire {
    struct RequestAdapterState: Sendable {
        let requestID: UUID
        let session: Session
    }

    protocol RequestAdapter: Sendable {
        func adapt(
            _ urlRequest: URLRequest, for session: Session,
            completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void)
        func adapt(
            _ urlRequest: URLRequest, using state: RequestAdapterState,
            completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void)
    }

    enum RetryResult: Sendable {
        case retry
        case retryWithDelay(TimeInterval)
        case doNotRetry
        case doNotRetryWithError(any Error)
    }

    protocol RequestRetrier: Sendable {
        func retry(
            _ request: Request, for session: Session, dueTo error: any Error,
            completion: @escaping @Sendable (RetryResult) -> Void)
    }

    protocol RequestInterceptor: RequestAdapter, RequestRetrier {}

    protocol RedirectHandler: Sendable {
        func task(
            _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
            completion: @escaping (URLRequest?) -> Void)
    }

    struct Redirector: RedirectHandler {
        enum Behavior: Sendable {
            case follow
            case doNotFollow
            case modify(
                @Sendable (_ task: URLSessionTask, _ request: URLRequest, _ response: HTTPURLResponse) -> URLRequest?)
        }

        let behavior: Behavior

        func task(
            _ task: URLSessionTask, willBeRedirectedTo request: URLRequest, for response: HTTPURLResponse,
            completion: @escaping (URLRequest?) -> Void
        ) {
            switch behavior {
            case .follow: completion(request)
            case .doNotFollow: completion(nil)
            case .modify(let closure): completion(closure(task, request, response))
            }
        }
    }

    class Request: @unchecked Sendable {
        fileprivate struct State {
            var requests: [URLRequest] = []
            var response: HTTPURLResponse?
            var retryCount = 0
        }

        fileprivate let state = Locked(State())

        var request: URLRequest? { state.withLock { $0.requests.last } }
        var response: HTTPURLResponse? { state.withLock { $0.response } }
        var retryCount: Int { state.withLock { $0.retryCount } }
    }

    class DataRequest: Request, @unchecked Sendable {
        fileprivate let convertible: URLRequest
        fileprivate let session: Session
        fileprivate let isValidated = Locked(false)

        fileprivate init(_ convertible: URLRequest, _ session: Session) {
            self.convertible = convertible
            self.session = session
        }

        func validate() -> Self {
            isValidated.withLock { $0 = true }
            return self
        }

        func serializingData() -> DataTask<Data> { DataTask { try await self.session.perform(self) } }
    }

    final class UploadRequest: DataRequest, @unchecked Sendable {
        enum Uploadable {
            case data(Data)
            case file(URL, shouldRemove: Bool)
            case stream(InputStream)
        }

        var uploadable: Uploadable?

        fileprivate init(_ stream: InputStream, _ convertible: URLRequest, _ session: Session) {
            super.init(convertible, session)
            uploadable = .stream(stream)
        }
    }

    struct DataTask<Value: Sendable>: Sendable {
        fileprivate let work: @Sendable () async throws -> Value
        var value: Value { get async throws { try await work() } }
    }

    struct ResponseValidationFailed: Error {}

    final class Session: Sendable {
        private let interceptor: (any RequestInterceptor)?
        /// What the stand-in sends over; not there in the original.
        private let transport: any HTTPTransport

        init(
            interceptor: (any RequestInterceptor)? = nil, redirectHandler: (any RedirectHandler)? = nil,
            over transport: any HTTPTransport = SystemTransport()
        ) {
            self.interceptor = interceptor
            self.transport = transport
        }

        func request(_ convertible: URLRequest) -> DataRequest { DataRequest(convertible, self) }

        func upload(_ stream: InputStream, with convertible: URLRequest) -> UploadRequest {
            UploadRequest(stream, convertible, self)
        }

        fileprivate func perform(_ request: DataRequest) async throws -> Data {
            while true {
                let failure: any Error
                do {
                    let adapted = try await adapt(request)
                    request.state.withLock { $0.requests.append(adapted) }
                    let (data, response) = try await send(adapted)
                    request.state.withLock { $0.response = response }
                    guard request.isValidated.withLock({ $0 }), !(200...299).contains(response.statusCode) else {
                        return data
                    }
                    throw ResponseValidationFailed()
                } catch {
                    failure = error
                }
                switch await retry(request, failure) {
                case .retry, .retryWithDelay: request.state.withLock { $0.retryCount += 1 }
                case .doNotRetry: throw failure
                case .doNotRetryWithError(let error): throw error
                }
            }
        }

        private func adapt(_ request: DataRequest) async throws -> URLRequest {
            guard let interceptor else { return request.convertible }
            let state = RequestAdapterState(requestID: UUID(), session: self)
            return try await withCheckedThrowingContinuation { continuation in
                interceptor.adapt(request.convertible, using: state) { continuation.resume(with: $0) }
            }
        }

        private func retry(_ request: DataRequest, _ error: any Error) async -> RetryResult {
            guard let interceptor else { return .doNotRetry }
            return await withCheckedContinuation { continuation in
                interceptor.retry(request, for: self, dueTo: error) { continuation.resume(returning: $0) }
            }
        }

        private func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
            guard let url = request.url, let plain = HTTPRequest(request) else { throw URLError(.badURL) }
            let answer = try await transport.send(plain, step: .resourceRequest)
            let fields = Dictionary(answer.fields.fields.map { ($0.name, $0.value) }) { $0 + ", " + $1 }
            guard
                let response = HTTPURLResponse(
                    url: url, statusCode: answer.status, httpVersion: nil, headerFields: fields)
            else { throw URLError(.badServerResponse) }
            return (Data(answer.body), response)
        }
    }
}

extension Alamofire.RequestAdapter {
    func adapt(
        _ urlRequest: URLRequest, using state: Alamofire.RequestAdapterState,
        completion: @escaping @Sendable (_ result: Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: state.session, completion: completion)
    }
}
