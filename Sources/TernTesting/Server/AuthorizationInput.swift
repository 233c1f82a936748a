internal import TernJOSE
internal import TernProtocol

/// Why an authorization request is refused.
enum AuthorizationRefusal: Error {
    /// With a page, because the redirect URI cannot be trusted (RFC 6749 §4.1.2.1).
    case page(String)
    /// With an answer at the redirect URI.
    case answer(AnswerTarget, code: String, detail: String)
    /// With a page, because what says where the answer goes cannot be trusted; a client that pushed the request gets the
    /// code.
    case unanswerable(code: String, detail: String)
}

/// An authorization request that was read and found right.
struct AuthorizationInput: Sendable {
    let clientID: String
    let target: AnswerTarget
    /// What the answer brings.
    var responseType = ResponseType.code
    let redirectWasSent: Bool
    let scopes: [String]
    let nonce: String?
    let challenge: String?
    let prompts: Set<String>
    let maximumAge: Double?
    let loginHint: String?
    let idTokenHint: String?
    let authenticationContext: String?
    /// The hash of the key that the tokens will be bound to.
    let keyThumbprint: String?
    /// What the client may do, as it came (RFC 9396).
    var authorizationDetails: String?
    /// The APIs that the tokens are for (RFC 8707).
    var resources: [String] = []
    /// The temporary token, with OAuth 1.0a.
    let temporaryToken: String?
    /// The device code, where a device is signed in.
    var deviceCode: String?

    /// Reads a request (RFC 6749 §4.1.1, RFC 7636 §4.3, OpenID Connect Core 1.0 §3.1.2.1).
    init(
        _ parameters: FormParameters, clients: [TestClient], settings: ServerSettings
    ) throws(AuthorizationRefusal) {
        guard parameters.values(of: "client_id").count <= 1, parameters.values(of: "redirect_uri").count <= 1 else {
            throw .page("The request names the client or its address twice.")
        }
        guard let clientID = parameters.value("client_id"),
            let client = clients.first(where: { $0.clientID == clientID })
        else { throw .page("The request comes from an unknown client.") }
        self.clientID = clientID
        temporaryToken = nil

        let sent = parameters.value("redirect_uri")
        redirectWasSent = sent != nil
        guard let redirectURI = sent ?? (client.redirectURIs.count == 1 ? client.redirectURIs.first : nil) else {
            throw .page("The request does not say where the answer should go.")
        }
        guard !settings.checksRedirectURIs || TestClient.isRegistered(redirectURI, in: client.redirectURIs) else {
            throw .page(
                "The redirect URI \"\(redirectURI)\" is not registered for \(client.name). Registered: "
                    + client.redirectURIs.joined(separator: " , ") + " .")
        }
        let target = AnswerTarget(parameters, redirectURI: redirectURI, client: client)
        self.target = target
        func refuse(_ code: String, _ detail: String) -> AuthorizationRefusal {
            .answer(target, code: code, detail: detail)
        }

        if let name = parameters.repeatedName { throw refuse("invalid_request", "\(name) is there twice") }
        responseType = try Self.responseType(parameters, of: client, settings, refuse)
        scopes = (parameters.value("scope") ?? "").split(separator: " ").map(String.init)
        if let unknown = scopes.first(where: { !client.scopes.contains($0) }) {
            throw refuse("invalid_scope", "the scope \(unknown) is not for this client")
        }
        challenge = parameters.value("code_challenge")
        if responseType.hasCode { try Self.checkChallenge(parameters, of: client, refuse) }
        prompts = Set((parameters.value("prompt") ?? "").split(separator: " ").map(String.init))
        guard prompts.isSubset(of: ["none", "login", "consent", "select_account"]) else {
            throw refuse("invalid_request", "prompt has an unknown value")
        }
        guard !prompts.contains("none") || prompts.count == 1 else {
            throw refuse("invalid_request", "prompt=none stands alone")
        }
        let age = parameters.value("max_age")
        maximumAge = age.flatMap { Int64($0) }.flatMap { $0 >= 0 ? Double($0) : nil }
        guard age == nil || maximumAge != nil else {
            throw refuse("invalid_request", "max_age is not a number of seconds")
        }
        nonce = parameters.value("nonce")
        keyThumbprint = parameters.value("dpop_jkt")
        authorizationDetails = parameters.value("authorization_details")
        resources = parameters.values(of: "resource")
        loginHint = parameters.value("login_hint")
        idTokenHint = parameters.value("id_token_hint")
        authenticationContext = parameters.value("acr_values")?.split(separator: " ").first.map(String.init)
    }

    /// What the pages need where the answer goes to no redirect URI.
    init(clientID: String, scopes: [String], authenticationContext: String?) {
        self.clientID = clientID
        self.scopes = scopes
        self.authenticationContext = authenticationContext
        temporaryToken = nil
        keyThumbprint = nil
        target = AnswerTarget(redirectURI: "", mode: .query, state: nil)
        redirectWasSent = false
        nonce = nil
        challenge = nil
        prompts = []
        maximumAge = nil
        loginHint = nil
        idTokenHint = nil
    }

    private static func checkChallenge(
        _ parameters: FormParameters, of client: TestClient, _ refuse: (String, String) -> AuthorizationRefusal
    ) throws(AuthorizationRefusal) {
        guard let challenge = parameters.value("code_challenge") else {
            guard parameters.value("code_challenge_method") == nil else {
                throw refuse("invalid_request", "code_challenge is missing")
            }
            guard !client.isPublic, !client.requiresProofKey else {
                throw refuse("invalid_request", "code_challenge is missing: this client must use PKCE")
            }
            return
        }
        guard parameters.value("code_challenge_method") == "S256" else {
            throw refuse("invalid_request", "code_challenge_method must be S256")
        }
        guard challenge.utf8.count == 43 else {
            throw refuse("invalid_request", "code_challenge is not a SHA-256 digest in Base64url")
        }
    }
}
