public import TernProtocol

#if canImport(FoundationNetworking)
    internal import Foundation
    public import FoundationNetworking
#else
    public import Foundation
#endif

extension URLRequest {
    /// A request of the protocol's as Foundation's, for stacks of one's own; `nil` when Foundation does not take its
    /// address.
    public init?(_ request: HTTPRequest) {
        guard let url = URL(request.url) else { return nil }
        self.init(url: url)
        httpMethod = request.method.rawValue
        for field in request.fields.fields { addValue(field.value, forHTTPHeaderField: field.name) }
        if case .form = request.body {
            setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        httpBody = request.bodyBytes.map { Data($0) }
    }
}

extension HTTPRequest {
    /// A request of Foundation's as the protocol's, so that a session can put its token on it; `nil` when it has no
    /// absolute address.
    public init?(_ request: URLRequest) {
        guard let url = request.url.flatMap(URI.init) else { return nil }
        var fields = HTTPFields()
        for (name, value) in request.allHTTPHeaderFields ?? [:] { fields.append(name, value) }
        self.init(
            HTTPMethod(rawValue: request.httpMethod ?? "GET"), url, fields: fields,
            body: request.httpBody.map { .bytes(Array($0)) } ?? .none)
    }
}
