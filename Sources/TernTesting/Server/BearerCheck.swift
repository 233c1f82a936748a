internal import TernJOSE
internal import TernProtocol

/// What a bearer token stands for.
struct Bearer {
    let grant: Grant
    let scopes: Set<String>
    /// The APIs that it is for; any where there is none.
    let resources: [String]
}

extension AuthorizationServer {
    /// Checks the access token of a request (RFC 6750), and its proof where it is bound to a key (RFC 9449 §7).
    ///
    /// - Parameter formAllowed: whether the token may come in the body (§2.2).
    mutating func checkBearer(
        of request: HTTPRequest, formAllowed: Bool, scope: String?, at now: NumericDate
    ) throws(EndpointFailure) -> Bearer {
        let bound = request.credentials(of: "DPoP")
        let inField = request.credentials(of: "Bearer") ?? bound
        let inForm = formAllowed ? request.formParameters?.value("access_token") : nil
        guard inField == nil || inForm == nil else {
            throw Self.bearerFailure("invalid_request", "the token comes in two ways", status: 400)
        }
        guard let token = inField ?? inForm else {
            throw EndpointFailure(
                "invalid_request", "no token", status: 401, challenge: "Bearer realm=\"\(Self.realm)\"")
        }
        guard let issued = state.accessTokens[token], let grant = state.grants[issued.grantID] else {
            throw Self.bearerFailure("invalid_token", "the access token is not known", status: 401)
        }
        guard !grant.isRevoked, grant.isOfClient || user(grant.subject) != nil else {
            throw Self.bearerFailure("invalid_token", "the access token was revoked", status: 401)
        }
        guard issued.expiresAt > now else {
            throw Self.bearerFailure("invalid_token", "the access token expired", status: 401)
        }
        if let thumbprint = issued.thumbprint {
            guard bound != nil else {
                throw EndpointFailure(
                    "invalid_token", "the access token is bound to a key", status: 401,
                    challenge: "DPoP error=\"invalid_token\", error_description=\"it is bound to a key\"")
            }
            try checkProof(of: request, for: token, boundTo: thumbprint, at: now)
        } else if bound != nil {
            throw Self.bearerFailure("invalid_token", "the access token is not bound to a key", status: 401)
        }
        guard isBound(issued) else {
            throw Self.bearerFailure("invalid_token", "the access token is bound to another certificate", status: 401)
        }
        if let scope, !issued.scopes.contains(scope) {
            throw Self.bearerFailure(
                "insufficient_scope", "this needs the scope \(scope)", status: 403, scope: scope)
        }
        return Bearer(grant: grant, scopes: Set(issued.scopes), resources: issued.resources)
    }

    private static let realm = "test"

    private static func bearerFailure(
        _ code: String, _ detail: String, status: Int, scope: String? = nil
    ) -> EndpointFailure {
        var challenge = "Bearer realm=\"\(realm)\", error=\"\(code)\", error_description=\"\(detail)\""
        if let scope { challenge += ", scope=\"\(scope)\"" }
        return EndpointFailure(code, detail, status: status, challenge: challenge)
    }
}
