import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("ID tokens of the test server") struct IDTokenTests {
    @Test func theClaims() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens(["acr_values": "gold silver"])
        let claims = try await rig.claims(of: tokens.id)
        #expect(claims["iss"] == "https://id.example.com")
        #expect(claims["sub"] == "user-ada")
        #expect(claims["aud"] == "test-app")
        #expect(claims["iat"] == 1_750_000_000)
        #expect(claims["exp"] == 1_750_000_600)
        #expect(claims["auth_time"] == 1_750_000_000)
        #expect(claims["nonce"] == "n-1")
        #expect(claims["acr"] == "gold")
        #expect(claims["azp"] == nil)
        #expect(claims["name"] == nil)
        #expect(claims["sid"]?.string?.isEmpty == false)
        // 128 bits in Base64url.
        #expect(claims["at_hash"]?.string?.utf8.count == 22)
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .ps384, .es256, .es512, .edDSA])
    func everyAlgorithmVerifies(algorithm: SignatureAlgorithm) async throws {
        var client = TestClient.app
        client.idTokenAlgorithm = algorithm
        let rig = Rig(Rig.server([client]))
        let token = try await rig.tokens().id
        #expect(try JWS(compact: token).header.algorithm == algorithm)
        #expect(try await rig.claims(of: token)["sub"] == "user-ada")
    }

    @Test func aSymmetricAlgorithmUsesTheSecret() async throws {
        let secret = "0123456789abcdef0123456789abcdef"
        var client = TestClient("test-app", authentication: .post(secret))
        client.idTokenAlgorithm = .hs256
        let rig = Rig(Rig.server([client]))
        let response = try await rig.exchange(code: rig.answer()["code"] ?? "", ["client_secret": secret])
        let jws = try JWS(compact: Tokens(response).id)
        try jws.verify(with: JWK(.symmetric(SymmetricKey(Array(secret.utf8)))), allowed: [.hs256])
    }

    @Test func furtherAudiencesAndUserClaims() async throws {
        var client = TestClient.app
        client.furtherAudiences = ["api-1"]
        client.putsUserClaimsIntoIDToken = true
        let rig = Rig(Rig.server([client]))
        let claims = try await rig.claims(of: rig.tokens(["scope": "openid email"]).id)
        #expect(claims["aud"] == ["test-app", "api-1"])
        #expect(claims["azp"] == "test-app")
        #expect(claims["email"] == "ada@example.com")
        #expect(claims["name"] == nil)
    }
}
