public import TernProtocol

extension Session {
    /// Signs the user in again with what an API wants beyond the token that it was called with: a stronger or newer login
    /// (RFC 9470), or more scope. It has to be the same user; what was granted before is asked for again, so that nothing is
    /// lost.
    ///
    /// A session that may show the page by itself (``setInteraction(_:)``) does this without being asked, once for each
    /// call, as far as the scope is one that the configuration names. Other applications do it when they see the challenge:
    ///
    /// ```swift
    /// let response = try await session.send(request)
    /// if let challenge = StepUpChallenge(response) {
    ///     try await session.signIn(meeting: challenge, with: userAgent)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - challenge: what is wanted, read from an answer or made by the application.
    ///   - options: what else the sign-in should be like.
    ///   - userAgent: how the page is shown.
    /// - Throws: ``/TernProtocol/TernError``: `idTokenRejected` with `authenticationContextMismatch`,
    ///   `authenticationTooOld` or `subjectMismatch` where the server did something else; what ``OAuthClient/signIn(_:with:)`` throws. The session
    ///   goes on with the old token then.
    public func signIn(
        meeting challenge: StepUpChallenge, _ options: SignInOptions = SignInOptions(), with userAgent: any UserAgent
    ) async throws(TernError) {
        try await stepUp(challenge, options, userAgent)
    }

    /// Meets what an API wants of the login, where the page may be shown; `false` where it may not, where the API wants
    /// nothing of the kind, and where a sign-in has just been made for that very challenge.
    func meets(_ response: HTTPResponse, refused token: AccessToken) async throws(TernError) -> Bool {
        guard let challenge = StepUpChallenge(response) else { return false }
        let current = try credential()
        // Somebody has signed in since the call was made: the next answer tells whether that is enough.
        if current.accessToken != token { return true }
        guard case .allowed(let userAgent, let options) = interaction, !Interaction.isForbidden else { return false }
        let configuration = client.configuration
        let known = configuration.scope.values + configuration.incrementalScope.values + current.scope.values
        guard challenge.scope.values.allSatisfy(known.contains) else { return false }
        if let last = lastStepUp, last.challenge == challenge, last.token == token {
            let rest = challenge.maxAge.map { max($0, Self.shortestRest) }
            guard let rest, client.environment.clock.now >= last.date + rest else { return false }
        }
        // Whoever joins a sign-in that runs gets what that one was for; the next answer tells whether it is enough.
        _ = try await signingIn.value(at: .userAgent) { [self] () async throws(TernError) in
            try await stepUp(challenge, options, userAgent, insteadOf: token)
        }
        return true
    }

    /// A sign-in, unless one has ended on the way here.
    private func stepUp(
        _ challenge: StepUpChallenge, _ options: SignInOptions, _ userAgent: any UserAgent,
        insteadOf refused: AccessToken
    ) async throws(TernError) -> Credential {
        let current = try credential()
        if current.accessToken != refused { return current }
        return try await stepUp(challenge, options, userAgent)
    }

    /// How long an API that wants a login of this very moment, and is not content with it, shows no further page.
    private static let shortestRest = Duration.seconds(10)

    @discardableResult
    private func stepUp(
        _ challenge: StepUpChallenge, _ options: SignInOptions, _ userAgent: any UserAgent
    ) async throws(TernError) -> Credential {
        let old = try credential()
        var new = try await prompt(userAgent, options.meeting(challenge, old, client.configuration))
        // Some servers issue a refresh token only with a consent that was asked for. The session must not end with the new
        // access token for that.
        if new.refreshToken == nil, let kept = old.refreshToken, let subject = new.subject, subject == old.subject {
            let whole = new.with(refreshToken: kept)
            if try await client.environment.store.replace(new.record, with: whole.record, for: account) { new = whole }
            if case .signedIn(let current) = state, current.accessToken == new.accessToken { state = .signedIn(new) }
        }
        lastStepUp = StepUp(challenge: challenge, token: new.accessToken, date: client.environment.clock.now)
        return new
    }

    /// What a sign-in was made for, and the token that it brought.
    struct StepUp {
        let challenge: StepUpChallenge
        let token: AccessToken
        let date: NumericDate
    }
}

extension SignInOptions {
    /// The options of a sign-in that brings what is wanted beside what is there.
    fileprivate func meeting(
        _ challenge: StepUpChallenge, _ current: Credential, _ configuration: ClientConfiguration
    ) -> SignInOptions {
        var options = self
        if !challenge.acrValues.isEmpty { options.acrValues = challenge.acrValues }
        options.maxAge = challenge.maxAge ?? maxAge
        var seen: Set<String> = []
        options.scope = Scope(
            ((scope ?? configuration.scope).values + current.scope.values + challenge.scope.values)
                .filter { seen.insert($0).inserted })
        if resources.isEmpty { options.resources = current.resources }
        if authorizationDetails.isEmpty { options.authorizationDetails = current.authorizationDetails }
        return options
    }
}
