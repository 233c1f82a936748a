internal import TernJOSE
internal import TernProtocol

/// What is known of a server: its metadata and its keys, cached.
final class ServerDirectory: Sendable {
    /// Metadata, and which of the two documents they are from.
    private struct Known: Sendable {
        var metadata: ServerMetadata
        let form: MetadataRequest.Form?
    }

    private let metadataDocument: CachedDocument<Known>
    private let secondDocument: CachedDocument<ServerMetadata?>
    private let keysDocument: CachedDocument<JWKSet>

    init(
        server: ClientConfiguration.Server, caller: EndpointCaller, clock: any WallClock,
        prefersCertificateEndpoints: Bool = false
    ) {
        let first = CachedDocument<Known>(clock: clock, step: .discovery) { () async throws(TernError) in
            var (known, fields) = try await Self.metadata(of: server, caller)
            known.metadata.prefersCertificateEndpoints = prefersCertificateEndpoints
            return (known, fields)
        }
        metadataDocument = first
        secondDocument = CachedDocument<ServerMetadata?>(clock: clock, step: .discovery) { () async throws(TernError) in
            try await Self.second(of: server, beside: try await first.value(), caller)
        }
        keysDocument = CachedDocument<JWKSet>(clock: clock, step: .keys) { () async throws(TernError) in
            let address = try await first.value().metadata.address(of: .keys, for: .keys)
            return try await caller.perform(KeySetRequest(address: address))
        }
    }

    func metadata() async throws(TernError) -> ServerMetadata { try await metadataDocument.value().metadata }

    /// The metadata with an endpoint that a sign-in can do without. Some servers name such endpoints in one of their two
    /// documents only: where OpenID's lacks it, OAuth's is fetched too, and gives the address of this endpoint and nothing
    /// else.
    ///
    /// - Throws: what ``metadata()`` throws. Where no document names the endpoint, the metadata come without it.
    func metadata(naming endpoint: ServerMetadata.Endpoint) async throws(TernError) -> ServerMetadata {
        let metadata = try await metadata()
        guard metadata[endpoint] == nil, let second = try await secondDocument.value() else { return metadata }
        return metadata.adding(endpoint, of: second)
    }

    func keys() async throws(TernError) -> JWKSet { try await keysDocument.value() }

    /// The metadata, where they are at hand.
    var knownMetadata: ServerMetadata? { metadataDocument.known?.metadata }

    /// Whether keys are known, so that nothing has to be fetched to check a signature.
    var hasKeys: Bool { keysDocument.isAtHand }

    func freshKeys() async throws(TernError) -> JWKSet? { try await keysDocument.forceFetch() }

    func prefetchKeys() { keysDocument.prefetch() }

    /// OpenID's address first; a server that does not know it is asked at OAuth's.
    private static func metadata(
        of server: ClientConfiguration.Server, _ caller: EndpointCaller
    ) async throws(TernError) -> (Known, fields: HTTPFields) {
        func fetch(
            _ issuer: Issuer, _ form: MetadataRequest.Form, _ rule: IssuerRule
        ) async throws(TernError) -> (Known, fields: HTTPFields) {
            let known = try await caller.perform(MetadataRequest(issuer: issuer, form: form, rule: rule))
            return (Known(metadata: known.answer, form: form), known.fields)
        }
        switch server {
        case .oauth1: throw TernError(.unsupported("metadata: OAuth 1.0a has none"), at: .discovery)
        case .metadata(let metadata):
            return (Known(metadata: metadata, form: nil), ["Cache-Control": "max-age=86400"])
        case .issuer(let issuer, let rule):
            do throws(TernError) {
                return try await fetch(issuer, .openID, rule)
            } catch {
                guard case .httpStatus(let status, _) = error.reason, [404, 405, 410].contains(status) else {
                    throw error
                }
                do {
                    return try await fetch(issuer, .oauth, rule)
                } catch let second {
                    // Where neither form is known, the first address is the one to show.
                    if case .httpStatus = second.reason { throw error }
                    throw second
                }
            }
        }
    }

    /// OAuth's document of a server whose OpenID document is known; `nil` where it has none that can be used.
    private static func second(
        of server: ClientConfiguration.Server, beside first: Known, _ caller: EndpointCaller
    ) async throws(TernError) -> (answer: ServerMetadata?, fields: HTTPFields) {
        guard case .issuer(let issuer, let rule) = server, first.form == .openID else { return (nil, [:]) }
        do throws(TernError) {
            let second = try await caller.perform(MetadataRequest(issuer: issuer, form: .oauth, rule: rule))
            // A template may fit many issuers; two documents of one server name the same.
            return (second.answer.issuer == first.metadata.issuer ? second.answer : nil, second.fields)
        } catch {
            switch error.reason {
            case .httpStatus, .discoveryNotJSON, .issuerMismatch: return (nil, [:])
            default: throw error
            }
        }
    }
}

extension ServerMetadata {
    /// The metadata with the addresses of an endpoint as another document has them; what is here stays.
    fileprivate func adding(_ endpoint: Endpoint, of other: ServerMetadata) -> ServerMetadata {
        let (name, aliasesName) = (endpoint.rawValue, "mtls_endpoint_aliases")
        var members = members
        members[name] = members[name] ?? other.members[name]
        if let alias = other.members[aliasesName]?[name] {
            var aliases = members[aliasesName]?.object ?? [:]
            aliases[name] = aliases[name] ?? alias
            members[aliasesName] = .object(aliases)
        }
        var sum = ServerMetadata(members: members)
        sum.allowsLoopbackEndpoints = allowsLoopbackEndpoints
        sum.prefersCertificateEndpoints = prefersCertificateEndpoints
        return sum
    }
}
