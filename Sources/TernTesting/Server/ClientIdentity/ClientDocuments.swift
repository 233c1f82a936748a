internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The client whose ID is the address of a document in ``ServerSettings/clientDocuments``
    /// (draft-ietf-oauth-client-id-metadata-document).
    func documentClient(_ clientID: String?) -> TestClient? {
        guard let clientID, let json = settings.clientDocuments[clientID],
            let document = try? ClientIDMetadataDocument(parsing: json.serialized(), at: clientID)
        else { return nil }
        return try? TestClient(clientID, document.metadata, secret: nil, documents: settings.clientDocuments)
    }

    /// The clients that an authorization request may come from.
    func clients(for parameters: FormParameters) -> [TestClient] {
        clients + [documentClient(parameters.value("client_id"))].compactMap(\.self)
    }

    /// What the metadata says about clients and their proofs.
    func clientIdentityMetadata(_ metadata: inout JSONObject) {
        func list(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }
        let asymmetric = SignatureAlgorithm.allCases.filter(\.isAsymmetric).map(\.rawValue)
        let methods = clients.map(\.authentication.methodName)
        let further =
            ["client_secret_jwt", "private_key_jwt"]
            + ["self_signed_tls_client_auth", "attest_jwt_client_auth"].filter(methods.contains)
        for name in ["token_endpoint_auth_methods_supported", "revocation_endpoint_auth_methods_supported"] {
            metadata[name] = .array((metadata[name]?.array ?? []) + further.map(JSON.string))
        }
        for name in [
            "token_endpoint_auth_signing_alg_values_supported", "revocation_endpoint_auth_signing_alg_values_supported",
        ] {
            metadata[name] = list(SignatureAlgorithm.allCases.map(\.rawValue))
        }
        if methods.contains("attest_jwt_client_auth") {
            metadata["client_attestation_signing_alg_values_supported"] = list(asymmetric)
            metadata["client_attestation_pop_signing_alg_values_supported"] = list(asymmetric)
            if settings.attestationChallenges == .endpoint {
                metadata["challenge_endpoint"] = .string(address(of: .attestationChallenge))
            }
        }
        if clients.contains(where: \.bindsTokensToCertificate) {
            metadata["tls_client_certificate_bound_access_tokens"] = true
        }
        metadata["mtls_endpoint_aliases"] = certificateAliases.map(JSON.object)
        if settings.registration != .closed { metadata["registration_endpoint"] = .string(address(of: .registration)) }
        if !settings.clientDocuments.isEmpty { metadata["client_id_metadata_document_supported"] = true }
    }
}
