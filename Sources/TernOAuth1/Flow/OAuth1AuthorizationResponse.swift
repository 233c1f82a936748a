public import TernCrypto
public import TernProtocol

/// A good answer of the page: the callback, or the PIN that the user typed (RFC 5849 §2.2).
public struct OAuth1AuthorizationResponse: Sendable, Hashable {
    /// What proves that the user came back; `nil` only from services that have none.
    public let verifier: OAuth1Verifier?
    /// Parameters that the standard does not name, as they came.
    public let additionalParameters: FormParameters

    /// What an answer is held against.
    public struct Expectation: Sendable, Hashable {
        /// Where the answer arrives.
        public var redirectURI: RedirectURI
        /// The temporary token that the page was opened with.
        public var token: AccessToken
        /// Whether an answer without a verifier is good, as a quirk of the service.
        public var allowsMissingVerifier: Bool
        /// How the callback reaches the application.
        public var delivery: CallbackDelivery

        /// Makes an expectation.
        public init(
            redirectURI: RedirectURI, token: AccessToken, allowsMissingVerifier: Bool = false,
            delivery: CallbackDelivery = .open
        ) {
            self.redirectURI = redirectURI
            self.token = token
            self.allowsMissingVerifier = allowsMissingVerifier
            self.delivery = delivery
        }
    }

    /// Reads a callback.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: ``/TernProtocol/TernError``: `serverError` with the service's words, `access_denied` where it says only which
    ///   token was denied; `stateMismatch` where the token is not the one that was asked for; `malformedCallback` for
    ///   repeated, missing or empty parameters.
    public init?(callback: URI, expecting expected: Expectation) throws(TernError) {
        guard expected.redirectURI.matches(callback) else { return nil }
        guard let parameters = FormParameters(decoding: callback.encodedQuery ?? "") else {
            throw Self.malformed("it holds too many parameters")
        }
        for name in Self.names where parameters.values(of: name).count > 1 {
            throw Self.malformed("\"\(name)\" stands in it more than once")
        }
        func value(_ name: String) -> String? { parameters[name].flatMap { $0.isEmpty ? nil : $0 } }
        let denied = value("denied")
        let token = value("oauth_token") ?? denied
        let tokenFits = token.map { AccessToken($0) == expected.token }
        if let code = value("oauth_problem") ?? value("error") ?? denied.map({ _ in "access_denied" }) {
            // As with OAuth 2, an error ends a sign-in only when it is known to be this one's.
            guard tokenFits ?? (expected.delivery != .open) else { throw Self.mismatch }
            throw TernError(
                .serverError(
                    ServerError(
                        code: code, detail: value("oauth_problem_advice") ?? value("error_description"),
                        stateWasMissing: token == nil)),
                at: Self.step)
        }
        guard tokenFits == true || (token == nil && expected.delivery == .pasted) else { throw Self.mismatch }
        let verifier = value("oauth_verifier")
        guard verifier != nil || expected.allowsMissingVerifier else {
            throw Self.malformed("it brings neither a verifier nor an error")
        }
        self.verifier = verifier.map { OAuth1Verifier($0) }
        additionalParameters = FormParameters(parameters.parameters.filter { !Self.names.contains($0.name) })
    }

    private static let step = Step.authorizationResponse
    private static let names = ["oauth_token", "oauth_verifier", "denied", "oauth_problem", "error"]
    private static var mismatch: TernError { TernError(.stateMismatch, at: step) }
    private static func malformed(_ problem: String) -> TernError { TernError(.malformedCallback(problem), at: step) }

    /// The address that a typed PIN makes, so that every way of showing the page ends in a callback.
    public static func callback(pin: String, at redirectURI: RedirectURI) -> URI? {
        URI(redirectURI.uri.withoutQueryAndFragment + "?" + (["oauth_verifier": pin] as FormParameters).encoded)
    }
}
