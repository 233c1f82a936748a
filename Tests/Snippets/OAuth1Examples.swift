import Tern
import TernTesting
import Testing

enum OAuth1Examples {
    static func sign(
        _ request: HTTPRequest, clientID: String, secret: ClientSecret, token: OAuth1Token, clock: any WallClock,
        random: SystemRandomSource
    ) throws(TernError) -> HTTPRequest {
        let signer = OAuth1Signer(clientID: clientID, .hmacSHA1(secret), token: token)
        let signed = try signer.sign(request, timestamp: clock.now, nonce: OAuth1Signer.nonce(from: random))
        return signed
    }

    static func signIn(_ secret: ClientSecret, _ environment: Environment) async throws -> HTTPResponse {
        let server = try OAuth1Server(
            temporaryCredentialEndpoint: "https://api.example.com/oauth/request_token",
            authorizationEndpoint: "https://api.example.com/oauth/authorize",
            tokenEndpoint: "https://api.example.com/oauth/access_token")
        let client = try OAuthClient(
            oauth1: server, clientID: "my-key", key: .hmacSHA1(secret), redirectURI: "com.example.app:/callback",
            in: environment)
        let session = try await client.signIn(with: LoopbackUserAgent(application: "My App"))
        let reply = try await session.send(.get("https://api.example.com/1.1/me.json"))
        return reply
    }

    static func oob(_ client: OAuthClient, _ pin: String) async throws -> Credential? {
        let signIn = try await client.begin()  // a client with redirectURI: "oob"
        guard let callback = OAuth1AuthorizationResponse.callback(pin: pin, at: .outOfBand) else { return nil }
        let credential = try await client.finish(signIn, callback: callback, delivery: .pasted)
        return credential
    }

    static func twoLegs(_ client: OAuthClient) async throws -> HTTPResponse {
        let reply = try await client.clientAuthorizer().send(.get("https://api.example.com/search?q=tern"))
        return reply
    }

    static func quirks(_ server: OAuth1Server) -> OAuth1Server {
        var server = server
        server.endpointMethod = .get  // Discogs wants GET for the first call
        server.fields = ["User-Agent": "MyApp/1.0"]
        server.authorizationParameters = ["perms": "read"]  // Flickr
        return server
    }

    static func serve(_ request: HTTPRequest, secretOf: (String) -> ClientSecret) throws(TernError) -> String? {
        guard let signed = try OAuth1SignedRequest(reading: request) else { return nil }
        guard signed.isSigned(secret: secretOf(signed.clientID), tokenSecret: nil) else { return nil }
        return signed.clientID
    }
}
