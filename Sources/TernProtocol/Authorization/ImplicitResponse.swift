public import TernCrypto
internal import TernJOSE

/// A good answer of the authorization endpoint that brings tokens and no code (RFC 6749 §4.2.2, OpenID Connect Core 1.0
/// §3.2.2.5).
///
/// An access token that comes this way lies open in the browser, its history and whatever reads along there, and nothing ties
/// it to the application that asked: RFC 9700 §2.1.2 forbids it. An ID token alone is no such thing.
public struct ImplicitResponse: Sendable, Hashable {
    /// The ID token, unchecked.
    public let idToken: EncodedIDToken?
    /// The access token, with its lifetime and scope. Its `at_hash` in the ID token is all that vouches for it.
    public let tokens: TokenResponse?
    /// Parameters that the standard does not name, as they came.
    public let additionalParameters: FormParameters

    /// Reads a callback; a signed one has to be verified first, by ``SignedAuthorizationResponse``.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: what ``AuthorizationResponse/init(callback:expecting:)`` throws; `malformedResponse` and
    ///   `unsupportedTokenType` for the access token.
    public init?(
        callback: URI, expecting expected: AuthorizationResponse.Expectation,
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws(TernError) {
        guard let answer = try AuthorizationAnswer(callback, expecting: expected) else { return nil }
        let type = expected.responseType
        let idToken = type.hasIDToken ? try answer.required("id_token", "it brings no ID token") : nil
        if type.hasToken {
            var members: JSONObject = [:]
            // RFC 6749 §4.2.2: there must be no refresh token, so one that is there is not taken.
            for name in ["access_token", "token_type", "expires_in", "scope"] {
                members[name] = answer.parameters[name].map(JSON.string)
            }
            _ = try answer.required("access_token", "it brings no access token")
            tokens = try TokenResponse(members: members, step: AuthorizationAnswer.step, format: format)
        } else {
            tokens = nil
        }
        try answer.checkIssuer(expected)
        self.idToken = idToken.map { EncodedIDToken($0) }
        additionalParameters = FormParameters(
            answer.additionalParameters.parameters.filter { !["token_type", "expires_in", "scope"].contains($0.name) })
    }
}
