internal import TernProtocol

extension OAuthClient {
    /// What proves the key of a binding; `nil` without one.
    func prover(of binding: DPoPBinding?) throws(TernError) -> DPoPProver? {
        guard let binding else { return nil }
        return DPoPProver(
            key: try binding.key(configuration.dpop), nonces: proofNonces, clock: serverClock,
            random: environment.random)
    }

    /// Asks for tokens that are bound to a key, where there is one.
    func tokens<Grant: Exchange>(
        of grant: Grant, at metadata: ServerMetadata, boundTo binding: DPoPBinding?
    ) async throws(TernError) -> TokenResponse where Grant.Answer == TokenResponse {
        let tokens = try await caller.perform(
            authenticated: grant, at: metadata, proving: try prover(of: binding))
        try checkBinding(of: tokens, to: binding, at: grant.step)
        return tokens
    }

    /// - Throws: `tokenNotBound` for a bearer token in answer to a proof, unless that is allowed; `unsupportedTokenType` for a
    ///   bound token where no key was shown.
    func checkBinding(of tokens: TokenResponse, to binding: DPoPBinding?, at step: Step) throws(TernError) {
        switch (tokens.tokenType, binding) {
        case (.bearer, nil), (.dpop, _?): return
        case (.dpop, nil): throw TernError(.unsupportedTokenType(tokens.tokenType.rawValue), at: step)
        case (.bearer, _?):
            guard configuration.dpop?.acceptsBearerTokens == true else { throw TernError(.tokenNotBound, at: step) }
        }
    }
}
