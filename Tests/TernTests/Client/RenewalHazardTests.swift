import Tern
import TernTesting
import Testing

@Suite("Hazards of a renewal")
struct RenewalHazardTests {
    @Test("Where the new ID token's keys cannot be had, the new refresh token is kept and nothing else is used")
    func keysOutOfReach() async throws {
        let world = try World()
        let before = try await world.client.signIn(with: world.robot).credential()
        world.clock.advance(by: .seconds(3_600))
        // Another process, whose cache is cold.
        let cold = OAuthClient(world.client.configuration, in: world.client.environment)
        world.server.add(Fault(at: .keys, on: .first(1), .replace(HTTPResponse(status: 503))))
        let session = try #require(try await cold.session())
        let error = await #expect(throws: TernError.self) { try await session.accessToken() }
        #expect(error?.code == "transient")

        let kept = try Credential(try #require(try await world.store.load(session.account)))
        #expect(kept.accessToken == before.accessToken)
        #expect(kept.refreshToken != before.refreshToken)
        let later = try #require(try await cold.session())
        #expect(try await later.accessToken() != before.accessToken)
    }

    @Test("An access token with a line end in it is refused", arguments: ["a\nb", "a\u{0}b", "\u{7F}"])
    func controlCharacters(_ token: String) async throws {
        let world = try World()
        world.server.add(Fault(at: .token, .member("access_token", .set(.string(token)))))
        let error = await #expect(throws: TernError.self) { try await world.client.signIn(with: world.robot) }
        #expect(error?.code == "malformed_response")
    }
}
