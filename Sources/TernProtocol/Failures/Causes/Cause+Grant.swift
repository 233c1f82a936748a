extension Cause {
    private static let code: [Symptom] = [
        .server("invalid_grant", at: .tokenRequest), .server("bad_verification_code"), .server("invalid_code"),
    ]
    private static let ended: [Symptom] = [
        Symptom("reauthentication_required"), .server("invalid_grant", at: .refresh),
        Symptom("http_status.silent", at: .refresh),
    ]
    private static let again = "start a new sign-in"
    private static let ask = "ask the user to sign in again"

    static let grant: [Cause] = [
        Cause(
            "code_used_twice", "the code was used before: a code is good once", code, 20,
            [.codeSentBefore: 80, .mentions(.reuse): 40],
            todo: again, "look for a second call of finish with the same callback"),
        Cause(
            "code_expired", "the code is too old: it lives a minute or a few", code, 18,
            [.slowSignIn: 30, .mentions(.expiry): 30, .codeSentBefore: -10],
            todo: again, "send the code as soon as the callback is there"),
        Cause(
            "code_verifier_lost",
            "the code verifier is not the one of this sign-in: it was lost or mixed up, for example at a restart",
            code + [.server("invalid_request", at: .tokenRequest)], 12, [.mentions(.codeVerifier): 50, .restored: 14],
            todo: again, "keep each SignIn until its callback is there, and finish with that one"),
        Cause(
            "redirect_uri_repeated_otherwise", "the redirect URI differs from the one that the page was opened with",
            code,
            10, [.mentions(.redirectURI): 80, .restored: 2],
            todo: "finish with the SignIn that begin made", "compare the redirect URIs letter by letter"),
        Cause(
            "code_of_another_client", "the code was issued to another client", code, 4, [.mentions(.anotherClient): 60],
            todo: "use one client ID at the page and at the token endpoint"),
        Cause(
            "device_clock_wrong", "the clock of this device is wrong",
            code + [
                .server("invalid_client"), .server("invalid_dpop_proof"), .server("invalid_request_object"),
                .server("invalid_client_attestation"), "proof_rejected",
            ], 2,
            [
                .clockDiffers: 60, .mentions(.clock): 40, .publicClient: -1,
                .authenticated("private_key_jwt"): 8, .authenticated("client_secret_jwt"): 8,
            ], todo: "set the clock: date and time automatically"),
        Cause(
            "access_revoked", "the user or an administrator took the access back, or changed the password", ended, 25,
            [.mentions(.revocation): 30, .youngGrant: 4], todo: ask),
        Cause(
            "refresh_token_expired", "the refresh token is too old", ended, 20,
            [.oldGrant: 30, .mentions(.expiry): 40, .youngGrant: -15],
            todo: ask, "ask for offline_access where the provider wants it for long access"),
        Cause(
            "refresh_token_used_elsewhere",
            "another copy of the application used the refresh token first, and the server took that for theft", ended,
            15,
            [.mentions(.reuse): 50, .youngGrant: 4],
            todo: ask, "let all copies on one machine use one store, and each machine sign in for itself"),
        Cause(
            "unpublished_client", "Google ends the grants of clients in testing after seven days", ended, -30,
            [.provider(.google): 50, .oldGrant: 40], todo: "publish the client at Google", ask),
        Cause(
            "refresh_token_bound_elsewhere", "the refresh token is bound to a key that was not shown", ended, -10,
            [.mentions(.key): 60], todo: ask, "keep the key with the tokens: the store does"),
        Cause(
            "refresh_token_of_another_client", "the refresh token was issued to another client", ended, 2,
            [.mentions(.anotherClient): 60], todo: "use the client ID that signed in", ask),
        Cause(
            "no_refresh_token", "the server gave no refresh token, and the access token is over", ended, -1,
            [.wordless: 30, .youngGrant: 6, .status(400): -60, .status(401): -60, .status(403): -60],
            todo: ask, "ask for the scope offline_access, or what the provider wants for long access"),
        Cause(
            "proof_refused", "the proof of possession is not good: another address, another time, or used before",
            [.server("invalid_dpop_proof"), "proof_rejected"], 30, todo: "make a new proof for each request",
            "behind a proxy, compare the address that the server sees"),
        Cause(
            "nonce_wanted_again", "the server wants another nonce in each proof than it gave",
            [.server("use_dpop_nonce")],
            40, todo: "the server's nonces end too soon: try again, and tell its operators"),
    ]
}
