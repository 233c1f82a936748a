internal import TernJOSE
internal import TernProtocol

/// What a server says about itself: whether it is complete and fits together, and offers what this client needs.
enum MetadataChecks {
    static func findings(_ metadata: ServerMetadata, _ setUp: ClientSetUp) -> [Finding] {
        ServerMetadataExplanation.findings(of: metadata) + grants(metadata, setUp) + responseType(metadata, setUp)
            + [authentication(metadata, setUp)].compactMap(\.self) + scope(metadata, setUp)
    }

    private static func grants(_ metadata: ServerMetadata, _ setUp: ClientSetUp) -> [Finding] {
        let name = "grants_advertised"
        guard let offered = metadata.list("grant_types_supported") else {
            // RFC 8414 §2: left out, it means these two.
            let missing = setUp.grants.filter { !["authorization_code", "implicit"].contains($0) }
            guard !missing.isEmpty else {
                return [Finding(.passed, name, "Nothing is said about grants, which means authorization_code")]
            }
            return missing.map {
                Finding(
                    .warning, name, "Nothing is said about grants, and \(Shown.text($0)) is needed",
                    "Where grant_types_supported is left out, it is not offered (RFC 8414 §2).",
                    fix: "ask whoever runs the server, or have it published")
            }
        }
        return setUp.grants.map { grant in
            if let endpoint = endpoints[grant], metadata[endpoint] == nil, offered.contains(grant) {
                return Finding(
                    .failed, name, "The grant \(Shown.text(grant)) is offered, and there is no \(endpoint.rawValue)",
                    fix: "publish it")
            }
            return offered.contains(grant)
                ? Finding(.passed, name, "The grant \(Shown.text(grant)) is offered")
                : Finding(
                    .failed, name, "The grant \(Shown.text(grant)) is not offered",
                    "Offered: \(Shown.words(offered.prefix(20).joined(separator: ", "))).",
                    fix: "switch it on at the server, or choose another way of signing in")
        }
    }

    /// The endpoints at which grants begin that begin at one of their own.
    private static let endpoints: [String: ServerMetadata.Endpoint] = [
        "urn:ietf:params:oauth:grant-type:device_code": .deviceAuthorization,
        "urn:openid:params:grant-type:ciba": .backchannelAuthentication,
    ]

    private static func responseType(_ metadata: ServerMetadata, _ setUp: ClientSetUp) -> [Finding] {
        guard setUp.grants.contains("authorization_code"), let offered = metadata.list("response_types_supported")
        else {
            return []
        }
        guard offered.contains("code") else {
            return [
                Finding(
                    .failed, "response_type_advertised", "The response type code is not offered",
                    "Offered: \(Shown.words(offered.prefix(20).joined(separator: ", "))).",
                    fix: "switch the authorization code flow on at the server")
            ]
        }
        return [Finding(.passed, "response_type_advertised", "The response type code is offered")]
    }

    private static func authentication(_ metadata: ServerMetadata, _ setUp: ClientSetUp) -> Finding? {
        guard let method = setUp.authenticationMethod else { return nil }
        let name = "client_authentication_advertised"
        let offered = metadata.tokenEndpointAuthenticationMethods
        if (offered ?? ["client_secret_basic"]).contains(method) {
            return Finding(.passed, name, "The client may authenticate with \(Shown.text(method))")
        }
        let list = offered.map { "Offered: \(Shown.words($0.prefix(20).joined(separator: ", ")))." }
        // Many servers with public clients name only the ways that prove something.
        guard method != "none" else {
            return Finding(.note, name, "It does not say that it has public clients (none)", list)
        }
        return Finding(
            .warning, name, "The client's authentication, \(Shown.text(method)), is not among those offered",
            list ?? "Where the server does not say, it is client_secret_basic (RFC 8414 §2).",
            fix: "register and configure one of those that are offered")
    }

    private static func scope(_ metadata: ServerMetadata, _ setUp: ClientSetUp) -> [Finding] {
        guard let offered = metadata.scopes else { return [] }
        let missing = setUp.scope.values.filter { !offered.contains($0) }
        guard !missing.isEmpty else {
            return setUp.scope.isEmpty
                ? [] : [Finding(.passed, "scopes_advertised", "All of the scopes that are asked for are offered")]
        }
        let words = "Not among those published: \(Shown.words(missing.joined(separator: " ")))"
        return [
            missing.contains("openid")
                ? Finding(
                    .warning, "scopes_advertised", words, "Without openid there is no ID token.",
                    fix: "leave openid out, or switch OpenID Connect on at the server")
                : Finding(.note, "scopes_advertised", words, "Servers need not publish all of them (RFC 8414 §2).")
        ]
    }
}
