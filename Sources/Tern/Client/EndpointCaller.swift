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

    /// Performs an exchange with client authentication.
    func perform<E: Exchange>(
        authenticated exchange: E, at metadata: ServerMetadata
    ) async throws(TernError) -> E.Answer {
        try await attesting(at: metadata) { (attested) async throws(TernError) in
            var occasion = occasion(at: metadata)
            (occasion.attestation, occasion.challenge) = attested
            var request = try exchange.request()
            try authentication.authenticate(&request, clientID: clientID, on: occasion)
            return try await send(request, for: exchange).answer
        }
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
            throw error.scrubbed(
                of: exchange.secrets + [authentication.secret?.exposedText].compactMap(\.self)
                    + ClientAuthentication.proofs(in: request)
            ).refusing(authentication)
        }
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
