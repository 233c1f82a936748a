public import TernProtocol

extension OAuthClient {
    /// Finishes a sign-in with the response mode `form_post`: for web servers to whose redirect URI the browser has posted a
    /// form (OAuth 2.0 Form Post Response Mode).
    ///
    /// The form comes from the authorization server's page, so a browser sends only those cookies along that are marked
    /// `SameSite=None`: the one by which the server finds the ``SignIn`` must be such a one.
    ///
    /// - Parameters:
    ///   - signIn: the sign-in.
    ///   - form: the form, read with `FormParameters(decoding:)` from a body of the type
    ///     `application/x-www-form-urlencoded`.
    /// - Throws: what ``finish(_:callback:delivery:)`` throws.
    @discardableResult
    public func finish(_ signIn: SignIn, form: FormParameters) async throws(TernError) -> Credential {
        guard let callback = signIn.redirectURI.callback(posting: form) else {
            throw TernError(.malformedCallback("the form is too large"), at: .authorizationResponse)
        }
        return try await finish(signIn, callback: callback)
    }
}
