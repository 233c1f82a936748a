internal import TernCrypto
internal import TernProtocol

/// One attempt to renew a grant: lock, look again, ask, check, store.
struct Renewal: Sendable {
    let client: OAuthClient
    let account: StoreKey
    /// What the store did not take at an earlier renewal of the same session.
    let unsaved: Locked<Unsaved?>
    /// Makes assertions, for a credential that is renewed with them.
    let assertions: AssertionIssuer?

    /// A credential that could not be stored, and the one that it replaced.
    struct Unsaved: Sendable {
        let replaced: Credential
        let credential: Credential

        /// Whether a credential is the replaced one still; where there is no refresh token, the access token says so.
        func replaces(_ other: Credential) -> Bool {
            replaced.refreshToken == other.refreshToken
                && (other.refreshToken != nil || replaced.accessToken == other.accessToken)
        }
    }

    /// A record with what it says: it is replaced only while it is still there, octet for octet.
    private struct Held {
        let record: StoredRecord
        let credential: Credential
    }

    /// A credential newer than the given one, stored already, and whether it came of this renewal.
    func credential(insteadOf old: Credential) async throws(TernError) -> (credential: Credential, isOwn: Bool) {
        try await client.environment.store.withExclusiveAccess(to: account) { () async throws(TernError) in
            var held = try await current(of: old)
            if let waiting = unsaved.withLock({ $0 }), waiting.replaces(held.credential) {
                guard let saved = try await save(waiting.credential, insteadOf: held) else {
                    return (try await current(of: old).credential, false)
                }
                if client.isFresh(saved.credential) { return (saved.credential, true) }
                held = saved
            }
            if held.credential.accessToken != old.accessToken, client.isFresh(held.credential) {
                return (held.credential, false)
            }
            let renewed: Credential
            do throws(TernError) {
                renewed = try await ask(with: &held)
            } catch {
                guard case .reauthenticationRequired = error.reason else { throw error }
                if let newer = try await newer(than: held, of: old) { return (newer.credential, false) }
                throw error
            }
            if try await save(renewed, insteadOf: held) != nil { return (renewed, true) }
            // Somebody signed out, or in, while the server answered: their word counts.
            do throws(TernError) {
                return (try await current(of: old).credential, false)
            } catch {
                if error.reason == .signedOut { _ = await client.revoke(renewed) }
                throw error
            }
        }
    }

    /// A second look at the store after the server has called a grant dead: a process that keeps no lock may have used the
    /// refresh token first, and then its tokens are the good ones. `nil` when the grant is dead indeed; nobody has to try
    /// its token again. Where that cannot be stored, somebody will, and learn the same.
    private func newer(than held: Held, of old: Credential) async throws(TernError) -> Held? {
        let newer = try await current(of: old)
        guard newer.credential.refreshToken == held.credential.refreshToken else { return newer }
        if held.credential.refreshToken != nil {
            _ = try? await replace(newer, with: held.credential.with(refreshToken: nil))
        }
        return nil
    }

    /// Stores a credential; `nil` when the record has changed meanwhile. The server has exchanged the refresh token already:
    /// where the disk is full, the new one is kept for the next attempt, which would otherwise come with the old one and
    /// cost the grant.
    private func save(_ credential: Credential, insteadOf held: Held) async throws(TernError) -> Held? {
        do throws(TernError) {
            let saved = try await replace(held, with: credential)
            unsaved.withLock { $0 = nil }
            return saved
        } catch {
            unsaved.withLock { $0 = Unsaved(replaced: held.credential, credential: credential) }
            throw error
        }
    }

    private func replace(_ held: Held, with credential: Credential) async throws(TernError) -> Held? {
        let record = credential.record
        let isSaved = try await client.environment.store.replace(held.record, with: record, for: account)
        return isSaved ? Held(record: record, credential: credential) : nil
    }

    /// What the store holds of the same user; somebody else's sign-in under the same name means that this one is over.
    private func current(of old: Credential) async throws(TernError) -> Held {
        guard let record = try await client.environment.store.load(account) else {
            throw TernError(.signedOut, at: .refresh)
        }
        let credential = try Credential(record)
        guard credential.isOfSameUser(as: old) else { throw TernError(.signedOut, at: .refresh) }
        return Held(record: record, credential: credential)
    }

