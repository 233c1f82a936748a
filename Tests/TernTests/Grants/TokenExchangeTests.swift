import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Token exchange")
struct TokenExchangeTests {
    @Test("Impersonation: a token for another service, with fewer scopes")
    func impersonation() async throws {
        let world = try GrantWorld { $0.settings.exchangeTargets = ["orders", "https://api.example.com/"] }
        let session = try await world.client.signIn(with: world.provider.userAgent)
        let issued = try await world.client.exchangeToken(TypedToken(try await session.accessToken())) { grant in
            grant.audiences = ["orders"]
            grant.resources = [URI("https://api.example.com/")].compactMap(\.self)
            grant.scope = ["api"]
        }
        #expect(issued.type == .accessToken && issued.scope == "api")
        let token = try #require(issued.accessToken)
        let reply = try await world.provider.transport.send(
            HTTPRequest(
                .get, try #require(URI(world.provider.apiAddress("notes"))),
                fields: ["Authorization": "Bearer " + token.exposedText]), step: .resourceRequest)
        let told = try JSON(parsing: reply.body)
        #expect(told["sub"]?.string == TestUser.ada.subject && told["act"] == nil)
        #expect(try world.lastGrant()["grant_type"] == "urn:ietf:params:oauth:grant-type:token-exchange")
        #expect(
            try world.lastGrant()["subject_token_type"] == "urn:ietf:params:oauth:token-type:access_token")
    }

    @Test("Delegation: who acts stands in act, and only who may is let")
    func delegation() async throws {
        let world = try GrantWorld()
        let session = try await world.client.signIn(with: world.provider.userAgent)
        let service = try await world.client.clientCredentials()
        let subject = TypedToken(try #require(try await session.credential().idToken))
        let actor = TypedToken(try await service.accessToken())
        #expect(
            try await world.code { try await world.client.exchangeToken(subject, actor: actor) } == "invalid_request")
        world.provider.server.change { $0.settings.delegations = [TestUser.ada.subject: ["service"]] }
        let issued = try await world.client.exchangeToken(subject, actor: actor) { $0.requestedTokenType = .jwt }
        #expect(issued.accessToken == nil && issued.type == .jwt)
        let claims = try JWTClaims(parsing: JWS(compact: issued.token.exposedText).payload)
        #expect(claims["sub"]?.string == TestUser.ada.subject)
        #expect(claims["act"]?["sub"]?.string == "service")
    }

    @Test("Unknown targets, foreign tokens and kinds that are not issued are refused with the standard's codes")
    func refusals() async throws {
        let world = try GrantWorld { $0.settings.exchangeTargets = [] }
        let session = try await world.client.signIn(with: world.provider.userAgent)
        let subject = TypedToken(try await session.accessToken())
        func code(_ subject: TypedToken, _ change: (inout TokenExchangeGrant) -> Void) async throws -> String? {
            try await world.code { try await world.client.exchangeToken(subject, change) }
        }
        #expect(try await code(subject) { $0.audiences = ["x"] } == "invalid_target")
        #expect(try await code(subject) { $0.scope = ["admin"] } == "invalid_scope")
        #expect(try await code(subject) { $0.requestedTokenType = .saml2 } == "invalid_request")
        #expect(try await code(TypedToken(AccessToken("foreign"))) { _ in } == "invalid_request")
        #expect(try await code(TypedToken(SecurityToken("x"), type: .saml2)) { _ in } == "invalid_request")
        world.provider.clock.advance(by: .seconds(3_600))
        #expect(try await code(subject) { _ in } == "invalid_request")
    }
}
