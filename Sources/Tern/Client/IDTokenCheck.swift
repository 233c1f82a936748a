internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension OAuthClient {
    /// The checked ID token of a sign-in; `nil` where none was asked for and none came.
    func checkedIDToken(
        of tokens: TokenResponse, signIn: SignIn, code: AuthorizationCode, metadata: ServerMetadata
    ) async throws(TernError) -> IDToken? {
        guard let encoded = tokens.idToken else {
            let granted = tokens.scope ?? signIn.scope
            guard !(signIn.scope.contains("openid") && granted.contains("openid")) else {
                throw TernError(.malformedResponse(field: "id_token"), at: .tokenRequest)
            }
            return nil
        }
        guard let issuer = metadata.issuer else { throw TernError(.missingMetadata(field: "issuer"), at: .idToken) }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: configuration.clientID,
            nonce: signIn.nonce.map { .required($0) } ?? .ifPresent(nil))
        expected.accessToken = tokens.accessToken
        expected.code = code
        expected.maxAge = signIn.maxAge
        expected.acrValues = signIn.acrValues
        expected.subject = signIn.expectedSubject
        return try await verified(encoded, expected, serverTime: tokens.serverTime)
    }

    /// The checked ID token of a refresh; `nil` where none came, or where the server repeats the old one.
    func checkedIDToken(ofRefresh tokens: TokenResponse, old: Credential) async throws(TernError) -> IDToken? {
        guard let encoded = tokens.idToken, encoded != old.idToken else { return nil }
        let issuer: String
        if let known = old.issuer {
            issuer = known
        } else if let named = try await directory.metadata().issuer {
            issuer = named
        } else {
            throw TernError(.missingMetadata(field: "issuer"), at: .idToken)
        }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: configuration.clientID, nonce: .ifPresent(old.nonce))
        expected.accessToken = tokens.accessToken
        expected.subject = old.subject
        return try await verified(encoded, expected, serverTime: tokens.serverTime)
    }

    /// Verifies with the known keys, and once more with fresh ones when none of them fits.
    private func verified(
        _ encoded: EncodedIDToken, _ expectation: IDToken.Expectation, serverTime: NumericDate?
    ) async throws(TernError) -> IDToken {
        var expected = expectation
        expected.leeway = configuration.leeway
        let now = configuration.usesServerClock ? serverTime ?? environment.clock.now : environment.clock.now
        do throws(TernError) {
            return try IDToken(verifying: encoded, keys: try await directory.keys(), expecting: expected, now: now)
        } catch {
            guard [.idTokenRejected(.unknownKey), .idTokenRejected(.signature)].contains(error.reason),
                let keys = try await directory.freshKeys()
            else { throw error }
            return try IDToken(verifying: encoded, keys: keys, expecting: expected, now: now)
        }
    }
}
