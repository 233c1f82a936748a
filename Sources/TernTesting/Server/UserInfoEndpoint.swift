internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The user information (OpenID Connect Core 1.0 §5.3): JSON, or a signed or encrypted JWT where the client is registered
    /// so.
    mutating func tellUserInfo(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let bearer = try checkBearer(
                of: request, formAllowed: request.method == .post, scope: "openid", at: now)
            guard let user = user(bearer.grant.subject), let client = client(bearer.grant.clientID) else {
                throw EndpointFailure.internalTrouble
            }
            var claims: JSONObject = ["sub": .string(user.subject)]
            for (name, value) in user.claims(openedBy: bearer.scopes) { claims[name] = value }
            let token: String
            if let algorithm = client.userInfoAlgorithm {
                claims["iss"] = .string(issuer.text)
                claims["aud"] = .string(client.clientID)
                token = try encrypt(try sign(claims, algorithm, for: client), client.userInfoEncryption, for: client)
            } else if let encryption = client.userInfoEncryption {
                token = try encrypt(JSON.object(claims).text, encryption, isToken: false, for: client)
            } else {
                return .json(claims)
            }
            return HTTPResponse(
                status: 200, fields: ["Content-Type": "application/jwt", "Cache-Control": "no-store"],
                body: Array(token.utf8))
        } catch {
            return error.response
        }
    }
}
