internal import TernCrypto
internal import TernJOSE
public import TernProtocol

extension Session {
    /// The request with the access token on it, renewed where that is needed (RFC 6750 §2.1).
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; what ``accessToken()``
    ///   throws.
    public func authorize(_ request: HTTPRequest) async throws(TernError) -> HTTPRequest {
        try Self.checkAddress(request.url)
        return Self.request(request, with: try await accessToken())
    }

    /// Sends a request with the access token. A 401 that speaks of the token leads to one refresh and one repeat; any
    /// other answer, a redirect too, is handed over as it is.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `insecureEndpoint` for plain http beyond loopback; what ``accessToken()``
    ///   throws; what the transport throws.
    public func send(_ request: HTTPRequest) async throws(TernError) -> HTTPResponse {
        try Self.checkAddress(request.url)
        let token = try await accessToken()
        let transport = client.environment.transport
        let response = try await transport.send(Self.request(request, with: token), step: .resourceRequest)
        guard response.status == 401, Self.speaksOfTheToken(response) else { return response }
        guard let fresh = try await replacement(of: token) else { return response }
        return try await transport.send(Self.request(request, with: fresh), step: .resourceRequest)
    }

    /// What the server says about the user; its `sub` is the one of the ID token (OpenID Connect Core 1.0 §5.3).
    ///
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where there was no ID token, `userInfoRejected`,
    ///   `idTokenRejected` for an answer that is a signed JWT, `missingMetadata`, `serverError`; what ``accessToken()``
    ///   throws.
    public func userInfo() async throws(TernError) -> UserInfo {
        let metadata = try await client.directory.metadata()
        let endpoint = try metadata.address(of: .userInfo, for: .userInfo)
        guard let subject = try credential().subject else {
            throw TernError(
                .unsupported("user info: the sign-in brought no ID token to compare it with"), at: .userInfo)
        }
        let token = try await accessToken()
        let answer: UserInfoRequest.Answer
        do throws(TernError) {
            answer = try await ask(endpoint, token)
        } catch {
            guard error.serverError?.code == "invalid_token" || error.reason == .httpStatus(401, location: nil),
                let fresh = try await replacement(of: token)
            else { throw error }
            answer = try await ask(endpoint, fresh)
        }
        switch answer {
        case .claims(let claims): return try UserInfo(claims: claims, expectedSubject: subject)
        case .signed(let jwt):
            guard let issuer = metadata.issuer else {
                throw TernError(.missingMetadata(field: "issuer"), at: .userInfo)
            }
            let clientID = client.configuration.clientID
            return try await client.withKeys { (keys) throws(TernError) in
                try UserInfo(
                    verifying: jwt, keys: keys, issuer: issuer, clientID: clientID, expectedSubject: subject)
            }
        }
    }

    /// Another access token for one that was refused; `nil` where there is no way to get one.
    private func replacement(of refused: AccessToken) async throws(TernError) -> AccessToken? {
        let current = try credential()
        // Somebody else may have renewed the token since: then that one is tried first.
        if current.accessToken != refused { return current.accessToken }
        guard current.refreshToken != nil else { return nil }
        return try await refreshed(insteadOf: current).accessToken
    }

    private func ask(_ endpoint: URI, _ token: AccessToken) async throws(TernError) -> UserInfoRequest.Answer {
        try await client.caller.perform(UserInfoRequest(endpoint: endpoint, accessToken: token)).answer
    }

    /// A 401 for want of another scheme, or with another error, is not about the token; some servers send no challenge.
    private static func speaksOfTheToken(_ response: HTTPResponse) -> Bool {
        let challenges = AuthenticateChallenge.all(in: response.fields)
        if challenges.isEmpty { return true }
        if let error = AuthenticateChallenge.bearerError(in: response) { return error.code == "invalid_token" }
        return challenges.contains { $0.scheme.lowercased() == "bearer" }
    }

    private static func checkAddress(_ url: URI) throws(TernError) {
        guard url.isSecure || url.isLoopback && url.normalizedScheme == "http" else {
            throw TernError(.insecureEndpoint(field: "url"), at: .resourceRequest)
        }
    }

    private static func request(_ request: HTTPRequest, with token: AccessToken) -> HTTPRequest {
        var request = request
        request.fields["Authorization"] = "Bearer " + token.exposedText
        return request
    }
}
