public import TernCrypto

/// The purpose of ``GrantAssertion``.
public enum GrantAssertionPurpose: Sendable {}
/// What somebody whom the server trusts says about a user or a client, as a grant (RFC 7521 §4.1).
public typealias GrantAssertion = Secret<GrantAssertionPurpose>

/// The exchange of an assertion for tokens (RFC 7521 §4.1).
public struct AssertionGrant: Exchange {
    /// What kind of assertion it is.
    public enum Kind: Sendable, Hashable {
        /// A signed JWT (RFC 7523 §2.1).
        case jwt
        /// A SAML 2.0 assertion as XML (RFC 7522 §2.1); it is sent in Base64url.
        case saml2
    }

    /// The token endpoint.
    public var endpoint: URI
    /// The assertion.
    public var assertion: GrantAssertion
    /// What kind of assertion it is.
    public var kind: Kind
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
    public init(endpoint: URI, assertion: GrantAssertion, kind: Kind = .jwt, scope: Scope? = nil) {
        self.endpoint = endpoint
        self.assertion = assertion
        self.kind = kind
        self.scope = scope
    }

    /// The assertion, as it is sent.
    public var secrets: [String] { [sent] }

    private var sent: String {
        switch kind {
        case .jwt: assertion.exposedText
        case .saml2: Base64URL.encode(Array(assertion.exposedText.utf8))
        }
    }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        let name =
            switch kind {
            case .jwt: "urn:ietf:params:oauth:grant-type:jwt-bearer"
            case .saml2: "urn:ietf:params:oauth:grant-type:saml2-bearer"
            }
        var form: FormParameters = ["grant_type": name, "assertion": sent]
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
