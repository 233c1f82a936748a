internal import TernCrypto
internal import TernOAuth1
public import TernProtocol

extension Session: RequestAuthorizer {
    /// The request with an access token on it that is good for use, renewed where that is needed (RFC 6750 §2.1), or signed
    /// with the token where the account is one of OAuth 1.0a (RFC 5849 §3).
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; `invalidConfiguration` for
    ///   an address with a user name in it; what ``accessToken()`` throws; what ``OAuth1Authorizer/authorize(_:)`` throws.
    public nonisolated func authorize(_ request: HTTPRequest) async throws(TernError) -> HTTPRequest {
        try request.url.checkForToken()
        if let oauth1 = client.oauth1 { return try await oauth1.authorizer(of: credential()).authorize(request) }
        let token = try await accessToken()
        return try authorized(request, token, binding.withLock { $0 })
    }

    nonisolated func authorized(
        _ request: HTTPRequest, _ token: AccessToken, _ binding: DPoPBinding?
    ) throws(TernError) -> HTTPRequest {
        var authorized = request
        if let prover = try client.prover(of: binding) {
            try prover.prove(&authorized, to: .resourceServer, accessToken: token)
        } else {
            client.configuration.quirks.api.authorize(&authorized, with: token.exposedText)
        }
        return authorized
    }

    /// What to do with an answer: where it refuses the token, the request is sent once more with another one. A token that
    /// somebody else has got meanwhile is taken; otherwise it is refreshed; where the grant is dead too and ``interaction``
    /// allows it, the page is shown. It is shown as well, once, to an API that wants a stronger or newer login or more scope.
    public nonisolated func decision(
        on response: HTTPResponse, to request: HTTPRequest, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision {
        do throws(TernError) {
            if try !wantsAnotherProof(response, request, attempt, binding.withLock({ $0 })) {
                guard attempt <= 1, try await isWorthAnotherTry(response, request) else { return .handOver }
            }
            return bodyCanBeReplayed ? .sendAgain : .fail(TernError(.bodyNotReplayable, at: .resourceRequest))
        } catch {
            return .fail(error)
        }
    }

    /// Whether only the API's nonce was missing in the proof. It may ask for it once more when the token was renewed since.
    nonisolated func wantsAnotherProof(
        _ response: HTTPResponse, _ request: HTTPRequest, _ attempt: Int, _ binding: DPoPBinding?
    ) throws(TernError) -> Bool {
        guard request.fields["DPoP"] != nil, let prover = try client.prover(of: binding) else { return false }
        return prover.note(response, to: request, from: .resourceServer) && attempt <= 2
    }

    private nonisolated func isWorthAnotherTry(
        _ response: HTTPResponse, _ request: HTTPRequest
    ) async throws(TernError) -> Bool {
        if let oauth1 = client.oauth1 {
            guard OAuth1Authorizer.refusals.contains(response.status) else { return false }
            let used = try await credential()
            let authorizer = oauth1.authorizer(of: used)
            // Somebody has signed in anew since the request was signed.
            if let signed = try? OAuth1SignedRequest(reading: request), signed.token != used.accessToken {
                return response.status == 401
            }
            if authorizer.hasCorrectedClock(after: response, to: request) { return true }
            return authorizer.isTokenRefused(by: response) ? try await newSignIn(insteadOf: used) != nil : false
        }
        guard let used = token(on: request) else { return false }
        guard response.refusesToken else { return try await meets(response, refused: used) }
        return try await replacement(of: used) != nil
    }

    /// Another access token for one that was refused; `nil` where there is no way to get one.
    func replacement(of refused: AccessToken) async throws(TernError) -> AccessToken? {
        let current = try credential()
        // Somebody else may have renewed the token since: then that one is tried first, unless it is over as well.
        if current.accessToken != refused { return try await accessToken() }
        guard current.isRenewable else { return try await newSignIn(insteadOf: current)?.accessToken }
        do throws(TernError) {
            return try await refreshed(insteadOf: current).accessToken
        } catch {
            guard case .reauthenticationRequired = error.reason else { throw error }
            return try await signInAgain(because: error).accessToken
        }
    }

    /// A sign-in in the place of a refused token that cannot be renewed: one that has happened meanwhile, or a new one;
    /// `nil` where the page may not be shown.
    private func newSignIn(insteadOf refused: Credential) async throws(TernError) -> Credential? {
        if let newer = await newerSignIn(than: refused) {
            adopt(newer)
            return newer
        }
        // An API that refuses the new token as well would have the page shown again by each request.
        guard case .allowed = interaction, !Interaction.isForbidden, refused.accessToken != tokenAfterRefusal else {
            return nil
        }
        let credential = try await signInAgain(
            because: TernError(.reauthenticationRequired(nil), at: .resourceRequest), insteadOf: refused)
        tokenAfterRefusal = credential.accessToken
        return credential
    }

    /// The access token on a request that was authorised here.
    nonisolated func token(on request: HTTPRequest) -> AccessToken? {
        if let value = request.fields["Authorization"], value.hasPrefix(DPoPProver.scheme) {
            return AccessToken(String(value.dropFirst(DPoPProver.scheme.count)))
        }
        return client.configuration.quirks.api.token(on: request).map { AccessToken($0) }
    }
}

extension URI {
    /// - Throws: `insecureEndpoint` and `invalidConfiguration` for an address to which no token may go.
    func checkForToken() throws(TernError) {
        guard isSecure || isLoopback && normalizedScheme == "http" else {
            throw TernError(.insecureEndpoint(field: "url"), at: .resourceRequest)
        }
        // Programs read what stands before an @ in different ways, and some then call another host.
        guard !hasUserInformation else {
            throw TernError(
                .invalidConfiguration(field: "url", problem: "it has a user name before the host"),
                at: .resourceRequest)
        }
    }
}
