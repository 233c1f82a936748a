internal import TernCrypto
internal import TernJOSE
public import TernProtocol

/// What a sign-in without a browser should be like beyond the client's configuration (OpenID Connect CIBA Core 1.0).
public struct BackchannelSignInOptions: Sendable {
    /// How the tokens come to the client, as it is registered at the server.
    public enum Delivery: Sendable, Hashable {
        /// The client asks until they are there.
        case poll
        /// The server calls the client's notification endpoint, and the client then asks (``OAuthClient/finish(_:notifiedBy:)``).
        case ping
        /// The server brings them to the client's notification endpoint.
        case push
    }

    /// Who shall be asked.
    public var hint: BackchannelAuthenticationRequest.Hint
    /// How the tokens come to the client.
    public var delivery = Delivery.poll
    /// What is asked for, in the place of the configuration's; `openid` must be among it.
    public var scope: Scope?
    /// A short text that the user sees on both devices, so that they belong together.
    public var bindingMessage: String?
    /// The user's code, where the server wants one.
    public var userCode: BackchannelUserCode?
    /// How long the user shall have, in whole seconds.
    public var requestedExpiry: Duration?
    /// The authentication contexts (`acr`) of which one must be met, the best first.
    public var acrValues: [String] = []
    /// Any further parameters of the request.
    public var additionalParameters: FormParameters = [:]
    /// The user who must sign in; anybody else is refused.
    public var expectedSubject: String?
    /// Under which name the credential is stored, in the place of the configuration's.
    public var account: StoreKey?
    /// What happens when another sign-in of this client is under way.
    public var whenBusy = SignInOptions.WhenBusy.fail

    /// Options for asking somebody.
    public init(asking hint: BackchannelAuthenticationRequest.Hint) { self.hint = hint }
}

/// A sign-in without a browser that has begun: the user is being asked.
public struct BackchannelSignIn: Sendable {
    /// What the server says of the request.
    public let authentication: BackchannelAuthentication
    /// What the server will show at the notification endpoint; `nil` for a client that polls.
    public let notificationToken: ClientNotificationToken?
    /// Until when the user has time.
    public let expiresAt: NumericDate
    let options: BackchannelSignInOptions
    let account: StoreKey
}

extension OAuthClient {
    /// Signs a user in who is asked on a device of theirs, and asks for the tokens until there is an answer (OpenID Connect
    /// CIBA Core 1.0, poll mode). It waits and can be cancelled as ``signInOnOtherDevice(_:presenting:)``.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` where the server does not offer it; `flowExpired`;
    ///   `serverError`, with the code `access_denied` where the user said no; `loginInProgress`; `cancelled`;
    ///   `idTokenRejected`; what is wrong with the answers; `storeUnavailable`.
    public func signInOverBackchannel(_ options: BackchannelSignInOptions) async throws(TernError) -> Session {
        let account = try (options.account ?? configuration.account).asAccount()
        return try await signIn(to: account, whenBusy: options.whenBusy) { [self] () async throws(TernError) in
            var options = options
            options.delivery = .poll
            return try await finish(try await beginOverBackchannel(options))
        }
    }

    /// Has a user asked. With ping or push a notification token is made, which the server shows when it calls.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` where the server does not offer it; `invalidConfiguration`;
    ///   the server's and the network's trouble; what is wrong with the answer.
    public func beginOverBackchannel(
        _ options: BackchannelSignInOptions
    ) async throws(TernError) -> BackchannelSignIn {
        let account = try (options.account ?? configuration.account).asAccount()
        guard oauth1 == nil else {
            throw TernError(.unsupported("asking users: it speaks OAuth 1.0a"), at: .backchannelAuthentication)
        }
        let metadata = try await directory.metadata(naming: .backchannelAuthentication)
        if metadata[.keys] != nil { directory.prefetchKeys() }
        var request = BackchannelAuthenticationRequest(
            endpoint: try metadata.address(of: .backchannelAuthentication, for: .backchannelAuthentication),
            hint: options.hint, scope: options.scope ?? configuration.scope)
        request.bindingMessage = options.bindingMessage
        request.userCode = options.userCode
        request.requestedExpiry = options.requestedExpiry
        request.acrValues = options.acrValues
        if options.delivery != .poll {
            request.notificationToken = ClientNotificationToken(Base64URL.encode(environment.random.bytes(32)))
        }
        request.additionalParameters = options.additionalParameters
        let authentication = try await caller.perform(authenticated: request, at: metadata)
        return BackchannelSignIn(
            authentication: authentication, notificationToken: request.notificationToken,
            expiresAt: environment.clock.now + (authentication.lifetime ?? configuration.signInTimeLimit),
            options: options, account: account)
    }

