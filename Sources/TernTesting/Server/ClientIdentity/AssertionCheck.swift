internal import TernCrypto
public import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Finds out who makes a request that carries a signed proof; `nil` for one that carries none.
    mutating func authenticateByProof(
        _ request: HTTPRequest, _ parameters: FormParameters
    ) throws(EndpointFailure) -> TestClient? {
        let hasAssertion = parameters["client_assertion"] != nil || parameters["client_assertion_type"] != nil
        let hasAttestation = request.carriesAttestation
        guard hasAssertion || hasAttestation else { return nil }
        guard hasAssertion != hasAttestation, parameters["client_secret"] == nil,
            request.fields["Authorization"] == nil
        else { throw EndpointFailure("invalid_request", "the client authenticates in two ways") }
        return hasAssertion
            ? try checkAssertion(at: request.url, parameters) : try checkAttestation(request, parameters)
    }

    /// RFC 7523 §3, with the audience of draft-ietf-oauth-rfc7523bis unless the settings say otherwise.
    private mutating func checkAssertion(
        at address: URI, _ parameters: FormParameters
    ) throws(EndpointFailure) -> TestClient {
        guard parameters.value("client_assertion_type") == ClientAssertion.typeName,
            let text = parameters.value("client_assertion")
        else { throw EndpointFailure("invalid_request", "client_assertion or its type is missing or not known") }
        guard let jwt = try? JWT(compact: text) else { throw Self.invalidClient("the assertion is not a signed JWT") }
        let named = parameters.value("client_id")
        guard let subject = (try? jwt.claims.subject), let client = client(subject), named == nil || named == subject
        else { throw Self.invalidClient("sub is no known client, or not the one of client_id") }
        let (keys, allowed) = try Self.keys(of: client)
        guard [nil, "JWT", ClientAssertion.explicitType].contains(jwt.header.type) else {
            throw Self.invalidClient("the typ of the assertion is that of another token")
        }
        do { try jwt.jws.verify(with: keys, allowed: allowed) } catch {
            throw Self.invalidClient("the assertion's algorithm or signature is wrong")
        }
        guard (try? jwt.claims.issuer) == subject else { throw Self.invalidClient("iss is not the client") }
        try checkAudience(of: jwt.claims, at: address)
        guard let end = (try? jwt.claims.expiration), end > state.now else {
            throw Self.invalidClient("exp is missing or over")
        }
        guard end <= state.now + settings.longestAssertionLifetime else {
            throw Self.invalidClient("exp lies too far ahead")
        }
        guard let issued = (try? jwt.claims.issuedAt) ?? nil, issued <= state.now + Self.clockTolerance else {
            throw Self.invalidClient("iat is missing or lies ahead")
        }
        let begin = try? jwt.claims.notBefore
        guard begin == nil || (begin ?? nil).map({ $0 <= state.now + Self.clockTolerance }) ?? true else {
            throw Self.invalidClient("nbf lies ahead")
        }
        try useOnce((try? jwt.claims.tokenID) ?? nil, of: subject, until: end)
        return client
    }

    private func checkAudience(of claims: JWTClaims, at address: URI) throws(EndpointFailure) {
        let accepted = settings.assertionAudiences.map { audience in
            switch audience {
            case .issuer: issuer.text
            case .tokenEndpoint: self.address(of: .token)
            case .endpoint: address.withoutQueryAndFragment
            }
        }
        guard let readers = (try? claims.audience) ?? nil, readers.count == 1, let reader = readers.first,
            accepted.contains(where: { $0.utf8.elementsEqual(reader.utf8) })
        else { throw Self.invalidClient("aud is not this server alone") }
    }

    /// Refuses what comes a second time.
    mutating func useOnce(_ tokenID: String?, of clientID: String, until end: NumericDate) throws(EndpointFailure) {
        guard let tokenID, !tokenID.isEmpty else { throw Self.invalidClient("jti is missing") }
        guard state.usedAssertions.use("\(clientID) \(tokenID)", until: end) else {
            throw Self.invalidClient("this assertion was used before")
        }
    }

    private static func keys(of client: TestClient) throws(EndpointFailure) -> (JWKSet, Set<SignatureAlgorithm>) {
        switch client.authentication {
        case .secretJWT(let secret):
            let key = JWK(.symmetric(SymmetricKey(secret: secret)))
            return (JWKSet([key]), [.hs256, .hs384, .hs512])
        case .privateKeyJWT(let keys): return (keys.set, SignatureAlgorithm.asymmetric)
        case let other: throw invalidClient("this client is registered for \(other.methodName)")
        }
    }

    static let clockTolerance = Duration.seconds(10)
}

/// What a server takes for its own name in the assertions of clients.
public enum AssertionAudience: Sendable, Hashable, CaseIterable {
    /// Its issuer, as the present advice has it.
    case issuer
    /// The address of its token endpoint.
    case tokenEndpoint
    /// The address of the endpoint that is called.
    case endpoint
}

/// The public keys of a client or of an attester.
public struct PublicKeys: Sendable, Hashable {
    /// The keys as a JWK set.
    public let json: JSONObject
    let set: JWKSet

    /// The public halves of keys.
    public init(_ keys: JWKSet) {
        json = keys.publicJSON()
        set = JWKSet(keys.keys.compactMap(\.publicHalf))
    }

    /// Whether both are the same set.
    public static func == (one: PublicKeys, other: PublicKeys) -> Bool { one.json == other.json }

    /// Hashes the keys.
    public func hash(into hasher: inout Hasher) { hasher.combine(json) }
}
