internal import TernCrypto
internal import TernJOSE
public import TernOAuth1
public import TernProtocol

extension OAuthClient {
    /// Makes a client of a service that speaks OAuth 1.0a. It is used as any other: the same sign-in, session, stores and
    /// errors.
    ///
    /// - Parameters:
    ///   - server: the service.
    ///   - clientID: the client's identifier ("consumer key", "API key").
    ///   - key: what the client signs with.
    ///   - redirectURI: where answers arrive; `oob` where the user types the PIN that the page shows. By default any free
    ///     port of the loopback interface.
    ///   - environment: the edges of the world.
    /// - Throws: ``/TernProtocol/TernError`` naming the field that is wrong.
    public convenience init(
        oauth1 server: OAuth1Server, clientID: String, key: OAuth1SigningKey,
        redirectURI: String = OAuthClient.loopbackRedirect, in environment: Environment
    ) throws(TernError) {
        self.init(
            try ClientConfiguration(
                server: .oauth1(server, key), clientID: clientID, redirectURI: try RedirectURI(redirectURI), scope: []),
            in: environment)
    }

    /// Signs requests as the client alone, without a user ("two-legged").
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `unsupported` where the server does not speak OAuth 1.0a.
    public func clientAuthorizer() throws(TernError) -> OAuth1Authorizer {
        guard let oauth1 else {
            throw TernError(
                .unsupported("signing as the client: the server does not speak OAuth 1.0a"), at: .configuration)
        }
        return oauth1.authorizer(nil)
    }

    /// xAuth: signs in with a user's name and password, which pass through the application. Only for old services that let
    /// programs of their own do this; everybody else shows the service's page with ``signIn(_:with:)``.
    ///
    /// - Parameters:
    ///   - username: the user's name.
    ///   - password: the user's password, which is sent once and not kept.
    ///   - account: where the credential is stored, in the place of the configuration's.
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where the server does not speak OAuth 1.0a; the service's and the
    ///   network's trouble; `storeUnavailable`.
    public func signInHandingOverPassword(
        username: String, password: OAuth1Password, account: StoreKey? = nil
    ) async throws(TernError) -> Session {
        guard let oauth1 else {
            throw TernError(.unsupported("xAuth: the server does not speak OAuth 1.0a"), at: .configuration)
        }
        let account = try (account ?? configuration.account).asAccount()
        let credential = try await gate.run(account, whenBusy: .fail) { [self] in
            do throws(TernError) {
                let request = OAuth1PasswordRequest(server: oauth1.server, username: username, password: password)
                let credential = self.credential(try await oauth1.perform(request, token: nil))
                try await environment.store.save(credential.record, for: account)
                announcements.announce(AccountEvent(account: account, event: .signedIn))
                return .success(credential)
            } catch {
                return .failure(error)
            }
        }
        return Session(credential, account: account, client: self)
    }

    /// Begins a sign-in with OAuth 1.0a: gets temporary credentials and builds the page's address.
    func beginOAuth1(
        _ oauth1: OAuth1Caller, _ options: SignInOptions, redirectURI: RedirectURI, account: StoreKey
    ) async throws(TernError) -> SignIn {
        if let field = options.fieldThatOAuth1Lacks {
            throw TernError(
                .invalidConfiguration(field: field, problem: "OAuth 1.0a knows nothing of the kind"),
                at: .authorizationRequest)
        }
        let begunAt = environment.clock.now
        let answer = try await oauth1.perform(
            OAuth1TemporaryCredentialRequest(server: oauth1.server, callback: redirectURI), token: nil)
        var request = OAuth1AuthorizationRequest(
            server: oauth1.server, clientID: configuration.clientID, token: answer.token, callback: redirectURI)
        request.additionalParameters = FormParameters(
            configuration.additionalAuthorizationParameters.parameters + options.additionalParameters.parameters)
        return SignIn(
            address: try request.url(), begunAt: begunAt, expiresAt: begunAt + configuration.signInTimeLimit,
            account: account.name, attachment: options.attachment, clientID: configuration.clientID,
            server: configuration.serverName, issuer: nil, requiresIssuer: false, redirectURI: redirectURI,
            state: answer.token.token.exposedText, nonce: nil,
            proof: .temporaryCredentials(
                answer.token.secret, allowsMissingVerifier: oauth1.server.omitsVerifier),
            scope: [], maxAge: nil, acrValues: [], expectedSubject: nil, dpop: nil, resources: [],
            isKept: options.keepsPending)
    }

    /// Exchanges the temporary credentials of a sign-in.
    func exchange(
        _ verifier: OAuth1Verifier?, of signIn: SignIn, _ secret: OAuth1TokenSecret
    ) async throws(TernError) -> Credential {
        guard let oauth1 else {
            throw TernError(
                .invalidConfiguration(field: "server", problem: "another client began this sign-in"),
                at: .authorizationResponse)
        }
        var request = OAuth1TokenRequest(server: oauth1.server, verifier: verifier)
        request.additionalParameters = configuration.additionalTokenParameters
        return credential(
            try await oauth1.perform(request, token: OAuth1Token(AccessToken(signIn.state), secret: secret)))
    }

    private func credential(_ answer: OAuth1TokenResponse) -> Credential {
        Credential(
            accessToken: answer.token.token, tokenType: .bearer, tokenSecret: answer.token.secret,
            obtainedAt: serverClock.now,
            clockOffset: serverClock.offset, lifetime: nil, refreshToken: nil, idToken: nil, scope: [], subject: nil,
            issuer: nil, clientID: configuration.clientID, dpop: nil, nonce: nil,
            additionalMembers: answer.additionalMembers)
    }
}

extension SignInOptions {
    /// What would be a promise that OAuth 1.0a cannot keep. Mere wishes, such as a language, are passed over.
    fileprivate var fieldThatOAuth1Lacks: String? {
        if !prompt.isEmpty { return "prompt" }
        if maxAge != nil { return "max_age" }
        if responseType != nil { return "response_type" }
        if responseMode != nil { return "response_mode" }
        if !acrValues.isEmpty { return "acr_values" }
        if idTokenHint != nil { return "id_token_hint" }
        if claims != nil { return "claims" }
        if !resources.isEmpty { return "resource" }
        if !authorizationDetails.isEmpty { return "authorization_details" }
        if expectedSubject != nil { return "sub" }
        return scope?.isEmpty == false ? "scope" : nil
    }
}
