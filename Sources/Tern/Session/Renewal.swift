internal import TernCrypto
internal import TernProtocol

/// One renewal of a grant: lock, look again, ask, check, store.
struct Renewal: Sendable {
    let client: OAuthClient
    let account: StoreKey

    /// A credential newer than the given one, stored already.
    func credential(insteadOf old: Credential) async throws(TernError) -> Credential {
        let store = client.environment.store
        return try await store.withExclusiveAccess(to: account) { () async throws(TernError) -> Credential in
            guard let stored = try await current() else { throw TernError(.signedOut, at: .refresh) }
            if stored.accessToken != old.accessToken, isFresh(stored) { return stored }
            let renewed: Credential
            do throws(TernError) {
                renewed = try await ask(with: stored)
            } catch {
                guard case .reauthenticationRequired = error.reason else { throw error }
                // A process that keeps no lock may have used the refresh token first: then its tokens are the good ones.
                guard let newer = try await current() else { throw TernError(.signedOut, at: .refresh) }
                guard newer.refreshToken != stored.refreshToken else { throw error }
                return newer
            }
            guard try await current() != nil else {
                await client.revokeQuietly(renewed)
                throw TernError(.signedOut, at: .refresh)
            }
            try await store.save(renewed.record, for: account)
            return renewed
        }
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
        let idToken = try await client.checkedIDToken(ofRefresh: tokens, old: stored)
        return stored.renewed(by: tokens, idToken: idToken, now: client.environment.clock.now)
    }
}
