internal import TernJOSE
internal import TernProtocol

/// An error by its name alone: what it means, the likely causes and what to do.
enum ErrorCodeExplanation {
    static func findings(of text: String) -> [Finding] {
        let own = TernError.examples.first { $0.code == text }
        let standard = meanings(of: text)
        var findings = standard
        if let entry = StandardErrorCode.all.first(where: { $0.code == text }) {
            let error = TernError(.serverError(ServerError(code: text)), at: entry.step)
            findings.append(.refusal(error, "explanation", "What Tern says of it", level: .note))
        }
        if let own {
            findings.append(
                .refusal(own, "tern_error", "An error of Tern's own; it reads for example", level: .note))
        }
        guard findings.isEmpty else { return findings }
        // What is no code may hold anything.
        guard isCode(text) || isWord(text) else {
            return [
                Finding(
                    .failed, "no_code", "This is no error code",
                    "A code is a few small words, joined by underscores (RFC 6749 §5.2).",
                    fix: "give the code alone, or leave the kind (--as) out")
            ]
        }
        let error = TernError(.serverError(ServerError(code: text)), at: .tokenRequest)
        return [
            .refusal(
                error, "unknown_code", "No standard has a code \(Shown.text(text)), and Tern has none", level: .warning)
        ]
    }

    /// What the standards say of a code; nothing for other codes.
    static func meanings(of code: String) -> [Finding] {
        StandardErrorCode.all.filter { $0.code == code }.map {
            Finding(.note, "meaning", "\($0.code) (\($0.source))", "\($0.meaning). What Tern does: \($0.reaction).")
        }
    }

    /// Whether a text is a known code, or looks like one.
    static func isCode(_ text: String) -> Bool {
        guard (3...80).contains(text.utf8.count) else { return false }
        if StandardErrorCode.all.contains(where: { $0.code == text })
            || TernError.examples.contains(where: { $0.code == text })
        {
            return true
        }
        let words = text.split(separator: "_", omittingEmptySubsequences: false)
        return words.count > 1
            && words.allSatisfy { word in
                !word.isEmpty && word.utf8.count <= 20
                    && word.utf8.allSatisfy { (0x61...0x7A).contains($0) }
            }
    }

    private static func isWord(_ text: String) -> Bool {
        (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (0x61...0x7A).contains($0) }
    }

    /// Codes that are no failure: the same is asked again.
    static func isPassing(_ code: String) -> Bool {
        ["authorization_pending", "slow_down", "use_dpop_nonce", "use_attestation_challenge"].contains(code)
    }
}

/// A code that a standard gives a meaning.
struct StandardErrorCode: Sendable {
    let code: String
    let source: String
    let meaning: String
    /// What Tern does when it meets the code, to stand behind "What Tern does:".
    let reaction: String
    let step: Step

    init(_ code: String, _ source: String, _ meaning: String, _ reaction: String, _ step: Step = .tokenRequest) {
        self.code = code
        self.source = source
        self.meaning = meaning
        self.reaction = reaction
        self.step = step
    }

    private static let fails = "the sign-in fails with it, and nothing is stored"
    private static let page = "the sign-in fails with it; a session that is there stays as it is"

