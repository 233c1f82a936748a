public import TernCrypto
public import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// The server's keys, from the cache where that is possible; they are kept like ``metadata()``.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` and `insecureEndpoint` for the address of the keys; the
    ///   server's and the network's trouble; `malformedResponse`.
    public func keys() async throws(TernError) -> JWKSet { try await directory.keys() }

    /// Checks a JWT access token that a request to an API brought (RFC 9068): with the server's cached keys, and once more with
    /// fresh ones when none of them fits.
    ///
    /// - Parameters:
    ///   - token: the token as it came, see `AccessToken(bearerOf:)`.
    ///   - audience: the name of the API, which the token must carry.
    ///   - change: sets further expectations, such as what the caller has proven to hold.
    /// - Throws: ``/TernProtocol/TernError``: `tokenRejected`, of which a ``/TernProtocol/BearerChallenge`` makes the answer;
    ///   what fetching metadata and keys throws, which is no fault of the caller's.
    public func verify(
        _ token: AccessToken, for audience: String, _ change: (inout JWTAccessToken.Expectation) -> Void = { _ in }
    ) async throws(TernError) -> JWTAccessToken {
        guard let issuer = try await directory.metadata().issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .resourceRequest)
        }
        var expected = JWTAccessToken.Expectation(issuer: issuer, audience: audience)
        expected.leeway = configuration.leeway
        change(&expected)
        let (checked, now) = (expected, environment.clock.now)
        return try await withKeys { (keys) throws(TernError) in
            try JWTAccessToken(verifying: token, keys: keys, expecting: checked, now: now)
        }
    }

    /// Checks a logout token that the server posted (OpenID Connect Back-Channel Logout 1.0 §2.6) and takes it once.
    ///
    /// - Parameters:
    ///   - token: the token as it came, see `EncodedLogoutToken(postedBy:)`.
    ///   - store: where the names of tokens are kept that were taken.
    ///   - change: sets further expectations.
    /// - Throws: ``/TernProtocol/TernError``: `tokenRejected`; what the store throws; what fetching metadata and keys throws.
    public func verify(
        _ token: EncodedLogoutToken, replays store: any ReplayStore,
        _ change: (inout LogoutToken.Expectation) -> Void = { _ in }
    ) async throws(TernError) -> LogoutToken {
        guard let issuer = try await directory.metadata().issuer else {
            throw TernError(.missingMetadata(field: "issuer"), at: .logout)
        }
        var expected = LogoutToken.Expectation(issuer: issuer, clientID: configuration.clientID)
        expected.leeway = configuration.leeway
        change(&expected)
        let (checked, now) = (expected, environment.clock.now)
        let logout = try await withKeys { (keys) throws(TernError) in
            try LogoutToken(verifying: token, keys: keys, expecting: checked, now: now)
        }
        try await logout.take(by: store, now: now)
        return logout
    }
}
