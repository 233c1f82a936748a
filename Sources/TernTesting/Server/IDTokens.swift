internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// Makes an ID token (OpenID Connect Core 1.0 §2) and remembers it, to know it again as a hint.
    mutating func makeIDToken(
        for grant: Grant, _ client: TestClient, scopes: [String], nonce: String?, accessToken: String?,
        code: String? = nil, state answered: String? = nil, isAlone: Bool = false, at now: NumericDate
    ) throws(EndpointFailure) -> String {
        let algorithm = client.idTokenAlgorithm
        let audiences = [client.clientID] + client.furtherAudiences
        var claims: JSONObject = [
            "iss": .string(issuer.text),
            "sub": .string(grant.subject),
            "aud": audiences.count == 1 ? .string(client.clientID) : .array(audiences.map(JSON.string)),
            "iat": .date(now),
            "exp": .date(now + settings.idTokenLifetime),
            "auth_time": .date(grant.authenticatedAt),
            "sid": .string(grant.sessionID),
        ]
        for (name, text) in [("at_hash", accessToken), ("c_hash", code), ("s_hash", answered)] {
            claims[name] = text.map { .string(Self.leftHalf(of: $0, hashedFor: algorithm)) }
        }
        claims["nonce"] = nonce.map(JSON.string)
        claims["ds_hash"] = grant.deviceSecret.map { .string(Self.hash(ofDeviceSecret: $0)) }
        claims["acr"] = grant.authenticationContext.map(JSON.string)
        if audiences.count > 1 { claims["azp"] = .string(client.clientID) }
        // Where no access token fetches them, the claims that scopes open come in the ID token (§5.4).
        if client.putsUserClaimsIntoIDToken || isAlone, let user = user(grant.subject) {
            for (name, value) in user.claims(openedBy: Set(scopes)) { claims[name] = value }
        }
        let token = try sign(claims, algorithm, for: client)
        state.idTokens[token] = IDTokenHint(
            clientID: client.clientID, subject: grant.subject, sessionID: grant.sessionID,
            forgottenAt: now + settings.refreshTokenLifetime)
        return try encrypt(token, client.idTokenEncryption, for: client)
    }

    /// Signs claims with the server's key, or with the client's secret where the algorithm is symmetric.
    mutating func sign(
        _ claims: JSONObject, _ algorithm: SignatureAlgorithm, for client: TestClient
    ) throws(EndpointFailure) -> String {
        let secret = client.authentication.secret
        do throws(JOSEError) {
            let key: JWK
            if let secret, !algorithm.isAsymmetric {
                key = JWK(.symmetric(SymmetricKey(secret: secret)))
            } else {
                key = try keys.key(for: algorithm)
            }
            let header = JWSHeader(algorithm: algorithm, keyID: key.keyID, type: "JWT")
            return try JWS.sign(payload: claims.serialized(), header: header, key: key)
        } catch {
            throw EndpointFailure.internalTrouble
        }
    }

    /// The left half of a digest in Base64url: `at_hash` and its like (OpenID Connect Core 1.0 §3.1.3.6).
    static func leftHalf(of text: String, hashedFor algorithm: SignatureAlgorithm) -> String {
        let digest = algorithm.hashFunction.digest(Array(text.utf8))
        return Base64URL.encode(Array(digest.prefix(digest.count / 2)))
    }
}

extension JSON {
    /// A date in whole seconds, as most servers write it.
    static func date(_ date: NumericDate) -> JSON {
        .number(JSONNumber(Int64(max(-9e15, min(9e15, date.secondsSince1970.rounded(.down))))))
    }
}
