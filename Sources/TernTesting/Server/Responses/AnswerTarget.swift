internal import TernCrypto
internal import TernProtocol

/// Where the answer to an authorization request goes and how.
struct AnswerTarget: Sendable {
    let redirectURI: String
    /// Never `jwt`, which leaves the place open.
    let mode: AuthorizationRequest.ResponseMode
    let state: String?
    /// For whom a signed answer is.
    var clientID = ""
}

extension AnswerTarget {
    /// Where a request wants its answer, and a refusal too. What must not be asked for is answered as is usual for the
    /// response type.
    init(_ parameters: FormParameters, redirectURI: String, client: TestClient) {
        let type = parameters.value("response_type").flatMap { try? ResponseType($0) } ?? .code
        let asked = parameters.value("response_mode").flatMap(AuthorizationRequest.ResponseMode.init)
        let mode = (asked ?? type.standardMode).resolved(for: type)
        self.init(
            redirectURI: redirectURI, mode: Self.isAllowed(mode, for: type, client) ? mode : type.standardMode,
            state: parameters.values(of: "state").count > 1 ? nil : parameters.value("state"),
            clientID: client.clientID)
    }

    /// Tokens must not come in a query (OAuth 2.0 Multiple Response Types §3, §5), unless nobody else can read them (JWT
    /// Secured Authorization Response Mode §2.3.1).
    static func isAllowed(
        _ mode: AuthorizationRequest.ResponseMode, for type: ResponseType, _ client: TestClient
    ) -> Bool {
        type == .code || mode.carrier != .query || mode == .queryJWT && client.authorizationResponseEncryption != nil
    }
}

extension AuthorizationInput {
    /// Checks what the answer is to bring and how (OpenID Connect Core 1.0 §3.2.2.1, §3.3.2.1).
    static func responseType(
        _ parameters: FormParameters, of client: TestClient, _ settings: ServerSettings,
        _ refuse: (String, String) -> AuthorizationRefusal
    ) throws(AuthorizationRefusal) -> ResponseType {
        guard let text = parameters.value("response_type") else {
            throw refuse("invalid_request", "response_type is missing")
        }
        guard let type = try? ResponseType(text), settings.responseTypes.contains(type) else {
            throw refuse("unsupported_response_type", "this response type is not offered")
        }
        guard client.responseTypes?.contains(type) ?? true else {
            throw refuse("unauthorized_client", "the client is not registered for this response type")
        }
        let asked = parameters.value("response_mode")
        let mode = asked.map(AuthorizationRequest.ResponseMode.init) ?? type.standardMode
        guard let mode = mode?.resolved(for: type) else {
            throw refuse("invalid_request", "response_mode is not known")
        }
        guard AnswerTarget.isAllowed(mode, for: type, client) else {
            throw refuse("invalid_request", "tokens do not come in a query")
        }
        if type.hasIDToken {
            guard parameters.value("nonce") != nil else {
                throw refuse("invalid_request", "an ID token through the browser needs a nonce")
            }
            guard parameters.value("scope")?.split(separator: " ").contains("openid") ?? false else {
                throw refuse("invalid_request", "an ID token needs the scope openid")
            }
        }
        guard !type.hasToken || settings.dpop.use != .demanded && !client.bindsTokensToCertificate else {
            throw refuse("invalid_request", "a token that comes through the browser cannot be bound to a key")
        }
        return type
    }
}
