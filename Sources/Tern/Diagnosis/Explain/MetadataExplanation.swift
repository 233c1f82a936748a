internal import TernJOSE
internal import TernProtocol

/// What an authorization server says about itself.
enum ServerMetadataExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let members = (try? JSON(parsing: text))?.object else {
            return [Finding(.failed, "verdict", "It is not a JSON object")]
        }
        let metadata = ServerMetadata(members: members)
        let findings = issuer(metadata, context) + Self.findings(of: metadata)
        return [MetadataVerdict.finding(findings, good: "A client can work with this server")] + findings
    }

    /// What there is to say about metadata beside their issuer.
    static func findings(of metadata: ServerMetadata) -> [Finding] {
        endpoints(metadata) + features(metadata) + algorithms(metadata) + consistency(metadata)
    }

    static func isOpenID(_ metadata: ServerMetadata) -> Bool {
        metadata.scopes?.contains("openid") ?? false || metadata.members["subject_types_supported"] != nil
            || metadata.members["id_token_signing_alg_values_supported"] != nil
            || metadata.members["userinfo_endpoint"] != nil
    }

    private static func issuer(_ metadata: ServerMetadata, _ context: ExplanationContext) -> [Finding] {
        guard let text = metadata.issuer else {
            return [Finding(.failed, "issuer", "It does not name the issuer", fix: "publish issuer (RFC 8414 §2)")]
        }
        var findings: [Finding] = []
        do throws(TernError) { _ = try Issuer(text) } catch {
            if !text.contains("{tenantid}") { findings.append(.refusal(error, "issuer", "The issuer cannot be one")) }
        }
        if text.contains("{tenantid}") {
            findings.append(
                Finding(
                    .warning, "issuer", "The issuer is a template for many tenants",
                    "Tern takes it only where the configuration allows that.", fix: "ask for the metadata of one tenant"
                ))
        }
        if let expected = context.issuer {
            findings.append(ClaimsExplanation.issuer(text, expected))
        } else if findings.isEmpty {
            findings.append(
                Finding(.note, "issuer", "The issuer is \(Shown.address(text))", "It was not compared (--issuer)."))
        }
        return findings
    }

    private static func endpoints(_ metadata: ServerMetadata) -> [Finding] {
        let grants = metadata.list("grant_types_supported")
        let types = metadata.list("response_types_supported")
        let needsPage = types.map { !$0.isEmpty } ?? (grants?.contains("authorization_code") ?? true)
        var needed: [ServerMetadata.Endpoint] = needsPage ? [.authorization] : []
        if grants.map({ $0 != ["implicit"] }) ?? true { needed.append(.token) }
        if isOpenID(metadata) { needed.append(.keys) }
        var findings: [Finding] = []
        let host = metadata.issuer.flatMap { URI($0) }?.origin?.host
        for endpoint in ServerMetadata.Endpoint.allCases {
            let name = endpoint.rawValue
            guard let value = metadata.members[name], !value.isNull else {
                if needed.contains(endpoint) {
                    findings.append(
                        Finding(
                            .failed, "metadata_endpoints", "There is no \(name)",
                            fix: "publish it; without it there is no sign-in"))
                }
                continue
            }
            guard let uri = metadata[endpoint] else {
                findings.append(Finding(.failed, "metadata_endpoints", "\(name) is not an absolute address"))
                continue
            }
            do throws(TernError) {
                _ = try metadata.address(of: endpoint, for: .discovery)
                let isElsewhere = host != nil && uri.origin?.host != host
                findings.append(
                    Finding(
                        .passed, "endpoint", "\(name): \(Shown.address(uri.text))",
                        isElsewhere ? "It is at another host than the issuer, which is allowed." : nil))
            } catch {
                findings.append(
                    .refusal(error, "endpoints_https", "\(name) is not on https: \(Shown.address(uri.text))"))
            }
        }
        for (name, value) in (metadata.members["mtls_endpoint_aliases"]?.object ?? [:]).prefix(20) {
            guard let uri = value.string.flatMap({ URI($0) }), uri.isSecure else {
                findings.append(
                    Finding(
                        .failed, "endpoints_https",
                        "The alias \(Shown.text(name)) is not an https address (RFC 8705 §5)"))
                continue
            }
        }
        return findings
    }

    private static func features(_ metadata: ServerMetadata) -> [Finding] {
        var findings: [Finding] = []
        switch metadata.codeChallengeMethods {
        case nil:
            findings.append(
                Finding(
                    .warning, "pkce_advertised", "It does not say that PKCE is offered", "Tern sends it all the same.",
                    fix: "publish code_challenge_methods_supported"))
        case let methods? where methods.contains(CodeChallenge.method):
            findings.append(Finding(.passed, "pkce_advertised", "PKCE with S256 is offered"))
        default:
            findings.append(
                Finding(
                    .failed, "pkce_advertised", "PKCE is offered without S256", "Tern sends nothing weaker.",
                    fix: "switch S256 on at the server"))
        }
        if metadata.promisesIssuerInAnswers {
            findings.append(Finding(.passed, "issuer_in_answers", "Callbacks say who issued them (RFC 9207)"))
        } else {
            findings.append(
                Finding(
                    .note, "issuer_in_answers", "Callbacks do not say who issued them",
                    "For a client of several servers they should (RFC 9207)."))
        }
        var required = ["response_types_supported"]
        if isOpenID(metadata) { required += ["subject_types_supported", "id_token_signing_alg_values_supported"] }
        for name in required where metadata.list(name) == nil {
            findings.append(
                Finding(
                    .warning, "metadata_required_members", "There is no \(name)",
                    "The standards demand it; Tern does without."))
        }
        return findings
    }

    private static func algorithms(_ metadata: ServerMetadata) -> [Finding] {
        var findings: [Finding] = []
        if let offered = metadata.idTokenSigningAlgorithms {
            let taken = offered.filter { name in IDToken.standardAlgorithms.contains { $0.rawValue == name } }
            if taken.isEmpty {
                findings.append(
                    Finding(
                        .failed, "id_token_algorithms", "ID tokens are signed in no way that Tern takes",
                        Shown.words(offered.prefix(12).joined(separator: ", ")), fix: "sign with RS256, ES256 or EdDSA")
                )
            } else {
                findings.append(
                    Finding(
                        .passed, "id_token_algorithms", "ID tokens are signed with \(taken.joined(separator: ", "))"))
            }
            if offered.contains("none") {
                findings.append(
                    Finding(
                        .warning, "id_token_algorithms", "It offers ID tokens that are not signed (none)",
                        "Tern never takes one."))
            }
        }
        let methods = metadata.tokenEndpointAuthenticationMethods ?? []
        if methods.contains(where: { $0.hasSuffix("_jwt") }), metadata.tokenEndpointAuthenticationAlgorithms == nil {
            findings.append(
                Finding(
                    .warning, "authentication_algorithms",
                    "It takes clients' assertions and does not say with which algorithms",
                    fix: "publish token_endpoint_auth_signing_alg_values_supported (RFC 8414 §2)"))
        }
        return findings
    }

    /// What is promised needs an endpoint.
    private static func consistency(_ metadata: ServerMetadata) -> [Finding] {
        let grants = metadata.list("grant_types_supported") ?? []
        let pairs: [(isPromised: Bool, ServerMetadata.Endpoint, String, Finding.Level)] = [
            (
                metadata.requiresPushedAuthorizationRequests, .pushedAuthorization,
                "It demands pushed requests", .failed
            ),
            (
                grants.contains("urn:ietf:params:oauth:grant-type:device_code"), .deviceAuthorization,
                "It offers the device grant", .warning
            ),
            (
                grants.contains("urn:openid:params:grant-type:ciba"), .backchannelAuthentication,
                "It offers sign-in without a browser (CIBA)", .warning
            ),
        ]
        var findings = pairs.filter { $0.isPromised && metadata[$0.1] == nil }
            .map { Finding($0.3, "consistency", "\($0.2), and there is no \($0.1.rawValue)", fix: "publish it") }
        if let types = metadata.list("response_types_supported"), types.contains("code"), !grants.isEmpty,
            !grants.contains("authorization_code")
        {
            findings.append(
                Finding(
                    .failed, "consistency", "It offers the response type code, and no authorization_code grant",
                    fix: "publish authorization_code in grant_types_supported"))
        }
        let lists = metadata.members.names.filter {
            $0.hasSuffix("_supported") && $0.hasPrefix("claims_parameter") == false
        }
        for name in lists.prefix(100) {
            switch metadata.members[name] {
            case .string?, .number?, .object?:
                findings.append(
                    Finding(
                        .warning, "member_type", "\(Shown.text(name)) has the wrong type", "Tern takes it for missing.")
                )
            default: break
            }
        }
        if metadata.members["signed_metadata"] != nil {
            findings.append(Finding(.note, "signed_metadata", "There is a signed copy in it, which Tern does not read"))
        }
        return findings
    }
}

