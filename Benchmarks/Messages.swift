internal import Tern

/// The messages that go with every sign-in.
struct Messages {
    let inputs: Inputs
    let meter: Meter

    func run() throws {
        try measureAuthorizationURL()
        try measureCallback()
        let body = inputs.tokenResponse
        try meter.measure("parse_token_response") {
            let response = try TokenResponse(reading: HTTPResponse(status: 200, body: body))
            if response.lifetime == nil { throw Failure("the lifetime was not read") }
        }
    }

    private func measureAuthorizationURL() throws {
        let endpoint = try URI.required(inputs.authorizationEndpoint, field: "authorization_endpoint")
        let redirectURI = try RedirectURI(inputs.redirectURI)
        let scope = Scope(inputs.scope)
        let random = SystemRandomSource()
        try meter.measure("authz_url") {
            let secrets = RequestSecrets(from: random)
            let request = AuthorizationRequest(
                endpoint: endpoint, clientID: inputs.clientID, redirectURI: redirectURI, scope: scope,
                state: secrets.state, nonce: secrets.nonce, codeChallenge: secrets.codeVerifier.challenge)
            if try request.url().text.utf8.count < 300 { throw Failure("the address is too short") }
        }
    }

    private func measureCallback() throws {
        let expected = AuthorizationResponse.Expectation(
            redirectURI: try RedirectURI(inputs.redirectURI), state: inputs.state, issuer: inputs.issuer)
        guard let at = inputs.callback.range(of: "code=") else { throw Failure("the callback has no code") }
        let callbacks = (0..<5_000).map {
            inputs.callback[..<at.upperBound] + "\(10_000 + $0)" + inputs.callback[at.upperBound...]
        }.map { String($0) }
        var index = 0
        try meter.measure("parse_callback") {
            index = (index + 1) % callbacks.count
            guard let uri = URI(callbacks[index]),
                try AuthorizationResponse(callback: uri, expecting: expected) != nil
            else { throw Failure("the callback was not read") }
        }
    }
}

extension String {
    /// Where another text stands in this one, first.
    fileprivate func range(of other: String) -> Range<String.Index>? {
        indices.lazy.filter { self[$0...].hasPrefix(other) }.first.map { $0..<index($0, offsetBy: other.count) }
    }
}
