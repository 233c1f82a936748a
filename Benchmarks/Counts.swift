internal import Tern
internal import TernTesting

/// How often a server is asked: exact figures.
struct Counts {
    func run() async throws {
        let clock = FakeClock()
        let server = ServedAuthorizationServer()
        let transport = TestTransport(server, clock: clock)
        let client = try OAuthClient(
            issuer: AuthorizationServer.defaultIssuer.text, clientID: TestClient.app.clientID,
            redirectURI: "com.example.app:/callback", scope: ["openid", "offline_access"],
            in: Environment(transport: transport, store: MemoryStore(), clock: clock))
        let session = try await client.signIn(with: RobotUserAgent(transport: transport))
        print("jwks_hits_sign_in \(server.count(of: .keys))")
        try await countKeySets(client, server, session)
        clock.advance(by: .seconds(7_200))
        let before = server.count(of: .token)
        let good = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 { group.addTask { (try? await session.accessToken()) != nil } }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        guard good == 10_000 else { throw Failure("only \(good) of 10000 callers got a token") }
        print("refresh_hits_10000_callers \(server.count(of: .token) - before)")
    }

    private func countKeySets(
        _ client: OAuthClient, _ server: ServedAuthorizationServer, _ session: Session
    ) async throws {
        guard let encoded = try await session.credential().idToken else { throw Failure("no ID token") }
        for _ in 0..<500 { _ = try await client.verify(encoded, nonce: .ifPresent(nil)) }
        print("jwks_hits_500_known \(server.count(of: .keys))")
        let stranger = try JWK.generate(for: .es256, keyID: "ghost")
        let header = JWSHeader(algorithm: .es256, keyID: "ghost")
        let foreign = EncodedIDToken(try JWT.sign(JWTClaims(["sub": "x"]), header: header, key: stranger))
        let before = server.count(of: .keys)
        for _ in 0..<500 where (try? await client.verify(foreign, nonce: .ifPresent(nil))) != nil {
            throw Failure("a token of a stranger was accepted")
        }
        print("jwks_hits_500_unknown \(server.count(of: .keys) - before)")
    }
}