    /// Asks the server. What is held is another record afterwards where the new refresh token was stored ahead.
    private func ask(with held: inout Held) async throws(TernError) -> Credential {
        let method = held.credential.renewalMethod
        guard method == .refreshToken else {
            return try await client.serviceCredential(
                method, issuer: assertions, boundTo: held.credential.dpop, step: .refresh)
        }
        guard let refreshToken = held.credential.refreshToken else {
            throw TernError(.reauthenticationRequired(nil), at: .refresh)
        }
        let binding = held.credential.dpop
        let tokens = try await tokens(for: refreshToken, of: held.credential, held.credential.resources)
        let before = held
        // The keys have to be fetched first, which takes time; the new refresh token must not die with the process.
        if tokens.idToken != nil, !client.directory.hasKeys { try? await keep(tokens.refreshToken, in: &held) }
        let idToken: IDToken?
        do throws(TernError) {
            try client.checkBinding(of: tokens, to: binding, at: .refresh)
            idToken = try await client.checkedIDToken(ofRefresh: tokens, old: held.credential)
        } catch {
            // The server has exchanged the refresh token, and whoever came again with the old one would look like a thief
            // and lose the grant. What was not checked is not used; an answer for somebody else is refused whole.
            if !error.namesAnotherSignIn {
                try? await keep(tokens.refreshToken, in: &held)
            } else if held.record != before.record {
                _ = try? await replace(held, with: before.credential)
            }
            throw error
        }
        return held.credential.renewed(by: tokens, idToken: idToken, clock: client.serverClock)
    }

    private func tokens(
        for refreshToken: RefreshToken, of credential: Credential, _ resources: [URI], scope: Scope? = nil
    ) async throws(TernError) -> TokenResponse {
        let metadata = try await client.directory.metadata()
        var grant = RefreshTokenGrant(
            endpoint: try metadata.address(of: .token, for: .refresh), refreshToken: refreshToken)
        grant.scope = scope
        grant.resources = resources
        grant.additionalParameters = client.configuration.additionalTokenParameters
        grant.format = client.configuration.tokenAnswerFormat
        let tokens = try await client.caller.perform(
            authenticated: grant, at: metadata, proving: try client.prover(of: credential.dpop))
        client.serverClock.note(tokens.serverTime)
        return tokens
    }

    /// A credential for some of the APIs alone, which is not stored. A new refresh token that comes with it is, before
    /// anybody sees the access token.
    func credential(
        of old: Credential, for resources: [URI], scope: Scope?
    ) async throws(TernError) -> Credential {
        try await client.environment.store.withExclusiveAccess(to: account) { () async throws(TernError) in
            var held = try await current(of: old)
            if let waiting = unsaved.withLock({ $0 }), waiting.replaces(held.credential) {
                let saved = try await save(waiting.credential, insteadOf: held)
                held = if let saved { saved } else { try await current(of: old) }
            }
            do throws(TernError) {
                return try await narrow(held, of: old, resources, scope)
            } catch {
                guard case .reauthenticationRequired = error.reason, let newer = try await newer(than: held, of: old)
                else { throw error }
                return try await narrow(newer, of: old, resources, scope)
            }
        }
    }

    private func narrow(
        _ held: Held, of old: Credential, _ resources: [URI], _ scope: Scope?
    ) async throws(TernError) -> Credential {
        guard held.credential.renewalMethod == .refreshToken, let refreshToken = held.credential.refreshToken else {
            throw TernError(.unsupported("tokens for one API: there is no refresh token"), at: .refresh)
        }
        let tokens = try await tokens(for: refreshToken, of: held.credential, resources, scope: scope)
        var narrow = held.credential.renewed(by: tokens, idToken: nil, clock: client.serverClock)
        narrow.resources = resources
        if let new = tokens.refreshToken, new != refreshToken,
            try await save(held.credential.with(refreshToken: new), insteadOf: held) == nil
        {
            // Somebody signed out, or in, while the server answered: their word counts.
            do throws(TernError) { _ = try await current(of: old) } catch {
                if error.reason == .signedOut { _ = await client.revoke(narrow) }
                throw error
            }
        }
        try client.checkBinding(of: tokens, to: held.credential.dpop, at: .refresh)
        return narrow
    }

    /// Stores a new refresh token beside the old access token.
    private func keep(_ refreshToken: RefreshToken?, in held: inout Held) async throws(TernError) {
        guard let refreshToken, refreshToken != held.credential.refreshToken else { return }
        if let saved = try await replace(held, with: held.credential.with(refreshToken: refreshToken)) { held = saved }
    }
}

extension Credential {
    /// Whether both are sign-ins of one user, as far as the server names users.
    func isOfSameUser(as other: Credential) -> Bool {
        guard renewalMethod == other.renewalMethod else { return false }
        return switch (subject, other.subject) {
        case (let one?, let other?): one.hasSameOctets(as: other)
        case (nil, nil): true
        default: false
        }
    }
}

extension TernError {
    /// Whether an ID token of a refresh was made out to another user, client or sign-in, or by another issuer.
    fileprivate var namesAnotherSignIn: Bool {
        guard case .idTokenRejected(let rejection) = reason else { return false }
        switch rejection {
        case .issuerMismatch, .subjectMismatch, .audienceMismatch, .authorizedPartyMismatch, .nonceMismatch,
            .accessTokenHashMismatch:
            return true
        default: return false
        }
    }
}
