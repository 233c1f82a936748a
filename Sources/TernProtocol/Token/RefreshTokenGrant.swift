public import TernCrypto

/// The renewal of tokens (RFC 6749 §6).
public struct RefreshTokenGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// The refresh token.
    public var refreshToken: RefreshToken
    /// A smaller scope than the granted one; nothing is sent where `nil`, which keeps the scope as it is.
    public var scope: Scope?
    /// The APIs that the token is for (RFC 8707 §2.2).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, refreshToken: RefreshToken) {
        self.endpoint = endpoint
        self.refreshToken = refreshToken
    }

    /// ``Step/refresh``.
    public var step: Step { .refresh }

    /// The refresh token.
    public var secrets: [String] { [refreshToken.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = ["grant_type": "refresh_token", "refresh_token": refreshToken.exposedText]
        form.append("scope", ifPresent: scope?.text)
        return try TokenEndpoint.request(
            endpoint, form, resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: ``TernError`` with `reauthenticationRequired` for `invalid_grant`, or a code that the format equates with
    ///   it, whatever the status; else what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        do {
            return try TokenResponse(reading: response, step: step, format: format)
        } catch {
            guard case .serverError(let words) = error.reason,
                words.code == "invalid_grant" || format.deadGrantCodes.contains(words.code)
            else { throw error }
            throw TernError(.reauthenticationRequired(words), at: step)
        }
    }
}
