internal import TernCrypto
internal import TernOAuth1
internal import TernProtocol

/// What a client of OAuth 1.0a works with: the service, the client's key, and the service's time.
final class OAuth1Caller: Sendable {
    let server: OAuth1Server
    private let clientID: String
    private let key: OAuth1SigningKey
    private let caller: EndpointCaller
    private let clock: ServerClock
    private let environment: Environment
    /// The signer of the token that was used last: preparing its key costs more than signing.
    private let lastSigner = Locked<OAuth1Signer?>(nil)

    init(
        _ server: OAuth1Server, clientID: String, _ key: OAuth1SigningKey, caller: EndpointCaller, clock: ServerClock,
        _ environment: Environment
    ) {
        self.server = server
        self.clientID = clientID
        self.key = key
        self.caller = caller
        self.clock = clock
        self.environment = environment
    }

    /// Signs API calls with a token, or as the client alone.
    func authorizer(_ token: OAuth1Token?) -> OAuth1Authorizer {
        let signer = lastSigner.withLock { last in
            if let last, last.token == token { return last }
            let signer = server.signer(clientID: clientID, key, token: token, placement: server.placement)
            last = signer
            return signer
        }
        return OAuth1Authorizer(signer, fields: server.fields, clock: clock, environment)
    }

    func authorizer(of credential: Credential) -> OAuth1Authorizer {
        authorizer(OAuth1Token(credential.accessToken, secret: credential.tokenSecret ?? OAuth1TokenSecret("")))
    }

    /// Calls an endpoint, a second time where a wrong clock was the reason for a refusal.
    func perform<E: OAuth1Exchange>(_ exchange: E, token: OAuth1Token?) async throws(TernError) -> E.Answer {
        let signer = server.signer(clientID: clientID, key, token: token, placement: server.endpointPlacement)
        let authorizer = OAuth1Authorizer(signer, fields: [:], clock: clock, environment)
        let bare = try exchange.request()
        let secrets = [key.secret?.exposedText, token?.token.exposedText, token?.secret.exposedText].compactMap(\.self)
        var request = try authorizer.signed(bare, exchange.protocolParameters)
        var response = try await caller.response(to: request, step: exchange.step)
        if authorizer.hasCorrectedClock(after: response, to: request) {
            request = try authorizer.signed(bare, exchange.protocolParameters)
            response = try await caller.response(to: request, step: exchange.step)
        }
        do throws(TernError) {
            return try exchange.answer(from: response)
        } catch {
            throw error.scrubbed(of: exchange.secrets + secrets)
        }
    }
}
