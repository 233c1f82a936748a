internal import TernCrypto
internal import TernProtocol

/// Performs exchanges: adds the client's proof, sends, reads, and takes out of errors whatever secret the server
/// repeated.
struct EndpointCaller: Sendable {
    let transport: any HTTPTransport
    let clientID: String
    let authentication: ClientAuthentication
    let clock: any WallClock
    let serverClock: ServerClock
    let random: any RandomSource
    /// The server's last challenge for the proof of an attestation.
    let attestationChallenge = Locked<String?>(nil)
    /// Whether a refused proof is tried in its other form.
    var triesOtherAuthentication = true
    /// The form that the server turned out to want.
    let foundAuthentication = Locked<ClientAuthentication?>(nil)

    /// Performs an exchange with client authentication, and with a proof of possession where there is a key. A server that
    /// wants its nonce or its challenge in a proof, or whose clock turns out to be another one, is asked once more: with new
    /// proofs and a new assertion.
    func perform<E: Exchange>(
        authenticated exchange: E, at metadata: ServerMetadata, proving prover: DPoPProver? = nil
    ) async throws(TernError) -> E.Answer {
        let endpoint = try exchange.request().url
        do throws(TernError) {
            return try await proving(at: endpoint, of: metadata) { (proof) async throws(TernError) in
                try await attesting(at: metadata) { (attested) async throws(TernError) in
                    try await perform(exchange, at: metadata, showing: proof, attested, proving: prover)
                }
            }
        } catch {
            throw explaining(error, at: metadata)
        }
    }

    private func perform<E: Exchange>(
        _ exchange: E, at metadata: ServerMetadata, showing proof: ClientAuthentication, _ attested: Attested,
        proving prover: DPoPProver?
    ) async throws(TernError) -> E.Answer {
        var isRepeat = false
        while true {
            var occasion = occasion(at: metadata)
            (occasion.attestation, occasion.challenge) = attested
            var request = try exchange.request()
            try proof.authenticate(&request, clientID: clientID, on: occasion)
            try prover?.prove(&request, to: .authorizationServer)
            let response = try await response(to: request, for: exchange)
            let wantsRepeat = isWorthARepeat(response, to: request, prover)
            guard wantsRepeat, !isRepeat else { return try read(response, to: request, for: exchange) }
            isRepeat = true
        }
    }

    private func isWorthARepeat(_ response: HTTPResponse, to request: HTTPRequest, _ prover: DPoPProver?) -> Bool {
        guard let prover else { return false }
        return prover.note(response, to: request, from: .authorizationServer)
            || response.refusesProof && serverClock.corrects(response)
    }

    private func occasion(at metadata: ServerMetadata) -> ClientAuthentication.Occasion {
        ClientAuthentication.Occasion(at: metadata, now: serverClock.now, random: random)
    }

    /// Performs an exchange that any client may make.
    func perform<E: Exchange>(_ exchange: E) async throws(TernError) -> (answer: E.Answer, fields: HTTPFields) {
        try await send(try exchange.request(), for: exchange)
    }

    private func send<E: Exchange>(
        _ request: HTTPRequest, for exchange: E
    ) async throws(TernError) -> (answer: E.Answer, fields: HTTPFields) {
        let response = try await response(to: request, for: exchange)
        return (try read(response, to: request, for: exchange), response.fields)
    }

    private func response<E: Exchange>(
        to request: HTTPRequest, for exchange: E
    ) async throws(TernError) -> HTTPResponse {
        do throws(TernError) {
            return try await response(to: request, step: exchange.step)
        } catch {
            throw cleaned(error, request, nil, exchange)
        }
    }

    private func read<E: Exchange>(
        _ response: HTTPResponse, to request: HTTPRequest, for exchange: E
    ) throws(TernError) -> E.Answer {
        do throws(TernError) {
            return try exchange.answer(from: response)
        } catch {
            throw cleaned(error, request, response, exchange)
        }
    }

    private func cleaned(
        _ error: TernError, _ request: HTTPRequest, _ response: HTTPResponse?, _ exchange: some Exchange
    ) -> TernError {
        let secrets = [authentication.secret?.exposedText, request.fields["DPoP"]].compactMap(\.self)
        return error.scrubbed(of: exchange.secrets + secrets + ClientAuthentication.proofs(in: request))
            .refusing(authentication).with(evidence(request, response, error))
    }

    /// The answer to a request. A wait until a date is counted from the answer's own time; where it has none, from the
    /// clock's.
    func response(to request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        var response = try await transport.send(request, step: step)
        noteAttestationChallenge(in: response)
        if response.fields["Retry-After"] != nil, response.fields["Date"] == nil {
            response.fields["Date"] = HTTPDate(date: clock.now).description
        }
        return response
    }
}
