public import TernCrypto
public import TernJOSE

/// The purpose of ``EncodedLogoutToken``.
public enum LogoutTokenPurpose: Sendable {}
/// A logout token as it came (OpenID Connect Back-Channel Logout 1.0 §2.4).
public typealias EncodedLogoutToken = Secret<LogoutTokenPurpose>

/// A logout token whose signature and claims were checked: the server says that a user, or one session of a user's, is over
/// (OpenID Connect Back-Channel Logout 1.0 §2.4 and §2.6).
///
/// It can come again: ask ``take(by:now:)`` before it is acted upon.
public struct LogoutToken: Sendable, Hashable {
    /// Its claims.
    public let claims: JWTClaims
    /// The issuer.
    public let issuer: String
    /// The user; `nil` where the token names a session alone.
    public let subject: String?
    /// The session, by the `sid` of its ID tokens; `nil` where every session of the user is over.
    public let sessionID: String?
    /// The name of this one token.
    public let tokenID: String
    /// When it was issued.
    public let issuedAt: NumericDate
    /// When it ends.
    public let expiration: NumericDate
    private let leeway: Duration

    /// What a logout token is held against.
    public struct Expectation: Sendable, Hashable {
        /// The issuer.
        public var issuer: String
        /// The client.
        public var clientID: String
        /// How old the token may be, whatever its `exp` says; 300 seconds by default.
        public var maximumAge: Duration = .seconds(300)
        /// How wrong clocks may be, in both directions.
        public var leeway: Duration = IDToken.standardLeeway
        /// The algorithms that are taken: those of the client's ID tokens.
        public var algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms
        /// Whether the token must name a session, as a client demands with `backchannel_logout_session_required`.
        public var requiresSession = false

        /// Makes an expectation.
        public init(issuer: String, clientID: String) {
            self.issuer = issuer
            self.clientID = clientID
        }
    }

    /// The member of `events` that makes a token a logout token.
    public static let event = "http://schemas.openid.net/event/backchannel-logout"

    /// Checks a logout token (§2.6).
    ///
    /// - Parameters:
    ///   - encoded: the token as it came.
    ///   - keys: the server's keys.
    ///   - expected: what it is held against.
    ///   - now: the time.
    /// - Throws: ``TernError`` with `tokenRejected` and the reason.
    public init(
        verifying encoded: EncodedLogoutToken, keys: JWKSet, expecting expected: Expectation, now: NumericDate
    ) throws(TernError) {
        let token = try SignedToken(
            verifying: encoded.exposedText, as: .logoutToken, type: .usual("logout+jwt"), keys: keys,
            algorithms: expected.algorithms, at: .logout)
        claims = token.claims
        issuer = try token.checkedIssuer(expected.issuer)
        try token.checkedAudience(anyOf: [expected.clientID])
        expiration = try token.checkedExpiration(now: now, leeway: expected.leeway)
        try token.checkNotBefore(now: now, leeway: expected.leeway)
        issuedAt = try token.checkedIssueTime(now: now, leeway: expected.leeway, maximumAge: expected.maximumAge)
        guard token.claims["events"]?[Self.event]?.object != nil else {
            throw token.rejected(.malformedClaim("events"))
        }
        // With a nonce it could be an ID token that somebody passes off as this.
        guard token.claims["nonce"] == nil else { throw token.rejected(.forbiddenClaim("nonce")) }
        subject = try token.optionalText("sub")
        sessionID = try token.optionalText("sid")
        guard subject != nil || sessionID != nil else { throw token.rejected(.malformedClaim("sub")) }
        guard sessionID != nil || !expected.requiresSession else { throw token.rejected(.malformedClaim("sid")) }
        tokenID = try token.text("jti")
        leeway = expected.leeway
    }

    /// Remembers that the token was taken, so that it is not taken again.
    ///
    /// - Throws: ``TernError`` with `tokenRejected` and `replayed` when it was taken before; what the store throws.
    public func take(by store: any ReplayStore, now: NumericDate) async throws(TernError) {
        // Once it is over it is refused for that, so it need not be remembered longer.
        guard try await store.note("\(issuer) \(tokenID)", until: expiration + leeway, now: now) else {
            throw TernError(.tokenRejected(TokenRejection(.logoutToken, .replayed)), at: .logout)
        }
    }

    /// Whether a session of the application's is over by this.
    ///
    /// - Parameters:
    ///   - subject: the `sub` of the ID token with which the session began.
    ///   - sessionID: the `sid` of that token, where it had one.
    public func ends(subject: String, sessionID: String?) -> Bool {
        if let user = self.subject, !user.hasSameOctets(as: subject) { return false }
        guard let session = self.sessionID else { return true }
        return sessionID.map(session.hasSameOctets) ?? false
    }
}

extension LogoutToken: CustomStringConvertible, CustomReflectable {
    /// Says that a token is here.
    public var description: String { "<logout token>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension EncodedLogoutToken {
    /// The token of a request to the application's back-channel logout address (§2.5).
    ///
    /// - Throws: ``TernError`` with `tokenRejected`: `missing` when it is no POST of a form with a `logout_token`,
    ///   `malformed` when that stands there twice.
    public init(postedBy request: HTTPRequest) throws(TernError) {
        func rejected(_ reason: TokenRejection.Reason) -> TernError {
            TernError(.tokenRejected(TokenRejection(.logoutToken, reason)), at: .logout)
        }
        guard request.method == .post, let form = request.sentForm else { throw rejected(.missing) }
        let values = form.values(of: "logout_token")
        guard values.count <= 1 else { throw rejected(.malformed("form")) }
        guard let value = values.first, !value.isEmpty else { throw rejected(.missing) }
        self.init(value)
    }
}

extension LogoutToken {
    /// The answer to the server: 200 when the logout was done, 400 when the token was refused (§2.8).
    ///
    /// - Parameter error: why it was refused; `nil` when the logout was done.
    public static func response(_ error: TernError? = nil) -> HTTPResponse {
        guard let error else { return HTTPResponse(status: 200, fields: ["Cache-Control": "no-store"]) }
        let body: JSONObject = [
            "error": "invalid_request", "error_description": .string(error.explanation.whatHappened),
        ]
        return HTTPResponse(
            status: 400, fields: ["Cache-Control": "no-store", "Content-Type": "application/json"],
            body: body.serialized())
    }
}

extension HTTPRequest {
    /// The form in the body of a request that arrived; `nil` when there is none.
    var sentForm: FormParameters? {
        switch body {
        case .form(let parameters): return parameters
        case .none: return nil
        case .bytes(let bytes):
            let type = fields["Content-Type"]?.split(separator: ";").first.map {
                String(String($0).trimmingASCIIWhitespace)
            }
            guard type?.equalsIgnoringASCIICase("application/x-www-form-urlencoded") == true else { return nil }
            return FormParameters(decoding: String(decoding: bytes, as: UTF8.self))
        }
    }
}
