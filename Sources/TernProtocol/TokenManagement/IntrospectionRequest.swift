public import TernCrypto
internal import TernJOSE

/// The question what a token is worth (RFC 7662), with a plain or a signed answer (RFC 9701).
public struct IntrospectionRequest: Exchange {
    /// An answer before it was checked.
    public enum Answer: Sendable, Hashable {
        /// A plain answer, believed because of the connection that it came by.
        case plain(Introspection)
        /// A signed one, to be verified with ``Introspection/init(verifying:keys:expecting:now:)``.
        case signed(EncodedIntrospection)
    }

    /// The introspection endpoint.
    public var endpoint: URI
    /// Whether a signed answer is asked for. Then no other one is taken.
    public var wantsSignedAnswer = false
    /// An access token that permits to ask, for servers that want one (RFC 7662 §2.1); client authentication is put onto the
    /// request from outside.
    public var authorization: AccessToken?
    private let token: String
    private let hint: RevocationRequest.TokenTypeHint?

    /// Asks about an access token.
    public init(endpoint: URI, _ accessToken: AccessToken) {
        self.endpoint = endpoint
        token = accessToken.exposedText
        hint = .accessToken
    }

    /// Asks about a refresh token.
    public init(endpoint: URI, _ refreshToken: RefreshToken) {
        self.endpoint = endpoint
        token = refreshToken.exposedText
        hint = .refreshToken
    }

    /// ``Step/introspection``.
    public var step: Step { .introspection }

    /// The token, and the one that permits to ask.
    public var secrets: [String] { [token] + [authorization?.exposedText].compactMap(\.self) }

    /// The request, without client authentication. It never throws.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = ["token": token]
        form.append("token_type_hint", ifPresent: hint?.rawValue)
        var request = HTTPRequest(
            .post, endpoint, fields: ["Accept": wantsSignedAnswer ? Self.signedType : "application/json"],
            body: .form(form))
        if let authorization { request.fields["Authorization"] = "Bearer " + authorization.exposedText }
        return request
    }

    /// Reads the answer.
    ///
    /// - Throws: ``TernError``: `serverError`, `httpStatus`, `transient`; `malformedResponse` with the field `Content-Type`
    ///   for a plain answer where a signed one was asked for, with `active` for one that does not say it.
    public func answer(from response: HTTPResponse) throws(TernError) -> Answer {
        if response.isSuccess, response.mediaType == Self.signedType {
            return .signed(
                EncodedIntrospection(String(String(decoding: response.body, as: UTF8.self).trimmingASCIIWhitespace)))
        }
        if !response.isSuccess, let error = AuthenticateChallenge.bearerError(in: response) {
            throw TernError(.serverError(error), at: step)
        }
        let members = try AnswerBody.object(in: response, step: step)
        guard !wantsSignedAnswer else { throw TernError(.malformedResponse(field: "Content-Type"), at: step) }
        return .plain(try Introspection(members: members))
    }

    private static let signedType = "application/token-introspection+jwt"
}

extension IntrospectionRequest: CustomStringConvertible, CustomReflectable {
    /// Says what it is.
    public var description: String { "question about a token" }

    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
