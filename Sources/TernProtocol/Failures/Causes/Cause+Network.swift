extension Cause {
    static let network: [Cause] = [
        Cause(
            "offline", "this device has no network", ["network.host_not_found", "network.connection_failed"], 30,
            [.reachedBefore: 25, .loopbackHost: -60, .privateHost: -10],
            todo: "look whether other addresses can be reached; tokens stay as they are"),
        Cause(
            "host_misspelt", "the name of the host is misspelt, or known in another network only",
            ["network.host_not_found"], 28, [.reachedBefore: -40, .privateHost: 20],
            todo: "compare the issuer and the addresses with the provider's documentation",
            "look whether a VPN is missing"),
        Cause(
            "server_down", "the server does not run, or not at this port", ["network.connection_failed"], 25,
            [.loopbackHost: 40, .reachedBefore: 8, .privateHost: 8],
            todo: "look at the server", "compare host and port with the configuration"),
        Cause(
            "firewall", "a firewall swallows the packets", ["network.timed_out", "network.connection_failed"], 12,
            [.privateHost: 20], todo: "try from another network"),
        Cause(
            "slow_network", "the network is slow or was lost", ["network.timed_out", "network.connection_lost"], 25,
            todo: "try again later"),
        Cause(
            "private_authority", "the certificate comes from a private certificate authority",
            ["network.untrusted_certificate"], 20, [.mentions(.selfSigned): 25, .privateHost: 15, .loopbackHost: 15],
            todo:
                "give the authority's certificate to the transport (TransportPolicy.authorities); of the command --ca-file"
        ),
        Cause(
            "certificate_over", "the certificate's time is over, or the clock of this device is wrong",
            ["network.untrusted_certificate"], 12, [.mentions(.expiry): 50, .clockDiffers: 20],
            todo: "have the server's certificate renewed", "set the clock; `tern doctor --issuer …` compares it"),
        Cause(
            "certificate_of_another_host", "the certificate is for another host", ["network.untrusted_certificate"], 8,
            [.mentions(.hostName): 60], todo: "use the name that the certificate has", "have the name put into it"),
        Cause(
            "reading_proxy", "a proxy on the way reads along and shows a certificate of its own",
            ["network.untrusted_certificate", "network.pin_mismatch"], 10, [.proxied: 30, .reachedBefore: 4],
            todo: "have this host let through by the proxy", "or trust the proxy's authority, where you may"),
        Cause(
            "pin_changed", "the server has a new key and the pins are old", ["network.pin_mismatch"], 30,
            [.proxied: -5],
            todo: "pin the new key, and always a second one whose certificate is not in use yet"),
        Cause(
            "tls_incompatible",
            "the two sides have no TLS version or cipher in common, or something that is no TLS answers",
            ["network.tls"], 30, [.mentions(.protocolVersion): 10],
            todo: "compare the port", "the server must speak TLS 1.2 or newer"),
        Cause(
            "connection_broke", "the network changed or failed at this moment",
            ["network.connection_lost", "network.other"],
            26, todo: "try again"),
        Cause(
            "answer_lost", "the network failed after the request was sent, so whether it took effect is unknown",
            ["outcome_unknown"], 40, todo: "start a new sign-in: a code works only once and is not sent twice"),
        Cause(
            "server_overloaded", "the server is overloaded, restarting or broken", ["transient"], 30,
            todo: "try again later; nobody was signed out by this", "look at the provider's status page"),
        Cause(
            "too_many_requests", "the server got too many requests from this client or this address",
            ["transient.too_many"], 40, todo: "wait as long as the server says; the library does",
            "share one session between callers, which sends one renewal for all"),
    ]

    static let metadata: [Cause] = [
        Cause(
            "captive_portal", "a sign-in page of the network (captive portal) answers in the server's place",
            ["discovery_not_json"], 30, [.reachedBefore: 20],
            todo: "open any page in a browser and sign in to the network"),
        Cause(
            "issuer_is_no_server", "the issuer is wrong: no metadata are at its address",
            [
                "discovery_not_json", Symptom("http_status", at: .discovery),
                Symptom("http_status.redirect", at: .discovery),
            ],
            24, [.reachedBefore: -20],
            todo: "`tern doctor --issuer …` shows what lies at both addresses of the metadata",
            "give the endpoints by hand where the provider has no metadata"),
        Cause(
            "issuer_trailing_slash", "the configured issuer and the server's own name differ in a slash at the end",
            ["issuer_mismatch"], 5, [.issuerDiffers(.trailingSlash): 90],
            todo: "configure the issuer exactly as the server writes it"),
        Cause(
            "issuer_letter_case", "the configured issuer and the server's own name differ in capital and small letters",
            ["issuer_mismatch"], 3, [.issuerDiffers(.letterCase): 90],
            todo: "configure the issuer exactly as the server writes it"),
        Cause(
            "issuer_scheme_or_port", "the server does not know its public address: it stands behind a proxy",
            ["issuer_mismatch"], 4, [.issuerDiffers(.scheme): 90, .issuerDiffers(.port): 90],
            todo: "set the server's public address in its configuration"),
        Cause(
            "issuer_template", "the server publishes a template for many tenants", ["issuer_mismatch"], -20,
            [.issuerIsTemplate: 130], todo: "name the tenant in the issuer, or allow the template"),
        Cause(
            "issuer_of_another_server", "the answer comes from another server than the one that was asked",
            ["issuer_mismatch"], 10, [.issuerDiffers(.host): 40, .issuerDiffers(.path): 40],
            todo: "compare the issuer with the provider's documentation",
            "if it came with a callback, somebody may try to mix up two servers (RFC 9207)"),
        Cause(
            "endpoint_not_offered", "the server does not offer this, or names it in no metadata",
            ["missing_metadata", "unsupported"], 40,
            todo: "set the address in the configuration where the documentation has one"),
        Cause(
            "proxy_hides_https", "the server stands behind a proxy and does not know that it is reached by https",
            ["insecure_endpoint"], 40,
            todo: "have the server's public address set right; plain http is for the loopback interface alone"),
        Cause(
            "configuration_wrong", "a value of the configuration cannot be used", ["invalid_configuration"], 40,
            todo: "correct the field that is named"),
        Cause(
            "profile_not_kept", "the profile that was chosen forbids this", ["profile_violated"], 40,
            todo: "change the configuration so, or use another server, or do without the profile"),
    ]
}
