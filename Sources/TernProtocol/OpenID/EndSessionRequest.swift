public import TernCrypto

/// The address that ends the user's session at the server (OpenID Connect RP-Initiated Logout 1.0 §2).
public struct EndSessionRequest: Sendable, Hashable {
    /// The end-session endpoint; a query that it has is kept octet for octet.
    public var endpoint: URI
    /// The client.
    public var clientID: String
    /// The ID token of the user, an expired one too; never an access token.
    public var idTokenHint: EncodedIDToken?
    /// The user's name at the server, where there is no ID token.
    public var logoutHint: String?
    /// Where the user comes back to.
    public var postLogoutRedirectURI: RedirectURI?
    /// Ties the answer to this logout; sent with a redirect alone.
    public var state: String?
    /// The user's languages for the page.
    public var uiLocales: [String] = []
    /// What the provider calls `post_logout_redirect_uri`.
    public var redirectParameterName = "post_logout_redirect_uri"
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes a request.
    public init(endpoint: URI, clientID: String, idTokenHint: EncodedIDToken? = nil) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.idTokenHint = idTokenHint
    }

    /// The address to open.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for a parameter that would stand there twice.
    public func url() throws(TernError) -> URI {
        var parameters: FormParameters = [:]
        parameters.append("id_token_hint", ifPresent: idTokenHint?.exposedText)
        parameters.append("client_id", clientID)
        parameters.append("logout_hint", ifPresent: logoutHint)
        if let postLogoutRedirectURI {
            parameters.append(redirectParameterName, postLogoutRedirectURI.text)
            parameters.append("state", ifPresent: state)
        }
        if !uiLocales.isEmpty { parameters.append("ui_locales", uiLocales.joined(separator: " ")) }
        try parameters.append(once: additionalParameters, at: .logout)
        return try endpoint.appending(once: parameters, field: "end_session_endpoint", at: .logout)
    }
}

/// How a logout came back (OpenID Connect RP-Initiated Logout 1.0 §3).
public enum EndSessionResponse: Sendable, Hashable {
    /// With the state that was sent.
    case confirmed
    /// Without a state: many servers drop it, and there is nothing to steal in this answer.
    case withoutState

    /// Reads the callback of a logout.
    ///
    /// - Returns: `nil` when the address is somebody else's.
    /// - Throws: ``TernError``: `stateMismatch` for another state, `serverError` for an error.
    public init?(callback: URI, redirectURI: RedirectURI, state: String) throws(TernError) {
        guard redirectURI.matches(callback) else { return nil }
        guard let parameters = FormParameters(decoding: callback.encodedQuery ?? "") else {
            throw TernError(.malformedCallback("it holds too many parameters"), at: .logout)
        }
        let received = parameters["state"]
        if let received, !constantTimeEqual(received.utf8, state.utf8) {
            throw TernError(.stateMismatch, at: .logout)
        }
        if let error = parameters["error"] {
            throw TernError(
                .serverError(
                    ServerError(
                        code: error, detail: parameters["error_description"], stateWasMissing: received == nil)),
                at: .logout)
        }
        self = received == nil ? .withoutState : .confirmed
    }
}
