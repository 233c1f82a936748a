internal import TernJOSE

/// Hands an authorization request to the server before the browser is sent there, so that it goes neither through the
/// browser nor through its history (RFC 9126 §2).
public struct PushedAuthorizationRequest: Exchange {
    /// The pushed authorization request endpoint.
    public var endpoint: URI
    /// What would otherwise be in the address that the browser opens: the request's parameters, or `client_id` and a signed
    /// `request` (§3).
    public var parameters: FormParameters

    /// Makes the exchange.
    public init(endpoint: URI, parameters: FormParameters) {
        self.endpoint = endpoint
        self.parameters = parameters
    }

    /// ``Step/pushedAuthorization``.
    public var step: Step { .pushedAuthorization }

    /// What a server must not repeat.
    public var secrets: [String] { ["id_token_hint", "request"].compactMap { parameters[$0] } }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with the field `request_uri` where the parameters name one (§2.1).
    public func request() throws(TernError) -> HTTPRequest {
        guard parameters["request_uri"] == nil else {
            throw TernError(
                .invalidConfiguration(field: "request_uri", problem: "a pushed request cannot refer to another one"),
                at: step)
        }
        return HTTPRequest(.post, endpoint, fields: ["Accept": "application/json"], body: .form(parameters))
    }

    /// Reads the reference (§2.2).
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`; `malformedResponse` with the field that is missing
    ///   or has the wrong form.
    public func answer(from response: HTTPResponse) throws(TernError) -> PushedAuthorization {
        let object = try AnswerBody.object(in: response, step: step)
        guard let reference = object["request_uri"]?.string, reference.hasScheme else {
            throw TernError(.malformedResponse(field: "request_uri"), at: step)
        }
        return PushedAuthorization(requestURI: reference, lifetime: object["expires_in"]?.positiveSeconds)
    }
}

/// What stands for a pushed request (RFC 9126 §2.2).
public struct PushedAuthorization: Sendable, Hashable {
    /// The value of `request_uri`. It is good once.
    public let requestURI: String
    /// How long it is good from the answer on; `nil` where the server does not say so in a way that makes sense.
    public let lifetime: Duration?
}

extension ServerMetadata {
    /// Whether authorization requests are taken only when they were pushed (RFC 9126 §5).
    public var requiresPushedAuthorizationRequests: Bool {
        members["require_pushed_authorization_requests"]?.bool ?? false
    }
}

extension String {
    /// Whether it is an absolute address or name, as far as that has to be known of something that only its maker reads.
    fileprivate var hasScheme: Bool {
        guard let colon = utf8.firstIndex(of: UInt8(ascii: ":")), colon != utf8.startIndex else { return false }
        return utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }
}
