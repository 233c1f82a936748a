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
        configuration.retryPolicy = .never
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

@Suite("What a server is asked for")
struct RequestCountTests {
    #if !canImport(Darwin)
        @Test("Over real connections a cold sign-in makes three requests over one connection")
        func oneConnection() async throws {
            let server = try TestServer.start()
            let transport = CurlTransport()
            let client = try OAuthClient(
                issuer: server.issuer.text, clientID: TestClient.app.clientID,
                in: Environment(transport: transport, store: MemoryStore()))
            let robot = RobotOpener(RobotBrowser(transport: CurlTransport()))
            _ = try await client.signIn(with: LoopbackUserAgent(application: "Test", browser: robot))
            #expect(transport.counters.requests == 3)
            #expect(transport.counters.connections == 1)
            await server.stop()
        }
    #endif

    @Test("500 ID tokens with known keys fetch the set once, 500 with an unknown one once more")
    func keySetFetches() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        let encoded = try #require(try await session.credential().idToken)
        for _ in 0..<500 {
            _ = try await world.client.verify(encoded, nonce: .ifPresent(nil))
        }
        #expect(world.server.count(of: .keys) == 1)

        let stranger = try JWK.generate(for: .es256, keyID: "ghost")
        let foreign = EncodedIDToken(
            try JWT.sign(JWTClaims(["sub": "x"]), header: JWSHeader(algorithm: .es256, keyID: "ghost"), key: stranger))
        for _ in 0..<500 {
            let error = await #expect(throws: TernError.self) {
                try await world.client.verify(foreign, nonce: .ifPresent(nil))
            }
            #expect(error?.reason == .idTokenRejected(.unknownKey))
        }
        #expect(world.server.count(of: .keys) == 2)
    }

    @Test("After the keys were changed one fetch heals it, for a thousand at once")
    func rotation() async throws {
        let world = try World()
        _ = try await world.client.signIn(with: world.robot)
        world.server.change { $0.rotateKeys(keepingPrevious: false) }
        let session = try await world.client.signIn(with: world.robot)
        #expect(world.server.count(of: .keys) == 2)
        let encoded = try #require(try await session.credential().idToken)

        let other = try World(world.server.server)
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<1_000 {
                group.addTask { (try? await other.client.verify(encoded, nonce: .ifPresent(nil))) != nil }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 1_000)
        #expect(other.server.count(of: .keys) - world.server.count(of: .keys) == 1)
    }

    @Test("Signed user info is verified with fresh keys after the server changed them")
    func signedUserInfo() async throws {
        var app = TestClient.app
        app.userInfoAlgorithm = .es256
        let world = try World(AuthorizationServer(clients: [app]))
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        world.server.change { $0.rotateKeys(keepingPrevious: false) }
        #expect(try await session.userInfo().subject == TestUser.ada.subject)
        #expect(world.server.count(of: .keys) == 2)
    }

    @Test("10,000 callers who find the token expired cause one refresh, and its failure reaches all of them")
    func stampede() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.clock.advance(by: .seconds(3_600))
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 { group.addTask { (try? await session.accessToken()) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(good == 10_000)
        #expect(world.server.count(of: .token) == 2)

        world.clock.advance(by: .seconds(3_600))
        world.server.add(Fault(at: .token, on: .first(1), .replace(HTTPResponse(status: 503))))
        let failed = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    do throws(TernError) {
                        _ = try await session.accessToken()
                        return nil
                    } catch { return error.code }
                }
            }
            return await group.reduce(into: Set<String?>()) { $0.insert($1) }
        }
        #expect(failed.contains("transient"))
        #expect(try await !session.accessToken().isEmpty)
    }
}
