internal import TernJOSE

/// How the name of an API, as its metadata has it, is held against the address that was asked.
public enum ResourceRule: String, Sendable, Hashable, Codable {
    /// It is the address that was asked (RFC 9728 §3.3), but for a slash behind the host.
    case exact
    /// The address may also lie below it, at the same origin: what holds for a whole host holds for its parts. An API that
    /// shares its host with others who are not trusted must not be asked so: one of them could name the whole host and be
    /// given tokens for all of it.
    case covering

    func accepts(_ resource: URI, for asked: URI) -> Bool {
        guard let origin = asked.origin, resource.origin == origin else { return false }
        func path(_ uri: URI) -> String { uri.encodedPath.isEmpty ? "/" : uri.encodedPath }
        if path(resource).hasSameOctets(as: path(asked)), resource.encodedQuery == asked.encodedQuery { return true }
        // Servers resolve dots in different ways, so what such an address lies below is not known.
        let isPlain = !asked.encodedPath.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("%2") }
        guard self == .covering, resource.encodedQuery == nil, isPlain else { return false }
        let whole = path(resource).hasSuffix("/") ? path(resource) : path(resource) + "/"
        return path(asked).hasPrefix(whole) || path(asked).hasSameOctets(as: path(resource))
    }
}

/// The request for the metadata of an API (RFC 9728 §3).
public struct ProtectedResourceMetadataRequest: Exchange {
    /// Where it is asked for.
    public let address: URI
    /// The address of the API, against which the name in the metadata is held.
    public let resource: URI
    /// How they are held against each other.
    public var rule = ResourceRule.exact

    /// Asks at the well-known address of an API.
    ///
    /// - Throws: ``TernError`` with the field `resource` when no address can be made of it; `insecureEndpoint`.
    public init(resource: URI) throws(TernError) {
        guard let address = ProtectedResourceMetadata.address(of: resource) else {
            throw TernError(
                .invalidConfiguration(field: "resource", problem: "it is no address, or has a fragment"), at: .discovery
            )
        }
        try self.init(at: address, of: resource)
    }

    /// Asks at the address that an API named when it refused a call (§5.1).
    ///
    /// - Parameters:
    ///   - address: what it named: ``HTTPResponse/resourceMetadataAddress``.
    ///   - resource: the address that was called.
    /// - Throws: ``TernError`` with `insecureEndpoint`.
    public init(at address: URI, of resource: URI) throws(TernError) {
        for (field, uri) in [("resource", resource), ("resource_metadata", address)] {
            guard uri.isSecure || uri.isLoopback, !uri.hasUserInformation else {
                throw TernError(.insecureEndpoint(field: field), at: .discovery)
            }
        }
        self.address = address
        self.resource = resource
    }

    /// ``Step/discovery``.
    public var step: Step { .discovery }

    /// A GET of the address.
    public func request() -> HTTPRequest { HTTPRequest(.get, address, fields: ["Accept": "application/json"]) }

    /// Reads the metadata.
    ///
    /// - Throws: ``TernError``: `discoveryNotJSON`; `malformedResponse` with the field `resource`; `issuerMismatch` where it
    ///   is about another API; `httpStatus`, `transient`.
    public func answer(from response: HTTPResponse) throws(TernError) -> ProtectedResourceMetadata {
        guard response.isSuccess else { throw AnswerBody.failure(of: response, step: step) }
        guard let members = try? JSON(parsing: response.body).object else {
            throw TernError(.discoveryNotJSON(mediaType: response.mediaType.map(ServerError.cleaned)), at: step)
        }
        guard let metadata = ProtectedResourceMetadata(members: members) else {
            throw TernError(.malformedResponse(field: "resource"), at: step)
        }
        guard rule.accepts(metadata.resource, for: resource) else {
            throw TernError(
                .resourceMismatch(expected: resource.redacted, received: metadata.resource.redacted), at: step)
        }
        return metadata
    }
}
