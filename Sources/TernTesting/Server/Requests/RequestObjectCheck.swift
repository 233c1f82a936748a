internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The parameters of a request: those that are signed where a signed request is there, and then no others (RFC 9101
    /// §6.3).
    func signedParameters(
        in parameters: FormParameters, at now: NumericDate
    ) throws(AuthorizationRefusal) -> FormParameters {
        guard let text = parameters.value("request") else {
            guard !settings.requests.demandsSigned else {
                throw .unanswerable(code: "invalid_request", detail: "only signed requests are taken")
            }
            return parameters
        }
        func refuse(_ detail: String) -> AuthorizationRefusal {
            .unanswerable(code: "invalid_request_object", detail: detail)
        }
        guard let clientID = parameters.value("client_id"), let client = client(clientID) else {
            throw .page("The request comes from an unknown client.")
        }
        guard let jwt = try? JWT(compact: text) else { throw refuse("it is not a signed JWT") }
        guard [nil, "JWT", RequestObject.type].contains(jwt.header.type) else {
            throw refuse("its typ is that of another token")
        }
        let keys: JWKSet
        switch client.authentication {
        case .privateKeyJWT(let registered): keys = client.requestKeys?.set ?? registered.set
        default: keys = client.requestKeys?.set ?? JWKSet([])
        }
        do { try jwt.jws.verify(with: keys, allowed: SignatureAlgorithm.asymmetric) } catch {
            throw refuse("its algorithm or signature is wrong")
        }
        guard (try? jwt.claims.issuer) == clientID, jwt.claims["client_id"]?.string == clientID else {
            throw refuse("iss and client_id are not the client")
        }
        guard (try? jwt.claims.subject) ?? nil == nil else { throw refuse("sub is there, as in a client assertion") }
        guard ((try? jwt.claims.audience) ?? nil)?.contains(issuer.text) == true else {
            throw refuse("aud is not this server")
        }
        guard let end = (try? jwt.claims.expiration) ?? nil, end > now,
            end <= now + settings.requests.longestSignedLifetime
        else { throw refuse("exp is missing, over, or too far ahead") }
        if let begin = (try? jwt.claims.notBefore) ?? nil, begin > now + Self.clockTolerance {
            throw refuse("nbf lies ahead")
        }
        guard jwt.claims["request"] == nil, jwt.claims["request_uri"] == nil else {
            throw refuse("it holds another request")
        }
        return Self.parameters(of: jwt.claims.members)
    }

    private static func parameters(of claims: JSONObject) -> FormParameters {
        var parameters: FormParameters = [:]
        for (name, value) in claims where !["iss", "aud", "exp", "nbf", "iat", "jti"].contains(name) {
            switch value {
            case .string(let text): parameters.append(name, text)
            case .array(let list) where name == "resource":
                for text in list.compactMap(\.string) { parameters.append(name, text) }
            default: parameters.append(name, value.text)
            }
        }
        return parameters
    }

    /// What a request asks for that not every server gives: details (RFC 9396 §5) and APIs (RFC 8707 §2).
    func check(_ input: AuthorizationInput) throws(AuthorizationRefusal) {
        if let text = input.authorizationDetails {
            let list = (try? JSON(parsing: Array(text.utf8)))?.array ?? []
            let details = AuthorizationDetail.all(in: .array(list))
            guard !details.isEmpty, details.count == list.count,
                details.allSatisfy({ settings.requests.detailTypes.contains($0.type) })
            else {
                throw .answer(
                    input.target, code: "invalid_authorization_details",
                    detail: "authorization_details is no list of known types")
            }
        }
        if let unknown = input.resources.first(where: { !issuesTokens(for: $0) }) {
            throw .answer(input.target, code: "invalid_target", detail: "no tokens are issued for \(unknown)")
        }
    }

    /// Whether tokens are issued for an API.
    func issuesTokens(for resource: String) -> Bool {
        guard let uri = URI(resource), uri.encodedFragment == nil else { return false }
        return settings.requests.resources?.contains(resource) ?? true || resource == apiResource
    }
}
