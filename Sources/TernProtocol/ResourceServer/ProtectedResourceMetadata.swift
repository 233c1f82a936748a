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
