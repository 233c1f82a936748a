internal import TernCrypto
public import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// draft-ietf-oauth-attestation-based-client-auth §7.1 and §7.2.
    mutating func checkAttestation(
        _ request: HTTPRequest, _ parameters: FormParameters
    ) throws(EndpointFailure) -> TestClient {
        func refusal(_ detail: String) -> EndpointFailure {
            EndpointFailure("invalid_client_attestation", detail, status: 401)
        }
        let (tokens, proofs) = (
            request.fields.values(of: ClientAttestation.field), request.fields.values(of: ClientAttestation.proofField)
        )
        guard tokens.count == 1, proofs.count == 1, let token = try? JWT(compact: tokens[0]),
            let proof = try? JWT(compact: proofs[0])
        else { throw refusal("attestation and proof must be there once each, as signed JWTs") }
        let named = parameters.value("client_id")
        guard let subject = (try? token.claims.subject), let client = client(subject), named == nil || named == subject
        else { throw Self.invalidClient("sub is no known client, or not the one of client_id") }
        guard case .attestation(let attesters) = client.authentication else {
            throw Self.invalidClient("this client is registered for \(client.authentication.methodName)")
        }
        guard token.header.type == "oauth-client-attestation+jwt",
            proof.header.type == "oauth-client-attestation-pop+jwt"
        else { throw refusal("a typ is that of another token") }
        do { try token.jws.verify(with: attesters.set, allowed: SignatureAlgorithm.asymmetric) } catch {
            throw refusal("the attestation is not from a known attester")
        }
        guard let end = (try? token.claims.expiration), end > state.now else {
            throw EndpointFailure("use_fresh_attestation", "the attestation is over", status: 401)
        }
        guard let json = token.claims["cnf"]?["jwk"], json["d"] == nil, let key = try? JWK(json), !key.isSecret else {
            throw refusal("cnf.jwk is missing or not a public key")
        }
        do { try proof.jws.verify(with: key, allowed: SignatureAlgorithm.asymmetric) } catch {
            throw refusal("the proof is not signed with the attested key")
        }
        guard (try? proof.claims.audience) == [issuer.text] else { throw refusal("aud is not the issuer") }
        guard let issued = (try? proof.claims.issuedAt) ?? nil, issued <= state.now + Self.clockTolerance,
            issued + .seconds(300) > state.now
        else { throw refusal("iat is missing, too old, or lies ahead") }
        try checkChallenge(proof.claims["challenge"]?.string)
        try useOnce((try? proof.claims.tokenID) ?? nil, of: subject, until: issued + .seconds(300))
        return client
    }

    private mutating func checkChallenge(_ challenge: String?) throws(EndpointFailure) {
        guard settings.attestationChallenges != .none else { return }
        if let challenge, let end = state.attestationChallenges[challenge], end > state.now { return }
        var failure = EndpointFailure("use_attestation_challenge", "the proof lacks a current challenge", status: 401)
        failure.fields[ClientAttestation.challengeField] = makeChallenge()
        throw failure
    }

    /// The challenge endpoint (§6.1).
    mutating func giveChallenge() -> HTTPResponse {
        guard settings.attestationChallenges == .endpoint else { return HTTPResponse(status: 404) }
        return .json(["attestation_challenge": .string(makeChallenge())])
    }

    private mutating func makeChallenge() -> String {
        let challenge = token("challenge")
        state.attestationChallenges[challenge] = state.now + settings.challengeLifetime
        return challenge
    }
}

/// How a server gives challenges for the proofs of attestations.
public enum AttestationChallenges: Sendable, Hashable {
    /// It wants none.
    case none
    /// With a refusal, for the next request.
    case inAnswers
    /// With a refusal, and at an endpoint of their own.
    case endpoint
}

extension HTTPRequest {
    var carriesAttestation: Bool {
        fields[ClientAttestation.field] != nil || fields[ClientAttestation.proofField] != nil
    }
}

extension TestClient {
    /// Attests a client, as its attester would do it.
    ///
    /// - Parameters:
    ///   - clientID: the client.
    ///   - key: the client's key.
    ///   - attester: the attester's key.
    ///   - end: until when.
    /// - Throws: what `JWT.sign` throws.
    public static func attestation(
        of clientID: String, key: SigningKey, by attester: SigningKey, until end: NumericDate
    ) throws(JOSEError) -> String {
        let claims: JSONObject = [
            "sub": .string(clientID), "exp": .number(JSONNumber(Int64(end.secondsSince1970))),
            "cnf": ["jwk": .object(key.publicKey.publicJSON() ?? [:])],
        ]
        return try JWT.sign(JWTClaims(claims), type: "oauth-client-attestation+jwt", key: attester)
    }
}
