public import TernCrypto

/// The purpose of ``UserPassword``.
public enum UserPasswordPurpose: Sendable {}
/// The password of a user.
public typealias UserPassword = Secret<UserPasswordPurpose>

/// The exchange of a user's name and password for tokens (RFC 6749 §4.3). The password passes through the application,
/// which RFC 9700 §2.4 forbids: for old services alone that offer nothing else.
public struct PasswordGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// The user's name.
    public var username: String
    /// The user's password.
    public var password: UserPassword
    /// What is asked for; nothing is sent where `nil`.
    public var scope: Scope?
    /// The APIs that the token is for (RFC 8707 §2.2).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, username: String, password: UserPassword, scope: Scope? = nil) {
        self.endpoint = endpoint
        self.username = username
        self.password = password
        self.scope = scope
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The password.
    public var secrets: [String] { [password.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = [
            "grant_type": "password", "username": username, "password": password.exposedText,
        ]
        form.append("scope", ifPresent: scope?.text)
        return try TokenEndpoint.request(
            endpoint, form, resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}
