internal import TernCrypto
internal import TernJOSE

/// How the assertions of `private_key_jwt` and `client_secret_jwt` are made (RFC 7523 §3, OpenID Connect Core 1.0 §9).
///
/// Each request carries a new one, also when it is the same request once more.
public struct ClientAssertion: Sendable, Hashable {
    /// Whom an assertion names as its reader.
    public enum Audience: Sendable, Hashable {
        /// The server's issuer alone, as draft-ietf-oauth-rfc7523bis and FAPI 2.0 demand: an assertion for one server can
        /// then not be talked out of a client by another one.
        case issuer
        /// The address of the token endpoint, which older servers want whichever endpoint is called.
        case tokenEndpoint
        /// The address of the endpoint that is called.
        case endpoint
        /// This text.
        case custom(String)
    }

    /// Whom the assertion names as its reader.
    public var audience: Audience
    /// How long it is good; 60 seconds by default.
    public var lifetime: Duration
    /// The `typ`: `JWT` by default, since many servers refuse others; ``explicitType`` for those that know it.
    public var type: String?
    /// Whether the assertion says from when on it counts (`nbf`).
    public var statesNotBefore: Bool

    /// `client-authentication+jwt`, which tells such assertions from all other tokens (draft-ietf-oauth-rfc7523bis §4).
    public static let explicitType = "client-authentication+jwt"

    /// The `client_assertion_type` (RFC 7523 §2.2).
    public static let typeName = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"

    /// Makes settings; what is not given is as the present advice has it.
    public init(
        audience: Audience = .issuer, lifetime: Duration = .seconds(60), type: String? = "JWT",
        statesNotBefore: Bool = false
    ) {
        self.audience = audience
        self.lifetime = lifetime
        self.type = type
        self.statesNotBefore = statesNotBefore
    }

    func signed(
        with key: SigningKey, of clientID: String, at endpoint: URI, on occasion: ClientAuthentication.Occasion
    ) throws(TernError) -> String {
        try Self.check(key.algorithm, occasion)
        let claims = try claims(of: clientID, at: endpoint, occasion)
        do { return try JWT.sign(claims, type: type, key: key) } catch { throw Self.invalid(error.description) }
    }

    func signed(
        with secret: ClientSecret, _ algorithm: SignatureAlgorithm, of clientID: String,
        at endpoint: URI, on occasion: ClientAuthentication.Occasion
    ) throws(TernError) -> String {
        guard !algorithm.isAsymmetric else {
            throw Self.invalid("\(algorithm.rawValue) signs with a private key, not with a secret")
        }
        try Self.check(algorithm, occasion)
        let claims = try claims(of: clientID, at: endpoint, occasion)
        let key = JWK(.symmetric(SymmetricKey(secret: secret)))
        do {
            return try JWT.sign(claims, header: JWSHeader(algorithm: algorithm, type: type), key: key)
        } catch {
            throw Self.invalid(error.description)
        }
    }

    private func claims(
        of clientID: String, at endpoint: URI, _ occasion: ClientAuthentication.Occasion
    ) throws(TernError) -> JWTClaims {
        let reader: String
        switch audience {
        case .issuer:
            guard let issuer = occasion.issuer else { throw Self.missing("issuer") }
            reader = issuer
        case .tokenEndpoint:
            guard let address = occasion.tokenEndpoint else { throw Self.missing("token_endpoint") }
            reader = address.text
        case .endpoint: reader = endpoint.withoutQueryAndFragment
        case .custom(let text): reader = text
        }
        let now = occasion.now.wholeSeconds
        var members: JSONObject = [
            "iss": .string(clientID), "sub": .string(clientID), "aud": .string(reader),
            "jti": .string(Base64URL.encode(occasion.random.bytes(16))), "iat": .number(JSONNumber(now)),
            "exp": .number(JSONNumber((occasion.now + lifetime).wholeSeconds)),
        ]
        if statesNotBefore { members["nbf"] = .number(JSONNumber(now)) }
        return JWTClaims(members)
    }

    private static func check(
        _ algorithm: SignatureAlgorithm, _ occasion: ClientAuthentication.Occasion
    ) throws(TernError) {
        guard let accepted = occasion.assertionAlgorithms, !accepted.contains(algorithm.rawValue) else { return }
        let list = accepted.prefix(20).map(ServerError.cleaned).joined(separator: ", ")
        throw invalid("the key signs with \(algorithm.rawValue) and the server takes \(list)")
    }

    private static func missing(_ field: String) -> TernError {
        TernError(
            .invalidConfiguration(
                field: field, problem: "the server has none, which the assertion should name; set another audience"),
            at: .configuration)
    }

    private static func invalid(_ problem: String) -> TernError {
        TernError(.invalidConfiguration(field: "client_assertion", problem: problem), at: .configuration)
    }
}

extension NumericDate {
    /// Whole seconds, cut to what any calendar knows.
    var wholeSeconds: Int64 {
        Int64(max(-1e15, min(1e15, secondsSince1970.isNaN ? 0 : secondsSince1970)).rounded(.down))
    }
}
