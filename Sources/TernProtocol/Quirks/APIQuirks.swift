/// How calls of a provider's API differ from RFC 6750 §2.1.
public struct APIQuirks: Sendable, Hashable, Codable {
    /// What stands before the token in the field `Authorization` (`OAuth` at Yandex); `Bearer` by default.
    public var authorizationScheme = "Bearer"
    /// The field that holds the bare token in the place of `Authorization` (`X-Shopify-Access-Token`).
    public var headerName: String?
    /// The parameter of the query that holds the token in the place of a field. Queries end up in logs; use it only where the
    /// provider takes the token nowhere else (WeChat).
    public var unsafeQueryParameter: String?
    /// Header fields that are always there, unless the request brings its own (`Notion-Version`, `User-Agent`).
    public var headers: [String: String] = [:]

    /// As the standards have it.
    public init() {}

    private static let names = ["authorization_scheme", "header_name", "unsafe_query_parameter", "headers"]

    /// Reads quirks; what is left out is as the standards have it.
    ///
    /// - Throws: `DecodingError` with the place of a member that is unknown or has the wrong type.
    public init(from decoder: any Decoder) throws {
        let members = try QuirkMembers(decoder, known: Self.names)
        try members.read("authorization_scheme", into: &authorizationScheme)
        try members.read("header_name", into: &headerName)
        try members.read("unsafe_query_parameter", into: &unsafeQueryParameter)
        try members.read("headers", into: &headers)
    }

    /// Writes what differs from the standards.
    ///
    /// - Throws: what the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        let standard = Self()
        var members = QuirkWriter(encoder)
        try members.write("authorization_scheme", authorizationScheme, unless: standard.authorizationScheme)
        try members.write("header_name", headerName, unless: standard.headerName)
        try members.write("unsafe_query_parameter", unsafeQueryParameter, unless: standard.unsafeQueryParameter)
        try members.write("headers", headers, unless: standard.headers)
    }

    /// Puts a bearer token onto a request as the provider wants it.
    package func authorize(_ request: inout HTTPRequest, with token: String) {
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) where request.fields[name] == nil {
            request.fields[name] = value
        }
        if let unsafeQueryParameter {
            request.fields["Authorization"] = nil
            request.url = Self.replacing(unsafeQueryParameter, with: token, in: request.url)
        } else if let headerName {
            request.fields["Authorization"] = nil
            request.fields[headerName] = token
        } else {
            request.fields["Authorization"] = "\(authorizationScheme) \(token)"
        }
    }

    /// The bearer token on a request; `nil` where there is none.
    package func token(on request: HTTPRequest) -> String? {
        if let unsafeQueryParameter {
            return request.url.encodedQuery.flatMap { FormParameters(decoding: $0) }?[unsafeQueryParameter]
        }
        if let headerName { return request.fields[headerName] }
        let prefix = authorizationScheme + " "
        guard let value = request.fields["Authorization"], value.hasPrefix(prefix) else { return nil }
        return String(value.dropFirst(prefix.count))
    }

    /// A request that is sent again has the old token in its query.
    private static func replacing(_ name: String, with token: String, in url: URI) -> URI {
        let old = url.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
        guard old[name] != nil else {
            return URI(url.appendingQuery(FormParameters([.init(name: name, value: token)]))) ?? url
        }
        var query = old
        query[name] = token
        return URI(url.withoutQueryAndFragment).flatMap { URI($0.appendingQuery(query)) } ?? url
    }
}
