internal import TernCrypto
public import TernProtocol

/// What became of a sign-out. The local part is done whenever there is a report.
public struct SignOutReport: Sendable, Hashable {
    /// What became of one part at the server.
    public enum Outcome: Sendable, Hashable {
        /// The server did it.
        case done
        /// The user came back from the server, which left out the `state` that tells its answer from another one. Many
        /// servers do, and there is nothing to steal in that answer.
        case doneWithoutState
        /// The server does not offer it.
        case notOffered
        /// There was nothing to do, or it was not asked for.
        case notNeeded
        /// It failed; the session here is over all the same.
        case failed(TernError)
    }

    /// What became of the tokens at the server (RFC 7009).
    public var revocation: Outcome
    /// What became of the session at the server (OpenID Connect RP-Initiated Logout 1.0).
    public var endSession: Outcome

    /// Makes a report.
    public init(revocation: Outcome, endSession: Outcome) {
        self.revocation = revocation
        self.endSession = endSession
    }
}

/// How far a sign-out reaches.
public enum SignOutScope: Sendable {
    /// The tokens of this application. The user stays signed in at the server, where the next sign-in may need no password.
    case thisApp
    /// The user's session at the server too, which is ended on a page that the user agent shows (OpenID Connect
    /// RP-Initiated Logout 1.0). The user comes back to the redirect URI, which is the client's own where there is none.
    case browserToo(any UserAgent, redirectURI: RedirectURI? = nil)
}

extension Session {
    /// Signs out: forgets the tokens here, revokes them at the server, and ends the session in the user's browser where the
    /// scope says so. Trouble at the server is reported and never keeps the user signed in.
    ///
    /// - Parameters:
    ///   - scope: how far it reaches; this application alone if nothing is said.
    ///   - revokingTokens: whether the tokens are revoked at the server.
    /// - Throws: ``/TernProtocol/TernError`` with `storeUnavailable` when the record could not be deleted.
    @discardableResult
    public func signOut(
        _ scope: SignOutScope = .thisApp, revokingTokens: Bool = true
    ) async throws(TernError) -> SignOutReport {
        guard let credential = try await endLocally() else {
            return SignOutReport(revocation: .notNeeded, endSession: .notNeeded)
        }
        return SignOutReport(
            revocation: revokingTokens ? await client.revoke(credential) : .notNeeded,
            endSession: await endSession(credential, scope))
    }

    private func endSession(_ credential: Credential, _ scope: SignOutScope) async -> SignOutReport.Outcome {
        guard case .browserToo(let userAgent, let redirectURI) = scope else { return .notNeeded }
        do throws(TernError) {
            let response = try await client.endSession(
                idToken: credential.idToken, with: userAgent,
                redirectURI: redirectURI ?? client.configuration.redirectURI)
            return response == .confirmed ? .done : .doneWithoutState
        } catch {
            return error.reason == .unsupported("end_session") ? .notOffered : .failed(error)
        }
    }
}

extension OAuthClient {
    /// Revokes the tokens of a credential: the refresh token where there is one, else the access token (RFC 7009). The store
    /// is left alone.
    public func revoke(_ credential: Credential) async -> SignOutReport.Outcome {
        guard oauth1 == nil else { return .notOffered }
        do throws(TernError) {
            let metadata = try await directory.metadata(naming: .revocation)
            guard metadata[.revocation] != nil else { return .notOffered }
            let endpoint = try metadata.address(of: .revocation, for: .revocation)
            if let refreshToken = credential.refreshToken {
                try await caller.perform(
                    authenticated: RevocationRequest(endpoint: endpoint, refreshToken), at: metadata)
            } else {
                try await caller.perform(
                    authenticated: RevocationRequest(endpoint: endpoint, credential.accessToken), at: metadata)
            }
            return .done
        } catch {
            return .failed(error)
        }
    }

    /// Revokes in the background what nobody will use.
    func revokeQuietly(_ credential: Credential) async {
        Task { [self] in _ = await revoke(credential) }
    }

    /// Shows the server's logout page and waits until the user comes back (OpenID Connect RP-Initiated Logout 1.0). Tokens
    /// and store are left alone.
    ///
    /// - Parameters:
    ///   - idToken: the user's ID token, an expired one too, which tells the server whose session it is.
    ///   - userAgent: how the page is shown.
    ///   - redirectURI: where the user comes back to.
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where the server has no such page, `userCancelled`,
    ///   `stateMismatch`, `flowExpired`.
    public func endSession(
        idToken: EncodedIDToken?, with userAgent: any UserAgent, redirectURI: RedirectURI
    ) async throws(TernError) -> EndSessionResponse {
        guard oauth1 == nil else { throw TernError(.unsupported("end_session"), at: .logout) }
        let metadata = try await directory.metadata()
        guard metadata[.endSession] != nil else { throw TernError(.unsupported("end_session"), at: .logout) }
        let visit = try await userAgent.prepare(for: redirectURI)
        let state = Base64URL.encode(environment.random.bytes(32))
        let returning = visit.redirectURI
        do throws(TernError) {
            var request = EndSessionRequest(
                endpoint: try metadata.address(of: .endSession, for: .logout), clientID: configuration.clientID,
                idTokenHint: idToken)
            request.postLogoutRedirectURI = returning
            request.state = state
            request.redirectParameterName = configuration.logoutRedirectParameterName
            let wait = CallbackWait(
                visit: visit, address: try request.url(), timeLimit: configuration.signInTimeLimit,
                clock: environment.clock
            ) { address in
                do throws(TernError) {
                    let response = try EndSessionResponse(callback: address, redirectURI: returning, state: state)
                    return response == nil ? .notMine : .signedOut
                } catch {
                    return error.reason == .stateMismatch ? .refused(error.code) : .failure(error.code)
                }
            }
            let callback = try await wait.callback()
            await visit.dismiss()
            guard let response = try EndSessionResponse(callback: callback, redirectURI: returning, state: state)
            else { throw TernError(.malformedCallback("it did not arrive at the redirect URI"), at: .logout) }
            return response
        } catch {
            await visit.dismiss()
            throw error.at(.logout)
        }
    }
}
