import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Tokens for some of the APIs (RFC 8707 §2.2)")
struct ResourceAccessTests {
    private static let other = "https://other.example/api"

    /// A session for the server's own API and another one.
    private func session(
        _ change: (inout AuthorizationServer) -> Void = { _ in },
        _ adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) async throws -> (RequestWorld, Session, own: URI, other: URI) {
        let world = try RequestWorld(server: change, client: { configuration, _ in adjust(&configuration) })
        let own = try #require(URI(world.provider.server.server.apiResource))
        let other = try #require(URI(Self.other))
        var options = SignInOptions()
        options.resources = [own, other]
        return (world, try await world.signIn(options), own, other)
    }

    private func statuses(_ access: some RequestAuthorizer, _ world: RequestWorld, times: Int = 1) async throws -> [Int]
    {
        var statuses: [Int] = []
        for _ in 1...times {
            let request = try await access.authorize(.get(world.provider.apiAddress("notes")))
            statuses.append(try await world.provider.transport.send(request, step: .resourceRequest).status)
        }
        return statuses
    }

    @Test("A token for the other API is of no use at this one, and the session's own stays as it was")
    func narrow() async throws {
        let (world, session, own, other) = try await session()
        let wide = try await session.accessToken()
        #expect(try await statuses(session.access(to: [other]), world) == [401])
        #expect(try await statuses(session.access(to: [own]), world, times: 3) == [200, 200, 200])
        #expect(try await session.accessToken() == wide)
        // One for each, and kept.
        #expect(world.count(.token) == 3)
        let sent = world.provider.server.requests(to: .token).map { $0.parameters.values(of: "resource") }
        #expect(sent == [[own.text, other.text], [other.text], [own.text]])
    }

    @Test("The rotated refresh token is kept: the session and a new process go on with it")
    func rotation() async throws {
        let (world, session, own, _) = try await session()
        let before = try await session.credential().refreshToken
        _ = try await session.access(to: [own]).accessToken()
        let again = try #require(try await world.client.session())
        #expect(try await again.credential().refreshToken != before)
        world.provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        #expect(try await session.send(.get(world.provider.apiAddress("notes"))).status == 200)
        #expect(try await again.send(.get(world.provider.apiAddress("notes"))).status == 200)
    }

    @Test("Twenty callers at once: one request")
    func together() async throws {
        let (world, session, own, _) = try await session()
        let tokens = try await withThrowingTaskGroup(of: AccessToken.self) { group in
            for _ in 1...20 { group.addTask { try await session.access(to: [own]).accessToken() } }
            return try await group.reduce(into: Set<AccessToken>()) { $0.insert($1) }
        }
        #expect(tokens.count == 1)
        #expect(world.count(.token) == 2)
    }

    @Test("A refused token is replaced once, and the call repeated")
    func refused() async throws {
        let (world, session, own, _) = try await session()
        let access = session.access(to: [own])
        _ = try await access.accessToken()
        world.provider.server.change { $0.forgetAccessTokens() }
        #expect(try await access.send(.get(world.provider.apiAddress("notes"))).status == 200)
        #expect(world.count(.token) == 3)
        world.provider.clock.advance(by: .seconds(4000))
        #expect(try await access.send(.get(world.provider.apiAddress("notes"))).status == 200)
    }

    @Test("Bound tokens come with proofs, and the API's nonce is learned")
    func bound() async throws {
        let (world, session, own, _) = try await session(
            {
                $0.settings.dpop.use = .demanded
                $0.settings.dpop.nonceLifetimeAtAPI = .seconds(300)
            }, { $0.dpop = DPoP() })
        #expect(try await session.access(to: [own]).send(.get(world.provider.apiAddress("notes"))).status == 200)
    }

    @Test("Less scope, where that is enough")
    func scope() async throws {
        let (world, session, own, _) = try await session()
        let answer = try await session.access(to: [own], scope: ["api"]).send(
            .get(world.provider.apiAddress("notes")))
        #expect(try JSON(parsing: answer.body)["scope"]?.string == "api")
    }

    @Test("An API that the sign-in did not name is refused by the server, and the session lives on")
    func unnamed() async throws {
        let (world, session, _, _) = try await session()
        let stranger = try #require(URI("https://stranger.example"))
        #expect(
            try await world.serverCode { try await session.access(to: [stranger]).accessToken() } == "invalid_target")
        #expect(try await session.send(.get(world.provider.apiAddress("notes"))).status == 200)
    }

    @Test("After the sign-out there is nothing")
    func signedOut() async throws {
        let (world, session, own, _) = try await session()
        let access = session.access(to: [own])
        _ = try await access.accessToken()
        _ = try await session.signOut()
        #expect(try await world.reason { try await access.accessToken() } == .signedOut)
    }

    @Test("A good answer is the caller's, whatever has become of the token and of the server meanwhile")
    func goodAnswer() async throws {
        let (world, session, own, _) = try await session()
        let access = session.access(to: [own])
        let request = try await access.authorize(.get(world.provider.apiAddress("notes")))
        world.provider.clock.advance(by: .seconds(4000))
        world.provider.server.add(Fault(at: .token, .replace(HTTPResponse(status: 503))))
        let decision = await access.decision(
            on: HTTPResponse(status: 201), to: request, attempt: 1, bodyCanBeReplayed: true)
        #expect(decision == .handOver)
    }

    @Test("A dead grant ends the session here too, and is not tried again")
    func deadGrant() async throws {
        let (world, session, own, _) = try await session()
        world.provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        for _ in 1...2 {
            #expect(
                try await world.reason { try await session.access(to: [own]).accessToken() }?.code
                    == "reauthentication_required")
        }
        #expect(world.count(.token) == 2)
        #expect(try await world.reason { try await session.accessToken() }?.code == "reauthentication_required")
        #expect(world.count(.token) == 2)
    }

    @Test("A server that wants to be left alone is")
    func leftAlone() async throws {
        let (world, session, own, _) = try await session()
        world.provider.server.add(
            Fault(at: .token, .replace(HTTPResponse(status: 429, fields: ["Retry-After": "600"]))))
        for _ in 1...3 {
            #expect(try await world.reason { try await session.access(to: [own]).accessToken() }?.code == "transient")
        }
        #expect(world.count(.token) == 2)
    }

    @Test("Without a refresh token it cannot be")
    func noRefreshToken() async throws {
        let (world, session, own, _) = try await session({ $0.clients[0].refreshTokens = .never })
        #expect(
            try await world.reason { try await session.access(to: [own]).accessToken() }
                == .unsupported("tokens for one API: there is no refresh token"))
    }
}
