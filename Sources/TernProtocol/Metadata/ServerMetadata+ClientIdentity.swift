internal import TernJOSE

extension ServerMetadata {
    /// The algorithms of client assertions at the token endpoint; `nil` where the server does not say (RFC 8414 §2).
    public var tokenEndpointAuthenticationAlgorithms: [String]? {
        list("token_endpoint_auth_signing_alg_values_supported")
    }

    /// Whether the server reads the metadata of clients whose ID is an https address from there
    /// (draft-ietf-oauth-client-id-metadata-document §6).
    public var supportsClientIDMetadataDocuments: Bool {
        members["client_id_metadata_document_supported"]?.bool ?? false
    }

    /// Whether access tokens can be bound to client certificates (RFC 8705 §3.3).
    public var bindsTokensToCertificates: Bool {
        members["tls_client_certificate_bound_access_tokens"]?.bool ?? false
    }

    /// Where a challenge for the proof of an attestation is had.
    public var attestationChallengeEndpoint: URI? { text("challenge_endpoint").flatMap(URI.init) }

    /// The address of an endpoint at which the server asks for a client certificate. Only endpoints that programs call
    /// have one: a browser would ask its user for a certificate.
    func certificateAlias(of endpoint: Endpoint) -> URI? {
        guard prefersCertificateEndpoints, ![.authorization, .keys, .endSession, .checkSession].contains(endpoint)
        else {
            return nil
        }
        return members["mtls_endpoint_aliases"]?[endpoint.rawValue]?.string.flatMap { URI($0) }
    }
}
