public import TernCrypto
internal import TernJOSE
public import TernProtocol

extension OAuthClient {
    /// What a question about a token should be like.
    public struct IntrospectionOptions: Sendable {
        /// Whether a signed answer is asked for (RFC 9701); then no other one is taken.
        public var signed = false
        /// The name under which the server knows the one who asks, which a signed answer must carry; the client ID where
        /// `nil`.
        public var audience: String?
        /// An access token that permits to ask, in the place of client authentication (RFC 7662 §2.1).
        public var authorization: AccessToken?

        /// Plain options.
        public init() {}
    }

    /// Asks the server what an access token is worth (RFC 7662). An inactive token is an answer and no error.
    ///
    /// An API that asks for each call should keep the answer for a short time, at most until the token ends.
    ///
    /// - Parameters:
    ///   - token: the token.
    ///   - options: what the question should be like.
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` and `insecureEndpoint` for the introspection endpoint; the
    ///   server's and the network's trouble; `malformedResponse`; `tokenRejected` for a signed answer that is not good.
    public func introspect(
        _ token: AccessToken, _ options: IntrospectionOptions = IntrospectionOptions()
    ) async throws(TernError) -> Introspection {
        let endpoint = try await directory.metadata(naming: .introspection).address(
            of: .introspection, for: .introspection)
        return try await introspect(IntrospectionRequest(endpoint: endpoint, token), options)
    }

    /// Asks the server what a refresh token is worth, as about an access token.
    ///
    /// - Throws: the same.
    public func introspect(
        _ token: RefreshToken, _ options: IntrospectionOptions = IntrospectionOptions()
    ) async throws(TernError) -> Introspection {
        let endpoint = try await directory.metadata(naming: .introspection).address(
            of: .introspection, for: .introspection)
        return try await introspect(IntrospectionRequest(endpoint: endpoint, token), options)
    }

    private func introspect(
        _ request: IntrospectionRequest, _ options: IntrospectionOptions
    ) async throws(TernError) -> Introspection {
        var request = request
        request.wantsSignedAnswer = options.signed
        request.authorization = options.authorization
        let metadata = try await directory.metadata()
        let answer =
            options.authorization == nil
            ? try await caller.perform(authenticated: request, at: metadata)
            : try await caller.perform(request).answer
        switch answer {
        case .plain(let introspection): return introspection
        case .signed(let encoded):
            guard let issuer = metadata.issuer else {
                throw TernError(.missingMetadata(field: "issuer"), at: .introspection)
            }
            var expected = Introspection.Expectation(
                issuer: issuer, audience: options.audience ?? configuration.clientID)
            expected.leeway = configuration.leeway
            let (checked, now) = (expected, environment.clock.now)
            return try await withKeys { (keys) throws(TernError) in
                try Introspection(verifying: encoded, keys: keys, expecting: checked, now: now)
            }
        }
    }

    /// Revokes a token that is no credential's (RFC 7009). A token that the server does not know counts as revoked.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` and `insecureEndpoint` for the revocation endpoint; the
    ///   server's and the network's trouble.
    public func revoke(_ token: AccessToken) async throws(TernError) {
        let metadata = try await directory.metadata(naming: .revocation)
        try await caller.perform(
            authenticated: RevocationRequest(
                endpoint: try metadata.address(of: .revocation, for: .revocation), token), at: metadata)
    }

    /// Revokes a refresh token that is no credential's, and with it, at most servers, the access tokens that came from it.
    ///
    /// - Throws: the same.
    public func revoke(_ token: RefreshToken) async throws(TernError) {
        let metadata = try await directory.metadata(naming: .revocation)
        try await caller.perform(
            authenticated: RevocationRequest(
                endpoint: try metadata.address(of: .revocation, for: .revocation), token), at: metadata)
    }
}
