internal import TernCrypto
internal import TernJOSE
public import TernProtocol

/// A signed-in account: it keeps the access token fresh, sends authorised requests, and signs out.
///
/// What it promises:
/// 1. At most one refresh per grant at a time, in this process and across processes: the store's lock is taken and the
///    record read again before the server is asked, and a newer token found there is used instead.
/// 2. A rotated refresh token is stored before anybody sees the new access token.
/// 3. Only the grant's death, confirmed by a second look at the store, ends the session.
/// 4. An answer that arrives after the sign-out is thrown away.
/// 5. Every change is announced, after it was stored.
/// 6. A 401 that speaks of the token leads to one refresh and one repeat; a 403 never leads to a refresh.
/// 7. A token goes to the origin that the request names and nowhere else, and never to plain http beyond loopback.
public actor Session {
    /// Under which name the credential is stored.
    public nonisolated let account: StoreKey
    /// The client that the tokens were issued to.
    public nonisolated let client: OAuthClient
    /// Whether the sign-in page may be shown when the grant is dead; ``setInteraction(_:)`` changes it.
    public private(set) var interaction = Interaction.forbidden
    var state: State {
        didSet {
            overdue.withLock { $0 = nil }
            binding.withLock { $0 = state.binding }
        }
    }
    /// The key that the access token is bound to, where it is, known to those who put the token onto requests.
    nonisolated let binding: Locked<DPoPBinding?>
    private let refreshing = SharedWork<AccessToken>()
    let signingIn = SharedWork<Credential>()
    /// What the last sign-in brought that was made because an API had refused a token.
    var tokenAfterRefusal: AccessToken?
    /// What was got for some of the APIs alone. It lives as long as the process.
    private var narrow: [ResourceAccess.Extent: Credential] = [:]
    private var narrowing: [ResourceAccess.Extent: SharedWork<Credential>] = [:]
    /// The last sign-in that was made because an API wanted more of the login.
    var lastStepUp: StepUp?
    /// Makes assertions, for a credential that is renewed with them.
    private let assertions: AssertionIssuer?
    private nonisolated let announcements = Announcements<SessionEvent>()
    private let unsaved = Locked<Renewal.Unsaved?>(nil)
    private var pause: Pause? { didSet { overdue.withLock { $0 = nil } } }
    /// What is being renewed because it is over, as long as nothing else is known of it: who asks meanwhile waits for the
    /// same renewal, and need not line up for the actor first.
    private nonisolated let overdue = Locked<Overdue?>(nil)
    /// How many renewals have failed since the last one that did not.
    private(set) var failures = 0
    var background: Task<Void, Never>?

    enum State {
        case signedIn(Credential)
        case needsSignIn(Credential, TernError)
        case signedOut

        var binding: DPoPBinding? {
            switch self {
            case .signedIn(let credential), .needsSignIn(let credential, _):
                credential.tokenType == .dpop ? credential.dpop : nil
            case .signedOut: nil
            }
        }
    }

    private struct Overdue {
        let token: AccessToken
        /// Its own end, before which it still works.
        let end: NumericDate?
    }

    /// A time in which the server is left alone.
    private struct Pause {
        let end: NumericDate
        let error: TernError
        /// Whether the server asked for it. Otherwise it is kept only while the token is still good.
        let isWanted: Bool
    }

    init(_ credential: Credential, account: StoreKey, client: OAuthClient, assertions: AssertionIssuer? = nil) {
        state = .signedIn(credential)
        binding = Locked(State.signedIn(credential).binding)
        self.assertions = assertions
        self.account = account
        self.client = client
        client.serverClock.adopt(credential.clockOffset)
    }

    deinit { background?.cancel() }

    /// What happens to the session from now on. Events are delivered after the change was stored; a consumer that does
    /// not keep up loses the oldest beyond 64.
    public nonisolated func events() -> AsyncStream<SessionEvent> { announcements.stream() }

    /// Allows or forbids the session to show the sign-in page by itself. It is forbidden at first.
    public func setInteraction(_ interaction: Interaction) { self.interaction = interaction }

    /// The credential as it is, possibly with a token that has ended.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `signedOut`.
    public func credential() throws(TernError) -> Credential {
        switch state {
        case .signedIn(let credential), .needsSignIn(let credential, _): return credential
        case .signedOut: throw TernError(.signedOut, at: .storage)
        }
    }

    /// An access token that is good for use, renewed where that is needed. Where only a new sign-in helps and
    /// ``interaction`` allows it, the page is shown, once for all who wait.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `reauthenticationRequired` when only a new sign-in helps,
    ///   `interactionForbidden` when ``Interaction/forbidding(isolation:_:)`` forbade it, `transient` and `network` for
    ///   passing trouble that outlasted the ``ClientConfiguration/retryPolicy``, `signedOut`, `storeUnavailable`; what
    ///   ``OAuthClient/signIn(_:with:)`` throws.
    public nonisolated func accessToken() async throws(TernError) -> AccessToken {
        do throws(TernError) {
            return try await freshToken()
        } catch {
            guard case .reauthenticationRequired = error.reason else { throw error }
            return try await signInAgain(because: error).accessToken
        }
    }

    /// It waits outside of the actor, and holds no more than a token meanwhile: thousands who wait for one refresh need
    /// not line up again when it is done, and cost little.
    private nonisolated func freshToken() async throws(TernError) -> AccessToken {
        let known = overdue.withLock { $0 }.map(Outlook.over)
        let outlook = if let known { known } else { try await outlook() }
        switch outlook {
        case .good(let token): return token
        case .over(let old):
            do throws(TernError) {
                return try await renewed(insteadOf: old.token)
            } catch {
                // Tokens are renewed before they end; trouble in that time harms nobody yet.
                guard !error.endsTheWait, let end = old.end, client.serverClock.now < end else { throw error }
                return old.token
            }
        }
    }

    nonisolated func freshCredential() async throws(TernError) -> Credential {
        _ = try await freshToken()
        return try await credential()
    }

    private enum Outlook {
        case good(AccessToken)
        /// It can be renewed now.
        case over(Overdue)
    }

    private func outlook() async throws(TernError) -> Outlook {
        let credential = try await usable()
        if client.isFresh(credential) { return .good(credential.accessToken) }
        guard credential.isRenewable else {
            let error = TernError(.reauthenticationRequired(nil), at: .refresh)
            throw needSignIn(credential, error.with(Self.evidence(of: credential, at: client.environment.clock.now)))
        }
        let over = Outlook.over(Overdue(token: credential.accessToken, end: credential.expiration))
        guard let pause, client.environment.clock.now < pause.end else { return over }
        if isStillValid(credential) { return .good(credential.accessToken) }
        if pause.isWanted { throw pause.error }
        return over
    }

    /// The credential for some of the APIs alone; one that was refused is not given again.
    func credential(for extent: ResourceAccess.Extent, insteadOf refused: AccessToken?) async throws(TernError)
        -> Credential
    {
        let old = try await usable()
        if let known = narrow[extent], known.accessToken != refused, client.isFresh(known) { return known }
        if let pause, pause.isWanted, client.environment.clock.now < pause.end { throw pause.error }
        let work = narrowing[extent] ?? SharedWork()
        narrowing[extent] = work
        defer { if narrowing[extent] === work { narrowing[extent] = nil } }
        return try await work.value(at: .refresh) { [self] () async throws(TernError) in
            try await fetch(extent, old)
        }
    }

    private func fetch(_ extent: ResourceAccess.Extent, _ old: Credential) async throws(TernError) -> Credential {
        let renewal = Renewal(client: client, account: account, unsaved: unsaved, assertions: assertions)
        do throws(TernError) {
            let credential = try await renewal.credential(of: old, for: extent.resources, scope: extent.scope)
            // The user may have signed out while the answer was on its way.
            _ = try await usable()
            if narrow.count >= ResourceAccess.maximumCount { narrow = [:] }
            narrow[extent] = credential
            return credential
        } catch {
            switch error.reason {
            case .reauthenticationRequired: throw needSignIn(try credential(), error)
            case .signedOut: endBecauseOthersSignedOut()
            case .transient(_, _?): leaveAlone(because: error)
            default: break
            }
            throw error
        }
    }

    /// Renews the access token now, whether it has ended or not, and whether the server wants to be left alone or not.
    ///
    /// - Throws: what ``accessToken()`` throws; `unsupported` when there is no refresh token.
    public func refresh() async throws(TernError) {
        let credential = try await usable()
        guard credential.isRenewable else {
            throw TernError(.unsupported("a refresh: the server issued no refresh token"), at: .refresh)
        }
        _ = try await renewed(insteadOf: credential.accessToken)
    }

    /// The credential to work with. A session that needs a sign-in looks whether somebody has signed in meanwhile.
    private func usable() async throws(TernError) -> Credential {
        switch state {
        case .signedIn(let credential): return credential
        case .signedOut: throw TernError(.signedOut, at: .refresh)
        case .needsSignIn(let dead, let error):
            // Only the clock had said that the token is over, and it has been put right since.
            if error.reason == .reauthenticationRequired(nil), !dead.isRenewable, client.isFresh(dead) {
                state = .signedIn(dead)
                return dead
            }
            guard let newer = await newerSignIn(than: dead) else { throw error }
            adopt(newer)
            return newer
        }
    }

    /// What a sign-in by others has put into the store in the place of a dead credential.
    func newerSignIn(than dead: Credential) async -> Credential? {
        guard let record = try? await client.environment.store.load(account), let stored = try? Credential(record),
            stored.isOfSameUser(as: dead), stored.accessToken != dead.accessToken
        else { return nil }
        return stored
    }

    /// Goes on with the credential of a new sign-in.
    func adopt(_ credential: Credential) {
        if case .signedOut = state { return }
        if case .signedIn(let current) = state, current.accessToken == credential.accessToken { return }
        state = .signedIn(credential)
        pause = nil
        narrow = [:]
        announcements.announce(.signedIn)
    }

    /// A token newer than the given one: the current one where somebody has renewed it meanwhile, else the outcome of
    /// the one refresh that runs. The server is asked also while it wants to be left alone.
    private nonisolated func renewed(insteadOf old: AccessToken) async throws(TernError) -> AccessToken {
        try await refreshing.value(at: .refresh) { [self] () async throws(TernError) in try await renew(old) }
    }

    /// The same, but not while the server wants to be left alone.
    func refreshed(insteadOf old: Credential) async throws(TernError) -> Credential {
        let current = try await usable()
        if current.accessToken != old.accessToken { return current }
        if let pause, client.environment.clock.now < pause.end, pause.isWanted || isStillValid(old) {
            throw pause.error
        }
        _ = try await renewed(insteadOf: old.accessToken)
        return try credential()
    }

    private func isStillValid(_ credential: Credential) -> Bool {
        credential.expiration.map { client.serverClock.now < $0 } ?? false
    }

    /// Attempts until one succeeds or the policy says to stop. The lock is free between two attempts, so that another
    /// process may succeed in the meantime.
    private func renew(_ token: AccessToken) async throws(TernError) -> AccessToken {
        let old = try await usable()
        // The refresh of another caller may just have ended.
        if old.accessToken != token { return old.accessToken }
        if !client.isFresh(old), pause == nil {
            overdue.withLock { $0 = Overdue(token: old.accessToken, end: old.expiration) }
        }
        defer { overdue.withLock { $0 = nil } }
        let (clock, random) = (client.environment.clock, client.environment.random)
        let start = clock.now
        var attempts = 0
        while true {
            do throws(TernError) {
                let credential = try await attemptRenewal(of: old)
                (failures, pause) = (0, nil)
                return credential.accessToken
            } catch {
                attempts += 1
                failures += 1
                leaveAlone(because: error)
                // While the token is good nobody has to wait for the next attempt; the next caller makes it.
                guard !isStillValid(old), case .signedIn = state,
                    let pause = client.configuration.retryPolicy.pause(
                        after: attempts, error,
                        elapsed: .seconds(clock.now.secondsSince1970 - start.secondsSince1970), random: random)
                else { throw error }
                do { try await clock.sleep(for: pause) } catch { throw TernError(.cancelled, at: .refresh) }
            }
        }
    }

    private func leaveAlone(because error: TernError) {
        guard !error.endsTheWait else { return }
        let (now, policy) = (client.environment.clock.now, client.configuration.retryPolicy)
        if case .transient(_, let wait?) = error.reason {
            pause = Pause(end: now + wait, error: error, isWanted: true)
        } else if policy.maximumAttempts > 1 {
            let wait = policy.backOff(failures, random: client.environment.random)
            pause = Pause(end: now + wait, error: error, isWanted: false)
        }
    }

    private func attemptRenewal(of old: Credential) async throws(TernError) -> Credential {
        let renewal = Renewal(client: client, account: account, unsaved: unsaved, assertions: assertions)
        do throws(TernError) {
            let (credential, isOwn) = try await renewal.credential(insteadOf: old)
            guard case .signedOut = state else {
                state = .signedIn(credential)
                announce(.refreshed)
                return credential
            }
            // The user signed out while the answer was on its way: what arrived must not bring the session back.
            if isOwn {
                try await forget(credential)
                _ = await client.revoke(credential)
            }
            throw TernError(.signedOut, at: .refresh)
        } catch {
            switch error.reason {
            case .reauthenticationRequired:
                throw needSignIn(old, error.with(Self.evidence(of: old, at: client.environment.clock.now)))
            case .signedOut: endBecauseOthersSignedOut()
            default: break
            }
            throw error
        }
    }

    /// Takes a credential out of the store, unless another one has taken its place.
    private func forget(_ credential: Credential) async throws(TernError) {
        let store = client.environment.store
        guard let record = try await store.load(account), record == credential.record else { return }
        try await store.delete(account)
    }

    private func needSignIn(_ credential: Credential, _ error: TernError) -> TernError {
        guard case .signedIn = state else { return error }
        state = .needsSignIn(credential, error)
        announce(.signInNeeded(error))
        return error
    }

    private func endBecauseOthersSignedOut() {
        if case .signedOut = state { return }
        state = .signedOut
        announce(.signedOut)
    }

    private func announce(_ event: SessionEvent) {
        announcements.announce(event)
        client.announce(AccountEvent(account: account, event: event))
    }

    /// Ends the session here, whatever the server does: the local part always comes first. Whoever waits for a token gets
    /// `signedOut` at once. Somebody else's sign-in that has taken the account's place is left alone.
    ///
    /// - Returns: the credential that is over, as it was stored last.
    func endLocally() async throws(TernError) -> Credential? {
        switch state {
        case .signedIn(let credential), .needsSignIn(let credential, _): return try await end(credential)
        case .signedOut: return nil
        }
    }

    private func end(_ known: Credential) async throws(TernError) -> Credential {
        let before = state
        state = .signedOut
        let store = client.environment.store
        // Another process may have renewed the tokens since; a record that cannot be read is deleted all the same.
        let stored = try? await store.load(account).flatMap { try? Credential($0) }
        let isOthers = stored.map { !$0.isOfSameUser(as: known) } ?? false
        if !isOthers {
            do throws(TernError) {
                try await store.delete(account)
            } catch {
                // The record is still there, so the user is not signed out and can try again.
                state = before
                throw error
            }
        }
        refreshing.release(TernError(.signedOut, at: .refresh))
        signingIn.release(TernError(.signedOut, at: .refresh))
        for work in narrowing.values { work.release(TernError(.signedOut, at: .refresh)) }
        (narrow, narrowing) = ([:], [:])
        background?.cancel()
        announce(.signedOut)
        let unsaved = unsaved.withLock { $0?.credential }
        return unsaved ?? (isOthers ? known : stored ?? known)
    }
}

extension TernError {
    /// Whether the same call may succeed later.
    var isPassing: Bool {
        switch reason {
        case .transient, .network, .outcomeUnknown: true
        default: false
        }
    }

    /// Whether there is no use in a token that is still good: the grant or the session is over, or the caller left.
    var endsTheWait: Bool {
        switch reason {
        case .reauthenticationRequired, .signedOut, .cancelled, .interactionForbidden: true
        default: false
        }
    }
}
