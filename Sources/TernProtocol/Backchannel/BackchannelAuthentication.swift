public import TernCrypto

/// The purpose of ``BackchannelRequestID``.
public enum BackchannelRequestIDPurpose: Sendable {}
/// What a request to ask a user is known by (`auth_req_id`), and what its tokens are had with.
public typealias BackchannelRequestID = Secret<BackchannelRequestIDPurpose>

/// A request that the server has taken: the user is being asked (OpenID Connect CIBA Core 1.0 §7.3).
public struct BackchannelAuthentication: Sendable, Hashable {
    /// What the request is known by.
    public let requestID: BackchannelRequestID
    /// How long it is good from the answer on; `nil` where the server does not say so in a way that makes sense.
    public let lifetime: Duration?
    /// How long a client that polls waits before each question; five seconds where the server does not say.
    public let interval: Duration

    /// The interval where the server names none: five seconds (§7.3).
    public static let standardInterval = Duration.seconds(5)
}

/// Asks for the tokens of a user who is asked elsewhere (OpenID Connect CIBA Core 1.0 §10.1). Until the user has answered,
/// the server answers with `authorization_pending` or `slow_down`.
public struct BackchannelGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// What the request is known by.
    public var requestID: BackchannelRequestID
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, requestID: BackchannelRequestID) {
        self.endpoint = endpoint
        self.requestID = requestID
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The request's identifier.
    public var secrets: [String] { [requestID.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        try TokenEndpoint.request(
            endpoint,
            ["grant_type": "urn:openid:params:grant-type:ciba", "auth_req_id": requestID.exposedText],
            additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}
