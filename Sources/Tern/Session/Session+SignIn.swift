internal import TernCrypto
internal import TernProtocol

extension Session {
    /// Waits for a sign-in to this account: for the one that runs, or for one that is begun here, where that is allowed.
    /// Everybody who waits gets its outcome.
    ///
    /// - Parameter refused: a credential that looks good and which an API has refused.
    func signInAgain(
        because error: TernError, insteadOf refused: Credential? = nil
    ) async throws(TernError) -> Credential {
        let running = client.gate.running(account)
        var interaction = interaction
        var refusal = error
        if case .allowed = interaction, Interaction.isForbidden {
            interaction = .forbidden
            refusal = TernError(.interactionForbidden, at: .refresh)
        }
        if case .forbidden = interaction, running == nil, !signingIn.isRunning {
            // One may have ended since the session looked.
            guard let newer = try await signInSince(refused) else { throw refusal }
            return newer
        }
        return try await signingIn.value(at: .userAgent) { [self, interaction, refusal] () async throws(TernError) in
            if let running {
                // Its failure was told to whoever began it; here it means that the sign-in is still missing.
                _ = await running.value
            }
            if let newer = try await signInSince(refused) { return newer }
            guard case .allowed(let userAgent, let options) = interaction else { throw refusal }
            return try await prompt(userAgent, options)
        }
    }

    /// The credential of a sign-in that has ended since this session looked.
    ///
    /// - Throws: trouble of the network or the store, which is no reason to bother the user.
    private func signInSince(_ refused: Credential?) async throws(TernError) -> Credential? {
        if let refused, let newer = await newerSignIn(than: refused) { adopt(newer) }
        do throws(TernError) {
            let credential = try await freshCredential()
            return credential.accessToken == refused?.accessToken ? nil : credential
        } catch {
            guard case .reauthenticationRequired = error.reason else { throw error }
            return nil
        }
    }

    func prompt(_ userAgent: any UserAgent, _ options: SignInOptions) async throws(TernError) -> Credential {
        let old = try credential()
        var options = options
        options.account = account
        options.expectedSubject = options.expectedSubject ?? old.subject
        options.idTokenHint = options.idTokenHint ?? old.idToken
        let new = try await client.signIn(options, with: userAgent).credential()
        guard case .signedOut = state else {
            adopt(new)
            return new
        }
        // The user signed out while the page was shown, and then came back from it. Where the record stays, its tokens are
        // ended all the same.
        var failure = TernError(.signedOut, at: .userAgent)
        do throws(TernError) { try await client.environment.store.delete(account) } catch { failure = error }
        _ = await client.revoke(new)
        throw failure
    }
}
