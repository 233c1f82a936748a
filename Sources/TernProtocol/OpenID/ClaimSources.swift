public import TernCrypto
public import TernJOSE

/// Claims about a user that other parties vouch for: aggregated and distributed ones (OpenID Connect Core 1.0 §5.6.2).
///
/// They are in user information and in ID tokens, and worth nothing before they were verified with the keys of the party
/// that they come from, which the application must know.
public struct ClaimSources: Sendable, Hashable {
    /// One source.
    public struct Source: Sendable, Hashable {
        /// Its name within the answer; it says nothing.
        public let name: String
        /// The claims that it is to be believed about.
        public let claimNames: [String]
        /// Where they are.
        public let place: Place
    }

    /// Where claims are.
    public enum Place: Sendable, Hashable {
        /// In the answer itself: aggregated claims.
        case aggregated(EncodedClaims)
        /// At an address: distributed claims. An access token comes along where one is needed.
        case distributed(URI, AccessToken?)
    }

    /// The sources, in the order of the answer.
    public let sources: [Source]

    /// How many sources are read; an answer with more is refused.
    public static let maximumCount = 16

    /// Finds the sources in claims; `nil` where there are none.
    ///
    /// - Throws: ``TernError`` with `malformedResponse` and the field: `_claim_names` or `_claim_sources` when they do not
    ///   belong together or are more than ``maximumCount``; `insecureEndpoint` with `_claim_sources` for an address that is
    ///   not https, loopback included, since an access token goes there.
    public init?(in claims: JSONObject) throws(TernError) {
        if claims["_claim_names"] == nil, claims["_claim_sources"] == nil { return nil }
        func malformed(_ name: String) -> TernError { TernError(.malformedResponse(field: name), at: .userInfo) }
        guard let names = claims["_claim_names"]?.object else { throw malformed("_claim_names") }
        guard let places = claims["_claim_sources"]?.object, places.count <= Self.maximumCount else {
            throw malformed("_claim_sources")
        }
        var claimNames: [String: [String]] = [:]
        for (claim, source) in names {
            guard let source = source.string, places[source] != nil else { throw malformed("_claim_names") }
            claimNames[source, default: []].append(claim)
        }
        var sources: [Source] = []
        for (name, value) in places {
            // A source that nothing refers to has nothing to say.
            guard let wanted = claimNames[name] else { continue }
            let place: Place
            if let text = value["JWT"]?.string {
                place = .aggregated(EncodedClaims(text))
            } else if let uri = value["endpoint"]?.string.flatMap({ URI($0) }), uri.host != nil, !uri.hasUserInformation
            {
                guard uri.isSecure else { throw TernError(.insecureEndpoint(field: "_claim_sources"), at: .userInfo) }
                place = .distributed(uri, value["access_token"]?.string.map { AccessToken($0) })
            } else {
                throw malformed("_claim_sources")
            }
            sources.append(Source(name: name, claimNames: wanted, place: place))
        }
        self.sources = sources
    }
}

/// The purpose of ``EncodedClaims``.
public enum ClaimsPurpose: Sendable {}
/// A JWT with claims of another party, as it came.
public typealias EncodedClaims = Secret<ClaimsPurpose>

/// A party that vouches for claims, as the application knows it.
public struct ClaimsProvider: Sendable {
    /// The `iss` of its tokens.
    public var issuer: String
    /// Its keys.
    public var keys: JWKSet
    /// The name under which it knows the application: where a token has an `aud`, it must be this one.
    public var clientID: String?
    /// How wrong clocks may be, in both directions.
    public var leeway: Duration = IDToken.standardLeeway
    /// The algorithms that are taken.
    public var algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms

    /// Describes a party.
    public init(issuer: String, keys: JWKSet, clientID: String? = nil) {
        self.issuer = issuer
        self.keys = keys
        self.clientID = clientID
    }

    /// Checks a token with claims and takes those out that are wanted from it: its signature, `iss`, `aud` where it is there,
    /// and `exp`, `nbf` and `iat` where they are.
    ///
    /// - Throws: ``TernError`` with `tokenRejected` and the reason; `malformedClaim` for a claim that should be there and is
    ///   not.
    public func claims(
        named names: [String], verifying encoded: EncodedClaims, now: NumericDate
    ) throws(TernError) -> JSONObject {
        let token = try SignedToken(
            verifying: encoded.exposedText, as: .claims, type: .any, keys: keys, algorithms: algorithms, at: .userInfo)
        try token.checkedIssuer(issuer)
        if token.claims["aud"] != nil { try token.checkedAudience(anyOf: [clientID].compactMap(\.self)) }
        if token.claims["exp"] != nil { _ = try token.checkedExpiration(now: now, leeway: leeway) }
        if token.claims["iat"] != nil { _ = try token.checkedIssueTime(now: now, leeway: leeway) }
        try token.checkNotBefore(now: now, leeway: leeway)
        var claims: JSONObject = [:]
        for name in names {
            guard let value = token.claims[name] else { throw token.rejected(.malformedClaim(name)) }
            claims[name] = value
        }
        return claims
    }
}

/// The request for distributed claims (OpenID Connect Core 1.0 §5.6.2).
public struct DistributedClaimsRequest: Exchange {
    /// Where the claims are.
    public let endpoint: URI
    private let accessToken: AccessToken?

    /// Makes the request.
    ///
    /// - Throws: ``TernError`` with `insecureEndpoint` for an address that is not https.
    public init(endpoint: URI, accessToken: AccessToken?) throws(TernError) {
        guard endpoint.isSecure else { throw TernError(.insecureEndpoint(field: "_claim_sources"), at: .userInfo) }
        self.endpoint = endpoint
        self.accessToken = accessToken
    }

    /// ``Step/userInfo``.
    public var step: Step { .userInfo }

    /// The access token, where there is one.
    public var secrets: [String] { [accessToken?.exposedText].compactMap(\.self) }

    /// A GET with the access token, where there is one.
    public func request() -> HTTPRequest {
        var request = HTTPRequest(.get, endpoint, fields: ["Accept": "application/jwt"])
        if let accessToken { request.fields["Authorization"] = "Bearer " + accessToken.exposedText }
        return request
    }

    /// Reads the answer: a JWT, whatever its label says.
    ///
    /// - Throws: ``TernError``: `serverError`, `httpStatus`, `transient`; `responseTooLarge` above 64 KiB.
    public func answer(from response: HTTPResponse) throws(TernError) -> EncodedClaims {
        guard response.isSuccess else {
            if let error = AuthenticateChallenge.bearerError(in: response) {
                throw TernError(.serverError(error), at: step)
            }
            throw AnswerBody.failure(of: response, step: step)
        }
        guard response.body.count <= JWS.standardMaximumByteCount else {
            throw TernError(.responseTooLarge(limit: JWS.standardMaximumByteCount), at: step)
        }
        return EncodedClaims(String(String(decoding: response.body, as: UTF8.self).trimmingASCIIWhitespace))
    }
}

extension DistributedClaimsRequest: CustomStringConvertible, CustomReflectable {
    /// Says what it is.
    public var description: String { "request for distributed claims" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
