public import TernProtocol

extension Session {
    /// How many redirects are followed for one request: five.
    public static let maximumRedirects = Redirect.maximumCount

    /// Sends a request with the access token. A 401 that speaks of the token leads to one refresh and one repeat; where the
    /// grant is dead too and ``interaction`` allows it, the page is shown before the repeat; so it is where the API wants a
    /// stronger or newer login (RFC 9470) or more scope. Any other answer is handed over as it is;
    /// ``/TernProtocol/StepUpChallenge`` tells what a refusal wants.
    ///
    /// - Parameters:
    ///   - request: the request. An `Authorization` of its own is replaced.
    ///   - followingRedirects: whether redirects are followed, up to ``maximumRedirects``. At another origin the request
    ///     has neither the token nor any other field that may hold a credential
    ///     (``/TernProtocol/HTTPRequest/redirected(by:)``), and it does not get them back.
    /// - Throws: ``/TernProtocol/TernError``: what ``authorize(_:)`` throws; what the transport throws; for
    ///   redirects `insecureEndpoint` and `malformedResponse` with the field `Location`, and `httpStatus` beyond the limit.
    public nonisolated func send(
        _ request: HTTPRequest, followingRedirects: Bool = false
    ) async throws(TernError) -> HTTPResponse {
        try await send(request, over: client.environment.transport, followingRedirects: followingRedirects)
    }

    /// What the server says about the user; its `sub` is the one of the ID token (OpenID Connect Core 1.0 §5.3).
    ///
    /// - Throws: ``/TernProtocol/TernError``: `unsupported` where there was no ID token, `userInfoRejected`,
    ///   `idTokenRejected` for an answer that is a signed or encrypted JWT, `encryptedIDTokenUnsupported` for an encrypted
    ///   one where no key is for it, `missingMetadata`, `serverError`; what ``accessToken()`` throws.
    public func userInfo() async throws(TernError) -> UserInfo {
        let metadata = try await client.directory.metadata()
        let endpoint = try metadata.address(of: .userInfo, for: .userInfo)
        guard let subject = try credential().subject else {
            throw TernError(
                .unsupported("user info: the sign-in brought no ID token to compare it with"), at: .userInfo)
        }
        let request = UserInfoRequest(endpoint: endpoint, accessToken: try await accessToken())
        let answer = try await ask(request)
        let configuration = client.configuration
        switch try configuration.decryption.userInfo(in: answer, rule: configuration.userInfoEncryption) {
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

    /// Asks like any API is asked; what the server repeats of the token is taken out of errors.
    private func ask(_ request: UserInfoRequest) async throws(TernError) -> UserInfoRequest.Answer {
        let response = try await send(request.request(), followingRedirects: false) {
            [caller = client.caller] (request) async throws(TernError) in
            try await caller.response(to: request, step: .userInfo)
        }
        do throws(TernError) {
            return try request.answer(from: response)
        } catch {
            throw error.scrubbed(of: request.secrets + [try credential().accessToken.exposedText])
        }
    }
}

extension RequestAuthorizer {
    /// Sends a request, authorised, over a transport.
    func send(
        _ request: HTTPRequest, over transport: any HTTPTransport, followingRedirects: Bool
    ) async throws(TernError) -> HTTPResponse {
        try await send(request, followingRedirects: followingRedirects) { (request) async throws(TernError) in
            try await transport.send(request, step: .resourceRequest)
        }
    }

    func send(
        _ request: HTTPRequest, followingRedirects: Bool,
        _ send: @Sendable (HTTPRequest) async throws(TernError) -> HTTPResponse
    ) async throws(TernError) -> HTTPResponse {
        var call = try await AuthorizedCall(request, by: self, followingRedirects: followingRedirects)
        while true {
            let response = try await send(call.request)
            guard try await call.goesOn(after: response) else { return response }
        }
    }
}
