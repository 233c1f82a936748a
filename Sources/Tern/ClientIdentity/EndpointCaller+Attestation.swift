internal import TernCrypto
internal import TernProtocol

extension EndpointCaller {
    typealias Attested = (attestation: ClientAttestation?, challenge: String?)

    /// Runs a request that may want an attestation, and runs it once more when the server asks for its challenge, or for a
    /// newer attestation.
    func attesting<Answer: Sendable>(
        at metadata: ServerMetadata, _ body: (Attested) async throws(TernError) -> Answer
    ) async throws(TernError) -> Answer {
        guard case .attestation(let attester) = authentication else { return try await body((nil, nil)) }
        if attestationChallenge.withLock({ $0 == nil }), let endpoint = metadata.attestationChallengeEndpoint {
            guard endpoint.isSecure || endpoint.isLoopback else {
                throw TernError(.insecureEndpoint(field: "challenge_endpoint"), at: .tokenRequest)
            }
            let challenge = try await perform(AttestationChallengeRequest(endpoint: endpoint)).answer
            attestationChallenge.withLock { $0 = challenge }
        }
        let sent = attestationChallenge.withLock { $0 }
        do throws(TernError) {
            return try await body((try await attester.attestation(), sent))
        } catch {
            let mustBeNew: Bool
            switch error.serverError?.code {
            case "use_fresh_attestation": mustBeNew = true
            // Without a new challenge the answer would be the same.
            case "use_attestation_challenge" where attestationChallenge.withLock({ $0 }) != sent: mustBeNew = false
            default: throw error
            }
            let attestation = try await attester.attestation(mustBeNew: mustBeNew)
            return try await body((attestation, attestationChallenge.withLock { $0 }))
        }
    }

    func noteAttestationChallenge(in response: HTTPResponse) {
        guard case .attestation = authentication, let challenge = response.fields[ClientAttestation.challengeField],
            !challenge.isEmpty
        else { return }
        attestationChallenge.withLock { $0 = challenge }
    }
}

extension ClientConfiguration {
    /// Whether the server's endpoints for client certificates are the ones to call.
    var showsCertificate: Bool { authentication == .tls || wantsCertificateBoundTokens }
}
