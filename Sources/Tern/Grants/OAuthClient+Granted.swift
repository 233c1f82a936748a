internal import TernJOSE
internal import TernProtocol

/// What the tokens of a grant without a callback are held against.
struct GrantExpectation: Sendable {
    /// What was asked for; with `openid` an ID token has to come, unless the server says that it did not grant it.
    var scope: Scope
    var maxAge: Duration?
    var acrValues: [String] = []
    var subject: String?
    /// The APIs that were named, which are named again when the token is renewed.
    var resources: [URI] = []
    /// The key that was shown for the tokens.
    var binding: DPoPBinding?
    /// Whether an answer without an ID token is taken although `openid` was asked for. It never is where something is
    /// expected of the user, since nothing else would show it.
    var allowsMissingIDToken = false

    /// Whether an answer with this scope must hold an ID token.
    func demandsIDToken(granted: Scope) -> Bool {
        if maxAge != nil || !acrValues.isEmpty || subject != nil { return true }
        return scope.contains("openid") && granted.contains("openid") && !allowsMissingIDToken
    }
}

extension OAuthClient {
    /// The credential of a grant without a callback, its ID token checked as in the code flow, except that there is no
    /// nonce.
    func credential(
        of tokens: TokenResponse, expecting expected: GrantExpectation,
        alsoChecking check: (IDToken) throws(TernError) -> Void = { _ in }
    ) async throws(TernError) -> Credential {
        serverClock.note(tokens.serverTime)
        let idToken = try await idToken(of: tokens, expecting: expected)
        if let idToken { try check(idToken) }
        return Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset, lifetime: tokens.lifetime, refreshToken: tokens.refreshToken,
            idToken: idToken?.encoded, scope: tokens.scope ?? expected.scope, subject: idToken?.subject,
            issuer: idToken?.issuer, clientID: configuration.clientID, dpop: expected.binding, nonce: nil,
            additionalMembers: tokens.additionalMembers, resources: expected.resources)
    }

    private func idToken(
        of tokens: TokenResponse, expecting expected: GrantExpectation
    ) async throws(TernError) -> IDToken? {
        guard let encoded = tokens.idToken else {
            guard !expected.demandsIDToken(granted: tokens.scope ?? expected.scope) else {
                throw TernError(.malformedResponse(field: "id_token"), at: .tokenRequest)
            }
            return nil
        }
        guard let issuer = try await directory.metadata().issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .idToken)
        }
        var expectation = IDToken.Expectation(
            issuer: issuer, clientID: configuration.clientID, nonce: .ifPresent(nil))
        expectation.leeway = configuration.leeway
        expectation.accessToken = tokens.accessToken
        expectation.maxAge = expected.maxAge
        expectation.acrValues = expected.acrValues
        expectation.subject = expected.subject
        let now = configuration.usesServerClock ? tokens.serverTime : nil
        return try await verified(encoded, expectation, now: now ?? environment.clock.now)
    }

    /// Stores what a sign-in without a callback brought, and tells of it.
    func keep(_ credential: Credential, for account: StoreKey) async throws(TernError) {
        guard !Task.isCancelled else { throw TernError(.cancelled, at: .storage) }
        try await environment.store.save(credential.record, for: account)
        announce(AccountEvent(account: account, event: .signedIn))
    }

    /// Runs a sign-in without a callback, one at a time like any other.
    func signIn(
        to account: StoreKey, whenBusy: SignInOptions.WhenBusy,
        _ body: @escaping @Sendable () async throws(TernError) -> Credential
    ) async throws(TernError) -> Session {
        let credential = try await gate.run(account, whenBusy: whenBusy) { () async -> Result<Credential, TernError> in
            do throws(TernError) { return .success(try await body()) } catch { return .failure(error) }
        }
        return Session(credential, account: account, client: self)
    }
}
