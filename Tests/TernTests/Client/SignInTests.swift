import Tern
import TernTesting
import Testing

/// A client, a server and everything between them, without sockets and with a clock that is moved by hand.
struct World {
    let clock = FakeClock()
    let server: ServedAuthorizationServer
    let transport: TestTransport
    let store = MemoryStore()
    let client: OAuthClient
    let robot: RobotUserAgent

    init(
        _ server: AuthorizationServer = AuthorizationServer(), scope: Scope = ["openid", "profile", "email"],
        _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws {
        self.server = ServedAuthorizationServer(server)
        transport = TestTransport(self.server, clock: clock)
        robot = RobotUserAgent(transport: transport)
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(server.issuer.text)), clientID: TestClient.app.clientID,
            redirectURI: try RedirectURI("com.example.app:/callback"), scope: scope)
        configure(&configuration)
        client = OAuthClient(
            configuration, in: Environment(transport: transport, store: store, clock: clock))
    }
}

@Suite("Sign-in")
struct SignInTests {
    @Test("A cold sign-in makes three requests beside the browser's, a warm one makes one")
    func countsRequests() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(world.server.count(of: .openIDConfiguration) == 1)
        #expect(world.server.count(of: .keys) == 1)
        #expect(world.server.count(of: .token) == 1)

        _ = try await world.client.signIn(with: world.robot)
        #expect(world.server.count(of: .openIDConfiguration) == 1)
        #expect(world.server.count(of: .keys) == 1)
        #expect(world.server.count(of: .token) == 2)
    }

    @Test("User info, API, refresh and sign-out follow")
    func roundTrip() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        let address = world.server.server.apiAddress("notes")
        #expect(try await session.send(try .get(address)).status == 200)

        let before = try await session.accessToken()
        world.clock.advance(by: .seconds(3_600))
        #expect(try await session.send(try .get(address)).status == 200)
        #expect(try await session.accessToken() != before)
        #expect(world.server.count(of: .token) == 2)

        let restored = try #require(try await world.client.session())
        #expect(try await restored.accessToken() == session.accessToken())

        let report = try await session.signOut()
        #expect(report.revocation == .done)
        #expect(try await world.store.keys().isEmpty)
        #expect(try await world.client.session() == nil)
    }
}
