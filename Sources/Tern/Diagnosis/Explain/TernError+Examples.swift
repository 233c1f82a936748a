internal import TernProtocol

extension TernError {
    /// An error for each code of Tern's own, with made-up values, so that what is said of a code is what the error says.
    static let examples: [TernError] = general + idTokens + otherTokens

    private static let general: [TernError] = [
        TernError(.reauthenticationRequired(nil), at: .refresh),
        TernError(.transient(status: 503, retryAfter: nil), at: .tokenRequest),
        TernError(.httpStatus(404, location: nil), at: .tokenRequest),
        TernError(.malformedResponse(field: "access_token"), at: .tokenRequest),
        TernError(.responseTooLarge(limit: 1_048_576), at: .tokenRequest),
        TernError(.unsupportedTokenType("mac"), at: .tokenRequest),
        TernError(.tokenNotBound, at: .tokenRequest),
        TernError(.proofRejected("iat is too old or ahead"), at: .resourceRequest),
        TernError(.outcomeUnknown, at: .tokenRequest),
        TernError(.network(.connectionFailed), at: .discovery),
        TernError(.bodyNotReplayable, at: .resourceRequest),
        TernError(.stateMismatch, at: .authorizationResponse),
        TernError(.malformedCallback("it brings neither a code nor an error"), at: .authorizationResponse),
        TernError(.unexpectedResponseMode(expected: "query", received: "fragment"), at: .authorizationResponse),
        TernError(.callbackNotConfirmed, at: .temporaryCredentials),
        TernError(
            .issuerMismatch(expected: "https://id.example.com", received: "https://id.example.com/"), at: .discovery),
        TernError(
            .resourceMismatch(expected: "https://api.example.com", received: "https://api.example.org"), at: .discovery),
        TernError(.userCancelled, at: .userAgent),
        TernError(.cancelled, at: .userAgent),
        TernError(.loginInProgress, at: .userAgent),
        TernError(.flowExpired(refused: []), at: .userAgent),
        TernError(.deviceCodeExpired, at: .deviceAuthorization),
        TernError(.portInUse([8080]), at: .userAgent),
        TernError(.browserUnavailable("no program for web pages was found"), at: .userAgent),
        TernError(.unsupportedRedirect("it wants a loopback address"), at: .userAgent),
        TernError(.strayCallback(.unknownState), at: .authorizationResponse),
        TernError(.encryptedIDTokenUnsupported, at: .idToken),
        TernError(.requestRejected(parameter: "iss", problem: "is another server"), at: .authorizationRequest),
        TernError(.userInfoRejected("sub is another one"), at: .userInfo),
        TernError(.discoveryNotJSON(mediaType: "text/html"), at: .discovery),
        TernError(.missingMetadata(field: "token_endpoint"), at: .discovery),
        TernError(.insecureEndpoint(field: "token_endpoint"), at: .discovery),
        TernError(.unsupported("the device grant"), at: .deviceAuthorization),
        TernError(.invalidConfiguration(field: "redirect_uri", problem: "it has a fragment"), at: .configuration),
        TernError(
            .profileViolated(profile: "FAPI 2.0", clause: "§5.3.2", problem: "PKCE with S256"), at: .configuration),
        TernError(.storeUnavailable("the disk is full"), at: .storage),
        TernError(.corruptedRecord("it is not JSON"), at: .storage),
        TernError(.newerRecord(version: 2), at: .storage),
        TernError(.unknownRecordKey, at: .storage),
        TernError(.recordNotEncrypted, at: .storage),
        TernError(.signedOut, at: .storage),
        TernError(.interactionForbidden, at: .refresh),
    ]

    private static let idTokens: [TernError] = {
        let rejections: [IDTokenRejection] = [
            .malformed("payload"), .signature, .unsupportedAlgorithm("HS256"), .unknownKey,
            .issuerMismatch(expected: "https://id.example.com", received: "https://id.example.com/"), .audienceMismatch,
            .authorizedPartyMismatch, .nonceMissing, .nonceMismatch, .expired(by: 90), .notYetValid(by: 90),
            .clockSkew(ahead: 90), .accessTokenHashMismatch, .codeHashMismatch, .stateHashMismatch,
            .malformedClaim("sub"), .authenticationTooOld(by: 90), .authenticationContextMismatch, .subjectMismatch,
            .tenantNotAllowed, .decryption, .notEncrypted, .notSigned,
        ]
        return rejections.map { TernError(.idTokenRejected($0), at: .idToken) }
    }()

    private static let otherTokens: [TernError] = {
        let reasons: [TokenRejection.Reason] = [
            .missing, .malformed("payload"), .encrypted, .signature, .unsupportedAlgorithm("HS256"), .unknownKey,
            .wrongType("JWT"), .issuerMismatch(expected: "https://id.example.com", received: nil), .audienceMismatch,
            .expired(by: 90), .notYetValid(by: 90), .clockSkew(ahead: 90), .tooOld(by: 90), .malformedClaim("sub"),
            .forbiddenClaim("nonce"), .subjectMismatch, .replayed, .bindingMismatch, .insufficientScope(["read"]),
            .insufficientAuthentication(acrValues: [], maxAge: nil),
        ]
        return TokenRejection.Kind.allCases.flatMap { kind in
            reasons.map { TernError(.tokenRejected(TokenRejection(kind, $0)), at: step(of: kind)) }
        }
    }()

    private static func step(of kind: TokenRejection.Kind) -> Step {
        switch kind {
        case .accessToken: .resourceRequest
        case .logoutToken: .logout
        case .introspection: .introspection
        case .claims: .userInfo
        case .authorizationResponse: .authorizationResponse
        }
    }
}
