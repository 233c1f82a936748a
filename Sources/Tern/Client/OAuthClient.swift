internal import TernCrypto
public import TernProtocol

/// A client of one authorization server.
///
/// It is used at one of two heights. ``signIn(_:with:)`` does everything: it shows the page, takes the callback, gets and
/// checks the tokens, stores them and hands over a ``Session``. ``begin(_:redirectURI:)`` and ``finish(_:callback:delivery:)``
/// are its two halves, for those who show the page themselves or whose process may die in between; the new process calls
/// ``finish(callback:)``. Below these are the
/// messages of `TernProtocol`.
public final class OAuthClient: Sendable {
    /// What the client is.
    public let configuration: ClientConfiguration
    /// The world it works in.
    public let environment: Environment
    let caller: EndpointCaller
    let directory: ServerDirectory
    let serverClock: ServerClock
    /// What a client of OAuth 1.0a works with; `nil` for OAuth 2.
    let oauth1: OAuth1Caller?
    let proofNonces = DPoPNonces()
    let sentCodes = Locked(RecentSecrets())
    let begunSignIns = Locked(RecentSecrets())
    let gate = SignInGate()
    let announcements = Announcements<AccountEvent>()

    /// Makes a client.
    public init(_ configuration: ClientConfiguration, in environment: Environment) {
        self.configuration = configuration
        var environment = environment
        environment.transport = ObservedTransport(environment.transport, telling: environment.events)
        self.environment = environment
        serverClock = ServerClock(clock: environment.clock)
        caller = EndpointCaller(
            transport: configuration.quirks == Quirks()
                ? environment.transport
                : QuirkTransport(
                    environment.transport, configuration.quirks, clientID: configuration.clientID,
                    clock: environment.clock),
            clientID: configuration.clientID, authentication: configuration.authentication, clock: environment.clock,
            serverClock: serverClock,
            random: environment.random, triesOtherAuthentication: configuration.triesOtherAuthentication)
        if case .oauth1(let server, let key) = configuration.server {
            oauth1 = OAuth1Caller(
                server, clientID: configuration.clientID, key, caller: caller, clock: serverClock, environment)
        } else {
            oauth1 = nil
        }
        directory = ServerDirectory(
            server: configuration.server, caller: caller, clock: environment.clock,
            prefersCertificateEndpoints: configuration.showsCertificate)
    }

    /// Makes a client of a server with discovery.
    ///
    /// - Parameters:
    ///   - issuer: the server's name, exactly as it writes it.
    ///   - clientID: the client identifier.
    ///   - redirectURI: where answers arrive; by default any free port of the loopback interface.
    ///   - scope: what is asked for.
    ///   - authentication: how the client proves who it is.
    ///   - environment: the edges of the world.
    /// - Throws: ``/TernProtocol/TernError`` naming the field that is wrong.
    public convenience init(
        issuer: String, clientID: String, redirectURI: String = OAuthClient.loopbackRedirect,
        scope: Scope = ["openid"], authentication: ClientAuthentication = .none, in environment: Environment
    ) throws(TernError) {
        self.init(
            try ClientConfiguration(
                server: .issuer(try Issuer(issuer)), clientID: clientID,
                redirectURI: try RedirectURI(redirectURI), scope: scope, authentication: authentication),
            in: environment)
    }

    /// The redirect of programs that listen on the loopback interface themselves, at any free port (RFC 8252 §7.3).
    public static let loopbackRedirect = "http://127.0.0.1/callback"

    /// Fetches metadata and keys ahead of the first sign-in, and does not wait for them.
    public func prefetch() { directory.prefetchKeys() }

    /// The server's metadata, from the cache where that is possible. It is kept as long as the answer says, within a minute
    /// and a day; for another day the old one is used while a new one is fetched.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `discoveryNotJSON`, `issuerMismatch`, `httpStatus`, `transient`, `network`.
    public func metadata() async throws(TernError) -> ServerMetadata { try await directory.metadata() }

