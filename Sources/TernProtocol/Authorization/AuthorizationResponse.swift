public import TernCrypto

/// A good answer of the authorization endpoint that brings a code (RFC 6749 §4.1.2, RFC 9207), and with hybrid response
/// types tokens beside it (OpenID Connect Core 1.0 §3.3.2.5).
public struct AuthorizationResponse: Sendable, Hashable {
    /// The code.
    public let code: AuthorizationCode
    /// The ID token that came through the browser, unchecked; with its `c_hash` it vouches for the code.
    public let idToken: EncodedIDToken?
    /// The access token that came through the browser. The token endpoint gives a better one.
    public let accessToken: AccessToken?
    /// Parameters that the standard does not name, as they came.
    public let additionalParameters: FormParameters

    /// What an answer is held against.
    public struct Expectation: Sendable, Hashable {
        /// Where the answer arrives.
        public var redirectURI: RedirectURI
        /// The state that was sent.
        public var state: String
        /// The issuer that was asked; `nil` where the server has none.
        public var issuer: String?
        /// Whether the metadata promises `iss` in answers (RFC 9207 §3), so that an answer without it is refused, unless it
        /// brings an ID token, which says who issued it.
        public var requiresIssuer: Bool
        /// What the answer brings.
        public var responseType = ResponseType.code
        /// The part of the address that the answer is in.
        public var responseMode: AuthorizationRequest.ResponseMode
        /// How the callback reaches the application.
        public var delivery: CallbackDelivery

        /// Makes an expectation.
        public init(
            redirectURI: RedirectURI, state: String, issuer: String?, requiresIssuer: Bool = false,
            responseMode: AuthorizationRequest.ResponseMode = .query, delivery: CallbackDelivery = .open
        ) {
            self.redirectURI = redirectURI
            self.state = state
            self.issuer = issuer
            self.requiresIssuer = requiresIssuer
            self.responseMode = responseMode
            self.delivery = delivery
        }

        /// The same for an answer whose signature was verified: ``SignedAuthorizationResponse`` makes a plain one of it.
        public var withoutSignature: Expectation {
            var plain = self
            plain.responseMode = responseMode.resolved(for: responseType).carrier
            return plain
        }
    }

    /// Reads a callback; a signed one has to be verified first, by ``SignedAuthorizationResponse``.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: ``TernError``: `serverError` with the server's words; `stateMismatch`; `issuerMismatch`;
    ///   `malformedCallback` for repeated, missing or empty parameters; `unexpectedResponseMode`; `invalidConfiguration` for
    ///   an expectation of a signed answer.
    public init?(callback: URI, expecting expected: Expectation) throws(TernError) {
        guard let answer = try AuthorizationAnswer(callback, expecting: expected) else { return nil }
        code = AuthorizationCode(try answer.required("code", "it brings neither a code nor an error"))
        idToken =
            expected.responseType.hasIDToken
            ? EncodedIDToken(try answer.required("id_token", "it brings no ID token")) : nil
        accessToken =
            expected.responseType.hasToken
            ? AccessToken(try answer.required("access_token", "it brings no access token")) : nil
        try answer.checkIssuer(expected)
        additionalParameters = answer.additionalParameters
    }
}
