import Tern
import TernTesting
import Testing

enum TestingExamples {
    @Test("Sign in, call, look and change")
    static func provider() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let reply = try await session.send(.get(provider.apiAddress("notes")))
        #expect(reply.status == 200)

        #expect(provider.server.count(of: .token) == 1)
        provider.clock.advance(by: .seconds(3600))  // the access token is over; the next call refreshes it
        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        await #expect(throws: TernError.self) { try await session.send(.get(provider.apiAddress("notes"))) }
    }

    @Test("Faults are data")
    static func faults() async throws {
        let provider = TestProvider()
        provider.server.add(Fault(at: .token, on: .first(2), .status(503), .header("Retry-After", "5")))
        provider.server.add(Fault(at: .token, .changeToken(TokenChange(.claim("iss", .append("1"))))))
        provider.server.add(Fault(at: .token, where: ["grant_type": "refresh_token"], .dropAnswer))

        let client = try provider.client()
        let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
        #expect(error?.reason == .transient(status: 503, retryAfter: .seconds(5)))
    }

    @Test("A list of faults")
    static func listOfFaults() {
        var server = AuthorizationServer()
        server.faults = [
            Fault(at: .token, on: .first(2), .status(503)),
            Fault(at: .token, .changeToken(TokenChange(.claim("iss", .append("1"))))),
        ]
        #expect(server.faults.list.count == 2)
    }

    @Test("The pages are served to a person")
    static func served() async throws {
        let server = try TestServer.start()
        print("sign in at \(server.issuer)")
        #expect(server.issuer.isLoopback)
        await server.stop()
    }
}