    /// Signs a user in: shows the page, waits for the callback, gets, checks and stores the tokens.
    ///
    /// It can be cancelled at any moment, by cancelling the task or by ``cancelSignIn()``; then nothing was stored.
    ///
    /// - Parameters:
    ///   - options: what this sign-in should be like.
    ///   - userAgent: how the page is shown.
    /// - Throws: ``/TernProtocol/TernError``: `loginInProgress`; `cancelled`; `userCancelled`; `flowExpired` after
    ///   ``ClientConfiguration/signInTimeLimit``; what the user agent throws; what ``begin(_:redirectURI:)`` and
    ///   ``finish(_:callback:delivery:)`` throw.
    public func signIn(
        _ options: SignInOptions = SignInOptions(), with userAgent: any UserAgent
    ) async throws(TernError) -> Session {
        let account = options.account ?? configuration.account
        let credential = try await gate.run(account, whenBusy: options.whenBusy) { [self] in
            do throws(TernError) {
                return .success(try await roundTrip(options, userAgent))
            } catch {
                return .failure(error)
            }
        }
        return Session(credential, account: account, client: self)
    }

    /// What happens from now on to the accounts of this client: sign-ins, and what its sessions announce. A consumer that
    /// does not keep up loses the oldest beyond 64.
    public func events() -> AsyncStream<AccountEvent> { announcements.stream() }

    /// Whether a credential's token is good for use now.
    func isFresh(_ credential: Credential) -> Bool {
        credential.isFresh(
            at: serverClock.now, window: configuration.refreshWindow, unknownLifetime: configuration.unknownLifetime)
    }

    /// Ends the sign-in that is under way, if one is; it fails with `cancelled`.
    public func cancelSignIn() { gate.cancel() }

    private func roundTrip(
        _ options: SignInOptions, _ userAgent: any UserAgent
    ) async throws(TernError) -> Credential {
        let visit = try await explaining(nil) { () async throws(TernError) -> any UserAgentVisit in
            try await userAgent.prepare(for: configuration.redirectURI)
        }
        do throws(TernError) {
            let signIn = try await begin(options, redirectURI: visit.redirectURI)
            let result: Result<Credential, TernError>
            do throws(TernError) {
                result = .success(try await roundTrip(signIn, visit))
            } catch {
                result = .failure(error)
            }
            // However it ended, this process was the one that waited.
            if signIn.isKept { await pending.remove(signIn) }
            return try result.get()
        } catch {
            await visit.dismiss()
            throw error
        }
    }

    private func roundTrip(
        _ signIn: SignIn, _ visit: any UserAgentVisit
    ) async throws(TernError) -> Credential {
        let callback = try await explaining(signIn, visit) { () async throws(TernError) -> URI in
            try await self.callback(of: signIn, visit)
        }
        await visit.dismiss()
        return try await finish(signIn, callback: callback, delivery: visit.delivery)
    }

    /// Shows the page of a sign-in and waits for its callback.
    func callback(of signIn: SignIn, _ visit: any UserAgentVisit) async throws(TernError) -> URI {
        let wait = CallbackWait(
            visit: visit, address: signIn.address, timeLimit: configuration.signInTimeLimit,
            clock: environment.clock
        ) { [delivery = visit.delivery, decryption = configuration.decryption] in
            signIn.judge((try? decryption.opened($0)) ?? $0, delivery: delivery)
        }
        tell(.pageOpened) {
            [
                .origin: .text(signIn.address.origin?.description ?? ""), .path: .text(signIn.address.encodedPath),
                .request: .parameters(MessageParts.fields(ofAddress: signIn.address)),
            ]
        }
        return try await wait.callback()
    }

    /// Begins a sign-in: makes state, nonce and verifier, and builds the address to open. The server's keys are fetched
    /// meanwhile, so that only one request follows the callback.
    ///
    /// The store keeps the sign-in as pending before this returns, so that it can be finished when this process has died:
    /// by ``finish(callback:)``, or by a ``CallbackHub``. A store that cannot be written shows here and not after the user
    /// has signed in. See ``SignInOptions/keepsPending``.
    ///
    /// - Parameters:
    ///   - options: what this sign-in should be like.
    ///   - redirectURI: where the answer arrives, in the place of the configuration's.
    /// - Throws: ``/TernProtocol/TernError``: what ``metadata()`` throws; `missingMetadata` and `insecureEndpoint` for the
    ///   authorization endpoint; `invalidConfiguration` for parameters that cannot stand together, for a response type
    ///   without a code, for an account that is the library's own, and for an attachment that is too large;
    ///   `storeUnavailable`.
    public func begin(
        _ options: SignInOptions = SignInOptions(), redirectURI: RedirectURI? = nil
    ) async throws(TernError) -> SignIn {
        let account = try (options.account ?? configuration.account).asAccount()
        guard options.attachment.serialized().count <= SignInOptions.maximumAttachmentByteCount else {
            throw TernError(
                .invalidConfiguration(
                    field: "attachment",
                    problem: "it is larger than \(SignInOptions.maximumAttachmentByteCount) bytes"),
                at: .configuration)
        }
        let redirectURI = redirectURI ?? configuration.redirectURI
        let signIn = try await explaining(nil, redirectURI: redirectURI) { () async throws(TernError) -> SignIn in
            if let oauth1 {
                try await beginOAuth1(oauth1, options, redirectURI: redirectURI, account: account)
            } else {
                try await beginOAuth2(options, redirectURI: redirectURI, account: account)
            }
        }
        begunSignIns.withLock { $0.insert(signIn.state) }
        tell(.signInBegan) {
            [
                .account: .text(signIn.account), .redirectURI: .text(redirectURI.uri.withoutQueryAndFragment),
                .scope: .text(signIn.scope.text),
            ]
        }
        if signIn.isKept { try await pending.add(signIn, now: environment.clock.now) }
        return signIn
    }

