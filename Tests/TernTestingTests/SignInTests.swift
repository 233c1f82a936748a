import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Whole sign-ins against the test server") struct SignInTests {
    @Test func fiveLines() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let reply = try await session.send(.get(provider.apiAddress("notes")))
        #expect(reply.status == 200)
        #expect(reply.json["sub"] == "user-ada")
        #expect(try await session.userInfo().subject == "user-ada")
        #expect(try await provider.store.keys().count == 1)
    }

    @Test func aSignInTakesThreeCallsAndTheNextOne() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        _ = try await client.signIn(with: provider.userAgent)
        let calls: [Endpoint] = [.openIDConfiguration, .keys, .token]
        #expect(calls.map(provider.server.count) == [1, 1, 1])
        _ = try await client.signIn(with: provider.userAgent)
        #expect(calls.map(provider.server.count) == [1, 1, 2])
    }

    @Test(arguments: [TestClient.Authentication.basic("p%q&r"), .post("p%q&r"), .none])
    func everyClientAuthentication(authentication: TestClient.Authentication) async throws {
        let provider = TestProvider(
            AuthorizationServer(clients: [TestClient("a b:c+d", authentication: authentication)]))
        let session = try await provider.client().signIn(with: provider.userAgent)
        try await session.refresh()
        #expect(provider.server.count(of: .token) == 2)
    }

    @Test func anExpiredTokenIsRenewed() async throws {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(3600))
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
        #expect(provider.server.requests(to: .token).last?.parameters["grant_type"] == "refresh_token")
    }

    @Test func aRevokedGrantEndsTheSession() async throws {
        let provider = TestProvider()
        let session = try await provider.client().signIn(with: provider.userAgent)
        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        provider.clock.advance(by: .seconds(3600))
        let error = await #expect(throws: TernError.self) { try await session.accessToken() }
        #expect(error?.code == "reauthentication_required")
    }

    @Test func denialReachesTheApplication() async throws {
        let provider = TestProvider(consent: .deny)
        let error = await #expect(throws: TernError.self) {
            try await provider.client().signIn(with: provider.userAgent)
        }
        #expect(error?.serverError?.code == "access_denied")
    }

    @Test func signOutRevokesAndEndsTheBrowsersSession() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let report = try await session.signOut(.browserToo(provider.userAgent))
        #expect(report.revocation == .done)
        #expect(report.endSession == .done)
        #expect(provider.server.count(of: .revocation) >= 1)
        var options = SignInOptions()
        options.prompt = [.none]
        let error = await #expect(throws: TernError.self) {
            try await client.signIn(options, with: provider.userAgent)
        }
        #expect(error?.serverError?.code == "login_required")
    }

    @Test(arguments: [
        (TokenChange(.claim("iss", .append("1"))), "id_token_issuer_mismatch"),
        (TokenChange(.claim("aud", .append("1"))), "id_token_audience_mismatch"),
        (TokenChange(.claim("nonce", .append("1"))), "id_token_nonce_mismatch"),
        (TokenChange(.claim("exp", .move(.seconds(-1560)))), "id_token_expired"),
        (TokenChange(.claim("at_hash", .append("1"))), "id_token_at_hash_mismatch"),
        (TokenChange(signature: .turned()), "id_token_signature"),
        (TokenChange(signature: .byForeignKey), "id_token_signature"),
        (TokenChange(signature: .none), "id_token_unsupported_algorithm"),
    ])
    func aChangedIDTokenIsRefusedAndNothingIsStored(change: TokenChange, code: String) async throws {
        let provider = TestProvider()
        provider.server.add(Fault(at: .token, .changeToken(change)))
        let error = await #expect(throws: TernError.self) {
            try await provider.client().signIn(with: provider.userAgent)
        }
        #expect(error?.code == code)
        #expect(try await provider.store.keys().isEmpty)
    }

    @Test func keysThatChangeAreFetchedAgain() async throws {
        let provider = TestProvider()
        provider.server.add(Fault(at: .token, on: .nth(2), .rotateKeys(keepingPrevious: false)))
        let client = try provider.client()
        _ = try await client.signIn(with: provider.userAgent)
        #expect(provider.server.count(of: .keys) == 1)
        _ = try await client.signIn(with: provider.userAgent)
        #expect(provider.server.count(of: .keys) == 2)
    }
}
