internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension OAuthClient {
    /// What a sign-in asks the authorization endpoint for.
    func responseType(_ options: SignInOptions) throws(TernError) -> ResponseType {
        let type = options.responseType ?? configuration.responseType
        guard !options.exposesTokens else { return type }
        guard type.hasCode else {
            throw Self.invalid(
                "response_type",
                type.hasToken
                    ? "it brings tokens through the browser and no code: signInExposingTokens says so"
                    : "it brings an ID token alone: identify takes it")
        }
        return type
    }

    static func invalid(_ field: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: field, problem: problem), at: .authorizationRequest)
    }

    /// The ID token that came beside a code, with the hashes that vouch for what came with it (OpenID Connect Core 1.0
    /// §3.3.2.10, §3.3.2.11); `nil` where none was asked for. How and when the user logged in is checked in the ID token of
    /// the token endpoint, which may say more.
    func checkedIDToken(
        in response: AuthorizationResponse, of signIn: SignIn
    ) async throws(TernError) -> IDToken? {
        guard let encoded = response.idToken else { return nil }
        var expected = try frontChannelExpectation(signIn)
        expected.code = response.code
        expected.accessToken = response.accessToken
        return try await verified(encoded, expected, now: frontChannelNow)
    }

    /// The ID token of an answer without a code.
    func checkedIDToken(in response: ImplicitResponse, of signIn: SignIn) async throws(TernError) -> IDToken? {
        guard let encoded = response.idToken else {
            guard signIn.expectedSubject == nil, signIn.maxAge == nil, signIn.acrValues.isEmpty else {
                throw TernError(.malformedResponse(field: "id_token"), at: .authorizationResponse)
            }
            return nil
        }
        var expected = try frontChannelExpectation(signIn)
        expected.accessToken = response.tokens?.accessToken
        expected.maxAge = signIn.maximumLoginAge(at: environment.clock.now)
        expected.acrValues = signIn.acrValues
        expected.subject = signIn.expectedSubject
        return try await verified(encoded, expected, now: frontChannelNow)
    }

    /// The credential of an answer that brings tokens and no code.
    func credential(
        of response: ImplicitResponse, of signIn: SignIn, _ idToken: IDToken?
    ) throws(TernError) -> Credential {
        guard let tokens = response.tokens else {
            throw TernError(.malformedResponse(field: "access_token"), at: .authorizationResponse)
        }
        try checkBinding(of: tokens, to: nil, at: .authorizationResponse)
        let credential = Credential(
            accessToken: tokens.accessToken, tokenType: tokens.tokenType, tokenSecret: nil, obtainedAt: serverClock.now,
            clockOffset: serverClock.offset, lifetime: tokens.lifetime, refreshToken: nil, idToken: idToken?.encoded,
            scope: tokens.scope ?? signIn.scope, subject: idToken?.subject, issuer: idToken?.issuer,
            clientID: configuration.clientID, dpop: nil, nonce: signIn.nonce, additionalMembers: [:],
            resources: signIn.resources)
        return credential.keepingSessionState(of: response.additionalParameters)
    }

    var frontChannelNow: NumericDate {
        configuration.usesServerClock ? serverClock.now : environment.clock.now
    }

    private func frontChannelExpectation(_ signIn: SignIn) throws(TernError) -> IDToken.Expectation {
        guard let issuer = signIn.issuer else { throw TernError(.missingMetadata(field: "issuer"), at: .idToken) }
        guard let nonce = signIn.nonce else { throw TernError(.idTokenRejected(.nonceMissing), at: .idToken) }
        var expected = IDToken.Expectation(
            issuer: issuer, clientID: configuration.clientID, nonce: .required(nonce))
        expected.leeway = configuration.leeway
        expected.allowedTenants = configuration.allowedTenants
        expected.state = signIn.state
        expected.requiresHashes = true
        return expected
    }
}

extension Credential {
    /// Holds the ID token of the token endpoint against the one that came through the browser (OpenID Connect Core 1.0
    /// §3.3.3.6).
    func check(against first: IDToken) throws(TernError) {
        guard let subject, let issuer else { throw TernError(.malformedResponse(field: "id_token"), at: .tokenRequest) }
        guard issuer.hasSameOctets(as: first.issuer) else {
            throw TernError(
                .idTokenRejected(.issuerMismatch(expected: first.issuer, received: issuer)), at: .idToken)
        }
        guard subject.hasSameOctets(as: first.subject) else {
            throw TernError(.idTokenRejected(.subjectMismatch), at: .idToken)
        }
    }
}
