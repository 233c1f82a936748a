public import TernCrypto
public import TernJOSE

/// An access token that is a JWT (RFC 9068), its signature and claims checked: what an API written in Swift works with.
///
/// ```swift
/// let expected = JWTAccessToken.Expectation(issuer: "https://id.example.com", audience: "https://api.example.com")
/// func answer(_ request: HTTPRequest, now: NumericDate) -> HTTPResponse {
///     do {
///         let token = try JWTAccessToken(
///             verifying: AccessToken(bearerOf: request), keys: keys, expecting: expected, now: now)
///         try token.require(scope: ["notes:read"])
///         return notes(of: token.subject)
///     } catch {
///         return BearerChallenge(error).response
///     }
/// }
/// ```
///
/// A token that is bound to a key or a certificate is refused unless ``Expectation/proof`` says that this one was proven.
public struct JWTAccessToken: Sendable, Hashable {
    /// Its claims.
    public let claims: JWTClaims
    /// The authorization server.
    public let issuer: String
    /// For which APIs it is.
    public let audience: [String]
    /// The user, or the client itself where no user took part.
    public let subject: String
    /// The client that it was issued to.
    public let clientID: String
    /// When it ends.
    public let expiration: NumericDate
    /// When it was issued.
    public let issuedAt: NumericDate
    /// The name of this one token.
    public let tokenID: String
    /// What was granted; empty where the token does not say.
    public let scope: Scope
    /// When the user logged in, where the token says so (§2.2.1).
    public let authenticationTime: NumericDate?
    /// What it is bound to; `nil` for a plain bearer token.
    public let confirmation: TokenConfirmation?

    /// What an access token is held against.
    public struct Expectation: Sendable, Hashable {
        /// The authorization server whose tokens are taken.
        public var issuer: String
        /// The names of this API, of which the token must carry one.
        public var audience: [String]
        /// What the caller has proven to hold.
        public var proof: TokenConfirmation.Proof = .none
        /// How wrong clocks may be, in both directions.
        public var leeway: Duration = IDToken.standardLeeway
        /// The algorithms that are taken.
        public var algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms

        /// Makes an expectation.
        public init(issuer: String, audience: String...) {
            self.issuer = issuer
            self.audience = audience
        }
    }

    /// Checks a token (RFC 9068 §4).
    ///
    /// - Parameters:
    ///   - encoded: the token as it came.
    ///   - keys: the authorization server's keys.
    ///   - expected: what it is held against.
    ///   - now: the time.
    /// - Throws: ``TernError`` with `tokenRejected` and the reason.
    public init(
        verifying encoded: AccessToken, keys: JWKSet, expecting expected: Expectation, now: NumericDate
    ) throws(TernError) {
        let token = try SignedToken(
            verifying: encoded.exposedText, as: .accessToken, type: .required("at+jwt"), keys: keys,
            algorithms: expected.algorithms, at: .resourceRequest)
        claims = token.claims
        issuer = try token.checkedIssuer(expected.issuer)
        audience = try token.checkedAudience(anyOf: expected.audience)
        expiration = try token.checkedExpiration(now: now, leeway: expected.leeway)
        try token.checkNotBefore(now: now, leeway: expected.leeway)
        issuedAt = try token.checkedIssueTime(now: now, leeway: expected.leeway)
        subject = try token.text("sub")
        clientID = try token.text("client_id")
        tokenID = try token.text("jti")
        authenticationTime = try token.optionalDate("auth_time")
        switch token.claims["scope"] {
        case nil: scope = []
        case .string(let text): scope = Scope(text)
        default: throw token.rejected(.malformedClaim("scope"))
        }
        switch token.claims["cnf"] {
        case nil: confirmation = nil
        case .object(let members): confirmation = TokenConfirmation(members: members)
        default: throw token.rejected(.malformedClaim("cnf"))
        }
        guard TokenConfirmation.isMet(confirmation, by: expected.proof) else { throw token.rejected(.bindingMismatch) }
    }

    /// The roles of the user, as the server writes them (§2.2.3.1).
    public var roles: [JSON] { claims["roles"]?.array ?? [] }
    /// The groups of the user, as the server writes them (§2.2.3.1).
    public var groups: [JSON] { claims["groups"]?.array ?? [] }
    /// The entitlements of the user, as the server writes them (§2.2.3.1).
    public var entitlements: [JSON] { claims["entitlements"]?.array ?? [] }
    /// How the user was authenticated, where the token says so (§2.2.1).
    public var authenticationContext: String? { claims["acr"]?.string }

    /// Demands scopes, all of them.
    ///
    /// - Throws: ``TernError`` with `tokenRejected` and `insufficientScope`, which a ``BearerChallenge`` tells the client.
    public func require(scope wanted: Scope) throws(TernError) {
        let granted = scope.values
        guard wanted.values.allSatisfy(granted.contains) else { throw Self.rejected(.insufficientScope(wanted)) }
    }

    /// Demands a login of a kind or of an age (RFC 9470).
    ///
    /// - Parameters:
    ///   - acrValues: the contexts of which one must have been met; any will do where it is empty.
    ///   - maxAge: how old the login may be; the token must then say when it was.
    ///   - now: the time.
    /// - Throws: ``TernError`` with `tokenRejected` and `insufficientAuthentication`, which a ``BearerChallenge`` tells the
    ///   client.
    public func require(acrValues: [String] = [], maxAge: Duration? = nil, now: NumericDate) throws(TernError) {
        let isRightKind = acrValues.isEmpty || authenticationContext.map(acrValues.contains) ?? false
        let isNew = maxAge.map { limit in authenticationTime.map { now <= $0 + limit } ?? false } ?? true
        guard isRightKind, isNew else {
            throw Self.rejected(.insufficientAuthentication(acrValues: acrValues, maxAge: maxAge))
        }
    }

    private static func rejected(_ reason: TokenRejection.Reason) -> TernError {
        TernError(.tokenRejected(TokenRejection(.accessToken, reason)), at: .resourceRequest)
    }
}

extension JWTAccessToken: CustomStringConvertible, CustomReflectable {
    /// Says that a token is here.
    public var description: String { "<access token>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension AccessToken {
    /// The token of a request to an API, from the field `Authorization` with the scheme `Bearer` (RFC 6750 §2.1) or `DPoP`
    /// (RFC 9449 §7.1). A token in the query or in the body is not taken.
    ///
    /// - Throws: ``TernError`` with `tokenRejected`: `missing` without such a field, `malformed` for one that cannot be
    ///   read or stands there twice.
    public init(bearerOf request: HTTPRequest) throws(TernError) {
        func rejected(_ reason: TokenRejection.Reason) -> TernError {
            TernError(.tokenRejected(TokenRejection(.accessToken, reason)), at: .resourceRequest)
        }
        let values = request.fields.values(of: "Authorization")
        guard values.count <= 1 else { throw rejected(.malformed("field Authorization")) }
        let parts = (values.first ?? "").split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard let scheme = parts.first.map(String.init),
            scheme.equalsIgnoringASCIICase("bearer") || scheme.equalsIgnoringASCIICase("dpop")
        else { throw rejected(.missing) }
        let token = parts.count == 2 ? String(String(parts[1]).trimmingASCIIWhitespace) : ""
        guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != 0x2C }) else {
            throw rejected(.malformed("field Authorization"))
        }
        self.init(token)
    }
}
