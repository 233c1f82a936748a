public import TernProtocol

extension OAuthClient {
    /// Signs in with an assertion that somebody else made (RFC 7523 §2.1, RFC 7522 §2.1). Where the server issues no refresh
    /// token, the session ends with the access token; a service that signs its assertions itself uses
    /// ``serviceAccount(_:_:account:)``.
    ///
    /// - Parameters:
    ///   - assertion: the assertion.
    ///   - kind: what kind it is.
    ///   - access: what is asked for.
    ///   - account: where the credential is stored, in the place of the configuration's.
    /// - Throws: ``/TernProtocol/TernError``: `loginInProgress`; the server's and the network's trouble; `idTokenRejected`;
    ///   `storeUnavailable`.
    public func signIn(
        asserting assertion: GrantAssertion, kind: AssertionGrant.Kind = .jwt,
        _ access: RequestedAccess = RequestedAccess(), account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        let account = try (account ?? configuration.account).asAccount()
        return try await signIn(to: account, whenBusy: .fail) { [self] () async throws(TernError) in
            let metadata = try await directory.metadata()
            var grant = AssertionGrant(
                endpoint: try metadata.address(of: .token, for: .tokenRequest), assertion: assertion, kind: kind,
                scope: access.scope)
            grant.resources = access.resources
            grant.additionalParameters = FormParameters(
                configuration.additionalTokenParameters.parameters + access.additionalParameters.parameters)
            grant.format = configuration.tokenAnswerFormat
            return try await signedIn(grant, at: metadata, access, access.scope ?? [], to: account)
        }
    }

    /// Signs in with a user's name and password, which pass through the application (RFC 6749 §4.3). Only for old services
    /// that offer nothing else; everybody else shows the server's page with ``signIn(_:with:)``.
    ///
    /// - Parameters:
    ///   - username: the user's name.
    ///   - password: the user's password, which is sent once and not kept.
    ///   - access: what is asked for; the configuration's scope where it names none.
    ///   - account: where the credential is stored, in the place of the configuration's.
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where the server speaks OAuth 1.0a; `loginInProgress`; the
    ///   server's and the network's trouble; `idTokenRejected`; `storeUnavailable`.
    public func signInHandingOverPassword(
        username: String, userPassword password: UserPassword, _ access: RequestedAccess = RequestedAccess(),
        account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        guard oauth1 == nil else {
            throw TernError(.unsupported("the password grant: it speaks OAuth 1.0a"), at: .configuration)
        }
        try configuration.profile?.forbid("password grant")
        let account = try (account ?? configuration.account).asAccount()
        return try await signIn(to: account, whenBusy: .fail) { [self] () async throws(TernError) in
            let metadata = try await directory.metadata()
            let scope = access.scope ?? configuration.scope
            var grant = PasswordGrant(
                endpoint: try metadata.address(of: .token, for: .tokenRequest), username: username,
                password: password, scope: scope)
            grant.resources = access.resources
            grant.additionalParameters = FormParameters(
                configuration.additionalTokenParameters.parameters + access.additionalParameters.parameters)
            grant.format = configuration.tokenAnswerFormat
            return try await signedIn(grant, at: metadata, access, scope, to: account)
        }
    }

    /// These grants know no ID token (their standards are older), so one is checked where it comes and not missed elsewhere.
    private func signedIn<Grant: Exchange>(
        _ grant: Grant, at metadata: ServerMetadata, _ access: RequestedAccess, _ scope: Scope, to account: StoreKey
    ) async throws(TernError) -> Credential where Grant.Answer == TokenResponse {
        var expected = GrantExpectation(scope: scope)
        expected.resources = access.resources
        expected.binding = try configuration.dpop?.newBinding()
        let tokens = try await tokens(of: grant, at: metadata, boundTo: expected.binding)
        expected.allowsMissingIDToken = true
        let credential = try await credential(of: tokens, expecting: expected)
        try await keep(credential, for: account)
        return credential
    }
}