    private func beginOAuth2(
        _ options: SignInOptions, redirectURI: RedirectURI, account: StoreKey
    ) async throws(TernError) -> SignIn {
        guard redirectURI.kind != .outOfBand else {
            throw TernError(
                .unsupportedRedirect("\"\(redirectURI.text)\" is for OAuth 1.0a"), at: .authorizationRequest)
        }
        let metadata = try await directory.metadata()
        try checkProfile(options, redirectURI, metadata)
        let scope = options.scope ?? configuration.scope
        let responseType = try responseType(options)
        let responseMode = options.responseMode ?? configuration.responseMode
        let isOpenID = scope.contains("openid")
        if isOpenID || responseMode?.isSigned == true, metadata[.keys] != nil { directory.prefetchKeys() }
        let secrets = RequestSecrets(from: environment.random)
        let nonce = isOpenID ? secrets.nonce : nil

        var request = AuthorizationRequest(
            endpoint: try metadata.address(of: .authorization, for: .authorizationRequest),
            clientID: configuration.clientID, redirectURI: redirectURI, scope: scope, state: secrets.state,
            nonce: nonce,
            codeChallenge: secrets.codeVerifier.challenge)
        request.responseType = responseType
        request.responseMode = responseMode
        request.prompt = options.prompt
        request.display = options.display
        request.maxAge = options.maxAge
        request.loginHint = options.loginHint
        request.uiLocales = options.uiLocales
        request.claimsLocales = options.claimsLocales
        request.acrValues = options.acrValues
        request.idTokenHint = options.idTokenHint
        request.claims = options.claims
        request.authorizationDetails = options.authorizationDetails
        request.resources = options.resources.isEmpty ? configuration.resources : options.resources
        let binding = try configuration.dpop?.newBinding()
        request.dpopKeyThumbprint = binding?.thumbprint
        request.additionalParameters = FormParameters(
            configuration.additionalAuthorizationParameters.parameters + options.additionalParameters.parameters)
        let now = environment.clock.now
        var signIn = SignIn(
            address: try await address(of: request, at: metadata, boundTo: binding), begunAt: now,
            expiresAt: now + configuration.signInTimeLimit,
            account: account.name, attachment: options.attachment, clientID: configuration.clientID,
            server: configuration.serverName, issuer: metadata.issuer,
            requiresIssuer: metadata.promisesIssuerInAnswers || configuration.profile?.requiresIssuer == true,
            redirectURI: redirectURI, state: secrets.state,
            nonce: nonce, proof: .codeVerifier(secrets.codeVerifier), scope: scope, maxAge: options.maxAge,
            acrValues: options.acrValues, expectedSubject: options.expectedSubject, dpop: binding,
            resources: request.resources, isKept: options.keepsPending, responseType: responseType,
            responseMode: (responseMode ?? responseType.standardMode).resolved(for: responseType))
        signIn.callbackQuirks = configuration.quirks.callback
        return signIn
    }

    /// The sign-ins that the store keeps as pending.
    var pending: PendingSignIns { PendingSignIns(store: environment.store) }

    /// The session of an account, from the store; `nil` when nobody is signed in.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `storeUnavailable`, `corruptedRecord`; neither means "signed out".
    ///   `invalidConfiguration` for an account that is the library's own.
    public func session(_ account: StoreKey? = nil) async throws(TernError) -> Session? {
        let account = try (account ?? configuration.account).asAccount()
        guard let record = try await environment.store.load(account) else { return nil }
        return Session(try Credential(record), account: account, client: self)
    }
}
