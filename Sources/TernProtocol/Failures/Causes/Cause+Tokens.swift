extension Cause {
    private static let again = "start a new sign-in"

    static let answers: [Cause] = [
        Cause(
            "provider_needs_quirk", "the provider answers in a form of its own", ["malformed_response"], 14,
            todo: "look for a preset of this provider", "look at the answer with `tern explain`"),
        Cause(
            "endpoint_moved", "the endpoint's address is not the final one; secrets are never sent after a redirect",
            [
                Symptom(
                    "http_status.redirect", at: .tokenRequest, .refresh, .revocation, .introspection, .userInfo,
                    .pushedAuthorization, .deviceAuthorization, .keys, .registration)
            ], 30, todo: "configure the address to which it points, if the provider's documentation names it"),
        Cause(
            "token_type_unknown", "the provider uses a token type of its own", ["unsupported_token_type"], 40,
            todo: "look for a preset of this provider, or name the type as bearer-like in its quirks"),
        Cause(
            "dpop_not_supported",
            "the server does not bind tokens of this client, or somebody in between took the proof away",
            ["token_not_bound"], 40,
            todo: "register the client for DPoP, or accept bearer tokens in the configuration"),
        Cause(
            "revocation_needs_secret", "the server lets no client without a secret revoke tokens",
            [Symptom("http_status.silent", at: .revocation)], 40, [.publicClient: 10],
            todo: "nothing: the tokens are gone here and end by themselves at the server"),
        Cause(
            "user_information_of_another",
            "the user information belongs to another person, or lacks what the standard demands",
            ["user_info_rejected"], 40, todo: "sign in again; if it stays so, tell the server's operators"),
        Cause(
            "no_key_for_answer", "what came is encrypted, and this client has no key for it",
            ["encrypted_id_token_unsupported"], 40,
            todo: "give the client its decryptionKeys", "or turn the encryption off at the server"),
    ]

    static let idToken: [Cause] = [
        Cause(
            "id_token_clock_ahead", "the clock of this device is ahead", ["id_token_expired"], 35,
            [.clockDiffers: 20, .clockAgrees: -20],
            todo: "set the clock: date and time automatically", again),
        Cause(
            "id_token_clock_behind", "the clock of this device is behind",
            ["id_token_not_yet_valid", "id_token_clock_skew"],
            35, [.clockDiffers: 20, .clockAgrees: -20], todo: "set the clock: date and time automatically", again),
        Cause(
            "id_token_server_clock", "the server's clock is wrong",
            ["id_token_expired", "id_token_not_yet_valid", "id_token_clock_skew"], 12,
            [.clockDiffers: 4, .clockAgrees: 20],
            todo: "compare both clocks: `tern doctor --issuer …` does"),
        Cause(
            "id_token_unreadable", "the server's ID token has not the form that OpenID Connect demands",
            ["id_token_malformed", "id_token_malformed_claim"], 40,
            todo: "look at the token with `tern explain`", "tell the server's operators"),
        Cause(
            "id_token_forged", "the token was changed on its way, or somebody else made it", ["id_token_signature"], 30,
            todo: again, "compare the issuer's jwks_uri with its documentation"),
        Cause(
            "id_token_keys_not_published",
            "the server signs with a key that it does not publish, as after a botched rotation",
            ["id_token_unknown_key", "id_token_signature"], 26, [.reachedBefore: 2],
            todo: "wait until the server's key set is renewed", "look at the key set with `tern explain`"),
        Cause(
            "id_token_algorithm",
            "the client is registered with another id_token_signed_response_alg or "
                + "id_token_encrypted_response_alg",
            ["id_token_unsupported_algorithm"], 40,
            todo: "have the algorithm changed in the client's registration, or accept it in acceptedAlgorithms"),
        Cause(
            "id_token_issuer", "the server signs under another name than its metadata have",
            ["id_token_issuer_mismatch"],
            40, todo: "configure the issuer exactly as the token has it, if that is the server you mean",
            "a server for many tenants: name the tenant, or allow the template"),
        Cause(
            "id_token_audience", "the token is for another client", ["id_token_audience_mismatch"], 40,
            todo: "compare the client ID with the registration"),
        Cause(
            "id_token_authorized_party", "the token is for several parties and was issued to another one",
            ["id_token_authorized_party_mismatch"], 40, todo: "compare the client ID with the registration"),
        Cause(
            "id_token_nonce_dropped", "the server drops the nonce, which it must give back", ["id_token_nonce_missing"],
            40,
            todo: "tell the server's operators: OpenID Connect Core 1.0 §3.1.2.1 demands it", again),
        Cause(
            "id_token_replayed", "the token is the one of another sign-in", ["id_token_nonce_mismatch"], 40,
            todo: again, "if it happens again, somebody may be replaying tokens"),
        Cause(
            "tokens_mixed_up", "tokens of two sign-ins were mixed up on the way, or one was replaced",
            ["id_token_at_hash_mismatch", "id_token_c_hash_mismatch", "id_token_s_hash_mismatch"], 40, todo: again),
        Cause(
            "login_too_old", "the user did not log in again although the login was older than max_age allows",
            ["id_token_authentication_too_old"], 40, todo: "ask with prompt=login, or allow an older login"),
        Cause(
            "login_by_other_method", "the user logged in by another method than was demanded (acr)",
            ["id_token_acr_mismatch"], 40, todo: "demand less, or have the method set up at the server"),
        Cause(
            "another_user", "another user signed in than the one of this account", ["id_token_subject_mismatch"], 40,
            todo: "sign in as the same user, or into a new account"),
        Cause(
            "foreign_tenant", "the user belongs to another organisation", ["id_token_tenant_not_allowed"], 40,
            todo: "sign in with an account of an allowed tenant, or allow the user's"),
        Cause(
            "encrypted_with_old_key", "the server encrypted it with a key that is not this client's any more",
            ["id_token_decryption"], 40, todo: "compare the client's published keys with those that it holds"),
        Cause(
            "encryption_not_registered", "the client is registered without id_token_encrypted_response_alg",
            ["id_token_not_encrypted"], 40, todo: "have the encryption put into the client's registration"),
        Cause(
            "encrypted_without_signature", "what was encrypted is not signed, so anybody may have made it",
            ["id_token_not_signed"], 40, todo: "have the server sign ID tokens before it encrypts them"),
    ]

    static let signedTokens: [Cause] = [
        Cause(
            "token_clock", "the clock of this machine is wrong",
            ["token.expired", "token.not_yet_valid", "token.clock_skew"],
            20, [.clockDiffers: 30], todo: "set the clock"),
        Cause(
            "token_over", "the caller did not renew the token in time", ["token.expired", "token.too_old"], 30,
            todo: "the caller has to get a new one"),
        Cause(
            "token_for_another_party", "the token is for another API, or from another issuer",
            ["token.audience_mismatch", "token.issuer_mismatch"], 40,
            todo: "compare the audience and the issuer with the configuration of this API",
            "the client names the API with resource (RFC 8707)"),
        Cause(
            "token_of_another_kind",
            "a token of another kind was sent, such as an ID token in the place of an access token",
            ["token.wrong_type", "token.forbidden_claim", "token.malformed_claim", "token.malformed", "token.missing"],
            40,
            todo: "look at the token with `tern explain`"),
        Cause(
            "token_forged", "the token was changed on its way, or somebody else made it",
            ["token.signature", "token.unsupported_algorithm"], 40, todo: "refuse the call, as was done"),
        Cause(
            "token_keys_not_published", "the issuer signs with a key that it does not publish", ["token.unknown_key"],
            40,
            todo: "look at the issuer's key set with `tern explain`"),
        Cause(
            "token_replayed", "the token was sent twice, or somebody replays it", ["token.replayed"], 40,
            todo: "if it was the caller's own repeat, let the caller get a new one"),
        Cause(
            "token_bound_elsewhere",
            "the token is bound to another key or certificate than the caller showed: it may be stolen",
            ["token.binding_mismatch"], 40, todo: "let the caller show the key that the token was got with"),
        Cause(
            "token_of_another_user", "the token is about another user", ["token.subject_mismatch"], 40,
            todo: "sign in again as the right user"),
        Cause(
            "token_lacks_scope", "the token does not have the scope that is wanted", ["token.insufficient_scope"], 40,
            todo: "the client has to ask for the scope; a session with incrementalScope does so by itself"),
        Cause(
            "token_of_weak_login", "a stronger or newer login is wanted", ["token.insufficient_authentication"], 40,
            todo: "let the user sign in again: session.signIn(meeting:)"),
        Cause(
            "token_encrypted", "the token is encrypted, and there is no key for it here", ["token.encrypted"], 40,
            todo: "give this party its decryption keys, or have the encryption turned off"),
    ]

    static let api: [Cause] = [
        Cause(
            "api_redirects_in_circle", "the API redirects in a circle",
            [Symptom("http_status.redirect", at: .resourceRequest)], 40,
            todo: "look at the answers without following them"),
        Cause(
            "body_was_stream", "the request has to be sent once more, and its body is a stream that has been read",
            ["body_not_replayable"], 40, todo: "make the body again and send the request again"),
        Cause(
            "api_has_another_name", "the API is a part of a larger one, whose name the metadata has",
            ["resource_mismatch"],
            30, todo: "name the API as its own metadata does, or let the name cover the address"),
        Cause(
            "page_forbidden", "a new sign-in is needed, and showing a page was forbidden here",
            ["interaction_forbidden"],
            40, todo: "call signIn from where the user can see a page"),
        Cause(
            "not_signed_in", "nobody has signed in to this account, or somebody signed out", ["signed_out"], 40,
            todo: "sign in"),
        Cause(
            "request_of_stranger",
            "somebody else than the server made this address, or the server is set up for another "
                + "client",
            ["request_rejected"], 40, todo: "compare the client's registration at the server"),
        Cause(
            "cancelled_by_application", "the application or its task cancelled", ["cancelled"], 40,
            todo: "nothing was stored; call again when it is wanted"),
    ]
}
