internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Revocation (RFC 7009). A refresh token takes its whole grant with it, an access token goes alone; a token that
    /// nobody knows is as good as revoked (§2.2).
    mutating func revoke(_ request: HTTPRequest) -> HTTPResponse {
        do throws(EndpointFailure) {
            let parameters = try Self.form(of: request)
            let client = try authenticate(request, parameters)
            guard let token = parameters.value("token") else {
                throw EndpointFailure("invalid_request", "token is missing")
            }
            if let issued = state.refreshTokens[token] {
                try checkOwner(of: issued, client)
                state.grants[issued.grantID]?.isRevoked = true
            } else if let issued = state.accessTokens[token] {
                try checkOwner(of: issued, client)
                state.accessTokens[token] = nil
            }
            return HTTPResponse(status: 200, fields: ["Cache-Control": "no-store"])
        } catch {
            return error.response
        }
    }

    private func checkOwner(of issued: IssuedToken, _ client: TestClient) throws(EndpointFailure) {
        guard state.grants[issued.grantID]?.clientID == client.clientID else {
            throw EndpointFailure("invalid_grant", "the token belongs to another client")
        }
    }
}
