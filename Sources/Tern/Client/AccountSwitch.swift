internal import TernCrypto
public import TernProtocol

/// What came of switching accounts.
public enum AccountSwitch: Sendable {
    /// The user who was signed in has signed in again; the session goes on with the new tokens.
    case sameUser
    /// Another user has signed in, under an account of its own; what became of the one before, where it was signed out.
    case otherUser(Session, previous: SignOutReport?)

    /// What the user is asked at the server.
    public enum Question: Sendable, Hashable {
        /// To log in, whoever is logged in there (`prompt=login`).
        case login
        /// To choose one of the accounts that the server knows (`prompt=select_account`).
        case selectAccount
    }
}

extension Session {
    /// Lets somebody sign in anew and compares the `sub` of the ID token with that of this account. Another user is stored
    /// under an account of its own, and this one stays signed in unless the caller says otherwise. When the sign-in fails
    /// or is cancelled, nothing has changed.
    ///
    /// The tokens that the same user had before are not revoked, since many servers would end the new ones with them.
    ///
    /// - Parameters:
    ///   - question: what the user is asked.
    ///   - options: what the sign-in should be like; `prompt` is set here. `account` is where another user is stored; without
    ///     one a new name is made. An account that is in use already is refused.
    ///   - signingOut: whether this account is signed out once another user has signed in.
    ///   - userAgent: how the page is shown.
    /// - Throws: `signedOut`; `unsupported` where no ID token says who is signed in; `invalidConfiguration` for an account
    ///   that is in use; what ``OAuthClient/signIn(_:with:)`` throws; `storeUnavailable`.
    public func switchAccount(
        asking question: AccountSwitch.Question = .login, _ options: SignInOptions = SignInOptions(),
        signingOut: Bool = false, with userAgent: any UserAgent
    ) async throws(TernError) -> AccountSwitch {
        let before = try credential()
        guard before.subject != nil, (options.scope ?? client.configuration.scope).contains("openid") else {
            throw TernError(.unsupported("switching accounts without an ID token"), at: .authorizationRequest)
        }
        let store = client.environment.store
        var options = options
        options.prompt = [question == .login ? .login : .selectAccount]
        // The answer goes to a place of its own first: whatever happens meanwhile, this account's record is not touched.
        let place: StoreKey
        if let given = options.account { place = given } else { place = try client.newAccount() }
        guard place != account, try await store.load(place) == nil else {
            throw TernError(
                .invalidConfiguration(field: "account", problem: "somebody is signed in under this name"),
                at: .configuration)
        }
        options.account = place
        let other = try await client.signIn(options, with: userAgent)
        let new = try await other.credential()
        guard new.isOfSameUser(as: before), new.issuer == before.issuer else {
            return .otherUser(other, previous: signingOut ? try await signOut() : nil)
        }
        let isOver = try await store.withExclusiveAccess(to: account) { [account] () async throws(TernError) in
            // Somebody may have signed out meanwhile: then nobody's record comes back.
            guard try await store.load(account) != nil else { return true }
            try await store.save(new.record, for: account)
            return false
        }
        try await store.delete(place)
        guard !isOver else {
            _ = await client.revoke(new)
            throw TernError(.signedOut, at: .storage)
        }
        adopt(new)
        client.announce(AccountEvent(account: account, event: .signedIn))
        return .sameUser
    }
}

extension OAuthClient {
    /// Switches the account that the configuration names; see
    /// ``Session/switchAccount(asking:_:signingOut:with:)``.
    ///
    /// - Throws: `signedOut` when nobody is signed in there; what that function throws.
    public func switchAccount(
        asking question: AccountSwitch.Question = .login, _ options: SignInOptions = SignInOptions(),
        signingOut: Bool = false, with userAgent: any UserAgent
    ) async throws(TernError) -> AccountSwitch {
        guard let session = try await session() else { throw TernError(.signedOut, at: .storage) }
        return try await session.switchAccount(asking: question, options, signingOut: signingOut, with: userAgent)
    }

    /// A name that no account has yet.
    fileprivate func newAccount() throws(TernError) -> StoreKey {
        let suffix = "/" + Base64URL.encode(environment.random.bytes(9))
        let room = StoreKey.maximumByteCount - suffix.utf8.count
        return try StoreKey(configuration.account.name.prefix(room) + suffix)
    }
}
