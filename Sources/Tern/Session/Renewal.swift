internal import TernCrypto
internal import TernProtocol

/// One renewal of a grant: lock, look again, ask, check, store.
struct Renewal: Sendable {
    let client: OAuthClient
    let account: StoreKey
    /// What the store did not take at an earlier renewal of the same session.
    let unsaved: Locked<Unsaved?>

    /// A credential that could not be stored, and the refresh token that it replaced.
    struct Unsaved: Sendable {
        let replaced: RefreshToken?
        let credential: Credential
    }

    /// A credential newer than the given one, stored already, and whether it came of this renewal.
    func credential(insteadOf old: Credential) async throws(TernError) -> (credential: Credential, isOwn: Bool) {
        let store = client.environment.store
        return try await store.withExclusiveAccess(to: account) { () async throws(TernError) in
            var stored = try await current(of: old)
            if let waiting = unsaved.withLock({ $0 }), waiting.replaced == stored.refreshToken {
                try await save(waiting.credential, insteadOf: stored)
                if isFresh(waiting.credential) { return (waiting.credential, true) }
                stored = waiting.credential
            }
            if stored.accessToken != old.accessToken, isFresh(stored) { return (stored, false) }
            let renewed: Credential
            do throws(TernError) {
                renewed = try await ask(with: stored)
            } catch {
                guard case .reauthenticationRequired = error.reason else { throw error }
                // A process that keeps no lock may have used the refresh token first: then its tokens are the good ones.
                let newer = try await current(of: old)
                guard newer.refreshToken == stored.refreshToken else { return (newer, false) }
                // Nobody has to try the dead token again. Where this cannot be stored, somebody will, and learn the same.
                if stored.refreshToken != nil {
                    try? await store.save(stored.with(refreshToken: nil).record, for: account)
                }
                throw error
            }
            let now: Credential
            do throws(TernError) {
                now = try await current(of: old)
            } catch {
                if error.reason == .signedOut { await client.revokeQuietly(renewed) }
                throw error
            }
            guard now.refreshToken == stored.refreshToken else { return (now, false) }
            try await save(renewed, insteadOf: stored)
            return (renewed, true)
        }
    }

    /// Stores a credential. The server has exchanged the refresh token already: where the disk is full, the new one is
    /// kept for the next attempt, which would otherwise come with the old one and cost the grant.
    private func save(_ credential: Credential, insteadOf stored: Credential) async throws(TernError) {
        do throws(TernError) {
            try await client.environment.store.save(credential.record, for: account)
        } catch {
            unsaved.withLock { $0 = Unsaved(replaced: stored.refreshToken, credential: credential) }
            throw error
        }
        unsaved.withLock { $0 = nil }
    }

    /// What the store holds of the same user; somebody else's sign-in under the same name means that this one is over.
    private func current(of old: Credential) async throws(TernError) -> Credential {
        guard let credential = try await current(), credential.subject == old.subject else {
            throw TernError(.signedOut, at: .refresh)
        }
        return credential
    }

    private func current() async throws(TernError) -> Credential? {
        guard let record = try await client.environment.store.load(account) else { return nil }
        return try Credential(record)
    }

    private func isFresh(_ credential: Credential) -> Bool {
        credential.isFresh(
            at: client.environment.clock.now, window: client.configuration.refreshWindow,
            unknownLifetime: client.configuration.unknownLifetime)
    }

    private func ask(with stored: Credential) async throws(TernError) -> Credential {
        guard let refreshToken = stored.refreshToken else {
            throw TernError(.reauthenticationRequired(nil), at: .refresh)
        }
        let metadata = try await client.directory.metadata()
        var grant = RefreshTokenGrant(
            endpoint: try metadata.address(of: .token, for: .refresh), refreshToken: refreshToken)
        grant.additionalParameters = client.configuration.additionalTokenParameters
        grant.format = client.configuration.tokenAnswerFormat
        let tokens = try await client.caller.perform(authenticated: grant)
        let idToken: IDToken?
        do throws(TernError) {
            idToken = try await client.checkedIDToken(ofRefresh: tokens, old: stored)
        } catch {
            if error.isPassing { try? await keep(tokens.refreshToken, insteadOf: stored) }
            throw error
        }
        return stored.renewed(by: tokens, idToken: idToken, now: client.environment.clock.now)
    }

    /// The keys could not be had just now. The server has exchanged the refresh token all the same, and whoever came
    /// again with the old one would look like a thief and lose the grant; what was not checked is not used.
    private func keep(_ refreshToken: RefreshToken?, insteadOf stored: Credential) async throws(TernError) {
        guard let refreshToken, refreshToken != stored.refreshToken else { return }
        guard try await current(of: stored).refreshToken == stored.refreshToken else { return }
        try await client.environment.store.save(stored.with(refreshToken: refreshToken).record, for: account)
    }
}
