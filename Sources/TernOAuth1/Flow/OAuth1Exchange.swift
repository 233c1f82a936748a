public import TernCrypto
public import TernProtocol

/// A call to one of the two endpoints of OAuth 1.0a. Signing wraps it from outside.
public protocol OAuth1Exchange: Exchange {
    /// What is signed and sent among the `oauth_` parameters.
    var protocolParameters: FormParameters { get }
}

/// The call for temporary credentials (RFC 5849 §2.1).
public struct OAuth1TemporaryCredentialRequest: OAuth1Exchange {
    /// The service.
    public var server: OAuth1Server
    /// Where the answer of the page should arrive; ``/TernProtocol/RedirectURI/outOfBand`` where the user types the verifier.
    public var callback: RedirectURI
    /// Further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes the call.
    public init(server: OAuth1Server, callback: RedirectURI) {
        self.server = server
        self.callback = callback
    }

    /// ``/TernProtocol/Step/temporaryCredentials``.
    public var step: Step { .temporaryCredentials }

    /// `oauth_callback`, unless the service learns of it elsewhere.
    public var protocolParameters: FormParameters {
        switch server.callbackRule {
        case .withTemporaryCredentials, .everywhere: ["oauth_callback": callback.text]
        case .inAuthorization, .registered: [:]
        }
    }

    /// The request, unsigned.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration` for a parameter that is set twice.
    public func request() throws(TernError) -> HTTPRequest {
        try server.request(
            to: server.temporaryCredentialEndpoint, "request_token_url",
            server.temporaryCredentialParameters, additionalParameters, at: step)
    }

    /// Reads the temporary credentials.
    ///
    /// - Throws: ``/TernProtocol/TernError``: what ``OAuth1TokenResponse/init(reading:step:)`` throws; `callbackNotConfirmed`
    ///   where the service does not say that it took the callback.
    public func answer(from response: HTTPResponse) throws(TernError) -> OAuth1TokenResponse {
        let answer = try OAuth1TokenResponse(reading: response, step: step)
        // Without it the service speaks OAuth 1.0, whose sign-in can be turned against the user.
        guard answer.confirmsCallback || server.omitsCallbackConfirmation else {
            throw TernError(.callbackNotConfirmed, at: step)
        }
        return answer
    }
}

/// The call that exchanges temporary credentials for token credentials (RFC 5849 §2.3), signed with the former.
public struct OAuth1TokenRequest: OAuth1Exchange {
    /// The service.
    public var server: OAuth1Server
    /// What the user brought back; `nil` only for services that have none.
    public var verifier: OAuth1Verifier?
    /// Further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes the call.
    public init(server: OAuth1Server, verifier: OAuth1Verifier?) {
        self.server = server
        self.verifier = verifier
    }

    /// ``/TernProtocol/Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The verifier.
    public var secrets: [String] { verifier.map { [$0.exposedText] } ?? [] }

    /// `oauth_verifier`.
    public var protocolParameters: FormParameters {
        verifier.map { ["oauth_verifier": $0.exposedText] } ?? [:]
    }

    /// The request, unsigned.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration` for a parameter that is set twice.
    public func request() throws(TernError) -> HTTPRequest {
        try server.request(
            to: server.tokenEndpoint, "access_token_url", server.tokenParameters, additionalParameters, at: step)
    }

    /// Reads the token credentials.
    ///
    /// - Throws: what ``OAuth1TokenResponse/init(reading:step:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> OAuth1TokenResponse {
        try OAuth1TokenResponse(reading: response, step: step)
    }
}

/// xAuth: token credentials for a user's name and password, which the application sees. A few old services have it for
/// programs of their own; everything else should show the service's page.
public struct OAuth1PasswordRequest: OAuth1Exchange {
    /// The service.
    public var server: OAuth1Server
    /// The user's name.
    public var username: String
    /// The user's password.
    public var password: OAuth1Password

    /// Makes the call.
    public init(server: OAuth1Server, username: String, password: OAuth1Password) {
        self.server = server
        self.username = username
        self.password = password
    }

    /// ``/TernProtocol/Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The password.
    public var secrets: [String] { [password.exposedText] }

    /// None.
    public var protocolParameters: FormParameters { [:] }

    /// The request, unsigned: a POST, whatever the service's other calls are, since a password has no place in an address.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration` for a parameter that is set twice.
    public func request() throws(TernError) -> HTTPRequest {
        var server = server
        server.endpointMethod = .post
        return try server.request(
            to: server.tokenEndpoint, "access_token_url",
            [
                "x_auth_mode": "client_auth", "x_auth_username": username, "x_auth_password": password.exposedText,
            ], server.tokenParameters, at: step)
    }

    /// Reads the token credentials.
    ///
    /// - Throws: what ``OAuth1TokenResponse/init(reading:step:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> OAuth1TokenResponse {
        try OAuth1TokenResponse(reading: response, step: step)
    }
}

extension OAuth1Server {
    /// A call to an endpoint: its parameters go into the form of a POST and into the query of anything else.
    fileprivate func request(
        to endpoint: URI, _ field: String, _ parameters: FormParameters, _ further: FormParameters, at step: Step
    ) throws(TernError) -> HTTPRequest {
        var all = parameters
        try all.append(once: further, at: step)
        guard endpointMethod == .post else {
            return HTTPRequest(
                endpointMethod, try endpoint.appending(once: all, field: field, at: step), fields: fields)
        }
        return HTTPRequest(.post, endpoint, fields: fields, body: all.isEmpty ? .none : .form(all))
    }
}