    /// Asks for the tokens until the user has answered, checks and stores them: poll mode, and ping mode where no call came.
    ///
    /// - Returns: the credential, which is stored already; ``session(_:)`` makes a session of it.
    /// - Throws: what ``signInOverBackchannel(_:)`` throws.
    @discardableResult
    public func finish(_ signIn: BackchannelSignIn) async throws(TernError) -> Credential {
        try await poll(signIn, asksAtOnce: false)
    }

    /// Finishes a sign-in with the server's call at the notification endpoint: a ping has the tokens asked for at once, a
    /// push brings them. They are checked and stored.
    ///
    /// - Parameters:
    ///   - signIn: the sign-in that ``/TernProtocol/BackchannelNotification/requestID(in:)`` names.
    ///   - request: the call as it arrived.
    /// - Returns: the credential, which is stored already; ``session(_:)`` makes a session of it.
    /// - Throws: ``/TernProtocol/TernError``: `malformedCallback` for a call that is not about this sign-in or does not show
    ///   its notification token, which uses nothing up; `flowExpired`; what ``signInOverBackchannel(_:)`` throws.
    @discardableResult
    public func finish(
        _ signIn: BackchannelSignIn, notifiedBy request: HTTPRequest
    ) async throws(TernError) -> Credential {
        guard let token = signIn.notificationToken else {
            throw TernError(
                .malformedCallback("this sign-in waits for no call"), at: .backchannelAuthentication)
        }
        let requestID = signIn.authentication.requestID
        let notification = try BackchannelNotification(
            reading: request, for: requestID, token: token, format: configuration.tokenAnswerFormat)
        switch (notification, signIn.options.delivery) {
        case (.ping, .ping): return try await poll(signIn, asksAtOnce: true)
        case (.tokens(let tokens), .push):
            guard environment.clock.now < signIn.expiresAt else { throw Self.expired }
            let credential = try await credential(of: tokens, expecting: signIn.expectation(configuration)) {
                (idToken) throws(TernError) in try idToken.check(pushedWith: tokens, for: requestID)
            }
            // Without an ID token nothing would tie the tokens to the request.
            guard credential.idToken != nil else {
                throw TernError(.malformedResponse(field: "id_token"), at: .backchannelAuthentication)
            }
            try await keep(credential, for: signIn.account)
            return credential
        default:
            throw TernError(
                .malformedCallback("it comes in another mode than the client is set up for"),
                at: .backchannelAuthentication)
        }
    }

    private func poll(_ signIn: BackchannelSignIn, asksAtOnce: Bool) async throws(TernError) -> Credential {
        guard signIn.options.delivery != .push else {
            throw TernError(
                .invalidConfiguration(field: "delivery", problem: "tokens that are pushed cannot be asked for"),
                at: .backchannelAuthentication)
        }
        let metadata = try await directory.metadata()
        var grant = BackchannelGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest),
            requestID: signIn.authentication.requestID)
        grant.additionalParameters = configuration.additionalTokenParameters
        grant.format = configuration.tokenAnswerFormat
        let polling = TokenPolling(
            clock: environment.clock, interval: signIn.authentication.interval, end: signIn.expiresAt,
            expired: Self.expired)
        var expected = signIn.expectation(configuration)
        expected.binding = try configuration.dpop?.newBinding()
        let tokens = try await polling.tokens(asksAtOnce: asksAtOnce) {
            [grant, binding = expected.binding] () async throws(TernError) in
            try await self.tokens(of: grant, at: metadata, boundTo: binding)
        }
        let credential = try await credential(of: tokens, expecting: expected)
        try await keep(credential, for: signIn.account)
        return credential
    }

    private static let expired = TernError(.flowExpired(refused: []), at: .backchannelAuthentication)
}

extension BackchannelSignIn {
    fileprivate func expectation(_ configuration: ClientConfiguration) -> GrantExpectation {
        var expected = GrantExpectation(scope: options.scope ?? configuration.scope)
        expected.acrValues = options.acrValues
        expected.subject = options.expectedSubject
        return expected
    }
}
