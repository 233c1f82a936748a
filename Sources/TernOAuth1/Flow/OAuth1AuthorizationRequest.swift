internal import TernCrypto
public import TernProtocol

/// The address of the page at which the user allows the access (RFC 5849 §2.2).
public struct OAuth1AuthorizationRequest: Sendable {
    /// The service.
    public var server: OAuth1Server
    /// The client's identifier, which some services want in the address.
    public var clientID: String
    /// The temporary credentials; only the token goes into the address.
    public var token: OAuth1Token
    /// Where the answer arrives.
    public var callback: RedirectURI
    /// Further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes the request.
    public init(server: OAuth1Server, clientID: String, token: OAuth1Token, callback: RedirectURI) {
        self.server = server
        self.clientID = clientID
        self.token = token
        self.callback = callback
    }

    /// The address to open.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `invalidConfiguration` for a parameter that is set twice.
    public func url() throws(TernError) -> URI {
        var parameters: FormParameters = [server.authorizationTokenParameter: token.token.exposedText]
        if let name = server.authorizationClientParameter { parameters.append(name, clientID) }
        switch server.callbackRule {
        case .everywhere, .inAuthorization: parameters.append("oauth_callback", callback.text)
        case .withTemporaryCredentials, .registered: break
        }
        try parameters.append(once: server.authorizationParameters, at: .authorizationRequest)
        try parameters.append(once: additionalParameters, at: .authorizationRequest)
        return try server.authorizationEndpoint.appending(
            once: parameters, field: "authorize_url", at: .authorizationRequest)
    }
}
