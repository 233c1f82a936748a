public import TernCrypto
internal import TernJOSE

/// The registration of a client (RFC 7591 §3, OpenID Connect Dynamic Client Registration 1.0 §3).
public struct ClientRegistrationRequest: Exchange {
    /// The registration endpoint.
    public var endpoint: URI
    /// What the client says about itself.
    public var metadata: ClientMetadata
    /// What allows it to register, where the server does not let everybody.
    public var initialAccessToken: InitialAccessToken?

    /// Makes the request.
    public init(endpoint: URI, metadata: ClientMetadata, initialAccessToken: InitialAccessToken? = nil) {
        self.endpoint = endpoint
        self.metadata = metadata
        self.initialAccessToken = initialAccessToken
    }

    /// ``Step/registration``.
    public var step: Step { .registration }

    /// The initial access token.
    public var secrets: [String] { [initialAccessToken?.exposedText].compactMap(\.self) }

    /// A POST of the metadata as JSON.
    ///
    /// - Throws: what ``ClientMetadata/check()`` throws.
    public func request() throws(TernError) -> HTTPRequest {
        try metadata.check()
        return ClientManagement.request(
            .post, endpoint, token: initialAccessToken?.exposedText, body: metadata.members)
    }

    /// Reads what was registered.
    ///
    /// - Throws: ``TernError``: `serverError` (`invalid_redirect_uri`, `invalid_client_metadata`,
    ///   `invalid_software_statement`, `unapproved_software_statement`, RFC 7591 §3.2.2; `invalid_token`),
    ///   `malformedResponse`, `httpStatus`, `transient`.
    public func answer(from response: HTTPResponse) throws(TernError) -> ClientInformation {
        try ClientInformation(ClientManagement.members(in: response))
    }
}

/// A look at a client's own registration (RFC 7592 §2.1).
public struct ClientReadRequest: Exchange {
    private let client: ClientInformation

    /// Makes the request.
    public init(of client: ClientInformation) { self.client = client }

    /// ``Step/registration``.
    public var step: Step { .registration }

    /// What the client holds.
    public var secrets: [String] { client.secrets }

    /// A GET at the client's own address.
    ///
    /// - Throws: ``TernError``: `unsupported` for a client that has no such address and token; `insecureEndpoint`.
    public func request() throws(TernError) -> HTTPRequest { try ClientManagement.request(.get, client) }

    /// Reads what is registered. A new token or secret in it takes the place of the old one, which may be over from now on:
    /// store it before anything else.
    ///
    /// - Throws: ``TernError`` as ``ClientRegistrationRequest/answer(from:)`` does.
    public func answer(from response: HTTPResponse) throws(TernError) -> ClientInformation {
        try ClientManagement.information(in: response, of: client)
    }
}

/// A change of a client's own registration: what is there now is replaced as a whole (RFC 7592 §2.2).
public struct ClientUpdateRequest: Exchange {
    private let client: ClientInformation
    /// What the registration becomes.
    public var metadata: ClientMetadata

    /// Makes the request.
    public init(of client: ClientInformation, metadata: ClientMetadata) {
        self.client = client
        self.metadata = metadata
    }

    /// ``Step/registration``.
    public var step: Step { .registration }

    /// What the client holds.
    public var secrets: [String] { client.secrets }

    /// A PUT of the metadata as JSON, with the client's ID and secret.
    ///
    /// - Throws: ``TernError``: what ``ClientMetadata/check()`` throws; `unsupported`, `insecureEndpoint`.
    public func request() throws(TernError) -> HTTPRequest {
        try metadata.check()
        var body: JSONObject = ["client_id": .string(client.clientID)]
        if metadata.usesSecret { body["client_secret"] = (client.clientSecret?.exposedText).map(JSON.string) }
        for (name, value) in metadata.members where body[name] == nil { body[name] = value }
        // The server chooses these (§2.2).
        body = body.removing(
            "registration_access_token", "registration_client_uri", "client_secret_expires_at", "client_id_issued_at")
        return try ClientManagement.request(.put, client, body: body)
    }

    /// Reads what is registered now; see ``ClientReadRequest/answer(from:)``.
    ///
    /// - Throws: ``TernError`` as ``ClientRegistrationRequest/answer(from:)`` does.
    public func answer(from response: HTTPResponse) throws(TernError) -> ClientInformation {
        try ClientManagement.information(in: response, of: client)
    }
}

/// The end of a client's own registration, and with it of all its tokens (RFC 7592 §2.3).
public struct ClientDeleteRequest: Exchange {
    private let client: ClientInformation

    /// Makes the request.
    public init(of client: ClientInformation) { self.client = client }

    /// ``Step/registration``.
    public var step: Step { .registration }

    /// What the client holds.
    public var secrets: [String] { client.secrets }

    /// A DELETE at the client's own address.
    ///
    /// - Throws: ``TernError``: `unsupported` for a client that has no such address and token; `insecureEndpoint`.
    public func request() throws(TernError) -> HTTPRequest { try ClientManagement.request(.delete, client) }

    /// Any 2xx is success.
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`.
    public func answer(from response: HTTPResponse) throws(TernError) {
        guard !response.isSuccess else { return }
        _ = try ClientManagement.members(in: response)
    }
}

/// What registration and its management have in common.
private enum ClientManagement {
    static func request(
        _ method: HTTPMethod, _ address: URI, token: String?, body: JSONObject? = nil
    ) -> HTTPRequest {
        var request = HTTPRequest(method, address, fields: ["Accept": "application/json"])
        if let token { request.fields["Authorization"] = "Bearer \(token)" }
        if let body {
            request.fields["Content-Type"] = "application/json"
            request.body = .bytes(body.serialized())
        }
        return request
    }

    static func request(
        _ method: HTTPMethod, _ client: ClientInformation, body: JSONObject? = nil
    ) throws(TernError) -> HTTPRequest {
        guard let address = client.registrationAddress, let token = client.registrationAccessToken else {
            throw TernError(
                .unsupported("looking after this registration: the server gave no address or no token for it"),
                at: .registration)
        }
        guard address.isSecure || address.isLoopback && address.normalizedScheme == "http" else {
            throw TernError(.insecureEndpoint(field: "registration_client_uri"), at: .registration)
        }
        return request(method, address, token: token.exposedText, body: body)
    }

    static func members(in response: HTTPResponse) throws(TernError) -> JSONObject {
        do throws(TernError) {
            return try AnswerBody.object(in: response, step: .registration)
        } catch {
            // A refused token is often told in the challenge alone (RFC 6750 §3).
            guard case .httpStatus = error.reason, let refusal = AuthenticateChallenge.bearerError(in: response) else {
                throw error
            }
            throw TernError(.serverError(refusal), at: .registration)
        }
    }

    static func information(
        in response: HTTPResponse, of client: ClientInformation
    ) throws(TernError) -> ClientInformation {
        let information = try ClientInformation(members(in: response))
        guard information.clientID.hasSameOctets(as: client.clientID) else {
            throw TernError(.malformedResponse(field: "client_id"), at: .registration)
        }
        return try information.keepingRights(of: client)
    }
}

extension ClientInformation {
    fileprivate var secrets: [String] {
        [clientSecret?.exposedText, registrationAccessToken?.exposedText].compactMap(\.self)
    }
}
