public import TernCrypto
public import TernJOSE

/// What the user info endpoint says about the user, after its `sub` was compared (OpenID Connect Core 1.0 §5.3).
public struct UserInfo: Sendable, Hashable {
    /// The claims as they came.
    public let claims: JSONObject
    /// The user; the same as in the ID token.
    public let subject: String

    /// Takes the claims of the user who signed in.
    ///
    /// - Throws: ``TernError`` with `userInfoRejected` when `sub` is missing or another one.
    public init(claims: JSONObject, expectedSubject: String) throws(TernError) {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else {
            throw TernError(.userInfoRejected("sub is missing"), at: .userInfo)
        }
        guard subject.hasSameOctets(as: expectedSubject) else {
            throw TernError(.userInfoRejected("sub is not the one of the ID token"), at: .userInfo)
        }
        self.claims = claims
        self.subject = subject
    }

    /// A claim by its name.
    public subscript(name: String) -> JSON? { claims[name] }

    /// The user's full name (§5.1).
    public var name: String? { claims["name"]?.string }
    /// The name by which the user wants to be called (§5.1).
    public var preferredUsername: String? { claims["preferred_username"]?.string }
    /// The user's e-mail address (§5.1).
    public var email: String? { claims["email"]?.string }
    /// Whether the server has verified the address; the texts "true" and "false" count too, since live servers send them.
    public var emailVerified: Bool? {
        switch claims["email_verified"] {
        case .bool(let verified): verified
        case .string("true"): true
        case .string("false"): false
        default: nil
        }
    }
}

/// The request for user information (OpenID Connect Core 1.0 §5.3.1).
public struct UserInfoRequest: Exchange {
    /// An answer before it was held against the ID token.
    public enum Answer: Sendable, Hashable {
        /// Plain claims.
        case claims(JSONObject)
        /// A JWT, to be verified; an encrypted one is opened first (``TokenDecryption``).
        case signed(Secret<IDTokenPurpose>)
    }

    /// The user info endpoint.
    public let endpoint: URI
    private let accessToken: AccessToken

    /// Makes the request.
    public init(endpoint: URI, accessToken: AccessToken) {
        self.endpoint = endpoint
        self.accessToken = accessToken
    }

    /// ``Step/userInfo``.
    public var step: Step { .userInfo }

    /// The access token.
    public var secrets: [String] { [accessToken.exposedText] }

    /// A GET with the access token.
    public func request() -> HTTPRequest {
        HTTPRequest(
            .get, endpoint,
            fields: [
                "Accept": "application/json, application/jwt", "Authorization": "Bearer " + accessToken.exposedText,
            ])
    }

    /// Reads the answer.
    ///
    /// - Throws: ``TernError``: `serverError`, `httpStatus`, `transient`, `malformedResponse`.
    public func answer(from response: HTTPResponse) throws(TernError) -> Answer {
        if response.isSuccess, response.mediaType == "application/jwt" {
            return .signed(Secret(String(String(decoding: response.body, as: UTF8.self).trimmingASCIIWhitespace)))
        }
        if !response.isSuccess, let error = AuthenticateChallenge.bearerError(in: response) {
            throw TernError(.serverError(error), at: step)
        }
        return .claims(try AnswerBody.object(in: response, step: step))
    }
}

extension UserInfoRequest: CustomStringConvertible, CustomReflectable {
    /// Says what it is.
    public var description: String { "user info request" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension UserInfo {
    /// Verifies user information that came as a signed JWT (OpenID Connect Core 1.0 §5.3.2).
    ///
    /// - Throws: ``TernError``: `idTokenRejected` for its signature, issuer or audience; `userInfoRejected` for its `sub`.
    public init(
        verifying jwt: Secret<IDTokenPurpose>, keys: JWKSet, issuer: String, clientID: String, expectedSubject: String,
        algorithms: Set<SignatureAlgorithm> = IDToken.standardAlgorithms
    ) throws(TernError) {
        let claims: JWTClaims
        do {
            let jws = try JWS(compact: jwt.exposedText)
            try jws.verify(with: keys, allowed: algorithms)
            claims = try JWTClaims(parsing: jws.payload)
        } catch {
            throw IDToken.failure(error).at(.userInfo)
        }
        if let received = claims["iss"]?.string, !received.hasSameOctets(as: issuer) {
            throw TernError(
                .idTokenRejected(.issuerMismatch(expected: issuer, received: ServerError.cleaned(received))),
                at: .userInfo)
        }
        if let audience = claims["aud"] {
            let values = audience.array?.compactMap(\.string) ?? [audience.string].compactMap { $0 }
            guard values.contains(where: { $0.hasSameOctets(as: clientID) }) else {
                throw TernError(.idTokenRejected(.audienceMismatch), at: .userInfo)
            }
        }
        try self.init(claims: claims.members, expectedSubject: expectedSubject)
    }
}
