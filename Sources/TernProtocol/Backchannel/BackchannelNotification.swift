public import TernCrypto
internal import TernJOSE

/// What a server sends to the client's notification endpoint when a user has answered (OpenID Connect CIBA Core 1.0 §10.2
/// and §10.3).
///
/// Find out with ``requestID(in:)`` which request is meant, and check the call with ``init(reading:for:token:format:)``. Answer
/// 204 where it is good, 401 where it is not.
public enum BackchannelNotification: Sendable {
    /// The tokens are ready to be asked for.
    case ping
    /// The tokens themselves; their ID token is unchecked yet.
    case tokens(TokenResponse)

    /// The largest body that is read, in bytes.
    public static let maximumByteCount = 256 << 10

    /// The identifier that a call names, unchecked; `nil` where it is no such call.
    public static func requestID(in request: HTTPRequest) -> BackchannelRequestID? {
        guard request.method == .post, let object = object(in: request) else { return nil }
        return object["auth_req_id"]?.string.map { BackchannelRequestID($0) }
    }

    /// Reads and checks a call.
    ///
    /// - Parameters:
    ///   - request: the call as it arrived.
    ///   - requestID: the request that is waited for.
    ///   - token: the notification token that was sent with that request; it is compared in constant time.
    ///   - format: how the provider's answers differ from the standard.
    /// - Throws: ``TernError``: `malformedCallback` for a call that is not about this request or does not show its token;
    ///   `serverError` where the server says that there will be no tokens (§12); what
    ///   ``TokenResponse/init(reading:step:format:)`` throws.
    public init(
        reading request: HTTPRequest, for requestID: BackchannelRequestID, token: ClientNotificationToken,
        format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws(TernError) {
        func refused(_ problem: String) -> TernError {
            TernError(.malformedCallback(problem), at: .backchannelAuthentication)
        }
        guard request.method == .post else { throw refused("it is no POST") }
        guard let shown = Self.bearer(of: request), !token.isEmpty, shown == token else {
            throw refused("it does not show the notification token of this request")
        }
        guard let object = Self.object(in: request) else { throw refused("its body is not a JSON object") }
        guard let id = object["auth_req_id"]?.string, BackchannelRequestID(id) == requestID else {
            throw refused("it is about another request")
        }
        let response = HTTPResponse(status: 200, body: request.bodyBytes ?? [])
        let secrets = [requestID.exposedText, token.exposedText]
        do throws(TernError) {
            let members = try AnswerBody.object(
                in: response, step: .backchannelAuthentication, format: format)
            self =
                members["access_token"] == nil
                ? .ping
                : .tokens(try TokenResponse(reading: response, step: .backchannelAuthentication, format: format))
        } catch {
            throw error.scrubbed(of: secrets)
        }
    }

    private static func object(in request: HTTPRequest) -> JSONObject? {
        guard let bytes = request.bodyBytes, bytes.count <= maximumByteCount else { return nil }
        return try? JSON(parsing: bytes).object
    }

    private static func bearer(of request: HTTPRequest) -> ClientNotificationToken? {
        guard request.fields.values(of: "Authorization").count == 1, let value = request.fields["Authorization"]
        else { return nil }
        let parts = value.split(separator: " ", omittingEmptySubsequences: true)
        guard parts.count == 2, String(parts[0]).equalsIgnoringASCIICase("bearer") else { return nil }
        return ClientNotificationToken(String(parts[1]))
    }
}

extension IDToken {
    /// Holds the ID token of pushed tokens against them: it must name the request, and carry the hashes of the access token
    /// and, where there is one, the refresh token (OpenID Connect CIBA Core 1.0 §10.3.1).
    ///
    /// - Throws: ``TernError`` with `idTokenRejected`.
    public func check(
        pushedWith tokens: TokenResponse, for requestID: BackchannelRequestID
    ) throws(TernError) {
        func refused(_ rejection: IDTokenRejection) -> TernError {
            TernError(.idTokenRejected(rejection), at: .idToken)
        }
        guard let named = claims[Self.requestIDClaim]?.string, BackchannelRequestID(named) == requestID else {
            throw refused(.malformedClaim(Self.requestIDClaim))
        }
        guard let algorithm = try? JWS(compact: encoded.exposedText).header.algorithm else {
            throw refused(.malformed("header"))
        }
        func hash(_ text: String) -> String {
            let digest = algorithm.hashFunction.digest(Array(text.utf8))
            return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
        }
        guard claims["at_hash"]?.string?.hasSameOctets(as: hash(tokens.accessToken.exposedText)) ?? false else {
            throw refused(.accessTokenHashMismatch)
        }
        guard let refreshToken = tokens.refreshToken else { return }
        guard claims[Self.refreshHashClaim]?.string?.hasSameOctets(as: hash(refreshToken.exposedText)) ?? false else {
            throw refused(.malformedClaim(Self.refreshHashClaim))
        }
    }

    private static let requestIDClaim = "urn:openid:params:jwt:claim:auth_req_id"
    private static let refreshHashClaim = "urn:openid:params:jwt:claim:rt_hash"
}
