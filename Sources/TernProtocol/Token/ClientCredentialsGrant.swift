/// Tokens for the client itself, without a user (RFC 6749 §4.4).
public struct ClientCredentialsGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// What is asked for; nothing is sent where `nil`, which leaves it to the server.
    public var scope: Scope?
    /// The APIs that the token is for (RFC 8707 §2.2).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()
    /// ``Step/tokenRequest``, or ``Step/refresh`` where a token is replaced.
    public var step = Step.tokenRequest

    /// Makes the exchange.
    public init(endpoint: URI, scope: Scope? = nil) {
        self.endpoint = endpoint
        self.scope = scope
    }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = ["grant_type": "client_credentials"]
        form.append("scope", ifPresent: scope?.text)
        return try TokenEndpoint.request(
            endpoint, form, resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the tokens. A refresh token or an ID token should not be there and has no use (§4.4.3).
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}
