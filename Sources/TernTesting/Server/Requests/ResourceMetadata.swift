internal import TernJOSE
internal import TernProtocol

/// What an API wants of the login (RFC 9470).
public struct LoginDemand: Sendable, Hashable {
    /// The authentication contexts of which one must be met; any will do where there is none.
    public var acrValues: [String]
    /// How old the login may be, in whole seconds.
    public var maxAge: Duration?

    /// Makes a demand.
    public init(acrValues: [String] = [], maxAge: Duration? = nil) {
        self.acrValues = acrValues
        self.maxAge = maxAge
    }
}

extension AuthorizationServer {
    /// The name of the server's own API (RFC 8707): everything below `/api`.
    public var apiResource: String { String(address(of: .api).dropLast()) }

    /// Where the metadata of the API is: the well-known address before the API's path.
    var resourceMetadataAddress: String {
        URI(apiResource).flatMap(ProtectedResourceMetadata.address)?.text ?? ""
    }

    /// The metadata of the API (RFC 9728 §3).
    func resourceMetadataAnswer() -> HTTPResponse {
        var members: JSONObject = [
            "resource": .string(apiResource), "authorization_servers": [.string(issuer.text)],
            "bearer_methods_supported": ["header"], "resource_name": "The API of the test server",
        ]
        if settings.dpop.use == .demanded { members["dpop_bound_access_tokens_required"] = true }
        for (name, value) in settings.resourceMetadataChanges { members[name] = value }
        return .json(members)
    }

    /// - Throws: what is missing of the login behind a token.
    func check(_ grant: Grant, _ demand: LoginDemand?, at now: NumericDate) throws(EndpointFailure) {
        guard let demand else { return }
        let fits = demand.acrValues.isEmpty || grant.authenticationContext.map(demand.acrValues.contains) ?? false
        let isNew = demand.maxAge.map { now <= grant.authenticatedAt + $0 } ?? true
        guard !fits || !isNew else { return }
        var challenge = BearerChallenge(.insufficientUserAuthentication, detail: "another login is wanted")
        challenge.acrValues = demand.acrValues
        challenge.maxAge = demand.maxAge
        throw EndpointFailure(
            "insufficient_user_authentication", "another login is wanted", status: 401, challenge: challenge.fieldValue)
    }
}
