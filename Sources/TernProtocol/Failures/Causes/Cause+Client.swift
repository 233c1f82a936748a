extension Cause {
    private static let refused: [Symptom] = [
        .server("invalid_client"), .server("unauthorized_client", at: .tokenRequest, .refresh),
        .server("incorrect_client_credentials"), .server("bad_client_secret"),
    ]
    private static let silent: [Symptom] =
        refused + [Symptom("http_status.silent", at: .tokenRequest, .introspection, .pushedAuthorization)]

    /// What speaks against a cause that is about the secret: the client shows something else.
    private static func withSecret(_ weights: [Clue: Int]) -> [Clue: Int] {
        let others = ["private_key_jwt", "tls_client_auth", "attest_jwt_client_auth"].map {
            (Clue.authenticated($0), -90)
        }
        return weights.merging([(.publicClient, -90)] + others) { own, _ in own }
    }
    private static let compare = "compare with the client's registration"
    private static let method =
        "send the secret as the server wants it; of `tern login` --client-auth basic, post or raw-basic"

    static let client: [Cause] = [
        Cause(
            "client_unknown", "the server does not know this client ID",
            [.server("invalid_client"), .server("invalid_request", at: .tokenRequest), .server("unauthorized_client")],
            18,
            [.mentions(.unknownClient): 45, .publicClient: 8],
            todo: "compare the client ID with the registration, and the issuer: test and production differ",
            "`tern doctor --issuer … --client-id …` asks the server whether it knows the client"),
        Cause(
            "public_client_asked_for_secret",
            "the client is registered as one with a secret, and none is sent", silent, 10,
            [
                .publicClient: 22, .authenticated("client_secret_basic"): -60,
                .authenticated("client_secret_post"): -60,
                .authenticated("private_key_jwt"): -60, .authenticated("client_secret_jwt"): -60,
                .authenticated("tls_client_auth"): -60, .authenticated("attest_jwt_client_auth"): -60,
                .mentions(.secret): 10, .mentions(.clientAuthentication): 10,
            ],
            todo: "register the application as public (native, desktop, single page)",
            "a secret inside an app is none: only a server may have one"),
        Cause(
            "secret_of_public_client", "the client is registered as public, and a secret is sent", silent, 6,
            withSecret([.mentions(.publicClient): 70]), todo: "leave the secret out", compare),
        Cause(
            "secret_wrong", "the secret is wrong", silent, 22,
            withSecret([.mentions(.secret): 12, .reachedBefore: -4]), todo: compare,
            "look for a blank or a line break that came along when it was copied"),
        Cause(
            "secret_expired", "the secret is too old: many providers let them end", silent, 4,
            withSecret([.mentions(.expiry): 50, .provider(.apple): 20, .provider(.microsoft): 8, .oldGrant: 8]),
            todo: "make a new secret at the provider",
            "Apple: the secret is a JWT that is good for six months at most"),
        Cause(
            "secret_sent_in_other_way",
            "the secret was sent in another way than the server wants (post, basic, raw-basic)",
            silent, 14,
            withSecret([.authenticationNotAdvertised: 40, .mentions(.clientAuthentication): 26]), todo: method,
            "compare with token_endpoint_auth_methods_supported in the metadata"),
        Cause(
            "secret_encoding", "the secret has characters that servers decode in different ways (RFC 6749 §2.3.1)",
            silent,
            -20,
            withSecret([.secretNeedsEncoding: 50, .authenticated("client_secret_post"): -20]),
            todo: "try --client-auth raw-basic, or post", "or have a secret made of letters and digits alone"),
        Cause(
            "assertion_audience", "the server wants another audience in the client's assertion", refused, -40,
            [
                .authenticated("private_key_jwt"): 80, .authenticated("client_secret_jwt"): 80,
                .mentions(.audience): 20,
            ],
            todo:
                "set the audience of ClientAssertion to .tokenEndpoint or .endpoint, which older servers want; .issuer is the "
                + "default; of `tern login` it is --audience token-endpoint or endpoint"),
        Cause(
            "assertion_key", "the key is not the registered one, or its key ID is another", refused, -40,
            [.authenticated("private_key_jwt"): 70, .mentions(.key): 20],
            todo: "compare the public key with the client's registration, by its thumbprint: `tern keys`"),
        Cause(
            "certificate_not_shown",
            "the transport shows no client certificate: TransportPolicy.clientIdentity is not set (of "
                + "`tern login` it is --client-certificate)",
            refused, -40, [.authenticated("tls_client_auth"): 80], todo: compare),
        Cause(
            "certificate_unregistered",
            "the certificate is not the registered one, or a proxy on the way ends the TLS "
                + "connection",
            refused, -40, [.authenticated("tls_client_auth"): 70, .proxied: 15, .mentions(.certificate): 60],
            todo: compare),
        Cause(
            "attestation_refused", "the attestation is too old, or the server does not trust its attester",
            refused + [
                .server("use_attestation_challenge"), .server("use_fresh_attestation"),
                .server("invalid_client_attestation"),
            ], -40, [.authenticated("attest_jwt_client_auth"): 80, .wordless: 1],
            todo: "get a new attestation"),
        Cause(
            "attestation_too_old", "the server wants a newer attestation",
            [.server("use_attestation_challenge"), .server("use_fresh_attestation")], 45,
            todo: "get a new attestation"),
        Cause(
            "attestation_invalid",
            "the attestation or its proof is not good: another key, or an attester that is not trusted",
            [.server("invalid_client_attestation")], 45, todo: "get a new attestation"),
        Cause(
            "grant_not_allowed", "this client is not registered for this grant",
            [.server("unauthorized_client"), .server("unsupported_grant_type")], 32,
            [.mentions(.secret): -10, .publicClient: 4],
            todo: "have the grant allowed in the client's registration (grant_types)",
            "compare grant_types_supported in the server's metadata"),
        Cause(
            "not_the_token_endpoint", "the address is not the endpoint that it should be",
            [Symptom("http_status"), Symptom("http_status.silent"), "malformed_response", "response_too_large"], 12,
            todo: "compare the address with the provider's documentation"),
    ]
}
