import Tern
import TernTesting
import Testing

enum GrantExamples {
    static func page(_ client: OAuthClient) async throws -> Session {
        let session = try await client.signIn(with: LoopbackUserAgent(application: "My App"))
        return session
    }

    static func device(_ client: OAuthClient) async throws -> Session {
        let session = try await client.signInOnOtherDevice { authorization in
            print("Open \(authorization.verificationURI.text) and type \(authorization.userCode)")
        }
        return session
    }

    static func clientCredentials(_ client: OAuthClient) async throws -> Session {
        let session = try await client.clientCredentials(RequestedAccess(scope: ["reports"]))
        return session
    }

    static func serviceAccount(_ client: OAuthClient, _ key: SigningKey) async throws -> Session {
        let issuer = AssertionIssuer(key: key, issuer: "robot@example.com")
        let session = try await client.serviceAccount(issuer, RequestedAccess(scope: ["reports"]))
        return session
    }

    static func assertion(_ client: OAuthClient, _ assertion: GrantAssertion) async throws -> Session {
        let session = try await client.signIn(asserting: assertion, RequestedAccess(scope: ["reports"]))
        return session
    }

    static func exchange(
        _ client: OAuthClient, _ userToken: AccessToken, _ ownToken: AccessToken
    ) async throws -> ExchangedToken {
        let exchanged = try await client.exchangeToken(TypedToken(userToken), actor: TypedToken(ownToken)) { grant in
            grant.audiences = ["https://billing.example.com"]
            grant.scope = ["invoices"]
        }
        return exchanged
    }

    static func backchannel(_ client: OAuthClient) async throws -> Session {
        var options = BackchannelSignInOptions(asking: .login("ada@example.com"))
        options.bindingMessage = "W4SCT"  // shown on both sides
        let session = try await client.signInOverBackchannel(options)
        return session
    }

    static func password(_ client: OAuthClient, _ name: String, _ password: UserPassword) async throws -> Session {
        let session = try await client.signInHandingOverPassword(username: name, userPassword: password)
        return session
    }
}

@Suite("Examples of grants")
struct GrantExampleTests {
    private static func provider(_ change: (inout AuthorizationServer) -> Void = { _ in }) -> TestProvider {
        var service = TestClient("service", authentication: .basic("secret"))
        service.scopes.formUnion(["reports", "invoices"])
        var server = AuthorizationServer(clients: [service])
        change(&server)
        return TestProvider(server)
    }

    @Test("A service has tokens of its own, and exchanges a user's for another")
    func services() async throws {
        let provider = Self.provider { $0.settings.delegations = [TestUser.ada.subject: ["service"]] }
        let client = try provider.client(scope: ["openid", "invoices"])
        let own = try await GrantExamples.clientCredentials(client)
        #expect(try await own.credential().scope == ["reports"])
        let user = try await client.signIn(with: provider.userAgent)
        let exchanged = try await GrantExamples.exchange(client, user.accessToken(), own.accessToken())
        #expect(exchanged.scope == ["invoices"])
    }

    @Test("A service account asserts")
    func serviceAccount() async throws {
        let key = try SigningKey(JWK.generate(for: .es256, keyID: "k-1"))
        let provider = Self.provider { $0.settings.trustedIssuers = [TrustedIssuer("robot@example.com", key: key)] }
        let session = try await GrantExamples.serviceAccount(try provider.client(), key)
        #expect(try await session.credential().scope == ["reports"])
    }

    @Test("A password is handed over")
    func password() async throws {
        let provider = Self.provider { $0.settings.allowsPasswordGrant = true }
        let session = try await GrantExamples.password(try provider.client(), "ada", UserPassword("lovelace"))
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }
}
