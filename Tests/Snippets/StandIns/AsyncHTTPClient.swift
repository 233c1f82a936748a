import Tern

/// The part of AsyncHTTPClient's public interface that the documented example touches, declared as it is there (1.20 and
/// later, with NIO's header fields), over a transport of this library.
struct HTTPHeaders: Sendable, Sequence {
    private var fields: [(name: String, value: String)] = []

    init() {}

    mutating func replaceOrAdd(name: String, value: String) {
        fields.removeAll { $0.name.lowercased() == name.lowercased() }
        fields.append((name, value))
    }

    mutating func add(name: String, value: String) { fields.append((name, value)) }

    func makeIterator() -> some IteratorProtocol<(name: String, value: String)> { fields.makeIterator() }
}

struct HTTPResponseStatus: Sendable {
    let code: UInt
}

struct TimeAmount: Sendable {
    let nanoseconds: Int64

    static func seconds(_ amount: Int64) -> TimeAmount { TimeAmount(nanoseconds: amount * 1_000_000_000) }
}

struct HTTPClientRequest: Sendable {
    var url: String
    var headers = HTTPHeaders()

    init(url: String) { self.url = url }
}

struct HTTPClientResponse: Sendable {
    var status: HTTPResponseStatus
    var headers: HTTPHeaders
}

final class HTTPClient: Sendable {
    /// What the stand-in sends over; not there in the original.
    private let transport: any HTTPTransport

    init(over transport: any HTTPTransport) { self.transport = transport }

    func execute(_ request: HTTPClientRequest, timeout: TimeAmount) async throws -> HTTPClientResponse {
        var plain = try HTTPRequest.get(request.url)
        for (name, value) in request.headers { plain.fields.append(name, value) }
        let answer = try await transport.send(plain, step: .resourceRequest)
        var headers = HTTPHeaders()
        for field in answer.fields.fields { headers.add(name: field.name, value: field.value) }
        return HTTPClientResponse(status: HTTPResponseStatus(code: UInt(answer.status)), headers: headers)
    }
}
