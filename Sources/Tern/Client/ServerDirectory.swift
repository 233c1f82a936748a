internal import TernJOSE
internal import TernProtocol

/// What is known of a server: its metadata and its keys, cached.
final class ServerDirectory: Sendable {
    private let metadataDocument: CachedDocument<ServerMetadata>
    private let keysDocument: CachedDocument<JWKSet>

    init(
        server: ClientConfiguration.Server, caller: EndpointCaller, clock: any WallClock,
        prefersCertificateEndpoints: Bool = false
    ) {
        let metadata = CachedDocument<ServerMetadata>(clock: clock, step: .discovery) { () async throws(TernError) in
            var known = try await Self.metadata(of: server, caller)
            known.answer.prefersCertificateEndpoints = prefersCertificateEndpoints
            return known
        }
        metadataDocument = metadata
        keysDocument = CachedDocument<JWKSet>(clock: clock, step: .keys) { () async throws(TernError) in
            let address = try await metadata.value().address(of: .keys, for: .keys)
            return try await caller.perform(KeySetRequest(address: address))
        }
    }

    func metadata() async throws(TernError) -> ServerMetadata { try await metadataDocument.value() }

    func keys() async throws(TernError) -> JWKSet { try await keysDocument.value() }

    /// Whether keys are known, so that nothing has to be fetched to check a signature.
    var hasKeys: Bool { keysDocument.isAtHand }

    func freshKeys() async throws(TernError) -> JWKSet? { try await keysDocument.forceFetch() }

    func prefetchKeys() { keysDocument.prefetch() }

    /// OpenID's address first; a server that does not know it is asked at OAuth's.
    private static func metadata(
        of server: ClientConfiguration.Server, _ caller: EndpointCaller
    ) async throws(TernError) -> (answer: ServerMetadata, fields: HTTPFields) {
        switch server {
        case .oauth1: throw TernError(.unsupported("metadata: OAuth 1.0a has none"), at: .discovery)
        case .metadata(let metadata): return (metadata, ["Cache-Control": "max-age=86400"])
        case .issuer(let issuer, let rule):
            do throws(TernError) {
                return try await caller.perform(MetadataRequest(issuer: issuer, form: .openID, rule: rule))
            } catch {
                guard case .httpStatus(let status, _) = error.reason, [404, 405, 410].contains(status) else {
                    throw error
                }
                do {
                    return try await caller.perform(MetadataRequest(issuer: issuer, form: .oauth, rule: rule))
                } catch let second {
                    // Where neither form is known, the first address is the one to show.
                    if case .httpStatus = second.reason { throw error }
                    throw second
                }
            }
        }
    }
}
