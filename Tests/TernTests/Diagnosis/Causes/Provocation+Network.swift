import Tern
import TernTesting
import Testing

extension Provocation {
    static let network: [Provocation] = [
        network("offline", .network(.hostNotFound)),
        network("host_misspelt", .network(.hostNotFound), issuer: "https://id.corp.internal"),
        network("server_down", .network(.connectionFailed), issuer: "http://127.0.0.1:9"),
        network("firewall", .network(.timedOut), issuer: "https://id.corp.internal"),
        network("slow_network", .network(.timedOut)),
        network(
            "private_authority",
            .network(.untrustedCertificate("self-signed certificate in certificate chain"))),
        network("certificate_over", .network(.untrustedCertificate("certificate has expired"))),
        network(
            "certificate_of_another_host",
            .network(.untrustedCertificate("no alternative certificate subject name matches target host name"))),
        network("reading_proxy", .network(.pinMismatch), knowing: [.proxied]),
        network("pin_changed", .network(.pinMismatch), knowing: [.pinned]),
        network("tls_incompatible", .network(.tls("handshake failure"))),
        network("connection_broke", .network(.connectionLost)),
        signIn("answer_lost", [Fault(at: .token, .dropAnswer)]),
        signIn("server_overloaded", [Fault(at: .token, .status(503))]),
        signIn("too_many_requests", [Fault(at: .token, .status(429))]),
    ]

    static let metadata: [Provocation] = [
        signIn(
            "captive_portal",
            [
                Fault(
                    at: .openIDConfiguration,
                    .replace(
                        HTTPResponse(
                            status: 200, fields: ["Content-Type": "text/html"], body: Array("<p>Log in</p>".utf8))))
            ]),
        signIn(
            "issuer_is_no_server",
            [
                Fault(at: .openIDConfiguration, .replace(HTTPResponse(status: 404))),
                Fault(at: .authorizationServerMetadata, .replace(HTTPResponse(status: 404))),
            ]),
        published("issuer_trailing_slash", "issuer", "https://id.example.com/"),
        published("issuer_letter_case", "issuer", "https://ID.example.com"),
        published("issuer_scheme_or_port", "issuer", "http://id.example.com"),
        published("issuer_template", "issuer", "https://id.example.com/{tenantid}/v2.0"),
        published("issuer_of_another_server", "issuer", "https://login.example.org"),
        published("endpoint_not_offered", "authorization_endpoint", nil),
        published("proxy_hides_https", "token_endpoint", "http://id.example.com/token"),
        Provocation("configuration_wrong") { try await whatFails { try RedirectURI("http://example.com/callback") } },
        Provocation("profile_not_kept") {
            try await whatFails {
                var configuration = try World().client.configuration
                try configuration.adopt(.fapi2())
            }
        },
    ]

    /// A member of the server's metadata that is another one, or missing.
    private static func published(_ cause: String, _ member: String, _ value: String?) -> Provocation {
        var server = AuthorizationServer()
        server.settings.metadataChanges[member] = .some(value.map(JSON.string))
        return signIn(cause, at: server)
    }
}
