extension Cause {
    static let authorization: [Cause] = [
        Cause(
            "user_refused", "the user said no on the consent page",
            [.server("access_denied"), .server("user_refused"), .server("permission_denied")], 30,
            todo: "say what the access is for, and offer to sign in again"),
        Cause(
            "administrator_forbids", "a policy or an administrator forbids this client to this user",
            [.server("access_denied"), .server("permission_denied"), .server("consent_required")], 12,
            [.mentions(.administrator): 50],
            todo: "ask the administrator of the user's organisation to allow the client"),
        Cause(
            "not_a_test_user", "the client is not published yet and the user is not among its test users",
            [.server("access_denied"), .server("org_internal")], 2,
            [.mentions(.testUsers): 60, .provider(.google): 20],
            todo: "add the user to the test users, or publish the client at the provider"),
        Cause(
            "consent_missing", "the user has not allowed this client what it asks for",
            [.server("consent_required"), .server("interaction_required")], 5,
            [.mentions(.consent): 40], todo: "sign in with the page shown: prompt=consent asks the user"),
        Cause(
            "consent_forbidden_to_ask",
            "the user would have to allow something, and the request forbade to show a page",
            [.server("consent_required", at: .authorizationResponse)], 46, todo: "sign in without prompt=none"),
        Cause(
            "nobody_logged_in", "nobody is logged in at the server, and the request forbade to show a page",
            [.server("login_required"), .server("interaction_required"), .server("account_selection_required")], 40,
            todo: "sign in without prompt=none"),
        Cause(
            "scope_unknown", "the server does not know one of the scopes", [.server("invalid_scope")], 25,
            [.scopeNotAdvertised: 40, .mentions(.scope): 2],
            todo: "compare the scopes with scopes_supported in the metadata, and with the provider's documentation"),
        Cause(
            "scope_not_allowed", "one of the scopes is not allowed for this client",
            [
                .server("invalid_scope", at: .authorizationResponse, .pushedAuthorization, .tokenRequest),
                .server("invalid_scope", at: .deviceAuthorization, .backchannelAuthentication),
            ], 30, [.scopeNotAdvertised: -10], todo: "have the scope allowed in the client's registration"),
        Cause(
            "scope_beyond_grant", "the renewal asks for more than the user gave",
            [.server("invalid_scope", at: .refresh)], 50, todo: "sign in again for the wider scope"),
        Cause(
            "request_incomplete", "the server wants a further parameter, or does not know one that was sent",
            [.server("invalid_request")], 18, [.mentions(.redirectURI): -10, .mentions(.codeVerifier): -5],
            todo: "read what the server says; look at the address with `tern explain`",
            "additionalAuthorizationParameters adds what a provider wants"),
        Cause(
            "pushing_demanded", "the server takes requests only that were pushed, or signed",
            [.server("invalid_request", at: .authorizationResponse), .server("request_not_supported")], 1,
            [.mentions(.pushing): 60],
            todo: "set requestDelivery; of `tern login` it is --par or --jar"),
        Cause(
            "pkce_demanded", "the server wants PKCE in another form than it got",
            [.server("invalid_request", at: .authorizationResponse, .pushedAuthorization)], 2,
            [.mentions(.codeVerifier): 45],
            todo: "look at the address with `tern explain`: S256 is what servers must take"),
        Cause(
            "response_type_not_allowed", "this client may not ask for this response type",
            [.server("unsupported_response_type"), .server("unauthorized_client", at: .authorizationResponse)], 40,
            todo: "use the code flow, or have the response type allowed in the client's registration"),
        Cause(
            "resource_unknown", "the resource or audience is not known to the server, or not allowed for this client",
            [.server("invalid_target")], 40, todo: "name the API as the server knows it (RFC 8707)"),
        Cause(
            "request_object_refused", "the signed request was refused: its key, its audience or its time",
            [.server("invalid_request_object"), .server("invalid_request_uri")], 35,
            todo: "compare the key with the registered one, and the clock with the server's"),
        Cause(
            "details_refused", "the authorization details have a type or a member that the server does not know",
            [.server("invalid_authorization_details")], 40,
            todo: "compare with authorization_details_types_supported (RFC 9396 §10)"),
        Cause(
            "login_too_weak", "the user's login does not meet the demanded acr",
            [.server("unmet_authentication_requirements")], 40,
            todo: "let the user log in by another method, or demand less (acr_values)"),
        Cause(
            "user_unknown", "the hint names nobody whom the server knows", [.server("unknown_user_id")], 40,
            todo: "ask the user again for the name"),
        Cause(
            "hint_too_old", "the token of the hint is too old", [.server("expired_login_hint_token")], 40,
            todo: "get a new one"),
        Cause(
            "user_code_missing", "the server wants a code that only the user knows",
            [.server("missing_user_code"), .server("invalid_user_code")], 40, todo: "ask the user for it"),
        Cause(
            "binding_message_refused", "the binding message is too long or has characters that the device cannot show",
            [.server("invalid_binding_message")], 40, todo: "use a short one of plain letters and digits"),
        Cause(
            "user_not_reached", "the user could not be asked on their device", [.server("transaction_failed")], 40,
            todo: "try again"),
        Cause(
            "provider_specific_code", "a cause that only this provider knows", [.server("*")], 1,
            todo: "look the code up in the provider's documentation"),
    ]
}
