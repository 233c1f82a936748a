internal import TernCrypto
internal import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// A session of the client itself, without a user (RFC 6749 §4.4). It has what any session has; a token that ends is
    /// replaced by asking again, once for all who wait, in all processes that share the store.
    ///
    /// A token that the store still holds is used; so call this at each start. What is kept has a name of its own beside
    /// the user's account, and one for each ``RequestedAccess``.
    ///
    /// - Parameters:
    ///   - access: what is asked for.
    ///   - account: where the token is stored, in the place of that name.
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` with the field `authentication` for a public client,
    ///   which has nothing to show, before anything is sent; with the field `account` where a user is signed in under this
    ///   name; the server's and the network's trouble; `storeUnavailable`.
    public func clientCredentials(
        _ access: RequestedAccess = RequestedAccess(), account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        guard !isPublic else {
            throw TernError(
                .invalidConfiguration(
                    field: "authentication", problem: "a public client gets no tokens of its own (RFC 6749 §4.4)"),
                at: .configuration)
        }
        return try await service(.clientCredentials(access), account: account, issuer: nil)
    }

    /// A session that gets its tokens with assertions that it signs, as a service account does (RFC 7523 §2.1). A token that
    /// ends is replaced with a new assertion. A token that the store still holds is used; so call this at each start.
    ///
    /// - Parameters:
    ///   - issuer: makes the assertions.
    ///   - access: what is asked for.
    ///   - account: where the token is stored, in the place of a name made of the client and the subject.
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` with the field `key` when the key cannot sign, with the
    ///   field `account` where a user is signed in under this name; the server's and the network's trouble;
    ///   `storeUnavailable`.
    public func serviceAccount(
        _ issuer: AssertionIssuer, _ access: RequestedAccess = RequestedAccess(), account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        try await service(.assertion(access, subject: issuer.subject), account: account, issuer: issuer)
    }

    private func service(
        _ method: Credential.RenewalMethod, account: StoreKey?, issuer: AssertionIssuer?
    ) async throws(TernError) -> Session {
        guard oauth1 == nil else {
            throw TernError(.unsupported("tokens of the client's own: it speaks OAuth 1.0a"), at: .configuration)
        }
        let standard = try serviceAccount(method)
        let account = try (account ?? standard).asAccount()
        let store = environment.store
        let (credential, isNew) = try await store.withExclusiveAccess(to: account) { () async throws(TernError) in
            if let held = try await heldCredential(account) {
                guard held.renewalMethod != .refreshToken else {
                    throw TernError(
                        .invalidConfiguration(field: "account", problem: "a user is signed in under this name"),
                        at: .configuration)
                }
                serverClock.adopt(held.clockOffset)
                if held.renewalMethod == method, held.clientID == configuration.clientID, isFresh(held) {
                    return (held, false)
                }
            }
            let credential = try await serviceCredential(method, issuer: issuer, step: .tokenRequest)
            try await store.save(credential.record, for: account)
            return (credential, true)
        }
        if isNew { announce(AccountEvent(account: account, event: .signedIn)) }
        return Session(credential, account: account, client: self, assertions: issuer)
    }

    /// What the store holds; a damaged record counts as nothing, as it does when somebody signs in.
    private func heldCredential(_ account: StoreKey) async throws(TernError) -> Credential? {
        guard let record = try await environment.store.load(account) else { return nil }
        do throws(TernError) {
            return try Credential(record)
        } catch {
            guard case .corruptedRecord = error.reason else { throw error }
            return nil
        }
    }

    /// The client's account with what tells its own tokens from the user's.
    private func serviceAccount(_ method: Credential.RenewalMethod) throws(TernError) -> StoreKey {
        let plain: [Credential.RenewalMethod] = [.refreshToken, .clientCredentials(RequestedAccess())]
        let digest = plain.contains(method) ? "" : Self.digest(JSON.object(method.json ?? [:]).serialized())
        let suffix = "+service" + digest
        let name = configuration.account.name
        guard name.utf8.count + suffix.utf8.count > StoreKey.maximumByteCount else {
            return try StoreKey(name + suffix)
        }
        let end = "~" + Base64URL.encode(HashFunction.sha256.digest(Array(name.utf8))) + suffix
        return try StoreKey(name.prefix(StoreKey.maximumByteCount - end.utf8.count) + end)
    }

    private static func digest(_ bytes: [UInt8]) -> String {
        "-" + Base64URL.encode(Array(HashFunction.sha256.digest(bytes).prefix(12)))
    }

    /// Asks for a token that no user has to agree to. What a server adds beside the access token has no use: the next one
    /// comes the same way.
    func serviceCredential(
        _ method: Credential.RenewalMethod, issuer: AssertionIssuer?, boundTo known: DPoPBinding? = nil, step: Step
    ) async throws(TernError) -> Credential {
        let metadata = try await directory.metadata()
        let endpoint = try metadata.address(of: .token, for: step)
        let binding = if let known { known } else { try configuration.dpop?.newBinding() }
        let tokens: TokenResponse
        let requested: RequestedAccess
        switch method {
        case .refreshToken: throw TernError(.reauthenticationRequired(nil), at: step)
        case .clientCredentials(let access):
            var grant = ClientCredentialsGrant(endpoint: endpoint, scope: access.scope)
            grant.resources = access.resources
            grant.additionalParameters = parameters(access)
            grant.format = configuration.tokenAnswerFormat
            grant.step = step
            tokens = try await self.tokens(of: grant, at: metadata, boundTo: binding)
            requested = access
        case .assertion(let access, _):
            guard let issuer else { throw TernError(.reauthenticationRequired(nil), at: step) }
            let assertion = try issuer.assertion(for: metadata, now: serverClock.now, random: environment.random)
            var grant = AssertionGrant(endpoint: endpoint, assertion: assertion, scope: access.scope)
            grant.resources = access.resources
            grant.additionalParameters = parameters(access)
            grant.format = configuration.tokenAnswerFormat
            grant.step = step
            tokens = try await self.tokens(of: grant, at: metadata, boundTo: binding)
            requested = access
        }
        serverClock.note(tokens.serverTime)
        return Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset, lifetime: tokens.lifetime, refreshToken: nil, idToken: nil,
            scope: tokens.scope ?? requested.scope ?? [], subject: nil, issuer: nil,
            clientID: configuration.clientID, dpop: binding, nonce: nil, additionalMembers: tokens.additionalMembers,
            renewalMethod: method)
    }

    private func parameters(_ access: RequestedAccess) -> FormParameters {
        FormParameters(
            configuration.additionalTokenParameters.parameters + access.additionalParameters.parameters)
    }

    /// Whether the client has nothing to prove itself with.
    private var isPublic: Bool {
        switch configuration.authentication {
        case .none: return true
        case .basic(let secret), .post(let secret), .rawBasic(let secret): return secret.isEmpty
        case .secretJWT, .privateKeyJWT, .tls, .attestation: return false
        }
    }
}
