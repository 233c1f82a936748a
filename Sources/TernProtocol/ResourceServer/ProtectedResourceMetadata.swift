public import TernJOSE

/// What an API says about itself, above all whose tokens it takes (RFC 9728 §2).
public struct ProtectedResourceMetadata: Sendable, Hashable {
    /// The API's name, which a client names as `resource` (RFC 8707).
    public let resource: URI
    /// All members as they came.
    public let members: JSONObject

    /// The metadata of an API, for those who publish it.
    ///
    /// - Parameters:
    ///   - resource: the API's name: an https address without a fragment.
    ///   - authorizationServers: whose tokens it takes.
    ///   - scopes: the scopes that calls of it need.
    ///   - further: further members.
    /// - Throws: ``TernError`` with the field `resource` or the member that is there already.
    public init(
        resource: URI, authorizationServers: [Issuer], scopes: Scope = [], further: JSONObject = [:]
    ) throws(TernError) {
        guard resource.encodedFragment == nil else {
            throw TernError(
                .invalidConfiguration(field: "resource", problem: "it has a fragment"), at: .configuration)
        }
        var members: JSONObject = ["resource": .string(resource.text)]
        if !authorizationServers.isEmpty {
            members["authorization_servers"] = .array(authorizationServers.map { .string($0.text) })
        }
        if !scopes.isEmpty { members["scopes_supported"] = .array(scopes.values.map(JSON.string)) }
        for (name, value) in further {
            guard members[name] == nil else {
                throw TernError(
                    .invalidConfiguration(field: name, problem: "it is set already"), at: .configuration)
            }
            members[name] = value
        }
        self.resource = resource
        self.members = members
    }

    init?(members: JSONObject) {
        guard let resource = members["resource"]?.string.flatMap({ URI($0) }), resource.encodedFragment == nil else {
            return nil
        }
        self.resource = resource
        self.members = members
    }

    /// Whose tokens it takes, in its own order; those that can be no issuer are left out.
    public var authorizationServers: [Issuer] {
        (list("authorization_servers") ?? []).compactMap { try? Issuer($0) }
    }

    /// The scopes that calls of it need; `nil` where it does not say.
    public var scopes: Scope? { list("scopes_supported").map { Scope($0) } }

    /// What people call it.
    public var name: String? { members["resource_name"]?.string.flatMap { $0.isEmpty ? nil : $0 } }

    /// Whether it takes only tokens that are bound to a key (RFC 9449).
    public var requiresDPoP: Bool { members["dpop_bound_access_tokens_required"]?.bool ?? false }

    /// The algorithms of proofs that it takes; `nil` where it does not say.
    public var dpopAlgorithms: [String]? { list("dpop_signing_alg_values_supported") }

    /// Whether it takes only tokens that are bound to a client certificate (RFC 8705 §3).
    public var requiresCertificateBoundTokens: Bool {
        members["tls_client_certificate_bound_access_tokens"]?.bool ?? false
    }

    /// The types of authorization details that it knows (RFC 9396); `nil` where it does not say.
    public var authorizationDetailsTypes: [String]? { list("authorization_details_types_supported") }

    /// How tokens may be sent (RFC 6750 §2); `nil` where it does not say.
    public var bearerMethods: [String]? { list("bearer_methods_supported") }

    private func list(_ name: String) -> [String]? {
        guard let list = members[name]?.array?.compactMap(\.string), !list.isEmpty else { return nil }
        return list
    }

    /// Where the metadata of an API is: the well-known address between its host and the rest (§3.1).
    public static func address(of resource: URI) -> URI? {
        guard resource.host != nil, resource.encodedFragment == nil else { return nil }
        let path = resource.encodedPath == "/" ? "" : resource.encodedPath
        let query = resource.encodedQuery.map { "?" + $0 } ?? ""
        let root = resource.withoutQueryAndFragment.dropLast(resource.encodedPath.utf8.count)
        return URI(root + "/.well-known/oauth-protected-resource" + path + query)
    }
}

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
