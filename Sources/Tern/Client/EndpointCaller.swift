internal import TernCrypto
internal import TernProtocol

/// Performs exchanges: adds the client's proof, sends, reads, and takes out of errors whatever secret the server
/// repeated.
struct EndpointCaller: Sendable {
    let transport: any HTTPTransport
    let clientID: String
    let authentication: ClientAuthentication

    /// Performs an exchange with client authentication.
    func perform<E: Exchange>(authenticated exchange: E) async throws(TernError) -> E.Answer {
        var request = try exchange.request()
        try authentication.authenticate(&request, clientID: clientID)
        return try await send(request, for: exchange).answer
    }

    /// Performs an exchange that any client may make.
    func perform<E: Exchange>(_ exchange: E) async throws(TernError) -> (answer: E.Answer, fields: HTTPFields) {
        try await send(try exchange.request(), for: exchange)
    }

    private func send<E: Exchange>(
        _ request: HTTPRequest, for exchange: E
    ) async throws(TernError) -> (answer: E.Answer, fields: HTTPFields) {
        do throws(TernError) {
            let response = try await transport.send(request, step: exchange.step)
            return (try exchange.answer(from: response), response.fields)
        } catch {
            throw error.scrubbed(of: exchange.secrets + [authentication.secret?.exposedText].compactMap(\.self))
        }
    }
}
