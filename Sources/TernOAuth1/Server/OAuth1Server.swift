public import TernProtocol

/// A service that speaks OAuth 1.0a, as a client has to know it: nothing of this can be discovered.
///
/// Plain values stand for what RFC 5849 says; what a service does otherwise is set by name.
public struct OAuth1Server: Sendable, Hashable {
    /// Where temporary credentials are had ("request token URL", RFC 5849 §2.1).
    public let temporaryCredentialEndpoint: URI
    /// The page at which the user allows the access ("authorize URL", §2.2).
    public let authorizationEndpoint: URI
    /// Where token credentials are had ("access token URL", §2.3).
    public let tokenEndpoint: URI

    /// The method of the two calls; POST unless the service wants GET.
    public var endpointMethod = HTTPMethod.post
    /// Where the parameters of the two calls stand.
    public var endpointPlacement = ParameterPlacement.header
    /// Where the parameters of API calls stand.
    public var placement = ParameterPlacement.header
    /// The realm, where the service wants one; it stands in the field `Authorization`.
    public var realm: String?
    /// Whether `oauth_version` is sent.
    public var sendsVersion = true
    /// Whether bodies that are no forms are signed by `oauth_body_hash`.
    public var hashesBody = false
    /// Further fields of every call, such as a `User-Agent` that the service insists on.
    public var fields: HTTPFields = [:]
    /// Further parameters of the call for temporary credentials, such as a scope.
    public var temporaryCredentialParameters: FormParameters = [:]
    /// Further parameters of the page's address.
    public var authorizationParameters: FormParameters = [:]
    /// Further parameters of the call for token credentials.
    public var tokenParameters: FormParameters = [:]

    /// How the service is told where the answer should arrive.
    public enum CallbackRule: String, Sendable, Hashable, CaseIterable, Codable {
        /// With the call for temporary credentials (§2.1).
        case withTemporaryCredentials
        /// With that call and in the page's address.
        case everywhere
        /// In the page's address alone, as OAuth 1.0 did before 1.0a.
        case inAuthorization
        /// Not at all: it is registered at the service.
        case registered
    }

    /// How the service is told where the answer should arrive.
    public var callbackRule = CallbackRule.withTemporaryCredentials
    /// A quirk: the service does not say `oauth_callback_confirmed`. A service that ignores the callback then goes unnoticed.
    public var omitsCallbackConfirmation = false
    /// A quirk: the service sends no verifier, so that a stolen page address can be used to bind a stranger's account to
    /// this user (the fault of OAuth 1.0 that 1.0a mended).
    public var omitsVerifier = false
    /// What the service calls `oauth_token` in the page's address.
    public var authorizationTokenParameter = "oauth_token"
    /// Under which name the page's address also has the client's identifier; `nil` for none.
    public var authorizationClientParameter: String?

    /// Describes a service.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `invalidConfiguration` with the field `request_token_url`, `authorize_url` or
    ///   `access_token_url` for one that is no http address or has a fragment or a user name; `insecureEndpoint` for plain
    ///   http beyond loopback.
    public init(
        temporaryCredentialEndpoint: String, authorizationEndpoint: String, tokenEndpoint: String
    ) throws(TernError) {
        self.temporaryCredentialEndpoint = try Self.endpoint(temporaryCredentialEndpoint, "request_token_url")
        self.authorizationEndpoint = try Self.endpoint(authorizationEndpoint, "authorize_url")
        self.tokenEndpoint = try Self.endpoint(tokenEndpoint, "access_token_url")
    }

    private static func endpoint(_ text: String, _ field: String) throws(TernError) -> URI {
        let uri = try URI.required(text, field: field)
        func invalid(_ problem: String) -> TernError {
            TernError(.invalidConfiguration(field: field, problem: problem), at: .configuration)
        }
        guard ["https", "http"].contains(uri.normalizedScheme), uri.host != nil else {
            throw invalid("it is not an https address")
        }
        guard uri.encodedFragment == nil else { throw invalid("it has a fragment") }
        guard !uri.hasUserInformation else { throw invalid("it has a user name before the host") }
        guard uri.isSecure || uri.isLoopback else {
            throw TernError(.insecureEndpoint(field: field), at: .configuration)
        }
        return uri
    }

    /// A signer that does as the service wants it.
    ///
    /// - Parameters:
    ///   - clientID: the client's identifier.
    ///   - key: what it signs with.
    ///   - token: the token, where there is one.
    ///   - placement: where the parameters stand.
    public func signer(
        clientID: String, _ key: OAuth1SigningKey, token: OAuth1Token?, placement: ParameterPlacement
    ) -> OAuth1Signer {
        var signer = OAuth1Signer(clientID: clientID, key, token: token)
        signer.placement = placement
        signer.realm = realm
        signer.sendsVersion = sendsVersion
        signer.hashesBody = hashesBody
        return signer
    }
}
