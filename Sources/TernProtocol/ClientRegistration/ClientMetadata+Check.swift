internal import TernCrypto
internal import TernJOSE

extension ClientMetadata {
    /// Checks what a server would refuse in any case (RFC 7591 §2 and §2.1).
    ///
    /// - Throws: ``TernError`` with the field that is wrong: a member of another type, a redirect URI that ``RedirectURI``
    ///   does not take or that is missing, an address that is none, both `jwks` and `jwks_uri`, a private or symmetric key,
    ///   no key for `private_key_jwt`, response types that do not fit the grant types.
    public func check() throws(TernError) {
        try checkTypes()
        for address in redirectURIs {
            do throws(TernError) { _ = try RedirectURI(address) } catch {
                guard case .invalidConfiguration(_, let problem) = error.reason else { throw error }
                throw Self.invalid("redirect_uris", "\"\(ServerError.cleaned(address))\": \(problem)")
            }
        }
        for name in ["client_uri", "logo_uri", "tos_uri", "policy_uri", "jwks_uri"] {
            guard let text = text(name) else { continue }
            let uri = try URI.required(text, field: name)
            guard uri.host != nil, ["https", "http"].contains(uri.normalizedScheme) else {
                throw Self.invalid(name, "it is not an https address")
            }
            guard name != "jwks_uri" || uri.isSecure || uri.isLoopback else {
                throw TernError(.insecureEndpoint(field: name), at: .configuration)
            }
        }
        try checkKeys()
        try checkTypesOfGrants()
    }

    private func checkTypes() throws(TernError) {
        let texts = [
            "token_endpoint_auth_method", "token_endpoint_auth_signing_alg", "client_name", "client_uri", "logo_uri",
            "tos_uri", "policy_uri", "scope", "jwks_uri", "software_id", "software_version", "software_statement",
            "application_type",
        ]
        for name in texts {
            guard let value = members[name] else { continue }
            guard value.string != nil else { throw Self.invalid(name, "it is not a text") }
        }
        for name in ["redirect_uris", "grant_types", "response_types", "contacts", "post_logout_redirect_uris"] {
            guard let value = members[name] else { continue }
            guard let list = value.array, list.allSatisfy({ $0.string != nil }) else {
                throw Self.invalid(name, "it is not a list of texts")
            }
        }
    }

    private func checkKeys() throws(TernError) {
        guard members["jwks"] == nil || members["jwks_uri"] == nil else {
            throw Self.invalid("jwks", "it excludes jwks_uri")
        }
        if let json = members["jwks"] {
            guard let list = json["keys"]?.array, !list.isEmpty, list.allSatisfy({ $0.object != nil }) else {
                throw Self.invalid("jwks", "it is not a set of keys")
            }
            // Looked for in the text and not in keys that were read: one of an unknown type gives its secret away too.
            let secretNames = ["d", "k", "p", "q", "dp", "dq", "qi", "priv"]
            guard !list.contains(where: { key in secretNames.contains { key[$0] != nil } }) else {
                throw Self.invalid("jwks", "it holds a private or symmetric key")
            }
        }
        if authenticationMethod == "private_key_jwt" || authenticationMethod == "self_signed_tls_client_auth" {
            guard members["jwks"] != nil || members["jwks_uri"] != nil || softwareStatement != nil else {
                throw Self.invalid("jwks", "\(authenticationMethod ?? "") wants it, or jwks_uri")
            }
        }
    }

    /// The table of RFC 7591 §2.1.
    private func checkTypesOfGrants() throws(TernError) {
        guard softwareStatement == nil || grantTypes != nil || responseTypes != nil else { return }
        let grants = grantTypes ?? ["authorization_code"]
        let types = (responseTypes ?? ["code"]).map { $0.split(separator: " ").map(String.init) }
        let wantsCode = types.contains { $0.contains("code") }
        let wantsTokens = types.contains { $0.contains("token") || $0.contains("id_token") }
        guard wantsCode == grants.contains("authorization_code") else {
            throw Self.invalid("response_types", "\"code\" and the grant authorization_code belong together")
        }
        guard wantsTokens == grants.contains("implicit") else {
            throw Self.invalid("response_types", "\"token\" and \"id_token\" belong to the grant implicit")
        }
        guard !wantsCode && !wantsTokens || !redirectURIs.isEmpty || softwareStatement != nil else {
            throw Self.invalid("redirect_uris", "there is none")
        }
    }

    static func invalid(_ field: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: field, problem: problem), at: .configuration)
    }
}
