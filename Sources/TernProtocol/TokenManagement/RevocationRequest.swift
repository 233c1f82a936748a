public import TernCrypto

/// The revocation of a token (RFC 7009). A token that the server does not know counts as revoked.
public struct RevocationRequest: Exchange {
    /// What kind of token it is, so that the server need not search (RFC 7009 §2.1).
    public enum TokenTypeHint: String, Sendable, Hashable {
        /// An access token.
        case accessToken = "access_token"
        /// A refresh token.
        case refreshToken = "refresh_token"
    }

    /// The revocation endpoint.
    public var endpoint: URI
    private let token: String
    private let hint: TokenTypeHint

    /// Revokes a refresh token, and with it, at most servers, the access tokens that came from it.
    public init(endpoint: URI, _ refreshToken: RefreshToken) {
        self.endpoint = endpoint
        token = refreshToken.exposedText
        hint = .refreshToken
    }

    /// Revokes an access token.
    public init(endpoint: URI, _ accessToken: AccessToken) {
        self.endpoint = endpoint
        token = accessToken.exposedText
        hint = .accessToken
    }

    /// ``Step/revocation``.
    public var step: Step { .revocation }

    /// The token.
    public var secrets: [String] { [token] }

    /// The request, without client authentication. It never throws.
    public func request() throws(TernError) -> HTTPRequest {
        HTTPRequest(
            .post, endpoint, fields: ["Accept": "application/json"],
            body: .form(["token": token, "token_type_hint": hint.rawValue]))
    }

    /// Reads the answer: any 2xx is success, whatever its body (RFC 7009 §2.2).
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`.
    public func answer(from response: HTTPResponse) throws(TernError) {
        guard !response.isSuccess else { return }
        _ = try AnswerBody.object(in: response, step: step)
    }
}

extension RevocationRequest: CustomStringConvertible, CustomReflectable {
    /// The kind of token.
    public var description: String { "revocation of a \(hint.rawValue)" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
