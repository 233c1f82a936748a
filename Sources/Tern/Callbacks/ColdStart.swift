internal import TernJOSE
internal import TernOAuth1
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
        try await finish(try await pendingSignIn(for: callback), answeredBy: callback)
    }

    /// Finishes a pending sign-in that was found by its callback.
    func finish(_ signIn: SignIn, answeredBy callback: URI) async throws(TernError) -> Session {
        let credential = try await finish(signIn, callback: callback)
        return Session(credential, account: try StoreKey(signIn.account), client: self)
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
        let credential = try await gate.run(account, whenBusy: options.whenBusy) { [self, options] in
            do throws(TernError) {
                let signIn = try await begin(options)
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
                let credential = try Credential(record)
                announce(AccountEvent(account: account, event: .signedIn))
                return .success(credential)
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

    /// The pending sign-in of this client that an address answers.
    ///
    /// - Throws: `strayCallback` when none fits; `storeUnavailable` when the address came to the redirect URI and it cannot
    ///   be known.
    func pendingSignIn(for callback: URI) async throws(TernError) -> SignIn {
        do throws(TernError) {
            return try await pending.signIn(answeredBy: try configuration.decryption.opened(callback), where: isOwn)
        } catch {
            switch error.reason {
            case .strayCallback(let reason) where reason != .nothingPending: throw error
            case _ where configuration.redirectURI.matches(callback): throw error
            default: throw TernError(.strayCallback(.foreignAddress), at: .authorizationResponse)
            }
        }
    }

    private func isOwn(_ signIn: SignIn) -> Bool {
        signIn.clientID == configuration.clientID && signIn.server == configuration.serverName
    }
}

extension URI {
    /// The values of `state` in the query and in the fragment, of what is in its place with OAuth 1.0a, and of what signed
    /// answers claim.
    var states: [String] {
        [encodedQuery, encodedFragment].flatMap { part in
            let parameters = FormParameters(decoding: part ?? "") ?? [:]
            let signed = parameters.values(of: "response").compactMap(SignedAuthorizationResponse.unverifiedState)
            return ["state", "oauth_token", "denied"].flatMap { parameters.values(of: $0) } + signed
        }
    }
}

extension ClientConfiguration {
    /// The server as the configuration names it, which is known without asking it.
    var serverName: String {
        switch server {
        case .issuer(let issuer, _): issuer.text
        case .metadata(let metadata): metadata.issuer ?? metadata[.token]?.withoutQueryAndFragment ?? ""
        case .oauth1(let server, _): server.tokenEndpoint.withoutQueryAndFragment
        }
    }
}
