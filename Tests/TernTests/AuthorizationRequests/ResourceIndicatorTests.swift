import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Tokens for named APIs (RFC 8707), and details of what they allow (RFC 9396)")
struct ResourceIndicatorTests {
    private func uri(_ text: String) throws -> URI { try #require(URI(text)) }

    @Test(
        "The API is named at the authorization endpoint, with the code, and with each renewal; a new process knows it")
    func everywhere() async throws {
        let world = try RequestWorld()
        let api = try uri(world.provider.server.server.apiResource)
        var options = SignInOptions()
        options.resources = [api]
        let session = try await world.signIn(options)
        #expect(try world.opened().values(of: "resource") == [api.text])
        #expect(try await session.credential().resources == [api])
        world.provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        let again = try #require(
            try await OAuthClient(world.client.configuration, in: world.provider.environment).session())
        world.provider.clock.advance(by: .seconds(4000))
        _ = try await again.accessToken()
        let sent = world.provider.server.requests(to: .token).map { $0.parameters.values(of: "resource") }
        #expect(sent == [[api.text], [api.text], [api.text]])
        #expect(try await again.send(.get(world.provider.apiAddress("notes"))).status == 200)
    }

    @Test("A token for another API is refused by the server's own")
    func another() async throws {
        let world = try RequestWorld(client: { configuration, _ in
            configuration.resources = [URI("https://other.example/api")].compactMap(\.self)
        })
        let session = try await world.signIn()
        let token = try await session.accessToken()
        var call = try HTTPRequest.get(world.provider.apiAddress("notes"))
        call.fields["Authorization"] = "Bearer " + token.exposedText
        let answer = try await world.provider.transport.send(call, step: .resourceRequest)
        #expect(answer.status == 401)
    }

    @Test("The configuration's APIs are named where a sign-in names none, and only then")
    func configured() async throws {
        let world = try RequestWorld(client: { configuration, _ in
            configuration.resources = [URI("https://a.example")].compactMap(\.self)
        })
        _ = try await world.signIn()
        #expect(try world.opened().values(of: "resource") == ["https://a.example"])
        var options = SignInOptions()
        options.resources = [try uri("https://b.example")]
        let signIn = try await world.client.begin(options)
        #expect(
            FormParameters(decoding: signIn.address.encodedQuery ?? "")?.values(of: "resource") == [
                "https://b.example"
            ])
    }

    @Test("A JWT access token is for the API that was named")
    func audience() async throws {
        let world = try RequestWorld(server: { $0.settings.accessTokenFormat = .jwt() }) { configuration, _ in
            configuration.resources = [URI("https://a.example")].compactMap(\.self)
        }
        let token = try await world.signIn().accessToken()
        #expect(try JWT(compact: token.exposedText).claims["aud"]?.string == "https://a.example")
    }

    @Test("A resource with a fragment is refused here, one that the server does not know there")
    func refused() async throws {
        let world = try RequestWorld(server: { $0.settings.requests.resources = [] })
        var options = SignInOptions()
        options.resources = [try uri("https://a.example/#x")]
        #expect(
            try await world.reason { try await world.signIn(options) }
                == .invalidConfiguration(field: "resource", problem: "it has a fragment"))
        options.resources = [try uri("https://a.example/")]
        #expect(try await world.serverCode { try await world.signIn(options) } == "invalid_target")
    }

    @Test("Details arrive as they were made, come back with the token, and stay through a renewal")
    func details() async throws {
        let world = try RequestWorld()
        var options = SignInOptions()
        options.authorizationDetails = [
            try AuthorizationDetail(
                type: "payment_initiation",
                members: ["actions": ["initiate"], "instructedAmount": ["currency": "EUR", "amount": "123.50"]])
        ]
        let session = try await world.signIn(options)
        #expect(try await session.credential().authorizationDetails == options.authorizationDetails)
        world.provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        #expect(try await session.credential().authorizationDetails == options.authorizationDetails)
        let told = try JSON(parsing: try await session.send(.get(world.provider.apiAddress("pay"))).body)
        #expect(told["authorization_details"]?.array?.first?["instructedAmount"]?["amount"]?.string == "123.50")
    }

    @Test("A type that the server does not know is refused before any page is shown; a silent server refuses it itself")
    func unknownTypes() async throws {
        var options = SignInOptions()
        options.authorizationDetails = [try AuthorizationDetail(type: "unheard-of")]
        let world = try RequestWorld()
        #expect(
            try await world.reason { try await world.signIn(options) }
                == .unsupported("authorization details of the type \"unheard-of\""))
        let silent = try RequestWorld(
            server: {
                $0.settings.metadataChanges["authorization_details_types_supported"] = JSON?.none
            })
        #expect(
            try await silent.serverCode { try await silent.signIn(options) } == "invalid_authorization_details")
    }

    @Test("A detail needs a type, and has one")
    func detailForm() throws {
        #expect(throws: TernError.self) { try AuthorizationDetail(type: "") }
        #expect(throws: TernError.self) { try AuthorizationDetail(type: "a", members: ["type": "b"]) }
        #expect(AuthorizationDetail(["actions": []]) == nil)
        #expect(AuthorizationDetail("a") == nil)
        let detail = try AuthorizationDetail(type: "a", members: ["type": "a", "actions": ["read"]])
        #expect(detail.json == ["type": "a", "actions": ["read"]])
        #expect(AuthorizationDetail(detail.json) == detail)
    }
}
