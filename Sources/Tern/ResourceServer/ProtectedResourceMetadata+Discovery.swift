public import TernProtocol

extension ProtectedResourceMetadata {
    /// Finds out what an API says about itself (RFC 9728): at its well-known address, and where nothing is there, at the
    /// address that it names when it refuses a call without a token; with the rule `covering`, at last at the well-known
    /// address of the whole host. No client is needed for the question.
    ///
    /// - Parameters:
    ///   - resource: the address of the API.
    ///   - rule: how the API's own name is held against that address.
    ///   - transport: the way to the network.
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` with the field `resource_metadata` where neither is there;
    ///   `resourceMismatch`; `insecureEndpoint`, `discoveryNotJSON`, `malformedResponse`; the network's trouble.
    public static func discover(
        _ resource: URI, rule: ResourceRule = .exact, over transport: any HTTPTransport
    ) async throws(TernError) -> ProtectedResourceMetadata {
        var question = try ProtectedResourceMetadataRequest(resource: resource)
        question.rule = rule
        let response = try await transport.send(question.request(), step: question.step)
        if !response.saysNothingIsHere { return try question.answer(from: response) }
        let call = HTTPRequest(.get, resource, fields: ["Accept": "*/*"])
        let refusal = try await transport.send(call, step: question.step)
        guard refusal.resourceMetadataAddress == nil, rule == .covering, let origin = resource.origin,
            let root = URI(origin.description)
        else { return try await discover(naming: refusal, to: resource, rule: rule, over: transport) }
        guard let place = address(of: root) else {
            throw TernError(.missingMetadata(field: "resource_metadata"), at: .discovery)
        }
        var last = try ProtectedResourceMetadataRequest(at: place, of: resource)
        last.rule = rule
        let answer = try await transport.send(last.request(), step: last.step)
        guard !answer.saysNothingIsHere else {
            throw TernError(.missingMetadata(field: "resource_metadata"), at: .discovery)
        }
        return try last.answer(from: answer)
    }

    /// Finds out what an API says about itself, by the answer with which it refused a call (RFC 9728 §5.1).
    ///
    /// - Parameters:
    ///   - refusal: the answer, which names the address of the metadata in a challenge.
    ///   - resource: the address that was called.
    ///   - rule: how the API's own name is held against that address.
    ///   - transport: the way to the network.
    /// - Throws: what ``discover(_:rule:over:)`` throws.
    public static func discover(
        naming refusal: HTTPResponse, to resource: URI, rule: ResourceRule = .exact, over transport: any HTTPTransport
    ) async throws(TernError) -> ProtectedResourceMetadata {
        guard let address = refusal.resourceMetadataAddress else {
            throw TernError(.missingMetadata(field: "resource_metadata"), at: .discovery)
        }
        var question = try ProtectedResourceMetadataRequest(at: address, of: resource)
        question.rule = rule
        return try question.answer(from: try await transport.send(question.request(), step: question.step))
    }
}

extension HTTPResponse {
    /// Whether there is nothing of the kind at an address; passing trouble says nothing of that.
    fileprivate var saysNothingIsHere: Bool {
        (400..<500).contains(status) && ![408, 429].contains(status) || isSuccess && mediaType == "text/html"
    }
}

extension ClientConfiguration {
    /// The configuration of a client for one API, at a server whose tokens the API takes: tokens are asked for that API
    /// (RFC 8707), and bound to a key where it demands that.
    ///
    /// - Parameters:
    ///   - resource: what the API says about itself.
    ///   - clientID: the client identifier.
    ///   - redirectURI: where answers arrive.
    ///   - scope: what is asked for; by default what the API says its calls need.
    ///   - authentication: how the client proves who it is.
    ///   - issuer: which of the API's servers; the first where it is left out, which a client with a secret cannot do.
    /// - Throws: ``/TernProtocol/TernError``: `missingMetadata` with the field `authorization_servers` where the API names
    ///   none; `invalidConfiguration` with the field `issuer` for one that the API does not name.
    public init(
        for resource: ProtectedResourceMetadata, clientID: String, redirectURI: RedirectURI, scope: Scope? = nil,
        authentication: ClientAuthentication = .none, issuer: Issuer? = nil
    ) throws(TernError) {
        guard issuer != nil || authentication.secret == nil else {
            throw TernError(
                .invalidConfiguration(
                    field: "issuer", problem: "an API does not choose to which server a client's secret goes: name it"),
                at: .configuration)
        }
        guard let first = resource.authorizationServers.first else {
            throw TernError(.missingMetadata(field: "authorization_servers"), at: .configuration)
        }
        if let issuer, !resource.authorizationServers.contains(issuer) {
            throw TernError(
                .invalidConfiguration(field: "issuer", problem: "the API does not take its tokens"), at: .configuration)
        }
        try self.init(
            server: .issuer(issuer ?? first), clientID: clientID, redirectURI: redirectURI,
            scope: scope ?? resource.scopes ?? [], authentication: authentication)
        resources = [resource.resource]
        if resource.requiresDPoP { dpop = DPoP() }
        wantsCertificateBoundTokens = resource.requiresCertificateBoundTokens
    }
}
