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

    /// Performs an exchange with client authentication, and with a proof of possession where there is a key. A server that
    /// wants its nonce in the proof, or whose clock turns out to be another one, is asked once more: with a new proof and a
    /// new assertion.
    func perform<E: Exchange>(
        authenticated exchange: E, at metadata: ServerMetadata, proving prover: DPoPProver? = nil
    ) async throws(TernError) -> E.Answer {
        var isRepeat = false
        while true {
            var request = try exchange.request()
            try authentication.authenticate(&request, clientID: clientID, on: occasion(at: metadata))
            try prover?.prove(&request, to: .authorizationServer)
            do throws(TernError) {
                let response = try await response(to: request, step: exchange.step)
                let wantsRepeat = isWorthARepeat(response, to: request, prover)
                if wantsRepeat, !isRepeat {
                    isRepeat = true
                    continue
                }
                return try exchange.answer(from: response)
            } catch {
                throw error.scrubbed(of: exchange.secrets + secrets(in: request))
            }
        }
    }

    private func isWorthARepeat(_ response: HTTPResponse, to request: HTTPRequest, _ prover: DPoPProver?) -> Bool {
        guard let prover else { return false }
        return prover.note(response, to: request, from: .authorizationServer)
            || response.refusesProof && serverClock.corrects(response)
    }

    private func secrets(in request: HTTPRequest) -> [String] {
        [authentication.secret?.exposedText, request.form["client_assertion"], request.fields["DPoP"]]
            .compactMap(\.self)
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
        do throws(TernError) {
            let response = try await response(to: request, step: exchange.step)
            return (try exchange.answer(from: response), response.fields)
        } catch {
            throw error.scrubbed(of: exchange.secrets + secrets(in: request))
        }
    }

    /// The answer to a request. A wait until a date is counted from the answer's own time; where it has none, from the
    /// clock's.
    func response(to request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        var response = try await transport.send(request, step: step)
        if response.fields["Retry-After"] != nil, response.fields["Date"] == nil {
            response.fields["Date"] = HTTPDate(date: clock.now).description
        }
        return response
    }
}
