internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The metadata (OpenID Connect Discovery 1.0 §3, RFC 8414 §2), which is the same at both addresses.
    func metadataAnswer() -> HTTPResponse {
        func list(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }
        func algorithms(_ used: [SignatureAlgorithm?]) -> JSON {
            list(Set(used.compactMap { $0?.rawValue }).union(["RS256"]).sorted())
        }
        let authentication = ["none", "client_secret_basic", "client_secret_post"]
        let scopes = clients.reduce(into: Set<String>()) { $0.formUnion($1.scopes) }
        var metadata: JSONObject = [
            "issuer": .string(issuer.text),
            "authorization_endpoint": .string(address(of: .authorization)),
            "token_endpoint": .string(address(of: .token)),
            "userinfo_endpoint": .string(address(of: .userInfo)),
            "jwks_uri": .string(address(of: .keys)),
            "revocation_endpoint": .string(address(of: .revocation)),
            "end_session_endpoint": .string(address(of: .endSession)),
            "introspection_endpoint": .string(address(of: .introspection)),
            "introspection_signing_alg_values_supported": algorithms(clients.map(\.introspectionAlgorithm)),
            "backchannel_logout_supported": true,
            "backchannel_logout_session_supported": true,
            "frontchannel_logout_supported": true,
            "frontchannel_logout_session_supported": true,
            "grant_types_supported": ["authorization_code", "refresh_token"],
            "code_challenge_methods_supported": ["S256"],
            "token_endpoint_auth_methods_supported": list(authentication),
            "revocation_endpoint_auth_methods_supported": list(authentication),
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": algorithms(clients.map(\.idTokenAlgorithm)),
            "userinfo_signing_alg_values_supported": algorithms(clients.map(\.userInfoAlgorithm)),
            "scopes_supported": list(scopes.sorted()),
            "claims_supported": list(
                ["sub", "auth_time", "acr"] + Set(users.flatMap(\.claims.names)).sorted()),
            "prompt_values_supported": ["none", "login", "consent", "select_account"],
            "claims_parameter_supported": false,
            "request_parameter_supported": true,
            "request_uri_parameter_supported": true,
            "request_object_signing_alg_values_supported": list(SignatureAlgorithm.asymmetric.map(\.rawValue).sorted()),
            "require_request_uri_registration": false,
            "require_signed_request_object": .bool(settings.requests.demandsSigned),
            "authorization_details_types_supported": list(settings.requests.detailTypes.sorted()),
            "protected_resources": [.string(apiResource)],
            "authorization_response_iss_parameter_supported": .bool(settings.identifiesItself),
        ]
        if settings.dpop.use != .ignored {
            metadata["dpop_signing_alg_values_supported"] = list(SignatureAlgorithm.asymmetric.map(\.rawValue).sorted())
        }
        if settings.requests.takesPushed {
            metadata["pushed_authorization_request_endpoint"] = .string(address(of: .pushedAuthorization))
            metadata["require_pushed_authorization_requests"] = .bool(settings.requests.demandsPushed)
        }
        clientIdentityMetadata(&metadata)
        for (name, value) in metadataOfGrants { metadata[name] = value }
        for (name, value) in metadataOfSharedSignIns { metadata[name] = value }
        for (name, value) in metadataOfSessions { metadata[name] = value }
        for (name, value) in encryptionMetadata { metadata[name] = value }
        answerMetadata(&metadata)
        for (name, value) in settings.metadataChanges { metadata[name] = value }
        return .json(metadata, fields: cachingFields)
    }

    /// The key set (RFC 7517 §5) with a key for every algorithm that a client uses.
    mutating func keySetAnswer() -> HTTPResponse {
        for client in clients {
            for algorithm in [client.idTokenAlgorithm, client.userInfoAlgorithm, client.introspectionAlgorithm]
                .compactMap(\.self)
            where algorithm.isAsymmetric {
                guard (try? keys.key(for: algorithm)) != nil else { return EndpointFailure.internalTrouble.response }
            }
        }
        if case .jwt(_, let algorithm) = settings.accessTokenFormat, (try? keys.key(for: algorithm)) == nil {
            return EndpointFailure.internalTrouble.response
        }
        return .json(keys.publicJSON, fields: cachingFields)
    }

    private var cachingFields: HTTPFields {
        guard let lifetime = settings.metadataLifetime else { return [:] }
        return ["Cache-Control": "public, max-age=\(lifetime.wholeSeconds)"]
    }
}
