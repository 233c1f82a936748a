public import TernJOSE
public import TernCrypto

/// An ID token whose signature and claims were checked (OpenID Connect Core 1.0 §2 and §3.1.3.7).
public struct IDToken: Sendable, Hashable {
    /// The signed token; where it came encrypted, what was inside (OpenID Connect Core 1.0 §3.1.2.1 wants that as a hint).
    public let encoded: EncodedIDToken
    /// Its claims.
    public let claims: JWTClaims
    /// The issuer.
    public let issuer: String
    /// The user, named uniquely within the issuer.
    public let subject: String
    /// When it ends.
    public let expiration: NumericDate
    /// When it was issued.
    public let issuedAt: NumericDate
    /// When the user logged in, where the server says so.
    public let authenticationTime: NumericDate?

    /// What an ID token is held against.
    public struct Expectation: Sendable, Hashable {
        /// The issuer; may be a template of ``IssuerRule/tenantTemplate``.
        public var issuer: String
        /// The tenants (`tid`) of which the token must name one; `nil` where any will do.
        public var allowedTenants: Set<String>?
        /// The client.
        public var clientID: String
        /// The nonce that was sent.
        public var nonce: NonceRule
        /// The access token that came along, for `at_hash`.
        public var accessToken: AccessToken?
        /// The code that came along, for `c_hash`.
        public var code: AuthorizationCode?
        /// The state that came along, for `s_hash` (Financial-grade API Security Profile 1.0 Part 2 §5.2.2.1).
        public var state: String?
        /// Whether `at_hash` must be there for ``accessToken`` and `c_hash` for ``code``, as in a token that came through
        /// the browser (OpenID Connect Core 1.0 §3.2.2.9, §3.3.2.10).
        public var requiresHashes = false
        /// How old the login may be, where that was asked for; `auth_time` must then be there.
        public var maxAge: Duration?
        /// The authentication contexts of which one must have been met; empty where any will do.
        public var acrValues: [String] = []
        /// The user whom it must name.
        public var subject: String?
        /// How wrong clocks may be, in both directions.
        public var leeway: Duration = IDToken.standardLeeway
        /// The algorithms that are taken.
        public var algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms

        /// Makes an expectation.
        public init(issuer: String, clientID: String, nonce: NonceRule) {
            self.issuer = issuer
            self.clientID = clientID
            self.nonce = nonce
        }
    }

    /// What becomes of the nonce.
    public enum NonceRule: Sendable, Hashable {
        /// It must be there and be this one: after a sign-in.
        case required(String)
        /// If it is there it must be this one: after a refresh (OpenID Connect Core 1.0 §12.2).
        case ifPresent(String?)
    }

    /// How wrong clocks may be: 60 seconds.
    public static let standardLeeway: Duration = .seconds(60)

    /// The algorithms taken by default: every asymmetric one.
    public static let standardAlgorithms = Set(SignatureAlgorithm.allCases.filter(\.isAsymmetric))

    /// Checks a signed ID token; ``TokenDecryption`` opens an encrypted one first.
    ///
    /// - Parameters:
    ///   - encoded: the signed token.
    ///   - keys: the server's keys.
    ///   - expected: what it is held against.
    ///   - now: the time, corrected by the server's clock where the device's is known to be wrong.
    /// - Throws: ``TernError`` with `idTokenRejected` and the reason, or `encryptedIDTokenUnsupported`.
    public init(
        verifying encoded: EncodedIDToken, keys: JWKSet, expecting expected: Expectation, now: NumericDate
    ) throws(TernError) {
        let jws: JWS
        do {
            jws = try JWS(compact: encoded.exposedText)
            try jws.verify(with: keys, allowed: expected.algorithms)
            claims = try JWTClaims(parsing: jws.payload)
        } catch {
            throw Self.failure(error)
        }
        do throws(Refusal) {
            let checked = try ClaimsCheck(claims: claims, expected: expected, now: now)
            (issuer, subject) = (checked.issuer, checked.subject)
            (expiration, issuedAt) = (checked.expiration, checked.issuedAt)
            authenticationTime = checked.authenticationTime
            try checked.checkHashes(algorithm: jws.header.algorithm)
        } catch {
            throw TernError(.idTokenRejected(error.reason), at: .idToken)
        }
        self.encoded = encoded
    }

    static func failure(_ error: JOSEError) -> TernError {
        let rejection: IDTokenRejection
        switch error {
        case .encrypted: return TernError(.encryptedIDTokenUnsupported, at: .idToken)
        case .unsupportedAlgorithm(let name): rejection = .unsupportedAlgorithm(name)
        case .unknownKey: rejection = .unknownKey
        case .invalidSignature: rejection = .signature
        case .malformedClaim(let name): rejection = .malformedClaim(name)
        case .malformed(let part): rejection = .malformed("\(part)")
        default: rejection = .malformed("header or payload")
        }
        return TernError(.idTokenRejected(rejection), at: .idToken)
    }
}

extension IDToken: CustomStringConvertible, CustomReflectable {
    /// Says that a token is here.
    public var description: String { "<ID token>" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

struct Refusal: Error {
    let reason: IDTokenRejection
    init(_ reason: IDTokenRejection) { self.reason = reason }
}
