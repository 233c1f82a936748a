public import TernCrypto
public import TernJOSE

/// The request that the user's browser carries to the authorization endpoint (RFC 6749 §4.1.1, RFC 7636 §4.3,
/// OpenID Connect Core 1.0 §3.1.2.1, RFC 8707 §2.1).
public struct AuthorizationRequest: Sendable, Hashable {
    /// Whether the user is asked (OpenID Connect Core 1.0 §3.1.2.1; `create`: Initiating User Registration 1.0).
    public enum Prompt: String, Sendable, Hashable, CaseIterable {
        /// Shows nothing, and fails where something would have to be shown.
        case none
        /// Asks for the login again.
        case login
        /// Asks for consent again.
        case consent
        /// Lets the user choose an account.
        case selectAccount = "select_account"
        /// Lets the user make an account.
        case create
    }

    /// How the page is shown (OpenID Connect Core 1.0 §3.1.2.1).
    public enum Display: String, Sendable, Hashable {
        /// A full page.
        case page
        /// A small window.
        case popup
        /// A page for fingers.
        case touch
        /// A page for feature phones.
        case wap
    }

    /// The authorization endpoint; a query that it has is kept octet for octet.
    public var endpoint: URI
    /// The client.
    public var clientID: String
    /// Where the answer arrives.
    public var redirectURI: RedirectURI
    /// What the answer brings; a code unless a flow asks for something else.
    public var responseType = ResponseType.code
    /// Where the answer is put; the server's default for the response type where `nil`.
    public var responseMode: ResponseMode?
    /// What is asked for.
    public var scope: Scope = []
    /// Ties the answer to this sign-in.
    public var state: String
    /// Ties the ID token to this sign-in.
    public var nonce: String?
    /// Ties the code to this application; not sent where no code is asked for.
    public var codeChallenge: CodeChallenge
    /// What the user is asked; several values may stand together, `none` only alone.
    public var prompt: [Prompt] = []
    /// How the page is shown.
    public var display: Display?
    /// How old the login may be, in whole seconds.
    public var maxAge: Duration?
    /// The user's languages for the page, the best first (BCP 47).
    public var uiLocales: [String] = []
    /// The user's languages for claims, the best first (BCP 47).
    public var claimsLocales: [String] = []
    /// An ID token of the user that should be signed in.
    public var idTokenHint: EncodedIDToken?
    /// A name that the user probably logs in with.
    public var loginHint: String?
    /// The wanted authentication contexts, the best first.
    public var acrValues: [String] = []
    /// The claims request (OpenID Connect Core 1.0 §5.5).
    public var claims: JSONObject?
    /// What the client may do, said more exactly than the scope can (RFC 9396).
    public var authorizationDetails: [AuthorizationDetail] = []
    /// The APIs that the token is for (RFC 8707 §2).
    public var resources: [URI] = []
    /// The hash of the key that the tokens will be bound to (`dpop_jkt`, RFC 9449 §10).
    public var dpopKeyThumbprint: String?
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes a request for the code flow.
    public init(
        endpoint: URI, clientID: String, redirectURI: RedirectURI, scope: Scope = [], state: String,
        nonce: String? = nil, codeChallenge: CodeChallenge
    ) {
        self.endpoint = endpoint
        self.clientID = clientID
        self.redirectURI = redirectURI
        self.scope = scope
        self.state = state
        self.nonce = nonce
        self.codeChallenge = codeChallenge
    }

    /// The parameters in their order, each once but for `resource`.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration`: an additional parameter, or one in the endpoint's own query,
    ///   that is set here already; `prompt=none` beside another; a `resource` with a fragment; tokens in a query; an ID
    ///   token through the browser without a nonce.
    public func parameters() throws(TernError) -> FormParameters {
        if prompt.contains(.none), prompt.count > 1 {
            throw Self.invalid("prompt", "\"none\" stands alone")
        }
        try checkResponse()
        var own: FormParameters = [:]
        own.append("response_type", responseType.text)
        own.append("client_id", clientID)
        own.append("redirect_uri", redirectURI.text)
        if !scope.isEmpty { own.append("scope", scope.text) }
        own.append("state", state)
        own.append("nonce", ifPresent: nonce)
        if responseType.hasCode {
            own.append("code_challenge", codeChallenge.value)
            own.append("code_challenge_method", CodeChallenge.method)
        }
        own.append("response_mode", ifPresent: responseMode?.rawValue)
        appendOpenIDParameters(to: &own)
        if !authorizationDetails.isEmpty {
            own.append("authorization_details", JSON.array(authorizationDetails.map(\.json)).text)
        }
        for resource in resources {
            guard resource.encodedFragment == nil else { throw Self.invalid("resource", "it has a fragment") }
            own.append("resource", resource.text)
        }
        own.append("dpop_jkt", ifPresent: dpopKeyThumbprint)
        try own.append(once: additionalParameters, at: .authorizationRequest)
        return own
    }

    private func checkResponse() throws(TernError) {
        // Queries end up in histories and logs (Multiple Response Types §3, JWT Secured Authorization Response Mode §2.3.1).
        if responseType != .code, responseMode == .query || responseMode == .queryJWT {
            throw Self.invalid("response_mode", "an answer with tokens must not come in a query")
        }
        // OpenID Connect Core 1.0 §3.2.2.1, §3.3.2.1.
        if responseType.hasIDToken, nonce == nil {
            throw Self.invalid("nonce", "an ID token through the browser needs one: ask for the scope openid")
        }
    }

    private func appendOpenIDParameters(to own: inout FormParameters) {
        func list(_ name: String, _ values: [String]) {
            if !values.isEmpty { own.append(name, values.joined(separator: " ")) }
        }
        list("prompt", prompt.map(\.rawValue))
        own.append("display", ifPresent: display?.rawValue)
        own.append("max_age", ifPresent: maxAge.map { String(max(0, $0.components.seconds)) })
        list("ui_locales", uiLocales)
        list("claims_locales", claimsLocales)
        own.append("id_token_hint", ifPresent: idTokenHint?.exposedText)
        own.append("login_hint", ifPresent: loginHint)
        list("acr_values", acrValues)
        own.append("claims", ifPresent: claims.map { JSON.object($0).text })
    }

    /// The address to open.
    ///
    /// - Throws: what ``parameters()`` throws.
    public func url() throws(TernError) -> URI {
        try endpoint.appending(
            once: try parameters(), field: "authorization_endpoint", at: .authorizationRequest)
    }

    private static func invalid(_ field: String, _ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: field, problem: problem), at: .authorizationRequest)
    }
}
