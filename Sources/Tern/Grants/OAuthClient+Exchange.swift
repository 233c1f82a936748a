public import TernProtocol

extension OAuthClient {
    /// Exchanges one token for another one (RFC 8693): for a service behind this one, to act as somebody, or on somebody's
    /// behalf. Nothing is stored.
    ///
    /// - Parameters:
    ///   - subject: whose rights are wanted.
    ///   - actor: who acts, where it is not the subject (delegation).
    ///   - change: sets what else is asked for: the kind of token, audiences, resources, scope.
    /// - Throws: ``/TernProtocol/TernError``: `serverError`, for example `invalid_target`; the network's trouble; what is
    ///   wrong with the answer.
    public func exchangeToken(
        _ subject: TypedToken, actor: TypedToken? = nil, _ change: (inout TokenExchangeGrant) -> Void = { _ in }
    ) async throws(TernError) -> ExchangedToken {
        guard oauth1 == nil else {
            throw TernError(.unsupported("token exchange: it speaks OAuth 1.0a"), at: .tokenRequest)
        }
        let metadata = try await directory.metadata()
        var grant = TokenExchangeGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest), subject: subject, actor: actor)
        grant.additionalParameters = configuration.additionalTokenParameters
        grant.format = configuration.tokenAnswerFormat
        change(&grant)
        return try await caller.perform(authenticated: grant, at: metadata)
    }
}
