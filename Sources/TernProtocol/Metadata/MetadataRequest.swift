public import TernJOSE

/// The request for a server's metadata, whose issuer is held against the one that was asked for (RFC 8414 §3,
/// OpenID Connect Discovery 1.0 §4).
public struct MetadataRequest: Exchange {
    /// Where the metadata lies.
    public enum Form: Sendable, Hashable, CaseIterable {
        /// `/.well-known/openid-configuration` behind the issuer.
        case openID
        /// `/.well-known/oauth-authorization-server` between host and path.
        case oauth
    }

    /// The server.
    public let issuer: Issuer
    /// Where its metadata lies.
    public let form: Form
    /// How the issuers are compared.
    public let rule: IssuerRule

    /// Makes the request.
    public init(issuer: Issuer, form: Form = .openID, rule: IssuerRule = .exact) {
        self.issuer = issuer
        self.form = form
        self.rule = rule
    }

    /// ``Step/discovery``.
    public var step: Step { .discovery }

    /// A GET of the well-known address.
    ///
    /// - Throws: ``TernError`` with the field `issuer` when no address can be made of it.
    public func request() throws(TernError) -> HTTPRequest {
        let address = form == .openID ? issuer.openIDMetadataAddress : issuer.oauthMetadataAddress
        guard let address else {
            throw TernError(.invalidConfiguration(field: "issuer", problem: "it is not an address"), at: step)
        }
        return HTTPRequest(.get, address, fields: ["Accept": "application/json"])
    }

    /// Reads the metadata.
    ///
    /// - Throws: ``TernError``: `discoveryNotJSON`, `issuerMismatch`, `httpStatus`, `transient`.
    public func answer(from response: HTTPResponse) throws(TernError) -> ServerMetadata {
        guard response.isSuccess else { throw AnswerBody.failure(of: response, step: step) }
        guard let members = try? JSON(parsing: response.body).object else {
            throw TernError(.discoveryNotJSON(mediaType: response.mediaType.map(ServerError.cleaned)), at: step)
        }
        let metadata = ServerMetadata(members: members)
        guard let received = metadata.issuer, rule.accepts(received, for: issuer) else {
            throw TernError(
                .issuerMismatch(expected: issuer.text, received: metadata.issuer.map(ServerError.cleaned)), at: step)
        }
        return metadata
    }
}

/// The request for a server's keys (RFC 7517 §5).
public struct KeySetRequest: Exchange {
    /// The address of the key set.
    public let address: URI

    /// Makes the request.
    public init(address: URI) { self.address = address }

    /// ``Step/keys``.
    public var step: Step { .keys }

    /// A GET of the key set.
    public func request() -> HTTPRequest {
        HTTPRequest(.get, address, fields: ["Accept": "application/jwk-set+json, application/json"])
    }

    /// Reads the key set; keys that cannot be used are left out.
    ///
    /// - Throws: ``TernError``: `malformedResponse`, `httpStatus`, `transient`.
    public func answer(from response: HTTPResponse) throws(TernError) -> JWKSet {
        guard response.isSuccess else { throw AnswerBody.failure(of: response, step: step) }
        do { return try JWKSet(parsing: response.body) } catch {
            throw TernError(.malformedResponse(field: "keys"), at: step)
        }
    }
}
