public import TernCrypto
public import TernJOSE

/// What the server says about a token (RFC 7662 §2.2).
///
/// An inactive token is no error: it expired, was revoked, was never issued, or is not for the one who asks, and the server
/// does not say which. Of an inactive token nothing else is to be believed.
public struct Introspection: Sendable, Hashable {
    /// All members as they came.
    public let members: JSONObject
    /// Whether the token is good now, by the server's clock.
    public let isActive: Bool
    /// When the token ends.
    public let expiration: NumericDate?
    /// When the token was issued.
    public let issuedAt: NumericDate?
    /// From when on the token counts.
    public let notBefore: NumericDate?
    /// What the token is bound to; `nil` for a plain bearer token.
    public let confirmation: TokenConfirmation?

    /// Reads an answer's members.
    ///
    /// - Throws: ``TernError`` with `malformedResponse` and the member: `active` when it is not there; `exp`, `iat`, `nbf` and
    ///   `cnf` of an active token when they have the wrong form, since passing over them would widen what the token may do.
    ///   Digits in quotes are taken for a time, as some servers write them.
    public init(members: JSONObject) throws(TernError) {
        func malformed(_ name: String) -> TernError {
            TernError(.malformedResponse(field: name), at: .introspection)
        }
        guard let isActive = members["active"]?.bool else { throw malformed("active") }
        self.members = members
        self.isActive = isActive
        guard isActive else {
            (expiration, issuedAt, notBefore, confirmation) = (nil, nil, nil, nil)
            return
        }
        func date(_ name: String) throws(TernError) -> NumericDate? {
            switch members[name] {
            case nil, .null: return nil
            case .number(let number):
                if let seconds = number.double { return NumericDate(seconds) }
            case .string(let digits) where !digits.isEmpty && digits.utf8.allSatisfy(\.isASCIIDigit):
                if let seconds = Double(digits), seconds.isFinite { return NumericDate(seconds) }
            default: break
            }
            throw malformed(name)
        }
        expiration = try date("exp")
        issuedAt = try date("iat")
        notBefore = try date("nbf")
        switch members["cnf"] {
        case nil, .null: confirmation = nil
        case .object(let members): confirmation = TokenConfirmation(members: members)
        default: throw malformed("cnf")
        }
    }

    /// A member by its name.
    public subscript(name: String) -> JSON? { members[name] }

    /// What was granted; `nil` where the server does not say.
    public var scope: Scope? { Scope(members["scope"]) }
    /// The client that the token was issued to.
    public var clientID: String? { members["client_id"]?.string }
    /// A name of the user for people.
    public var username: String? { members["username"]?.string }
    /// The type of the token, such as `Bearer`.
    public var tokenType: String? { members["token_type"]?.string }
    /// The user, or the client itself where no user took part.
    public var subject: String? { members["sub"]?.string }
    /// For which APIs the token is; empty where the server does not say.
    public var audience: [String] {
        members["aud"]?.string.map { [$0] } ?? members["aud"]?.array?.compactMap(\.string) ?? []
    }
    /// Who issued the token.
    public var issuer: String? { members["iss"]?.string }
    /// The name of this one token.
    public var tokenID: String? { members["jti"]?.string }

    /// Whether an API may take the token now: it is active, its times fit this clock too, and everything that it is bound to
    /// was proven.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - proof: what the caller has proven to hold.
    ///   - leeway: how wrong clocks may be.
    public func isGood(
        at now: NumericDate, proof: TokenConfirmation.Proof = .none, leeway: Duration = IDToken.standardLeeway
    ) -> Bool {
        isActive && expiration.map { now < $0 + leeway } ?? true && notBefore.map { $0 <= now + leeway } ?? true
            && TokenConfirmation.isMet(confirmation, by: proof)
    }
}

extension Introspection: CustomStringConvertible, CustomReflectable {
    /// Whether the token is active.
    public var description: String { isActive ? "<active token>" : "<inactive token>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Introspection {
    /// What a signed answer is held against (RFC 9701 §5).
    public struct Expectation: Sendable, Hashable {
        /// The authorization server.
        public var issuer: String
        /// The name under which the server knows the one who asked.
        public var audience: String
        /// How old the answer may be, so that none is kept back and sent again; 300 seconds by default.
        public var maximumAge: Duration = .seconds(300)
        /// How wrong clocks may be, in both directions.
        public var leeway: Duration = IDToken.standardLeeway
        /// The algorithms that are taken.
        public var algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms

        /// Makes an expectation.
        public init(issuer: String, audience: String) {
            self.issuer = issuer
            self.audience = audience
        }
    }

    /// Checks a signed answer (RFC 9701 §5): its `typ`, `iss`, `aud` and `iat`.
    ///
    /// - Parameters:
    ///   - encoded: the answer as it came.
    ///   - keys: the authorization server's keys.
    ///   - expected: what it is held against.
    ///   - now: the time.
    /// - Throws: ``TernError`` with `tokenRejected` and the reason; `malformedResponse` for what is wrong inside.
    public init(
        verifying encoded: EncodedIntrospection, keys: JWKSet, expecting expected: Expectation, now: NumericDate
    ) throws(TernError) {
        let token = try SignedToken(
            verifying: encoded.exposedText, as: .introspection, type: .required("token-introspection+jwt"), keys: keys,
            algorithms: expected.algorithms, at: .introspection)
        try token.checkedIssuer(expected.issuer)
        try token.checkedAudience(anyOf: [expected.audience])
        _ = try token.checkedIssueTime(now: now, leeway: expected.leeway, maximumAge: expected.maximumAge)
        guard let members = token.claims["token_introspection"]?.object else {
            throw token.rejected(.malformedClaim("token_introspection"))
        }
        try self.init(members: members)
    }
}

/// The purpose of ``EncodedIntrospection``.
public enum IntrospectionPurpose: Sendable {}
/// A signed answer about a token as it came (RFC 9701).
public typealias EncodedIntrospection = Secret<IntrospectionPurpose>
