internal import TernCrypto

/// The exchange of one token for another one (RFC 8693): to act as somebody else (impersonation), or for somebody else and
/// as oneself (delegation, with ``actor``).
public struct TokenExchangeGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// Whose rights are wanted.
    public var subject: TypedToken
    /// Who acts, where it is not the subject.
    public var actor: TypedToken?
    /// What kind of token is wanted; the server chooses where `nil`.
    public var requestedTokenType: TokenType?
    /// The services that the token is for, by the names that the server knows them by.
    public var audiences: [String] = []
    /// The services that the token is for, by their addresses.
    public var resources: [URI] = []
    /// What is asked for; nothing is sent where `nil`.
    public var scope: Scope?
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, subject: TypedToken, actor: TypedToken? = nil) {
        self.endpoint = endpoint
        self.subject = subject
        self.actor = actor
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The tokens that are sent.
    public var secrets: [String] { [subject, actor].compactMap { $0?.token.exposedText } }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange",
            "subject_token": subject.token.exposedText, "subject_token_type": subject.type.rawValue,
        ]
        if let actor {
            form.append("actor_token", actor.token.exposedText)
            form.append("actor_token_type", actor.type.rawValue)
        }
        form.append("requested_token_type", ifPresent: requestedTokenType?.rawValue)
        for audience in audiences { form.append("audience", audience) }
        form.append("scope", ifPresent: scope?.text)
        return try TokenEndpoint.request(
            endpoint, form, resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the issued token.
    ///
    /// - Throws: what ``ExchangedToken/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> ExchangedToken {
        try ExchangedToken(reading: response, step: step, format: format)
    }
}
