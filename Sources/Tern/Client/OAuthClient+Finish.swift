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
        guard signIn.clientID == configuration.clientID else {
            throw TernError(
                .invalidConfiguration(field: "client_id", problem: "another client began this sign-in"),
                at: .authorizationResponse)
        }
        guard environment.clock.now <= signIn.expiresAt else {
            let error = TernError(.flowExpired(refused: []), at: .authorizationResponse)
            throw await over(signIn, error, wasTaken: false)
        }
        let answer = try await answer(to: signIn, callback, delivery)
        try await checkServer(of: signIn)
        let account = try StoreKey(signIn.account).asAccount()
        if signIn.isKept { try await pending.take(signIn) }
        do throws(TernError) {
            let credential = try await exchange(answer, of: signIn).keepingSessionState(of: callback)
            guard !Task.isCancelled else { throw TernError(.cancelled, at: .storage) }
            try await environment.store.save(credential.record, for: account)
            announcements.announce(AccountEvent(account: account, event: .signedIn))
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

    private func answer(
        to signIn: SignIn, _ callback: URI, _ delivery: CallbackDelivery
    ) async throws(TernError) -> SignIn.Answer {
        do throws(TernError) {
            if let answer = try signIn.answer(in: callback, delivery: delivery) { return answer }
        } catch {
            if case .failure = signIn.judge(callback, delivery: delivery) {
                throw await over(signIn, error, wasTaken: false)
            }
            throw error
        }
        throw TernError(
            .malformedCallback("it did not arrive at the redirect URI of this sign-in"), at: .authorizationResponse)
    }

    private func exchange(_ answer: SignIn.Answer, of signIn: SignIn) async throws(TernError) -> Credential {
        switch answer {
        case .code(let code, let verifier): try await exchange(code, verifier, of: signIn)
        case .verifier(let verifier, let secret): try await exchange(verifier, of: signIn, secret)
        }
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
        let tokens = try await tokens(of: grant, at: metadata, boundTo: signIn.dpop)
        serverClock.note(tokens.serverTime)
        let idToken = try await checkedIDToken(of: tokens, signIn: signIn, code: code, metadata: metadata)
        return Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset,
            lifetime: tokens.lifetime, refreshToken: tokens.refreshToken, idToken: idToken?.encoded,
            scope: tokens.scope ?? signIn.scope,
            subject: idToken?.subject, issuer: idToken?.issuer, clientID: configuration.clientID,
            dpop: signIn.dpop, nonce: signIn.nonce,
            additionalMembers: tokens.additionalMembers, resources: signIn.resources)
    }
}
