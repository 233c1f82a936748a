public import TernCrypto
public import TernJOSE

/// An authorization request as a signed token, so that nobody can change it on its way through the browser, and the server
/// knows who made it (RFC 9101).
public struct RequestObject: Sendable {
    /// The key that signs; the server knows its public half.
    public var key: SigningKey
    /// How long a request is good; five minutes by default.
    public var lifetime = Duration.seconds(300)
    /// Whether `response_type` and `scope` stand beside it too, as OpenID Connect Core 1.0 §6.1 wants it of requests that
    /// ask for an ID token. A server that goes by RFC 9101 reads the signed ones alone.
    public var repeatsParameters = true

    /// The type in its header (RFC 9101 §10.8).
    public static let type = "oauth-authz-req+jwt"

    /// Signs requests with a key.
    public init(key: SigningKey) { self.key = key }

    /// The request as a token.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - audience: the issuer of the server (§4).
    ///   - now: the time.
    ///   - random: where the token's name comes from.
    /// - Throws: ``TernError``: what ``AuthorizationRequest/parameters()`` throws; `invalidConfiguration` with the field
    ///   `request` where the key cannot sign.
    public func signed(
        _ request: AuthorizationRequest, audience: String, now: NumericDate, random: some RandomSource
    ) throws(TernError) -> String {
        var claims = Self.claims(of: try request.parameters())
        claims["iss"] = .string(request.clientID)
        claims["aud"] = .string(audience)
        claims["jti"] = .string(Base64URL.encode(random.bytes(16)))
        claims["iat"] = .number(JSONNumber(now.wholeSeconds))
        claims["nbf"] = .number(JSONNumber(now.wholeSeconds))
        claims["exp"] = .number(JSONNumber((now + lifetime).wholeSeconds))
        do { return try JWT.sign(JWTClaims(claims), type: Self.type, key: key) } catch {
            throw TernError(
                .invalidConfiguration(field: "request", problem: error.description), at: .authorizationRequest)
        }
    }

    /// What stands in the browser's address, or in the pushed form, in the place of the request.
    ///
    /// - Parameters:
    ///   - reference: the name and value that carry it: `request` or `request_uri`.
    ///   - request: the request.
    ///   - isPushed: whether it goes to the server directly, where nothing is repeated.
    package func carrier(
        _ reference: FormParameters, of request: AuthorizationRequest, isPushed: Bool
    ) -> FormParameters {
        var carrier: FormParameters = ["client_id": request.clientID]
        if repeatsParameters, !isPushed {
            carrier.append("response_type", request.responseType.text)
            if !request.scope.isEmpty { carrier.append("scope", request.scope.text) }
        }
        return FormParameters(carrier.parameters + reference.parameters)
    }

    /// The parameters as claims: what is JSON stays it, numbers are numbers, and of a name that stands there more than once
    /// the values are a list (OpenID Connect Core 1.0 §6.1, RFC 9396 §4).
    package static func claims(of parameters: FormParameters) -> JSONObject {
        var claims: JSONObject = [:]
        for parameter in parameters.parameters where claims[parameter.name] == nil {
            let values = parameters.values(of: parameter.name)
            claims[parameter.name] =
                values.count > 1
                ? .array(values.map(JSON.string)) : claim(parameter.name, parameter.value)
        }
        return claims
    }

    private static func claim(_ name: String, _ value: String) -> JSON {
        switch name {
        case "max_age": Int64(value).map { .number(JSONNumber($0)) } ?? .string(value)
        case "claims", "authorization_details": (try? JSON(parsing: Array(value.utf8))) ?? .string(value)
        default: .string(value)
        }
    }
}

extension ServerMetadata {
    /// Whether authorization requests are taken only when they are signed (RFC 9101 §10.5).
    public var requiresSignedRequestObjects: Bool { members["require_signed_request_object"]?.bool ?? false }

    /// The algorithms of signed requests; `nil` where the server does not say (OpenID Connect Discovery 1.0 §3).
    public var requestObjectSigningAlgorithms: [String]? { list("request_object_signing_alg_values_supported") }

    /// - Throws: `unsupported` where the server says that it takes no signed requests in this way; `invalidConfiguration`
    ///   where it does not take the key's algorithm.
    package func checkTakes(_ object: RequestObject, as parameter: String) throws(TernError) {
        if members["\(parameter)_parameter_supported"]?.bool == false {
            throw TernError(.unsupported("signed requests in \"\(parameter)\""), at: .authorizationRequest)
        }
        guard let accepted = requestObjectSigningAlgorithms, !accepted.contains(object.key.algorithm.rawValue) else {
            return
        }
        let list = accepted.prefix(20).map(ServerError.cleaned).joined(separator: ", ")
        throw TernError(
            .invalidConfiguration(
                field: "request",
                problem: "the key signs with \(object.key.algorithm.rawValue) and the server takes \(list)"),
            at: .authorizationRequest)
    }
}
