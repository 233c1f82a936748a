internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The protected API: whatever is asked for below `/api/`, the answer tells what the server knows of the caller.
    mutating func callAPI(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        if request.isSignedByOAuth1 { return callAPIOfOAuth1(request, at: now) }
        let path = String(request.url.encodedPath.dropFirst(pathPrefix.count))
        let rule = settings.scopesOfAPI.filter { path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }
        do throws(EndpointFailure) {
            let bearer = try checkBearer(of: request, formAllowed: false, scope: rule?.value, at: now)
            guard bearer.resources.isEmpty || bearer.resources.contains(apiResource) else {
                throw EndpointFailure(
                    "invalid_token", "the access token is for another API", status: 401,
                    challenge: BearerChallenge(.invalidToken, detail: "it is for another API").fieldValue)
            }
            let demand = settings.loginsOfAPI.filter { path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }
            try check(bearer.grant, demand?.value, at: now)
            var told: JSONObject = [
                "path": .string(path),
                "method": .string(request.method.rawValue),
                "sub": .string(bearer.grant.subject),
                "client_id": .string(bearer.grant.clientID),
                "scope": .string(bearer.scopes.sorted().joined(separator: " ")),
            ]
            told["authorization_details"] = bearer.grant.authorizationDetails
            told["act"] = bearer.grant.actor.map(JSON.object)
            return .json(told)
        } catch {
            var response = error.response
            // RFC 9728 §5.1.
            if settings.namesResourceMetadata, response.status == 401,
                let challenge = response.fields["WWW-Authenticate"]
            {
                let separator = challenge.contains("=") ? "," : ""
                response.fields["WWW-Authenticate"] =
                    challenge + "\(separator) resource_metadata=\"\(resourceMetadataAddress)\""
            }
            return response
        }
    }

    private mutating func callAPIOfOAuth1(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(OAuth1Problem) {
            let (clientID, grant) = try checkOAuth1Call(request, at: now)
            var object: JSONObject = [
                "path": .string(String(request.url.encodedPath.dropFirst(pathPrefix.count))),
                "method": .string(request.method.rawValue), "client_id": .string(clientID),
            ]
            object["sub"] = grant.map { .string($0.subject) }
            return .json(object)
        } catch {
            return error.response
        }
    }
}

extension HTTPRequest {
    /// Whether it says that it is signed, in one of the three places.
    fileprivate var isSignedByOAuth1: Bool {
        credentials(of: "OAuth") != nil || queryParameters?["oauth_signature"] != nil
            || formParameters?["oauth_signature"] != nil
    }
}
