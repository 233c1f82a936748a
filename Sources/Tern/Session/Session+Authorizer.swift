internal import TernCrypto
public import TernProtocol

extension Session: RequestAuthorizer {
    /// The field `Authorization` with an access token that is good for use, renewed where that is needed (RFC 6750 §2.1).
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; `invalidConfiguration` for
    ///   an address with a user name in it; what ``accessToken()`` throws.
    public nonisolated func authorization(for url: URI) async throws(TernError) -> HTTPFields {
        guard url.isSecure || url.isLoopback && url.normalizedScheme == "http" else {
            throw TernError(.insecureEndpoint(field: "url"), at: .resourceRequest)
        }
        // Programs read what stands before an @ in different ways, and some then call another host.
        guard !url.hasUserInformation else {
            throw TernError(
                .invalidConfiguration(field: "url", problem: "it has a user name before the host"),
                at: .resourceRequest)
        }
        return Self.fields(with: try await accessToken())
    }

    /// What to do with an answer: where it refuses the token, the request is sent once more with another one. A token that
    /// somebody else has got meanwhile is taken; otherwise it is refreshed; where the grant is dead too and ``interaction``
    /// allows it, the page is shown.
    public nonisolated func decision(
        on response: HTTPResponse, sent authorization: HTTPFields, attempt: Int, bodyCanBeReplayed: Bool
    ) async -> RetryDecision {
        guard attempt <= 1, response.refusesToken, let used = Self.token(in: authorization) else { return .handOver }
        do throws(TernError) {
            guard let token = try await replacement(of: used) else { return .handOver }
            guard bodyCanBeReplayed else { return .fail(TernError(.bodyNotReplayable, at: .resourceRequest)) }
            return .sendAgain(with: Self.fields(with: token))
        } catch {
            return .fail(error)
        }
    }

    /// Another access token for one that was refused; `nil` where there is no way to get one.
    func replacement(of refused: AccessToken) async throws(TernError) -> AccessToken? {
        let current = try credential()
        // Somebody else may have renewed the token since: then that one is tried first, unless it is over as well.
        if current.accessToken != refused { return try await accessToken() }
        guard current.refreshToken != nil else { return try await newSignIn(insteadOf: current)?.accessToken }
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

    private static let scheme = "Bearer "

    private static func fields(with token: AccessToken) -> HTTPFields {
        ["Authorization": scheme + token.exposedText]
    }

    private static func token(in fields: HTTPFields) -> AccessToken? {
        guard let value = fields["Authorization"], value.hasPrefix(scheme) else { return nil }
        return AccessToken(String(value.dropFirst(scheme.count)))
    }
}
