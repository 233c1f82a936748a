public import TernCrypto

/// Asks for the tokens of a device whose user signs in elsewhere (RFC 8628 §3.4). Until the user is done the server
/// answers with `authorization_pending` or `slow_down`.
public struct DeviceCodeGrant: Exchange {
    /// The token endpoint.
    public var endpoint: URI
    /// The device code.
    public var deviceCode: DeviceCode
    /// The APIs that the token is for (RFC 8707 §2.2).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]
    /// How the provider's answers differ from the standard.
    public var format = TokenAnswerFormat()

    /// Makes the exchange.
    public init(endpoint: URI, deviceCode: DeviceCode) {
        self.endpoint = endpoint
        self.deviceCode = deviceCode
    }

    /// ``Step/tokenRequest``.
    public var step: Step { .tokenRequest }

    /// The device code.
    public var secrets: [String] { [deviceCode.exposedText] }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        try TokenEndpoint.request(
            endpoint,
            [
                "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
                "device_code": deviceCode.exposedText,
            ], resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the tokens.
    ///
    /// - Throws: what ``TokenResponse/init(reading:step:format:)`` throws.
    public func answer(from response: HTTPResponse) throws(TernError) -> TokenResponse {
        try TokenResponse(reading: response, step: step, format: format)
    }
}
