/// Asks for the two codes of a device without a browser of its own (RFC 8628 §3.1).
public struct DeviceAuthorizationRequest: Exchange {
    /// The device authorization endpoint.
    public var endpoint: URI
    /// What is asked for; nothing is sent where it is empty.
    public var scope: Scope
    /// The authentication contexts (`acr`) of which one must be met, the best first.
    public var acrValues: [String] = []
    /// The APIs that the token is for (RFC 8707).
    public var resources: [URI] = []
    /// Any further parameters.
    public var additionalParameters: FormParameters = [:]

    /// Makes the exchange.
    public init(endpoint: URI, scope: Scope) {
        self.endpoint = endpoint
        self.scope = scope
    }

    /// ``Step/deviceAuthorization``.
    public var step: Step { .deviceAuthorization }

    /// The request, without client authentication.
    ///
    /// - Throws: ``TernError`` with `invalidConfiguration` for an additional parameter that is set here already.
    public func request() throws(TernError) -> HTTPRequest {
        var form: FormParameters = [:]
        form.append("scope", ifPresent: scope.isEmpty ? nil : scope.text)
        form.append("acr_values", ifPresent: acrValues.isEmpty ? nil : acrValues.joined(separator: " "))
        return try TokenEndpoint.request(
            endpoint, form, resources: resources, additional: additionalParameters, step: step)
    }

    /// Reads the codes.
    ///
    /// - Throws: ``TernError``: `serverError`, `transient`, `httpStatus`; `malformedResponse` with the field that is missing
    ///   or has the wrong form; `insecureEndpoint` for a page that is not protected by TLS.
    public func answer(from response: HTTPResponse) throws(TernError) -> DeviceAuthorization {
        try DeviceAuthorization(try AnswerBody.object(in: response, step: step))
    }
}