    static let all: [StandardErrorCode] = [
        .init("invalid_request", "RFC 6749 §5.2", "a parameter is missing, repeated or malformed", fails),
        .init("invalid_client", "RFC 6749 §5.2", "the server does not believe who the client is", fails),
        .init(
            "invalid_grant", "RFC 6749 §5.2",
            "the code or refresh token is not good (any more), or for another client or redirect",
            "at a sign-in it fails; at a renewal the store is looked at once more, and then the session ends"),
        .init("unauthorized_client", "RFC 6749 §5.2", "the client may not use this grant", fails),
        .init("unsupported_grant_type", "RFC 6749 §5.2", "the server does not know the grant", fails),
        .init("invalid_scope", "RFC 6749 §5.2", "a scope is unknown, malformed, or more than was granted", fails),
        .init("access_denied", "RFC 6749 §4.1.2.1", "the user or the server said no", page, .authorizationResponse),
        .init(
            "unsupported_response_type", "RFC 6749 §4.1.2.1", "the server does not give this kind of answer", page,
            .authorizationResponse),
        .init(
            "server_error", "RFC 6749 §4.1.2.1", "the server met something unexpected",
            "it counts as passing trouble; nobody is signed out", .authorizationResponse),
        .init(
            "temporarily_unavailable", "RFC 6749 §4.1.2.1", "the server is overloaded or under maintenance",
            "it counts as passing trouble; nobody is signed out", .authorizationResponse),
        .init(
            "invalid_token", "RFC 6750 §3.1", "the access token ended, was revoked or is malformed",
            "a session renews the token once and repeats the call once", .resourceRequest),
        .init(
            "insufficient_scope", "RFC 6750 §3.1", "the token is good, and the call needs more scope",
            "a session never renews for that; it signs in with more scope where it may", .resourceRequest),
        .init(
            "insufficient_user_authentication", "RFC 9470 §3",
            "the token is good, and a stronger or newer login is wanted",
            "a session never renews for that; it signs the user in again where it may", .resourceRequest),
        .init(
            "unsupported_token_type", "RFC 7009 §2.2.1", "the server cannot revoke this kind of token",
            "the tokens are deleted here all the same, and the report says so", .revocation),
        .init(
            "invalid_redirect_uri", "RFC 7591 §3.2.2", "a redirect URI is not allowed", "the registration fails",
            .registration),
        .init(
            "invalid_client_metadata", "RFC 7591 §3.2.2", "a value of the registration is not allowed",
            "the registration fails",
            .registration),
        .init(
            "invalid_software_statement", "RFC 7591 §3.2.2", "the software statement cannot be read or is not good",
            "the registration fails", .registration),
        .init(
            "unapproved_software_statement", "RFC 7591 §3.2.2",
            "the server does not know who made the software statement",
            "the registration fails", .registration),
        .init(
            "authorization_pending", "RFC 8628 §3.5", "the user is not done yet", "it asks again after the interval",
            .deviceAuthorization),
        .init(
            "slow_down", "RFC 8628 §3.5", "it was asked too often", "it waits five seconds longer from then on",
            .deviceAuthorization),
        .init(
            "expired_token", "RFC 8628 §3.5", "the codes are too old", "the sign-in ends with device_code_expired",
            .deviceAuthorization),
        .init("invalid_target", "RFC 8707 §2", "the API that the token is for is unknown or not allowed", fails),
        .init(
            "invalid_request_uri", "RFC 9101 §7", "the reference to the request is not good (any more)", page,
            .authorizationResponse),
        .init("invalid_request_object", "RFC 9101 §7", "the signed request is not good", page, .authorizationResponse),
        .init(
            "request_not_supported", "OpenID Connect Core 1.0 §3.1.2.6", "the server takes no signed requests", page,
            .authorizationResponse),
        .init(
            "request_uri_not_supported", "OpenID Connect Core 1.0 §3.1.2.6",
            "the server takes no references to requests", page,
            .authorizationResponse),
        .init(
            "registration_not_supported", "OpenID Connect Core 1.0 §3.1.2.6",
            "the server takes no registration in a request", page,
            .authorizationResponse),
        .init(
            "login_required", "OpenID Connect Core 1.0 §3.1.2.6", "the user has to log in, and no page may be shown",
            page,
            .authorizationResponse),
        .init(
            "interaction_required", "OpenID Connect Core 1.0 §3.1.2.6", "the user has to act, and no page may be shown",
            page,
            .authorizationResponse),
        .init(
            "consent_required", "OpenID Connect Core 1.0 §3.1.2.6", "the user has to agree, and no page may be shown",
            page,
            .authorizationResponse),
        .init(
            "account_selection_required", "OpenID Connect Core 1.0 §3.1.2.6",
            "the user has to choose an account, and no page may be shown",
            page, .authorizationResponse),
        .init(
            "unmet_authentication_requirements", "OpenID Connect Unmet Authentication Requirements 1.0",
            "the server cannot give the wanted kind of login", page, .authorizationResponse),
        .init(
            "invalid_authorization_details", "RFC 9396 §5", "the authorization details are unknown or malformed", fails),
        .init("invalid_dpop_proof", "RFC 9449 §5", "the proof of possession is not good", fails),
        .init(
            "use_dpop_nonce", "RFC 9449 §8", "the server wants its nonce in the proof",
            "the request is sent once more with the nonce; nobody notices"),
        .init(
            "expired_login_hint_token", "CIBA Core 1.0 §13", "the hint at the user is too old", fails,
            .backchannelAuthentication),
        .init(
            "unknown_user_id", "CIBA Core 1.0 §13", "the hint names nobody whom the server knows", fails,
            .backchannelAuthentication),
        .init(
            "missing_user_code", "CIBA Core 1.0 §13", "the server wants a code that only the user knows", fails,
            .backchannelAuthentication),
        .init("invalid_user_code", "CIBA Core 1.0 §13", "the user's code is wrong", fails, .backchannelAuthentication),
        .init(
            "invalid_binding_message", "CIBA Core 1.0 §13", "the binding message cannot be shown", fails,
            .backchannelAuthentication),
        .init(
            "transaction_failed", "CIBA Core 1.0 §11", "the user could not be asked", fails, .backchannelAuthentication),
        .init(
            "use_attestation_challenge", "draft-ietf-oauth-attestation-based-client-auth",
            "the server wants its challenge in the proof",
            "the request is sent once more with the challenge"),
        .init(
            "use_fresh_attestation", "draft-ietf-oauth-attestation-based-client-auth",
            "the client's attestation is too old", fails),
        .init(
            "invalid_client_attestation", "draft-ietf-oauth-attestation-based-client-auth",
            "the client's attestation is not good", fails),
        .init(
            "signature_invalid", "OAuth 1.0a, problem reporting", "the signature does not fit the request", page,
            .temporaryCredentials),
        .init(
            "timestamp_refused", "OAuth 1.0a, problem reporting", "the time of the request is too far off", page,
            .temporaryCredentials),
        .init("nonce_used", "OAuth 1.0a, problem reporting", "the request came twice", page, .temporaryCredentials),
        .init(
            "token_rejected", "OAuth 1.0a, problem reporting", "the token is not good (any more)", "the session ends",
            .resourceRequest),
        .init(
            "token_revoked", "OAuth 1.0a, problem reporting", "the user took the access back", "the session ends",
            .resourceRequest),
        .init(
            "consumer_key_unknown", "OAuth 1.0a, problem reporting", "the client is not known", page,
            .temporaryCredentials),
        .init("verifier_invalid", "OAuth 1.0a, problem reporting", "the proof that the user came back is wrong", page),
    ]
}
