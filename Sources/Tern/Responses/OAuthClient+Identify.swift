internal import TernCrypto
public import TernProtocol

extension OAuthClient {
    /// Finds out who the user is, and nothing else: the server answers with an ID token alone (OpenID Connect Core 1.0 §3.2
    /// with the response type `id_token`). There is no token for an API and no session, nothing is stored, and the token
    /// endpoint is not called.
    ///
    /// Web servers usually ask for the response mode `form_post`, with ``beginIdentifying(_:redirectURI:)``.
    ///
    /// - Parameters:
    ///   - options: what this should be like; the response type and what is about storing say nothing here.
    ///   - userAgent: how the page is shown.
    /// - Throws: ``/TernProtocol/TernError``: `idTokenRejected`; otherwise what ``signIn(_:with:)`` throws, but
    ///   `loginInProgress`: it does not stand in the way of sign-ins.
    public func identify(
        _ options: SignInOptions = SignInOptions(), with userAgent: any UserAgent
    ) async throws(TernError) -> IDToken {
        let visit = try await userAgent.prepare(for: configuration.redirectURI)
        do throws(TernError) {
            let signIn = try await beginIdentifying(options, redirectURI: visit.redirectURI)
            let callback = try await callback(of: signIn, visit)
            await visit.dismiss()
            return try await finishIdentifying(signIn, callback: callback, delivery: visit.delivery)
        } catch {
            await visit.dismiss()
            throw error
        }
    }

    /// The first half of ``identify(_:with:)``. The store does not keep what it returns: keep it yourself, and use it once.
    ///
    /// - Throws: what ``begin(_:redirectURI:)`` throws.
    public func beginIdentifying(
        _ options: SignInOptions = SignInOptions(), redirectURI: RedirectURI? = nil
    ) async throws(TernError) -> SignIn {
        guard oauth1 == nil else {
            throw TernError(.unsupported("ID tokens: it speaks OAuth 1.0a"), at: .configuration)
        }
        try configuration.profile?.forbid("ID tokens through the browser")
        var options = options
        options.responseType = .idToken
        options.exposesTokens = true
        options.keepsPending = false
        return try await begin(options, redirectURI: redirectURI)
    }

    /// The second half of ``identify(_:with:)``.
    ///
    /// - Parameters:
    ///   - signIn: what ``beginIdentifying(_:redirectURI:)`` returned.
    ///   - callback: the address that arrived; of a form that was posted, what
    ///     ``/TernProtocol/RedirectURI/callback(posting:)`` makes of it.
    ///   - delivery: how it reached the application.
    /// - Throws: ``/TernProtocol/TernError``: what ``finish(_:callback:delivery:)`` throws about callbacks and ID tokens;
    ///   `invalidConfiguration` for another kind of sign-in.
    public func finishIdentifying(
        _ signIn: SignIn, callback: URI, delivery: CallbackDelivery = .open
    ) async throws(TernError) -> IDToken {
        guard signIn.responseType == .idToken,
            case .tokens(let response) = try await answer(to: signIn, callback, delivery),
            let idToken = try await checkedIDToken(in: response, of: signIn)
        else {
            throw TernError(
                .invalidConfiguration(
                    field: "response_type", problem: "it brings more than an ID token: finish takes it"),
                at: .authorizationResponse)
        }
        return idToken
    }
}
