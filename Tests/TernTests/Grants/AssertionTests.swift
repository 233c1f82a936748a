import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Assertions as grants")
struct AssertionTests {
    private static func issuer(_ subject: String? = nil) throws -> AssertionIssuer {
        AssertionIssuer(
            key: try SigningKey(JWK.generate(for: .es256, keyID: "k-1")), issuer: "robot@example.com", subject: subject)
    }

    private static func world(_ issuer: AssertionIssuer) throws -> GrantWorld {
        try GrantWorld(.app) { $0.settings.trustedIssuers = [TrustedIssuer(issuer.issuer, key: issuer.key)] }
    }

    @Test("A service account renews with a new assertion, and takes what the store holds")
    func serviceAccount() async throws {
        let issuer = try Self.issuer()
        let world = try Self.world(issuer)
        let access = RequestedAccess(scope: ["api"])
        let session = try await world.client.serviceAccount(issuer, access)
        let first = try await session.accessToken()
        let assertion = try #require(try world.lastGrant()["assertion"])
        let claims = try JWTClaims(parsing: JWS(compact: assertion).payload)
        #expect(claims["iss"]?.string == issuer.issuer && claims["sub"]?.string == issuer.issuer)
        #expect(claims["aud"]?.string == world.provider.issuer)
        #expect(claims["exp"]?.integer == 1_750_000_300 && claims["iat"]?.integer == 1_750_000_000)
        #expect(try await world.newClient().serviceAccount(issuer, access).accessToken() == first)
        world.provider.clock.advance(by: .seconds(3_600))
        #expect(try await session.accessToken() != first)
        #expect(try world.lastGrant()["assertion"] != assertion)
        #expect(world.count(.token) == 2)
    }

    @Test("A session without the key goes on until its token ends")
    func withoutKey() async throws {
        let issuer = try Self.issuer()
        let world = try Self.world(issuer)
        let session = try await world.client.serviceAccount(issuer)
        let other = try #require(try await world.newClient().session(session.account))
        #expect(try await other.accessToken() == session.accessToken())
        world.provider.clock.advance(by: .seconds(3_600))
        #expect(try await world.reason { try await other.accessToken() } == .reauthenticationRequired(nil))
        let renewed = try await session.accessToken()
        #expect(try await other.accessToken() == renewed)
    }

    @Test("For a user, with the token endpoint as audience")
    func aboutUser() async throws {
        var issuer = try Self.issuer(TestUser.ada.subject)
        issuer.audience = .tokenEndpoint
        let world = try Self.world(issuer)
        let session = try await world.client.serviceAccount(issuer, RequestedAccess(scope: ["api"]))
        let reply = try await session.send(.get(world.provider.apiAddress("notes")))
        #expect(try JSON(parsing: reply.body)["sub"]?.string == TestUser.ada.subject)
    }

    @Test("A given assertion is taken once")
    func given() async throws {
        let issuer = try Self.issuer()
        let world = try Self.world(issuer)
        let metadata = try await world.client.metadata()
        let assertion = try issuer.assertion(
            for: metadata, now: world.provider.clock.now, random: SystemRandomSource())
        let session = try await world.client.signIn(asserting: assertion, RequestedAccess(scope: ["api"]))
        #expect(try await session.credential().scope == "api")
        #expect(try await world.code { try await world.client.signIn(asserting: assertion) } == "invalid_grant")
        #expect(
            try await world.code { try await world.client.signIn(asserting: assertion, kind: .saml2) }
                == "unsupported_grant_type")
    }

    @Test(
        "The strict server refuses what RFC 7523 §3 forbids",
        arguments: ["audience", "late", "long", "key", "issuer", "subject"])
    func refused(what: String) async throws {
        var issuer = try Self.issuer()
        let world = try Self.world(issuer)
        switch what {
        case "audience": issuer.audience = .text("https://other.example")
        case "late": issuer.lifetime = .seconds(-1)
        case "long": issuer.lifetime = .seconds(86_400)
        case "key": issuer.key = try SigningKey(JWK.generate(for: .es256, keyID: "k-1"))
        case "issuer": issuer.issuer = "stranger"
        default: issuer.subject = "nobody"
        }
        let wrong = issuer
        let code = try await world.code { try await world.client.serviceAccount(wrong) }
        #expect(code == "invalid_grant")
    }
}
