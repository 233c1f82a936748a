import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Discovery and keys") struct DiscoveryTests {
    @Test func bothDocumentsNameTheIssuerAndTheEndpoints() async throws {
        let rig = Rig()
        let openID = try await rig.send(.get, #require(URI("https://id.example.com/.well-known/openid-configuration")))
        let plain = try await rig.send(
            .get, #require(URI("https://id.example.com/.well-known/oauth-authorization-server")))
        #expect(openID.status == 200)
        #expect(openID.mediaType == "application/json")
        #expect(openID.fields["Cache-Control"] == "public, max-age=3600")
        #expect(openID.json["issuer"] == "https://id.example.com")
        #expect(openID.json["token_endpoint"] == "https://id.example.com/token")
        #expect(openID.json["code_challenge_methods_supported"] == ["S256"])
        #expect(openID.json["authorization_response_iss_parameter_supported"] == true)
        #expect(plain.json == openID.json)
    }

    @Test func anIssuerWithPathIsServedBelowAndBeforeIt() async throws {
        let issuer = try #require(URI("https://id.example.com/tenants/one"))
        let rig = Rig(AuthorizationServer(issuer: issuer))
        let below = "https://id.example.com/tenants/one/.well-known/openid-configuration"
        let before = "https://id.example.com/.well-known/oauth-authorization-server/tenants/one"
        for address in [below, before] {
            let answer = try await rig.send(.get, #require(URI(address)))
            #expect(answer.json["issuer"]?.string == issuer.text, "\(address)")
            #expect(answer.json["jwks_uri"] == "https://id.example.com/tenants/one/jwks")
        }
        let foreign = try await rig.send(.get, #require(URI("https://id.example.com/.well-known/openid-configuration")))
        #expect(foreign.status == 404)
        #expect(try await rig.answer()["iss"] == issuer.text)
    }

    @Test func metadataCanBeChanged() async throws {
        let rig = Rig()
        rig.served.change { $0.settings.metadataChanges = ["revocation_endpoint": nil, "x": 1] }
        let answer = try await rig.send(.get, rig.address(.openIDConfiguration))
        #expect(answer.json["revocation_endpoint"] == nil)
        #expect(answer.json["x"] == 1)
    }

    @Test func theKeySetHoldsAKeyForEachAlgorithmAndNoSecret() async throws {
        var edClient = TestClient("ed")
        edClient.idTokenAlgorithm = .edDSA
        edClient.userInfoAlgorithm = .es256
        let rig = Rig(Rig.server([.app, edClient]))
        let answer = try await rig.send(.get, rig.address(.keys))
        let keys = try JWKSet(parsing: answer.body)
        #expect(Set(keys.keys.compactMap(\.algorithm)) == ["RS256", "EdDSA", "ES256"])
        #expect(keys.keys.allSatisfy { !$0.isSecret && $0.use == "sig" && $0.keyID != nil })
    }

    @Test(arguments: [true, false])
    func rotationChangesTheKeyIDs(keepingPrevious: Bool) async throws {
        let rig = Rig()
        let before = try JWKSet(parsing: await rig.send(.get, rig.address(.keys)).body)
        rig.served.change { $0.rotateKeys(keepingPrevious: keepingPrevious) }
        let after = try JWKSet(parsing: await rig.send(.get, rig.address(.keys)).body)
        #expect(before.keys.map(\.keyID) == ["rs256-1"])
        #expect(after.keys.map(\.keyID) == (keepingPrevious ? ["rs256-2", "rs256-1"] : ["rs256-2"]))
        #expect(after.keys.first?.thumbprint() != before.keys.first?.thumbprint())
    }

    @Test func otherMethodsAndPathsAreRefused() async throws {
        let rig = Rig()
        let post = try await rig.send(.post, rig.address(.keys), form: [:])
        #expect(post.status == 405)
        #expect(post.fields["Allow"] == "GET, HEAD")
        #expect(try await rig.send(.get, rig.address(.token)).status == 405)
        #expect(try await rig.send(.get, #require(URI("https://id.example.com/nothing"))).status == 404)
        let head = try await rig.send(.head, rig.address(.openIDConfiguration))
        #expect(head.status == 200)
        #expect(head.body.isEmpty)
    }
}
