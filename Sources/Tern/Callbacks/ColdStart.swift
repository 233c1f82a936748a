internal import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// Finishes the pending sign-in of this client that an address answers, usually in a process that has just been
    /// started with it: ``begin(_:redirectURI:)`` left it in the store.
    ///
    /// - Parameter callback: the address that arrived. Anybody on the device can send one, so it counts for a sign-in only
    ///   with its state.
    /// - Returns: the session of the account that was signed in.
    /// - Throws: ``/TernProtocol/TernError``: `strayCallback` when no pending sign-in fits, and then nothing was used up;
    ///   `storeUnavailable` when it cannot be known whether one does; what ``finish(_:callback:delivery:)`` throws.
    @discardableResult
    public func finish(callback: URI) async throws(TernError) -> Session {
        let signIn = try await pendingSignIn(for: callback)
        try await finish(signIn, callback: callback)
        guard let session = try await session(try StoreKey(signIn.account)) else {
            throw TernError(.signedOut, at: .storage)
        }
        return session
    }

    /// Signs a user in with a page whose callback starts another process, as those of private-use schemes do on a desktop
    /// (RFC 8252 §7.1): that process calls ``finish(callback:)``, and this one looks at the store until it has.
    ///
    /// - Parameters:
    ///   - options: what this sign-in should be like. The store keeps it, whatever they say.
    ///   - browser: what opens the page.
    ///   - interval: the pause between two looks at the store.
    /// - Throws: ``/TernProtocol/TernError``: `reported` with what the other process failed with; `flowExpired` after
    ///   ``ClientConfiguration/signInTimeLimit``; `loginInProgress`; `cancelled`; what the browser throws; what
    ///   ``begin(_:redirectURI:)`` throws.
    public func signIn(
        _ options: SignInOptions = SignInOptions(), opening browser: any BrowserOpener,
        lookingEvery interval: Duration = .milliseconds(200)
    ) async throws(TernError) -> Session {
        var options = options
        options.keepsPending = true
        let account = options.account ?? configuration.account
        let credential = try await gate.run(whenBusy: options.whenBusy) { [self, options] in
            do throws(TernError) {
                let signIn = try await begin(options, redirectURI: nil, isAwaited: true)
                do throws(TernError) {
                    try await browser.open(signIn.address)
                    try await waitForEnd(of: signIn, interval)
                } catch {
                    await pending.remove(signIn)
                    throw error
                }
                await pending.remove(signIn)
                guard let record = try await environment.store.load(account) else {
                    throw TernError(.signedOut, at: .storage)
                }
                return .success(try Credential(record))
            } catch {
                return .failure(error)
            }
        }
        return Session(credential, account: account, client: self)
    }

    private func waitForEnd(of signIn: SignIn, _ interval: Duration) async throws(TernError) {
        while true {
            switch try await pending.phase(of: signIn) {
            case .done: return
            case .failed(let failure): throw TernError(.reported(failure), at: failure.step)
            // It is gone without a word when newer ones have pushed it out.
            case nil: throw TernError(.flowExpired(refused: []), at: .userAgent)
            case .waiting, .taken: break
            }
            guard environment.clock.now <= signIn.expiresAt else {
                throw TernError(.flowExpired(refused: []), at: .userAgent)
            }
            do { try await environment.clock.sleep(for: interval) } catch {
                throw TernError(.cancelled, at: .userAgent)
            }
        }
    }

    /// The pending sign-in that an address answers.
    private func pendingSignIn(for callback: URI) async throws(TernError) -> SignIn {
        func stray(_ reason: StrayCallback) -> TernError {
            TernError(.strayCallback(reason), at: .authorizationResponse)
        }
        let arrived = configuration.redirectURI.matches(callback)
        let signIns: [SignIn]
        do throws(TernError) {
            signIns = try await pending.waiting().filter(isOwn)
        } catch {
            throw arrived ? error : stray(.foreignAddress)
        }
        var refusesIt = false
        for signIn in signIns {
            switch signIn.judge(callback, delivery: .open) {
            case .success, .signedOut, .failure: return signIn
            case .refused: refusesIt = true
            case .notMine: break
            }
        }
        guard refusesIt else { throw stray(arrived ? .nothingPending : .foreignAddress) }
        throw stray(StrayCallback(refused: callback))
    }

    private func isOwn(_ signIn: SignIn) -> Bool {
        signIn.clientID == configuration.clientID && signIn.server == configuration.serverName
    }
}

extension StrayCallback {
    /// What is said of an address that came to the redirect URI of sign-ins and answers none of them.
    init(refused callback: URI) {
        let hasState = [callback.encodedQuery, callback.encodedFragment].contains { part in
            FormParameters(decoding: part ?? "")?["state"] != nil
        }
        self = hasState ? .unknownState : .missingState
    }
}

extension ClientConfiguration {
    /// The server as the configuration names it, which is known without asking it.
    var serverName: String {
        switch server {
        case .issuer(let issuer, _): issuer.text
        case .metadata(let metadata): metadata.issuer ?? metadata[.token]?.withoutQueryAndFragment ?? ""
        }
    }
}
