internal import TernCrypto
internal import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// Checks an ID token that came some other way, for example to a server from an application that signed in: with the
    /// server's cached keys, and once more with fresh ones when none of them fits. A fetch is forced at most once a
    /// minute, whatever arrives (OpenID Connect Core 1.0 §10.1.1). An encrypted one is opened with the client's keys first.
    ///
    /// - Parameters:
    ///   - encoded: the token as it came.
    ///   - nonce: what its nonce must be.
    ///   - change: sets further expectations: `max_age`, `acr`, the access token for `at_hash`, and so on.
    /// - Throws: `TernError` with `idTokenRejected`, `encryptedIDTokenUnsupported` for an encrypted one where no key is for
    ///   it, or what fetching metadata and keys throws.
    public func verify(
        _ encoded: EncodedIDToken, nonce: IDToken.NonceRule, _ change: (inout IDToken.Expectation) -> Void = { _ in }
    ) async throws(TernError) -> IDToken {
        guard let issuer = try await directory.metadata().issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .idToken)
        }
        var expected = IDToken.Expectation(issuer: issuer, clientID: configuration.clientID, nonce: nonce)
        expected.leeway = configuration.leeway
        expected.allowedTenants = configuration.allowedTenants
        change(&expected)
        return try await verified(encoded, expected, now: environment.clock.now)
    }

    /// The checked ID token of a sign-in; `nil` where none was asked for and none came.
    func checkedIDToken(
        of tokens: TokenResponse, signIn: SignIn, code: AuthorizationCode, metadata: ServerMetadata
    ) async throws(TernError) -> IDToken? {
        guard let encoded = tokens.idToken else {
            let granted = tokens.scope ?? signIn.scope
            let isMissed =
                signIn.scope.contains("openid")
                && (granted.contains("openid") || signIn.maxAge != nil || !signIn.acrValues.isEmpty)
            // Without it nobody shows that the right user signed in, unless a profile's answers name the user.
            guard !isMissed, signIn.expectedSubject == nil || configuration.profile == .atproto else {
                throw TernError(.malformedResponse(field: "id_token"), at: .tokenRequest)
            }
            return nil
        }
        guard let issuer = metadata.issuer else { throw TernError(.missingMetadata(field: "issuer"), at: .idToken) }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: configuration.clientID,
            nonce: signIn.nonce.map { .required($0) } ?? .ifPresent(nil))
        expected.leeway = configuration.leeway
        expected.accessToken = tokens.accessToken
        expected.code = code
        expected.maxAge = signIn.maximumLoginAge(at: environment.clock.now)
        expected.acrValues = signIn.acrValues
        expected.subject = signIn.expectedSubject
        expected.allowedTenants = configuration.allowedTenants
        let now = configuration.usesServerClock ? tokens.serverTime : nil
        return try await verified(encoded, expected, now: now ?? environment.clock.now)
    }

    /// The checked ID token of a refresh; `nil` where none came, or where the server repeats the old one.
    func checkedIDToken(ofRefresh tokens: TokenResponse, old: Credential) async throws(TernError) -> IDToken? {
        guard let encoded = try tokens.idToken.map({ (token) throws(TernError) in try signedIDToken(in: token) }),
            encoded != old.idToken
        else { return nil }
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
        expected.leeway = configuration.leeway
        expected.accessToken = tokens.accessToken
        expected.subject = old.subject
        expected.allowedTenants = configuration.allowedTenants
        // A clock that is put wrong after the sign-in must not end it; the answer comes straight from the server.
        return try await verifiedSigned(encoded, expected, now: serverClock.now)
    }

    func verified(
        _ encoded: EncodedIDToken, _ expected: IDToken.Expectation, now: NumericDate
    ) async throws(TernError) -> IDToken {
        try await verifiedSigned(try signedIDToken(in: encoded), expected, now: now)
    }

    private func verifiedSigned(
        _ encoded: EncodedIDToken, _ expected: IDToken.Expectation, now: NumericDate
    ) async throws(TernError) -> IDToken {
        var expected = expected
        expected.algorithms.formIntersection(configuration.acceptedAlgorithms)
        let token = try await withKeys { [expected] (keys) throws(TernError) in
            try IDToken(verifying: encoded, keys: keys, expecting: expected, now: now)
        }
        tell(.idTokenAccepted) { [expected] in [.checks: .list(expected.checks)] }
        return token
    }

    /// Verifies with the known keys, and once more with fresh ones when none of them fits.
    func withKeys<Verified>(
        _ verify: (JWKSet) throws(TernError) -> Verified
    ) async throws(TernError) -> Verified {
        do throws(TernError) {
            return try verify(try await directory.keys())
        } catch {
            guard error.asksForNewKeys, let keys = try await directory.freshKeys() else { throw error }
            return try verify(keys)
        }
    }
}
