extension Cause {
    /// What a refused redirect URI looks like, where the server says so to the client. Before RFC 9126 most said it on a
    /// page alone.
    private static let refused: [Symptom] = [
        .server("invalid_request", at: .pushedAuthorization, .authorizationResponse, .tokenRequest),
        .server("invalid_redirect_uri", at: .pushedAuthorization, .authorizationResponse, .tokenRequest),
        .server("redirect_uri_mismatch"), .server("invalid_grant", at: .tokenRequest),
    ]

    private static let exactly = "register the redirect URI exactly as it is sent, or send it as it is registered"

    static let redirect: [Cause] = [
        Cause(
            "redirect_uri_trailing_slash",
            "the redirect URI that was sent and the registered one differ in a slash at the end", refused, 4,
            [.redirectDiffers(.trailingSlash): 90, .mentions(.redirectURI): 10], todo: exactly),
        Cause(
            "redirect_uri_letter_case",
            "the redirect URI that was sent and the registered one differ in capital and small letters", refused, 3,
            [.redirectDiffers(.letterCase): 90, .mentions(.redirectURI): 9],
            todo: exactly, "write schemes and hosts in small letters"),
        Cause(
            "redirect_uri_port", "the redirect URI that was sent and the registered one have different ports", refused,
            2,
            [
                .redirectDiffers(.port): 90, .mentions(.redirectURI): 8, .redirect(.loopback): 6,
                .redirect(.privateUseScheme): -20,
            ],
            todo: exactly,
            "a server that compares the port of loopback addresses does not keep RFC 8252 §7.3: choose one port, register "
                + "it, and name it in the configuration"),
        Cause(
            "redirect_uri_loopback_name",
            "the redirect URI names localhost and the registered one the loopback address, or the other way round",
            refused, 2,
            [
                .redirectDiffers(.loopbackName): 90, .redirectNamesLocalhost: 12, .mentions(.redirectURI): 8,
                .redirect(.privateUseScheme): -20,
            ],
            todo: "use http://127.0.0.1 at both places: RFC 8252 §8.3 advises against localhost"),
        Cause(
            "redirect_uri_encoding",
            "only one of the redirect URI that was sent and the registered one has a character percent-encoded",
            refused,
            1, [.redirectDiffers(.percentEncoding): 90, .mentions(.redirectURI): 6],
            todo: "choose an address without characters that need encoding, and register it"),
        Cause(
            "redirect_uri_other_address",
            "the redirect URI that was sent and the registered one are different addresses", refused, 5,
            [
                .redirectDiffers(.scheme): 90, .redirectDiffers(.host): 90, .redirectDiffers(.path): 90,
                .redirectDiffers(.query): 90, .redirectDiffers(.other): 90, .mentions(.redirectURI): 12,
            ], todo: exactly),
        Cause(
            "redirect_uri_not_registered", "the redirect URI is not registered for this client",
            Array(refused.dropLast()), 15,
            [.mentions(.redirectURI): 40, .wordless: 5, .redirectNamesLocalhost: 2],
            todo: "compare the redirect URI with the client's registration, letter by letter",
            "`tern doctor --issuer … --client-id … --redirect …` asks the server what it thinks of both"),
    ]
}
