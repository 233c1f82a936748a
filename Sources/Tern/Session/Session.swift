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
/// 6. A 401 leads to one refresh and one repeat; a 403 never leads to a refresh.
/// 7. A token goes to the origin that the request names and nowhere else, and never to plain http beyond loopback.
public actor Session {
    /// Under which name the credential is stored.
    public nonisolated let account: StoreKey
    /// The client that the tokens were issued to.
    public nonisolated let client: OAuthClient
    private(set) var state: State
    private let refreshing = SharedWork<Credential>()
    private let announcements = Announcements()
    private let unsaved = Locked<Renewal.Unsaved?>(nil)
    /// Until when the server wants to be left alone, and what it said.
    private var pause: (end: NumericDate, error: TernError)?

    enum State {
        case signedIn(Credential)
        case needsSignIn(Credential, TernError)
        case signedOut
    }

    init(_ credential: Credential, account: StoreKey, client: OAuthClient) {
        state = .signedIn(credential)
        self.account = account
        self.client = client
    }

    /// What happens to the session from now on. Events are delivered after the change was stored; a consumer that does
    /// not keep up loses the oldest beyond 64.
    public nonisolated func events() -> AsyncStream<SessionEvent> { announcements.stream() }

    /// The credential as it is, possibly with a token that has ended.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `signedOut`.
    public func credential() throws(TernError) -> Credential {
        switch state {
        case .signedIn(let credential), .needsSignIn(let credential, _): return credential
        case .signedOut: throw TernError(.signedOut, at: .storage)
        }
    }

    /// An access token that is good for use, renewed where that is needed.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `reauthenticationRequired` when only a new sign-in helps, `transient` and
    ///   `network` for passing trouble, `signedOut`.
    public func accessToken() async throws(TernError) -> AccessToken {
        let credential = try usable()
        if isFresh(credential) { return credential.accessToken }
        guard credential.refreshToken != nil else {
            throw needSignIn(credential, TernError(.reauthenticationRequired(nil), at: .refresh))
        }
        do throws(TernError) {
            return try await refreshed(insteadOf: credential).accessToken
        } catch {
            // Tokens are renewed before they end; trouble in that time harms nobody yet.
            guard error.isPassing, let end = credential.expiration, client.environment.clock.now < end else {
                throw error
            }
            return credential.accessToken
        }
    }

    /// Renews the access token now, whether it has ended or not.
    ///
    /// - Throws: what ``accessToken()`` throws; `unsupported` when there is no refresh token.
    public func refresh() async throws(TernError) {
        let credential = try usable()
        guard credential.refreshToken != nil else {
            throw TernError(.unsupported("a refresh: the server issued no refresh token"), at: .refresh)
        }
        _ = try await refreshed(insteadOf: credential, evenInPause: true)
    }

    private func usable() throws(TernError) -> Credential {
        switch state {
        case .signedIn(let credential): return credential
        case .needsSignIn(_, let error): throw error
        case .signedOut: throw TernError(.signedOut, at: .refresh)
        }
    }

    private func isFresh(_ credential: Credential) -> Bool {
        credential.isFresh(
            at: client.environment.clock.now, window: client.configuration.refreshWindow,
            unknownLifetime: client.configuration.unknownLifetime)
    }

    /// A credential newer than the given one: the current one where somebody has renewed it meanwhile, else the
    /// outcome of the one refresh that runs.
    ///
    /// - Parameter evenInPause: whether the server is asked also while it wants to be left alone.
    func refreshed(insteadOf old: Credential, evenInPause: Bool = false) async throws(TernError) -> Credential {
        let current = try usable()
        if current.accessToken != old.accessToken { return current }
        if !evenInPause, let pause, client.environment.clock.now < pause.end { throw pause.error }
        let renewed = try await refreshing.value(at: .refresh) { [self] () async throws(TernError) in
            try await renew(old)
        }
        guard case .signedOut = state else { return renewed }
        throw TernError(.signedOut, at: .refresh)
    }

    private func renew(_ old: Credential) async throws(TernError) -> Credential {
        let renewal = Renewal(client: client, account: account, unsaved: unsaved)
        do throws(TernError) {
            let (credential, isOwn) = try await renewal.credential(insteadOf: old)
            pause = nil
            guard case .signedOut = state else {
                state = .signedIn(credential)
                announcements.announce(.refreshed)
                return credential
            }
            // The user signed out while the answer was on its way: what arrived must not bring the session back.
            if isOwn {
                try await forget(credential)
                await client.revokeQuietly(credential)
            }
            throw TernError(.signedOut, at: .refresh)
        } catch {
            switch error.reason {
            case .reauthenticationRequired: throw needSignIn(old, error)
            case .signedOut: endBecauseOthersSignedOut()
            case .transient(_, let wait?): pause = (client.environment.clock.now + wait, error)
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
        announcements.announce(.signInNeeded(error))
        return error
    }

    private func endBecauseOthersSignedOut() {
        guard case .signedIn = state else { return }
        state = .signedOut
        announcements.announce(.signedOut)
    }

    /// Ends the session here, whatever the server does: the local part always comes first.
    ///
    /// - Returns: the credential that is over.
    func endLocally() async throws(TernError) -> Credential? {
        let before = state
        state = .signedOut
        do throws(TernError) {
            try await client.environment.store.delete(account)
        } catch {
            // The record is still there, so the user is not signed out and can try again.
            state = before
            throw error
        }
        switch before {
        case .signedIn(let credential), .needsSignIn(let credential, _):
            announcements.announce(.signedOut)
            return unsaved.withLock { $0?.credential } ?? credential
        case .signedOut: return nil
        }
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
}

/// What happens to a session.
public enum SessionEvent: Sendable, Hashable {
    /// The tokens were renewed and stored.
    case refreshed
    /// Only a new sign-in helps; the reason.
    case signInNeeded(TernError)
    /// The account was signed out.
    case signedOut
}

/// Hands events to any number of consumers.
private final class Announcements: Sendable {
    private let consumers = Locked<[UInt64: AsyncStream<SessionEvent>.Continuation]>([:])
    private let nextID = Locked<UInt64>(0)

    func stream() -> AsyncStream<SessionEvent> {
        let id = nextID.withLock { next in
            next += 1
            return next
        }
        let (stream, continuation) = AsyncStream.makeStream(
            of: SessionEvent.self, bufferingPolicy: .bufferingNewest(64))
        consumers.withLock { $0[id] = continuation }
        continuation.onTermination = { [weak self] _ in self?.consumers.withLock { $0[id] = nil } }
        return stream
    }

    func announce(_ event: SessionEvent) {
        for consumer in consumers.withLock({ Array($0.values) }) { consumer.yield(event) }
    }

    deinit { for consumer in consumers.withLock({ Array($0.values) }) { consumer.finish() } }
}
