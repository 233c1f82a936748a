internal import TernCrypto
public import TernJOSE
public import TernProtocol

/// Credentials from one of the two endpoints (RFC 5849 §2.1, §2.3).
public struct OAuth1TokenResponse: Sendable, Hashable {
    /// The credentials.
    public let token: OAuth1Token
    /// Whether the service says that it took the callback: `oauth_callback_confirmed` is "true", in whatever case.
    public let confirmsCallback: Bool
    /// The server's clock, where the answer tells.
    public let serverTime: NumericDate?
    /// What else the service says, for example a user's identifier and name.
    public let additionalMembers: JSONObject

    /// Reads an answer: form data, or JSON from services that answer so, whatever the label says.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `serverError` with the service's words, `transient`, `httpStatus`,
    ///   `malformedResponse` with the field `oauth_token` or `oauth_token_secret`. A secret may be empty, but not missing.
    public init(reading response: HTTPResponse, step: Step) throws(TernError) {
        var object = try OAuth1Failure.checked(response, step: step)
        guard let text = object["oauth_token"]?.string, !text.isEmpty, text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
        else { throw TernError(.malformedResponse(field: "oauth_token", members: object), at: step) }
        guard let secret = object["oauth_token_secret"]?.string else {
            throw TernError(.malformedResponse(field: "oauth_token_secret", members: object), at: step)
        }
        token = OAuth1Token(AccessToken(text), secret: OAuth1TokenSecret(secret))
        confirmsCallback =
            object["oauth_callback_confirmed"]?.bool
            ?? object["oauth_callback_confirmed"]?.string?.equalsIgnoringASCIICase("true") ?? false
        serverTime = response.fields["Date"].flatMap { HTTPDate($0)?.date }
        for name in ["oauth_token", "oauth_token_secret", "oauth_callback_confirmed"] { object[name] = nil }
        additionalMembers = object
    }
}

extension OAuth1TokenResponse: CustomStringConvertible, CustomReflectable {
    /// Says that credentials are here.
    public var description: String { "OAuth 1.0a credentials" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