/// What an API says about itself.
enum ResourceMetadataExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let members = (try? JSON(parsing: text))?.object else {
            return [Finding(.failed, "verdict", "It is not a JSON object")]
        }
        guard let name = members["resource"]?.string, let resource = URI(name) else {
            return [
                Finding(.failed, "resource", "It does not name the API (resource)", fix: "publish it (RFC 9728 §2)")
            ]
        }
        var findings: [Finding] = []
        do throws(TernError) {
            let request = try ProtectedResourceMetadataRequest(resource: resource)
            let metadata = try request.answer(from: HTTPResponse(status: 200, body: Array(text.utf8)))
            findings.append(
                Finding(
                    .passed, "resource", "It is about the API \(Shown.address(name))",
                    "It has to lie at \(Shown.address(request.address.text))."))
            findings += details(metadata, context)
        } catch {
            findings.append(.refusal(error, "resource", "Tern would refuse it"))
        }
        return [MetadataVerdict.finding(findings, good: "A client can work with this API")] + findings
    }

    private static func details(_ metadata: ProtectedResourceMetadata, _ context: ExplanationContext) -> [Finding] {
        var findings: [Finding] = []
        let named = metadata.members["authorization_servers"]?.array ?? []
        let servers = metadata.authorizationServers
        if servers.isEmpty {
            findings.append(
                Finding(
                    .warning, "authorization_servers", "It does not say whose tokens it takes",
                    fix: "publish authorization_servers"))
        }
        if servers.count < named.count {
            findings.append(
                Finding(
                    .failed, "authorization_servers",
                    "\(named.count - servers.count) of its authorization servers cannot be one",
                    fix: "name issuers: https addresses without a query"))
        }
        if let expected = context.issuer, !servers.isEmpty {
            let fits = servers.contains { $0.text.hasSameOctets(as: expected) }
            findings.append(
                fits
                    ? Finding(.passed, "issuer", "It takes tokens of \(Shown.address(expected))")
                    : Finding(
                        .failed, "issuer", "It does not take tokens of the expected issuer",
                        fix: "ask one of its own servers for a token",
                        comparison: Comparison("named", servers[0].text, "expected", expected)))
        } else {
            for server in servers.prefix(20) {
                findings.append(
                    Finding(.note, "authorization_servers", "It takes tokens of \(Shown.address(server.text))"))
            }
        }
        if metadata.bearerMethods?.contains("query") == true {
            findings.append(
                Finding(
                    .warning, "bearer_methods", "It takes tokens in the query",
                    "Queries end up in logs; Tern never sends a token so (RFC 9700 §4.3.2)."))
        }
        if metadata.requiresDPoP {
            findings.append(Finding(.note, "dpop", "It takes only tokens that are bound to a key (DPoP)"))
        }
        if metadata.requiresCertificateBoundTokens {
            findings.append(Finding(.note, "mtls", "It takes only tokens that are bound to a certificate"))
        }
        for name in ["jwks_uri", "resource_documentation", "resource_policy_uri", "resource_tos_uri"] {
            guard let value = metadata.members[name], !value.isNull else { continue }
            guard let uri = value.string.flatMap({ URI($0) }), uri.isSecure || uri.isLoopback else {
                findings.append(Finding(.failed, "endpoints_https", "\(name) is not an https address"))
                continue
            }
        }
        if let scopes = metadata.scopes {
            findings.append(Finding(.note, "scopes", "Its scopes: \(Shown.words(scopes.text))"))
        }
        return findings
    }
}

enum MetadataVerdict {
    static func finding(_ findings: [Finding], good: String) -> Finding {
        let bad = findings.filter { $0.level == .failed }.map(\.title)
        return bad.isEmpty
            ? Finding(.passed, "verdict", good)
            : Finding(
                .failed, "verdict", "Something in it must be changed", bad.prefix(8).joined(separator: "; ") + ".")
    }
}
