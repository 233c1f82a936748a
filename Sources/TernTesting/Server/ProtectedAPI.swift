internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The protected API: whatever is asked for below `/api/`, the answer tells what the server knows of the caller.
    func callAPI(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        let path = String(request.url.encodedPath.dropFirst(pathPrefix.count))
        let rule = settings.scopesOfAPI.filter { path.hasPrefix($0.key) }.max { $0.key.count < $1.key.count }
        do throws(EndpointFailure) {
            let bearer = try checkBearer(of: request, formAllowed: false, scope: rule?.value, at: now)
            return .json([
                "path": .string(path),
                "method": .string(request.method.rawValue),
                "sub": .string(bearer.grant.subject),
                "client_id": .string(bearer.grant.clientID),
                "scope": .string(bearer.scopes.sorted().joined(separator: " ")),
            ])
        } catch {
            return error.response
        }
    }
}
