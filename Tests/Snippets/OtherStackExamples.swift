import Foundation
import Tern
import TernFoundation
import TernTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

struct SessionInterceptor: Alamofire.RequestInterceptor {
    let authorizer: any RequestAuthorizer

    func adapt(
        _ urlRequest: URLRequest, for session: Alamofire.Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        Task {
            do { completion(.success(try await authorizer.authorize(urlRequest))) } catch {
                completion(.failure(error))
            }
        }
    }

    func retry(
        _ request: Alamofire.Request, for session: Alamofire.Session, dueTo error: any Error,
        completion: @escaping @Sendable (Alamofire.RetryResult) -> Void
    ) {
        guard let sent = request.request, let response = request.response else { return completion(.doNotRetry) }
        let attempt = request.retryCount + 1
        var isStream = false
        if case .stream? = (request as? Alamofire.UploadRequest)?.uploadable { isStream = true }
        Task { [isStream] in
            switch await authorizer.decision(
                on: response, to: sent, attempt: attempt, bodyCanBeReplayed: !isStream)
            {
            case .handOver: completion(.doNotRetry)
            case .sendAgain: completion(.retry)  // adapt puts the new token on it
            case .fail(let error): completion(.doNotRetryWithError(error))
            }
        }
    }
}

extension HTTPClient {
    func execute(
        _ request: HTTPClientRequest, as authorizer: some RequestAuthorizer, bodyCanBeReplayed: Bool = true
    ) async throws -> HTTPClientResponse {
        let value = HTTPRequest(.get, try URI.required(request.url, field: "url"))
        return try await authorizer.perform(value, bodyCanBeReplayed: bodyCanBeReplayed) { authorized in
            var request = request
            for field in authorized.fields.fields {
                request.headers.replaceOrAdd(name: field.name, value: field.value)
            }
            let response = try await execute(request, timeout: .seconds(30))
            var fields = HTTPFields()
            for (name, value) in response.headers { fields.append(name, value) }
            return (response, HTTPResponse(status: Int(response.status.code), fields: fields))
        }
    }
}

enum OtherStackExamples {
    static func send(_ request: URLRequest, _ session: Session, _ urlSession: URLSession) async throws -> Data {
        let (data, response) = try await session.data(for: request, over: urlSession)
        return response.statusCode == 200 ? data : Data()
    }

    static func load(_ request: URLRequest, _ session: Session) async throws -> Data {
        let alamofire = Alamofire.Session(
            interceptor: SessionInterceptor(authorizer: session),
            redirectHandler: Alamofire.Redirector(
                behavior: .modify { task, request, response in
                    task.currentRequest.flatMap { request.redirected(by: response, from: $0) }
                }))
        let data = try await alamofire.request(request).validate().serializingData().value
        return data
    }

    private static func signedIn() async throws -> (TestProvider, Session, URLRequest) {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        let address = try #require(URL(string: provider.apiAddress("notes")))
        return (provider, session, URLRequest(url: address))
    }

    @Test("Alamofire's interceptor: the token, one repeat with a new one, and then the API's own word")
    static func interceptor() async throws {
        let (provider, session, request) = try await signedIn()
        let alamofire = Alamofire.Session(
            interceptor: SessionInterceptor(authorizer: session), over: provider.transport)
        #expect(!(try await alamofire.request(request).validate().serializingData().value).isEmpty)

        provider.server.change { $0.forgetAccessTokens() }
        _ = try await alamofire.request(request).validate().serializingData().value
        #expect(provider.server.count(of: .api) == 3 && provider.server.count(of: .token) == 2)

        provider.server.add(Fault(at: .api, .status(401)))
        await #expect(throws: Alamofire.ResponseValidationFailed.self) {
            try await alamofire.request(request).validate().serializingData().value
        }
        #expect(provider.server.count(of: .api) == 5 && provider.server.count(of: .token) == 3)
    }

    @Test("Alamofire's interceptor: a stream is not repeated, and a dead grant is told")
    static func failures() async throws {
        let (provider, session, request) = try await signedIn()
        let alamofire = Alamofire.Session(
            interceptor: SessionInterceptor(authorizer: session), over: provider.transport)
        provider.server.change { $0.forgetAccessTokens() }
        let upload = alamofire.upload(InputStream(data: Data()), with: request).validate()
        let error = await #expect(throws: TernError.self) { try await upload.serializingData().value }
        #expect(error?.reason == .bodyNotReplayable)
        #expect(provider.server.count(of: .api) == 1 && provider.server.count(of: .token) == 2)

        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        for _ in 1...2 {
            let dead = await #expect(throws: TernError.self) {
                try await alamofire.request(request).validate().serializingData().value
            }
            #expect(dead?.code == "reauthentication_required")
        }
        #expect(provider.server.count(of: .api) == 2)
    }

    @Test("AsyncHTTPClient: the token, and one repeat with a new one")
    static func asyncHTTPClient() async throws {
        let (provider, session, _) = try await signedIn()
        let client = HTTPClient(over: provider.transport)
        var request = HTTPClientRequest(url: provider.apiAddress("notes"))
        request.headers.add(name: "authorization", value: "Basic x")
        #expect(try await client.execute(request, as: session).status.code == 200)
        provider.server.change { $0.forgetAccessTokens() }
        #expect(try await client.execute(request, as: session).status.code == 200)
        #expect(provider.server.count(of: .api) == 3 && provider.server.count(of: .token) == 2)

        provider.server.change { $0.forgetAccessTokens() }
        let error = await #expect(throws: TernError.self) {
            try await client.execute(request, as: session, bodyCanBeReplayed: false)
        }
        #expect(error?.reason == .bodyNotReplayable)
    }
}
