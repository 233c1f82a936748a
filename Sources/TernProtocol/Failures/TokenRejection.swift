/// Why a signed token that is no ID token was refused.
///
/// ID tokens have reasons of their own, ``IDTokenRejection``.
public struct TokenRejection: Sendable, Hashable {
    /// The kinds of signed tokens that are checked.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// A JWT access token (RFC 9068).
        case accessToken = "access_token"
        /// A logout token (OpenID Connect Back-Channel Logout 1.0 §2.4).
        case logoutToken = "logout_token"
        /// A signed answer of the introspection endpoint (RFC 9701).
        case introspection
        /// Claims that another party signed (OpenID Connect Core 1.0 §5.6.2).
        case claims
        /// A signed answer of the authorization endpoint (JWT Secured Authorization Response Mode for OAuth 2.0).
        case authorizationResponse = "authorization_response"
    }

    /// Why a token was refused.
    public enum Reason: Sendable, Hashable {
        /// There is no token.
        case missing
        /// It is not a compact JWS with a JSON object inside; the part that is wrong.
        case malformed(String)
        /// It is encrypted, and this party has no key for it.
        case encrypted
        /// The signature does not fit any key.
        case signature
        /// The algorithm is not allowed.
        case unsupportedAlgorithm(String)
        /// No key fits.
        case unknownKey
        /// `typ` says that it is another kind of token.
        case wrongType(String?)
        /// `iss` is not the one that was expected.
        case issuerMismatch(expected: String, received: String?)
        /// `aud` does not hold this party.
        case audienceMismatch
        /// The token's time is over; by how many seconds.
        case expired(by: Int)
        /// `nbf` lies ahead; by how many seconds.
        case notYetValid(by: Int)
        /// `iat` lies ahead, so a clock is wrong; by how many seconds.
        case clockSkew(ahead: Int)
        /// `iat` lies too long ago; by how many seconds.
        case tooOld(by: Int)
        /// A claim that must be there is missing or has the wrong form.
        case malformedClaim(String)
        /// A claim is there that must not be.
        case forbiddenClaim(String)
        /// `sub` is not the one that was expected.
        case subjectMismatch
        /// The token was taken before.
        case replayed
        /// It is bound to a key or certificate (`cnf`) that was not proven, or not bound to the one that was.
        case bindingMismatch
        /// The token is good and its scope does not suffice; what is wanted.
        case insufficientScope(Scope)
        /// The token is good and the user's login does not suffice (RFC 9470); the contexts and the age that are wanted.
        case insufficientAuthentication(acrValues: [String], maxAge: Duration?)

        /// The stable name.
        public var code: String {
            switch self {
            case .missing: "missing"
            case .malformed: "malformed"
            case .encrypted: "encrypted"
            case .signature: "signature"
            case .unsupportedAlgorithm: "unsupported_algorithm"
            case .unknownKey: "unknown_key"
            case .wrongType: "wrong_type"
            case .issuerMismatch: "issuer_mismatch"
            case .audienceMismatch: "audience_mismatch"
            case .expired: "expired"
            case .notYetValid: "not_yet_valid"
            case .clockSkew: "clock_skew"
            case .tooOld: "too_old"
            case .malformedClaim: "malformed_claim"
            case .forbiddenClaim: "forbidden_claim"
            case .subjectMismatch: "subject_mismatch"
            case .replayed: "replayed"
            case .bindingMismatch: "binding_mismatch"
            case .insufficientScope: "insufficient_scope"
            case .insufficientAuthentication: "insufficient_authentication"
            }
        }
    }

    /// The kind of token.
    public let kind: Kind
    /// Why it was refused.
    public let reason: Reason

    /// Names a refusal.
    public init(_ kind: Kind, _ reason: Reason) {
        self.kind = kind
        self.reason = reason
    }

    /// The stable name: the kind and the reason, for example `logout_token_expired`.
    public var code: String { "\(kind.rawValue)_\(reason.code)" }
}

extension TernError {
    /// Why a signed token that is no ID token was refused, where that is the reason.
    public var tokenRejection: TokenRejection.Reason? {
        if case .tokenRejected(let rejection) = reason { rejection.reason } else { nil }
    }

    /// Whether a newer key set of the server may have the key that was missing.
    package var asksForNewKeys: Bool {
        switch reason {
        case .idTokenRejected(.unknownKey), .idTokenRejected(.signature): true
        case .tokenRejected(let rejection): rejection.reason == .unknownKey || rejection.reason == .signature
        default: false
        }
    }
}
