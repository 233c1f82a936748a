public import TernProtocol

extension OAuthClient {
    /// Signs in with tokens that come through the browser (the implicit flow, RFC 6749 §4.2, OpenID Connect Core 1.0 §3.2).
    /// They lie open in the browser's history and to whatever reads along there, nothing ties them to this application, and
    /// there is no refresh token: RFC 9700 §2.1.2 forbids it. Only for old servers that offer nothing else; everybody else
    /// calls ``signIn(_:with:)``.
    ///
    /// - Parameters:
    ///   - options: what this sign-in should be like. Their response type is an ID token and an access token where they and
    ///     the configuration name none without a code; `token` alone brings no proof of who it is for.
    ///   - userAgent: how the page is shown.
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` for a client whose tokens are bound to a key, which
    ///   cannot be done here; `idTokenRejected`; otherwise what ``signIn(_:with:)`` throws.
    public func signInExposingTokens(
        _ options: SignInOptions = SignInOptions(), with userAgent: any UserAgent
    ) async throws(TernError) -> Session {
        try await signIn(try exposing(options), with: userAgent)
    }

    /// The first half of ``signInExposingTokens(_:with:)``; ``finish(_:callback:delivery:)`` is the second.
    ///
    /// - Throws: what that one throws.
    public func beginExposingTokens(
        _ options: SignInOptions = SignInOptions(), redirectURI: RedirectURI? = nil
    ) async throws(TernError) -> SignIn {
        try await begin(try exposing(options), redirectURI: redirectURI)
    }

    private func exposing(_ options: SignInOptions) throws(TernError) -> SignInOptions {
        guard oauth1 == nil else {
            throw TernError(.unsupported("the implicit flow: it speaks OAuth 1.0a"), at: .configuration)
        }
        try configuration.profile?.forbid("tokens through the browser")
        guard configuration.dpop == nil else {
            throw Self.invalid("dpop", "a token that comes through the browser cannot be bound to a key")
        }
        var options = options
        let type = options.responseType ?? (configuration.responseType.hasCode ? nil : configuration.responseType)
        options.responseType = type ?? .idTokenToken
        guard type?.hasCode != true, type?.hasToken != false else {
            throw Self.invalid("response_type", "the implicit flow is for \"id_token token\" and \"token\"")
        }
        options.exposesTokens = true
        return options
    }
}
