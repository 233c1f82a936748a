internal import TernCrypto
internal import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// Finishes a sign-in with the callback: exchanges the code, checks the ID token and stores the credential.
    ///
    /// A callback is taken once, in whichever process. What does not fit this sign-in uses nothing up, nor does trouble
    /// before the code is sent; after that only a new sign-in helps.
    ///
    /// - Parameters:
    ///   - signIn: the sign-in, possibly begun by an earlier process.
    ///   - callback: the address that arrived.
    ///   - delivery: how it reached the application.
    /// - Returns: the credential, which is stored already; ``session(_:)`` makes a session of it.
    /// - Throws: ``/TernProtocol/TernError``; nothing is stored unless everything was good. `invalidConfiguration` with the
    ///   field `client_id` for a sign-in of another client; `flowExpired` for one that is older than
    ///   ``ClientConfiguration/signInTimeLimit`` was when it began; `strayCallback` for one that has used its callback
    ///   already; `stateMismatch`, `malformedCallback`, `unexpectedResponseMode`, `issuerMismatch` and `serverError` for
    ///   what is wrong with the callback; the server's and the network's trouble at the token endpoint;
    ///   `idTokenRejected`, and `encryptedIDTokenUnsupported` where no key is for it; `storeUnavailable`.
    @discardableResult
    public func finish(
        _ signIn: SignIn, callback: URI, delivery: CallbackDelivery = .open
    ) async throws(TernError) -> Credential {
        try await explaining(signIn) { () async throws(TernError) -> Credential in
            try await completed(signIn, callback, delivery)
        }
    }

    private func completed(
        _ signIn: SignIn, _ callback: URI, _ delivery: CallbackDelivery
    ) async throws(TernError) -> Credential {
        guard signIn.responseType.hasCode || signIn.responseType.hasToken else {
            throw TernError(
                .invalidConfiguration(
                    field: "response_type", problem: "it brings an ID token alone, which finishIdentifying takes"),
                at: .authorizationResponse)
        }
        tell(.callbackReceived) { [.request: .parameters(MessageParts.fields(ofAddress: callback))] }
        let answer = try await answer(to: signIn, callback, delivery)
        tell(.callbackAccepted) { [.checks: .list(signIn.checksOfCallback)] }
        let account = try StoreKey(signIn.account).asAccount()
        let first = try await idToken(in: answer, of: signIn)
        if signIn.isKept { try await pending.take(signIn) }
        do throws(TernError) {
            let credential = try await exchange(answer, of: signIn, first)
            guard !Task.isCancelled else { throw TernError(.cancelled, at: .storage) }
            try await environment.store.save(credential.record, for: account)
            announce(AccountEvent(account: account, event: .signedIn))
            if signIn.isKept { await pending.end(signIn, nil, wasTaken: true) }
            return credential
        } catch {
            // No connection came about, so the code is as good as before.
            if case .network = error.reason, error.step == .tokenRequest, signIn.isKept {
                await pending.giveBack(signIn)
                throw error
            }
            throw await over(signIn, error, wasTaken: true)
        }
    }

    /// An error that ends a sign-in.
    private func over(_ signIn: SignIn, _ error: TernError, wasTaken: Bool) async -> TernError {
        if signIn.isKept { await pending.end(signIn, error, wasTaken: wasTaken) }
        return error
    }

    /// - Throws: `issuerMismatch` where the sign-in was begun with another server.
    private func checkServer(of signIn: SignIn) async throws(TernError) {
        guard oauth1 == nil else { return }
        let metadata = try await directory.metadata()
        guard metadata.issuer == signIn.issuer else {
            throw TernError(
                .issuerMismatch(expected: signIn.issuer ?? "", received: metadata.issuer), at: .authorizationResponse)
        }
    }

    /// What a callback brings to a sign-in of this client that is not over.
    func answer(
        to signIn: SignIn, _ callback: URI, _ delivery: CallbackDelivery
    ) async throws(TernError) -> SignIn.Answer {
        guard signIn.clientID == configuration.clientID else {
            throw TernError(
                .invalidConfiguration(field: "client_id", problem: "another client began this sign-in"),
                at: .authorizationResponse)
        }
        guard environment.clock.now <= signIn.expiresAt else {
            let error = TernError(.flowExpired(refused: []), at: .authorizationResponse)
            throw await over(signIn, error, wasTaken: false)
        }
        let callback = try configuration.decryption.opened(callback)
        var plain: URI? = callback
        if signIn.responseMode.isSigned { plain = try await verified(callback, of: signIn, delivery) }
        let answer = try await ending(signIn, callback, delivery) { () throws(TernError) in
            try plain.flatMap { (plain) throws(TernError) in try signIn.answer(in: plain, delivery: delivery) }
        }
        guard let answer else {
            throw TernError(
                .malformedCallback("it did not arrive at the redirect URI of this sign-in"),
                at: .authorizationResponse)
        }
        try await checkServer(of: signIn)
        return answer
    }

    /// The plain callback that a signed answer stands for. One whose signature is not good uses nothing up: anybody may have
    /// made it.
    private func verified(
        _ callback: URI, of signIn: SignIn, _ delivery: CallbackDelivery
    ) async throws(TernError) -> URI? {
        let expected = signIn.expectation(delivery)
        let signed = try await ending(signIn, callback, delivery) { () throws(TernError) in
            try SignedAuthorizationResponse(callback: callback, expecting: expected)
        }
        guard let signed else { return nil }
        return try await withKeys { (keys) throws(TernError) in
            try signed.plainCallback(
                verifiedWith: keys, for: configuration.clientID, expecting: expected, now: frontChannelNow,
                leeway: configuration.leeway, algorithms: configuration.acceptedAlgorithms)
        }
    }

    /// Reads a callback; the sign-in is over when that fails with an error that only its own answer can cause.
    private func ending<Value>(
        _ signIn: SignIn, _ callback: URI, _ delivery: CallbackDelivery, _ read: () throws(TernError) -> Value?
    ) async throws(TernError) -> Value? {
        do throws(TernError) {
            return try read()
        } catch {
            guard case .failure = signIn.judge(callback, delivery: delivery) else { throw error }
            throw await over(signIn, error, wasTaken: false)
        }
    }

    /// The ID token that came through the browser: what vouches for a code is checked before the code is sent (OpenID Connect
    /// Core 1.0 §3.3.2.10). That the server's keys cannot be had now uses nothing up.
    private func idToken(in answer: SignIn.Answer, of signIn: SignIn) async throws(TernError) -> IDToken? {
        do throws(TernError) {
            switch answer {
            case .code(let response, _): return try await checkedIDToken(in: response, of: signIn)
            case .tokens(let response): return try await checkedIDToken(in: response, of: signIn)
            case .verifier: return nil
            }
        } catch {
            if error.step == .keys || error.step == .discovery { throw error }
            throw await over(signIn, error, wasTaken: false)
        }
    }

    private func exchange(
        _ answer: SignIn.Answer, of signIn: SignIn, _ first: IDToken?
    ) async throws(TernError) -> Credential {
        switch answer {
        case .code(let response, let verifier): try await exchange(response, verifier, of: signIn, first)
        case .tokens(let response): try credential(of: response, of: signIn, first)
        case .verifier(let verifier, let secret): try await exchange(verifier, of: signIn, secret)
        }
    }

    private func exchange(
        _ response: AuthorizationResponse, _ verifier: CodeVerifier, of signIn: SignIn, _ first: IDToken?
    ) async throws(TernError) -> Credential {
        let credential = try await exchange(response.code, verifier, of: signIn)
        if let first { try credential.check(against: first) }
        return credential.keepingSessionState(of: response.additionalParameters)
    }

    private func exchange(
        _ code: AuthorizationCode, _ codeVerifier: CodeVerifier, of signIn: SignIn
    ) async throws(TernError) -> Credential {
        let metadata = try await directory.metadata()
        var grant = AuthorizationCodeGrant(
            endpoint: try metadata.address(of: .token, for: .tokenRequest), code: code,
            redirectURI: signIn.redirectURI, codeVerifier: codeVerifier)
        grant.resources = signIn.resources
        grant.additionalParameters = configuration.additionalTokenParameters
        grant.format = configuration.tokenAnswerFormat
        let wasSentBefore = sentCodes.withLock { sent in
            defer { sent.insert(code.exposedText) }
            return sent.contains(code.exposedText)
        }
        let tokens: TokenResponse
        do throws(TernError) {
            tokens = try await self.tokens(of: grant, at: metadata, boundTo: signIn.dpop)
        } catch {
            throw wasSentBefore ? error.with(Evidence([.codeSentBefore])) : error
        }
        serverClock.note(tokens.serverTime)
        let idToken = try await checkedIDToken(of: tokens, signIn: signIn, code: code, metadata: metadata)
        let subject = try configuration.profile?.subject(in: tokens, expecting: signIn.expectedSubject)
        return Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset,
            lifetime: tokens.lifetime, refreshToken: tokens.refreshToken, idToken: idToken?.encoded,
            scope: tokens.scope ?? signIn.scope,
            subject: idToken?.subject ?? subject, issuer: idToken?.issuer ?? (subject == nil ? nil : metadata.issuer),
            clientID: configuration.clientID,
            dpop: signIn.dpop, nonce: signIn.nonce,
            additionalMembers: tokens.additionalMembers, resources: signIn.resources)
    }
}
