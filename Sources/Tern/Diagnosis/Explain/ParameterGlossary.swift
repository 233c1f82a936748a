internal import TernJOSE
internal import TernProtocol

/// What the parameters of the standards are, in a few words, and which of their values may be seen.
enum ParameterGlossary {
    /// How many parameters are told one by one.
    static let maximumShownCount = 60

    static func meaning(of name: String) -> String? { meanings[name] }

    /// The same for a member of an answer; what is no text is no secret either.
    static func shown(_ value: JSON, of name: String) -> String {
        guard let text = value.string else { return Shown.json(value, under: name) }
        guard visible.contains(name) || visibleMembers.contains(name) else { return Shown.secret(text) }
        return text.isEmpty ? "empty" : Shown.value(text, of: name)
    }

    private static let visibleMembers: Set<String> = [
        "active", "iss", "sub", "aud", "exp", "iat", "nbf", "username", "issued_token_type", "interval", "expires",
        "verification_uri", "verification_url", "acr", "suberror", "timestamp", "realm", "jti",
    ]

    /// A value that may be seen, or its length.
    static func shown(_ parameter: FormParameters.Parameter) -> String {
        guard visible.contains(parameter.name) else { return Shown.secret(parameter.value) }
        return parameter.value.isEmpty ? "empty" : Shown.value(parameter.value, of: parameter.name)
    }

    /// Everything else may be a secret of somebody's.
    private static let visible: Set<String> = [
        "client_id", "redirect_uri", "response_type", "response_mode", "scope", "prompt", "display", "max_age",
        "ui_locales", "claims_locales", "acr_values", "code_challenge_method", "resource", "audience", "iss",
        "dpop_jkt",
        "error", "error_description", "error_uri", "error_subcode", "error_codes", "token_type", "expires_in",
        "access_type", "include_granted_scopes", "domain_hint", "kc_idp_hint", "grant_type", "oauth_callback_confirmed",
        "oauth_problem",
    ]

    private static let meanings: [String: String] = [
        "code": "the authorization code, good once and only with the verifier of this sign-in",
        "state": "ties the answer to the sign-in",
        "iss": "who issued the answer (RFC 9207)",
        "error": "why the server refused",
        "error_description": "the server's words for developers",
        "error_uri": "a page about the error",
        "id_token": "who signed in, as a signed token",
        "access_token": "an access token, which lies open in the browser here (RFC 9700 §2.1.2)",
        "token_type": "how the access token is sent",
        "expires_in": "how long the access token lives, in seconds",
        "scope": "what is asked for or was granted",
        "session_state": "what a page asks the server about the session with",
        "response": "the whole answer as a signed token (JARM)",
        "oauth_token": "the temporary token of OAuth 1.0a",
        "oauth_verifier": "the proof of OAuth 1.0a that the user came back",
        "denied": "the temporary token that the user refused",
        "client_id": "the client",
        "redirect_uri": "where the answer is to arrive",
        "response_type": "what the answer is to bring",
        "response_mode": "in which part of the address the answer is to be",
        "nonce": "ties the ID token to the sign-in",
        "code_challenge": "the public half of PKCE",
        "code_challenge_method": "how the challenge was made",
        "prompt": "what the user is asked",
        "display": "how the page is shown",
        "max_age": "how old the login may be, in seconds",
        "ui_locales": "the languages of the page",
        "claims_locales": "the languages of the claims",
        "id_token_hint": "an ID token of the user who should be signed in",
        "login_hint": "the user who should be signed in",
        "acr_values": "the wanted ways of login",
        "claims": "the wanted claims",
        "authorization_details": "what is asked for, in detail (RFC 9396)",
        "resource": "the API that the token is for (RFC 8707)",
        "audience": "the API that the token is for, in some providers' way",
        "request": "the whole request as a signed token (RFC 9101)",
        "request_uri": "what stands for the request (RFC 9126, RFC 9101)",
        "dpop_jkt": "the key that the tokens will be bound to (RFC 9449 §10)",
        "access_type": "of Google: whether a refresh token is wanted",
    ]
}
