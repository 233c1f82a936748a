import Tern
import TernTesting
import Testing

enum ClientIdentityExamples {
    static func basic() throws -> OAuthClient {
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", in: .standard(application: "my-app"))
        return client
    }

    static func secret(_ secret: ClientSecret) throws -> [OAuthClient] {
        let sent = try {
            let client = try OAuthClient(
                issuer: "https://id.example.com", clientID: "my-service", authentication: .basic(secret),
                in: .standard(application: "my-service"))
            return client
        }()
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-service", authentication: .secretJWT(secret),
            in: .standard(application: "my-service"))
        return [sent, client]
    }

    static func key(_ pem: [UInt8]) throws -> ClientConfiguration {
        let key = try SigningKey(JWK(pem: pem, keyID: "2026-12"))
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-service", authentication: .privateKeyJWT(key),
            in: .standard(application: "my-service"))
        var configuration = client.configuration
        configuration.authentication = .privateKeyJWT(key, ClientAssertion(audience: .tokenEndpoint))
        return configuration
    }

    static func certificate(_ certificates: [UInt8], _ pem: [UInt8]) throws -> OAuthClient {
        var environment = try Environment.standard(application: "my-service")
        environment.transport = SystemTransport(
            policy: TransportPolicy(clientIdentity: .pem(certificates: certificates, privateKey: pem)))
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-service", authentication: .tls, in: environment)
        return client
    }

    static func attestation(
        _ key: SigningKey,
        _ attestation: @escaping @Sendable (SigningKey, Bool) async throws(TernError) -> ClientAttestation
    ) throws -> OAuthClient {
        let attester = ClientAttester { (mustBeNew: Bool) async throws(TernError) in
            try await attestation(key, mustBeNew)  // keep it while it is good, and fetch a new one when you must
        }
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: "my-app", authentication: .attestation(attester),
            in: .standard(application: "my-app"))
        return client
    }

    static func document() throws -> (JSONObject, OAuthClient) {
        let document = try ClientIDMetadataDocument(
            clientID: "https://app.example.com/client.json",
            metadata: ClientMetadata(redirectURIs: ["http://127.0.0.1/callback"], name: "My App"))
        let served = document.json  // at that address, as application/json
        let client = try OAuthClient(
            issuer: "https://id.example.com", clientID: document.clientID, in: .standard(application: "my-app"))
        return (served, client)
    }

    static func register(
        at issuer: Issuer, in environment: Environment
    ) async throws -> (ClientRegistrar, ClientInformation, OAuthClient) {
        let registrar = ClientRegistrar(server: .issuer(issuer), in: environment)
        let information: ClientInformation
        if let known = try await environment.store.registration(at: issuer) {
            information = known
        } else {
            information = try await registrar.register(
                ClientMetadata(
                    redirectURIs: ["http://127.0.0.1/callback"], name: "My App", authenticationMethod: "none"))
            try await environment.store.keep(information, registeredAt: issuer)
        }
        let client = OAuthClient(try information.configuration(server: registrar.server), in: environment)
        return (registrar, information, client)
    }

    static func rename(
        _ information: ClientInformation, _ registrar: ClientRegistrar, at issuer: Issuer, in environment: Environment
    ) async throws {
        var metadata = information.metadata
        metadata.name = "My App 2"
        let changed = try await registrar.update(information, to: metadata)
        try await environment.store.keep(changed, registeredAt: issuer)
    }
}

@Suite("Examples of client identity")
struct ClientIdentityExampleTests {
    @Test("Each way is a client that knows how to prove itself")
    func ways() throws {
        #expect(try ClientIdentityExamples.basic().configuration.authentication == .none)
        let secret = ClientSecret("a-secret-of-more-than-thirty-two-bytes")
        let methods = try ClientIdentityExamples.secret(secret).map(\.configuration.authentication.methodName)
        #expect(methods == ["client_secret_basic", "client_secret_jwt"])
        let (document, client) = try ClientIdentityExamples.document()
        #expect(document["client_id"]?.string == client.configuration.clientID)
    }

    @Test("A client registers once and is found again, and its name changes")
    func registration() async throws {
        var server = AuthorizationServer()
        server.settings.registration = .open
        let provider = TestProvider(server)
        let issuer = try Issuer(provider.issuer)
        let environment = provider.environment
        let (registrar, information, _) = try await ClientIdentityExamples.register(at: issuer, in: environment)
        let again = try await ClientIdentityExamples.register(at: issuer, in: environment)
        #expect(again.1 == information && provider.server.count(of: .registration) == 1)
        try await ClientIdentityExamples.rename(information, registrar, at: issuer, in: environment)
        #expect(provider.server.server.clients.last?.name == "My App 2")
    }
}
