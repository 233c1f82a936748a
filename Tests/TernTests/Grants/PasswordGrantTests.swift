import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

@Suite("The password grant, for old services")
struct PasswordGrantTests {
    @Test("Only where a setting allows it; the password is not kept")
    func wholeWay() async throws {
        let world = try GrantWorld(.app)
        func signIn(_ password: String) async throws -> Session {
            try await world.client.signInHandingOverPassword(
                username: "ada", userPassword: UserPassword(password), RequestedAccess(scope: ["api"]))
        }
        #expect(try await world.code { try await signIn("lovelace") } == "unsupported_grant_type")
        world.provider.server.change { $0.settings.allowsPasswordGrant = true }
        #expect(try await world.code { try await signIn("wrong") } == "invalid_grant")
        let session = try await signIn("lovelace")
        let record = try #require(try await world.provider.store.load(session.account))
        #expect(!String(decoding: record.exposedBytes, as: UTF8.self).contains("lovelace"))
        let first = try await session.accessToken()
        world.provider.clock.advance(by: .seconds(3_600))
        #expect(try await session.accessToken() != first)
        #expect(try world.lastGrant()["grant_type"] == "refresh_token")
    }
}
