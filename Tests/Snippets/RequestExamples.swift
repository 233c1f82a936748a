import Tern
import TernProtocol
import TernTesting
import Testing

@Suite("Examples: authorization requests")
struct RequestExamples {
    @Test("Each setting alone leaves the sign-in as it is")
    func settings() async throws {
        let key = try SigningKey(try JWK.generate(for: .es256, keyID: "k1"))
        let provider = TestProvider(
            AuthorizationServer(clients: [TestClient("signer", authentication: .privateKeyJWT(key))]))
        let api = try #require(URI(provider.server.server.apiResource))
        let known = try provider.client(authentication: .privateKeyJWT(key)).configuration
        for index in 0...2 {
            var configuration = known
            switch index {
            case 0: Self.push(&configuration)
            case 1: Self.sign(&configuration, key)
            default: Self.name(&configuration, api)
            }
            let client = OAuthClient(configuration, in: provider.environment)
            let session = try await client.signIn(with: provider.userAgent)
            #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
        }
        #expect(provider.server.count(of: .pushedAuthorization) == 1)
    }

    static func push(_ configuration: inout ClientConfiguration) {
        configuration.requestDelivery.pushing = .whenOffered
    }

    static func sign(_ configuration: inout ClientConfiguration, _ key: SigningKey) {
        configuration.requestDelivery.signing = RequestObject(key: key)
    }

    static func name(_ configuration: inout ClientConfiguration, _ api: URI) {
        configuration.resources = [api]
    }

    @Test("Details and demands")
    func options() async throws {
        let provider = TestProvider()
        var options = SignInOptions()

        options.authorizationDetails = [
            try AuthorizationDetail(
                type: "payment_initiation",
                members: ["actions": ["initiate"], "instructedAmount": ["currency": "EUR", "amount": "123.50"]])
        ]

        options.claims = ["id_token": ["email": ["essential": true]]]
        options.acrValues = ["urn:example:gold"]
        options.maxAge = .seconds(300)

        let session = try await provider.client().signIn(options, with: provider.userAgent)
        #expect(try await session.credential().authorizationDetails == options.authorizationDetails)
    }

    @Test("From an API to a client of its server")
    func discovery() async throws {
        let provider = TestProvider()
        let transport = provider.transport
        let api = try #require(URI(provider.server.server.apiResource))
        let redirectURI = try RedirectURI("http://127.0.0.1/callback")

        let metadata = try await ProtectedResourceMetadata.discover(api, over: transport)
        let configuration = try ClientConfiguration(for: metadata, clientID: "my-app", redirectURI: redirectURI)

        #expect(configuration.resources == [api])
    }
}

@Suite("Examples: tokens for some of the APIs")
struct ResourceAccessExamples {
    @Test("A way to one of them")
    func oneOfThem() async throws {
        let provider = TestProvider()
        let calendarAPI = try #require(URI(provider.server.server.apiResource))
        provider.server.change { _ = $0.clients[0].scopes.insert("calendar.read") }
        var options = SignInOptions()
        options.scope = ["openid", "calendar.read"]
        options.resources = [calendarAPI]
        let session = try await provider.client().signIn(options, with: provider.userAgent)
        let request = try HTTPRequest.get(provider.apiAddress("today"))

        let calendar = session.access(to: [calendarAPI], scope: ["calendar.read"])
        let reply = try await calendar.send(request)

        #expect(reply.status == 200)
    }
}
