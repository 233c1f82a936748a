public import TernProtocol

#if canImport(FoundationNetworking)
    public import Foundation
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
    /// absolute address, or when its body is a stream, which a value cannot hold.
    public init?(_ request: URLRequest) {
        guard request.httpBodyStream == nil, let url = request.url.flatMap(URI.init) else { return nil }
        self.init(
            HTTPMethod(rawValue: request.httpMethod ?? "GET"), url, fields: request.fields,
            body: request.httpBody.map { .bytes(Array($0)) } ?? .none)
    }
}

extension HTTPResponse {
    /// An answer of Foundation's as the protocol's.
    public init(_ response: HTTPURLResponse, body: Data = Data()) {
        var fields = HTTPFields()
        for (name, value) in response.allHeaderFields {
            if let name = name as? String, let value = value as? String { fields.append(name, value) }
        }
        self.init(status: response.statusCode, fields: fields, body: Array(body))
    }
}

extension URLRequest {
    var fields: HTTPFields {
        var fields = HTTPFields()
        for (name, value) in allHTTPHeaderFields ?? [:] { fields.append(name, value) }
        return fields
    }
}

extension URLRequest: AuthorizableRequest {
    package func value() throws(TernError) -> HTTPRequest {
        HTTPRequest(
            HTTPMethod(rawValue: httpMethod ?? "GET"), try address(), fields: fields,
            body: httpBody.map { .bytes(Array($0)) } ?? .none)
    }

    func address() throws(TernError) -> URI {
        guard let address = url.flatMap(URI.init) else {
            throw TernError(
                .invalidConfiguration(field: "url", problem: "it is not an absolute address"), at: .resourceRequest)
        }
        return address
    }

    package var bodyCanBeReplayed: Bool { httpBodyStream == nil }

    package func authorized(
        as authorized: HTTPRequest, insteadOf value: HTTPRequest
    ) throws(TernError) -> URLRequest {
        var request = self
        if authorized.url != value.url {
            guard let url = URL(authorized.url) else {
                throw TernError(
                    .invalidConfiguration(field: "url", problem: "Foundation does not take it"), at: .resourceRequest)
            }
            request.url = url
        }
        for field in authorized.fields.fields where value.fields[field.name] != field.value {
            request.setValue(field.value, forHTTPHeaderField: field.name)
        }
        // A signature over a body that nobody has read would be wrong, and the service could not say why.
        guard httpBodyStream == nil || !authorized.hasSignedBody && authorized.body == value.body else {
            throw TernError(.unsupported("signing a body that is a stream"), at: .resourceRequest)
        }
        guard authorized.body != value.body else { return request }
        if case .form = authorized.body {
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        request.httpBody = authorized.bodyBytes.map { Data($0) }
        return request
    }

    package func redirected(by response: HTTPResponse) throws(TernError) -> URLRequest? {
        let method = HTTPMethod(rawValue: httpMethod ?? "GET")
        guard let redirect = try Redirect(of: response, to: method, address()) else { return nil }
        guard let url = URL(redirect.url) else {
            throw TernError(.malformedResponse(field: "Location"), at: .resourceRequest)
        }
        guard bodyCanBeReplayed || !redirect.keepsBody else {
            throw TernError(.bodyNotReplayable, at: .resourceRequest)
        }
        var next = self
        next.url = url
        next.httpMethod = redirect.method.rawValue
        if !redirect.keepsBody {
            next.httpBodyStream = nil
            next.httpBody = nil
        }
        for name in (allHTTPHeaderFields ?? [:]).keys where !redirect.carries(name) {
            next.setValue(nil, forHTTPHeaderField: name)
        }
        return next
    }
}

extension HTTPRequest {
    /// Whether a signature of OAuth 1.0a covers the body: a form's parameters, or a hash of anything else.
    fileprivate var hasSignedBody: Bool {
        let type = fields["Content-Type"]?.lowercased() ?? ""
        let signature = (fields["Authorization"] ?? "") + (url.encodedQuery ?? "")
        let isSigned = signature.hasPrefix("OAuth ") || signature.contains("oauth_signature=")
        return isSigned
            && (type.hasPrefix("application/x-www-form-urlencoded") || signature.contains("oauth_body_hash="))
    }
}
