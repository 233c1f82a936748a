internal import TernJOSE
public import TernProtocol

/// What a sign-in on another device should be like beyond the client's configuration (RFC 8628).
public struct DeviceSignInOptions: Sendable {
    /// What is asked for, in the place of the configuration's.
    public var scope: Scope?
    /// The authentication contexts (`acr`) of which one must be met, the best first.
    public var acrValues: [String] = []
    /// The APIs that the token is for (RFC 8707).
    public var resources: [URI] = []
    /// Where the codes come from, for a server whose metadata does not say it.
    public var endpoint: URI?
    /// Any further parameters of the request for the codes.
    public var additionalParameters: FormParameters = [:]
    /// The user who must sign in; anybody else is refused.
    public var expectedSubject: String?
    /// Under which name the credential is stored, in the place of the configuration's.
    public var account: StoreKey?
    /// What happens when another sign-in of this client is under way.
    public var whenBusy = SignInOptions.WhenBusy.fail

    /// Plain options.
    public init() {}

    func address(at metadata: ServerMetadata) throws(TernError) -> URI {
        guard let endpoint else { return try metadata.address(of: .deviceAuthorization, for: .deviceAuthorization) }
        guard endpoint.isSecure || endpoint.isLoopback else {
            throw TernError(.insecureEndpoint(field: "device_authorization_endpoint"), at: .deviceAuthorization)
        }
        return endpoint
    }
}

/// A sign-in on another device that has begun: what the user needs, and until when.
public struct DeviceSignIn: Sendable {
    /// What the user needs.
    public let authorization: DeviceAuthorization
    /// Until when the user has time.
    public let expiresAt: NumericDate
    let options: DeviceSignInOptions
    let account: StoreKey
}

extension OAuthClient {
    /// Signs a user in who has a browser elsewhere: gets a code, has it shown, and asks for the tokens until the user is done
    /// (RFC 8628).
    ///
    /// The server is asked as often as it wants to be, on the environment's clock; trouble of the network does not end the
    /// wait. It can be cancelled at any moment, by cancelling the task or by ``cancelSignIn()``; then nothing was stored.
    ///
    /// Some servers give no ID token here although `openid` was asked for: the credential then has no subject. With
    /// ``DeviceSignInOptions/expectedSubject`` or ``DeviceSignInOptions/acrValues`` such an answer is refused.
    ///
    /// - Parameters:
    ///   - options: what this sign-in should be like.
    ///   - present: shows the user code and the address of the page. It may return at once, or go on for as long as the
    ///     codes are shown: its task is cancelled when they are of no use any more, and the sign-in ends when it returns.
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` where the server does not offer it; `deviceCodeExpired`;
    ///   `serverError` with the code `access_denied` where the user said no; `loginInProgress`; `cancelled`;
    ///   `idTokenRejected`; what is wrong with the answers; `storeUnavailable`.
    public func signInOnOtherDevice(
        _ options: DeviceSignInOptions = DeviceSignInOptions(),
        presenting present: @escaping @Sendable (DeviceAuthorization) async -> Void
    ) async throws(TernError) -> Session {
        let account = try (options.account ?? configuration.account).asAccount()
        return try await signIn(to: account, whenBusy: options.whenBusy) { [self] () async throws(TernError) in
            let signIn = try await beginOnOtherDevice(options)
            let outcome = await withTaskGroup(of: Result<Credential, TernError>?.self) { group in
                group.addTask {
                    await present(signIn.authorization)
                    return nil
                }
                group.addTask { [self] in
                    do throws(TernError) { return .success(try await finish(signIn)) } catch { return .failure(error) }
                }
                var outcome: Result<Credential, TernError>?
                while outcome == nil, let next = await group.next() { outcome = next }
                group.cancelAll()
                return outcome
            }
            guard let outcome else { throw TernError(.cancelled, at: .deviceAuthorization) }
            return try outcome.get()
        }
    }

    /// The first half of ``signInOnOtherDevice(_:presenting:)``: gets the codes. Show them, and call `finish` with what came.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` where the server does not offer it; the server's and the
    ///   network's trouble; what is wrong with the answer.
    public func beginOnOtherDevice(
        _ options: DeviceSignInOptions = DeviceSignInOptions()
    ) async throws(TernError) -> DeviceSignIn {
        let account = try (options.account ?? configuration.account).asAccount()
        guard oauth1 == nil else {
            throw TernError(.unsupported("codes for a device: it speaks OAuth 1.0a"), at: .deviceAuthorization)
        }
        let metadata = try await directory.metadata(naming: .deviceAuthorization)
        let scope = options.scope ?? configuration.scope
        if scope.contains("openid"), metadata[.keys] != nil { directory.prefetchKeys() }
        var request = DeviceAuthorizationRequest(
            endpoint: try options.address(at: metadata), scope: scope)
        request.acrValues = options.acrValues
        request.resources = options.resources.isEmpty ? configuration.resources : options.resources
        request.additionalParameters = options.additionalParameters
        let authorization = try await caller.perform(authenticated: request, at: metadata)
        return DeviceSignIn(
            authorization: authorization,
            expiresAt: environment.clock.now + (authorization.lifetime ?? configuration.signInTimeLimit),
            options: options, account: account)
    }

    /// The second half: asks until the user is done, checks the tokens and stores them.
    ///
    /// - Returns: the credential, which is stored already; ``session(_:)`` makes a session of it.
    /// - Throws: what ``signInOnOtherDevice(_:presenting:)`` throws.
    @discardableResult
    public func finish(_ signIn: DeviceSignIn) async throws(TernError) -> Credential {
        let metadata = try await directory.metadata()
        var grant = DeviceCodeGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest),
            deviceCode: signIn.authorization.deviceCode)
        grant.additionalParameters = configuration.additionalTokenParameters
        grant.format = configuration.tokenAnswerFormat
        let polling = TokenPolling(
            clock: environment.clock, interval: signIn.authorization.interval, end: signIn.expiresAt,
            expired: TernError(.deviceCodeExpired, at: .deviceAuthorization))
        var expected = GrantExpectation(scope: signIn.options.scope ?? configuration.scope)
        expected.binding = try configuration.dpop?.newBinding()
        let tokens = try await polling.tokens { [grant, binding = expected.binding] () async throws(TernError) in
            try await self.tokens(of: grant, at: metadata, boundTo: binding)
        }
        expected.acrValues = signIn.options.acrValues
        expected.subject = signIn.options.expectedSubject
        expected.resources = signIn.options.resources.isEmpty ? configuration.resources : signIn.options.resources
        // RFC 8628 knows no ID token, and widespread servers give none here.
        expected.allowsMissingIDToken = true
        let credential = try await credential(of: tokens, expecting: expected)
        try await keep(credential, for: signIn.account)
        return credential
    }
}
