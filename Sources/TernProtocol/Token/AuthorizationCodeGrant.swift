public import TernCrypto

/// The exchange of a code for tokens (RFC 6749 §4.1.3, RFC 7636 §4.5).
public struct AuthorizationCodeGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// The code, which works once.
    public var code: AuthorizationCode
    /// The redirect URI of the authorization request, in the same octets.
    public var redirectURI: RedirectURI
    /// The verifier whose challenge was sent.
    public var codeVerifier: CodeVerifier
    /// The APIs that the token is for (RFC 8707 §2.2).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, code: AuthorizationCode, redirectURI: RedirectURI, codeVerifier: CodeVerifier) {
        self.endpoint = endpoint
        self.code = code
        self.redirectURI = redirectURI
        self.codeVerifier = codeVerifier
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The code and the verifier.
    public var secrets: [String] { [code.exposedText, codeVerifier.secret.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        try TokenEndpoint.request(
            endpoint,
            [
                "grant_type": "authorization_code", "code": code.exposedText, "redirect_uri": redirectURI.text,
                "code_verifier": codeVerifier.secret.exposedText,
            ], resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}

/// What every call of the token endpoint has in common.
enum TokenEndpoint {
    static func request(
        _ endpoint: URI, _ parameters: FormParameters, resources: [URI] = [], additional: FormParameters,
        step: Step
    ) throws(TernError) -> HTTPRequest {
        var form = parameters
        for resource in resources { form.append("resource", resource.text) }
        for parameter in additional.parameters {
            guard form[parameter.name] == nil else {
                throw TernError(
                    .invalidConfiguration(
                        field: parameter.name, problem: "it is set already and may stand only once"), at: step)
            }
            form.append(parameter.name, parameter.value)
        }
        return HTTPRequest(.post, endpoint, fields: ["Accept": "application/json"], body: .form(form))
    }
}
