import Tern
import TernTesting
import Testing

enum BoundTokenExamples {
    static func bound(_ client: OAuthClient) -> OAuthClient {
        var configuration = client.configuration
        configuration.dpop = DPoP()
        let bound = OAuthClient(configuration, in: client.environment)
        return bound
    }

    static func bind(_ configuration: inout ClientConfiguration, to key: SigningKey) {
        configuration.dpop = DPoP(key: .given(key))
    }

    static func bind(_ configuration: inout ClientConfiguration, within vault: some KeyVault) {
        configuration.dpop = DPoP(key: .vault(vault))
    }

    static func bindToCertificate(_ configuration: inout ClientConfiguration) {
        configuration.wantsCertificateBoundTokens = true
    }

    static func encrypt(_ configuration: inout ClientConfiguration) throws -> JSONObject {
        let key = try JWK.generate(for: .ecdhES, keyID: "2026-12")
        configuration.decryptionKeys = JWKSet([key])
        configuration.idTokenEncryption = .required
        let published = configuration.decryptionKeys.publicJSON()
        return published
    }

    static func byHand(_ publicKey: JWK, _ key: JWK) throws -> [UInt8] {
        let header = JWEHeader(algorithm: .ecdhES, encryption: .a256GCM, keyID: "2026-12")
        let text = try JWE.encrypt(payload: Array("for you alone".utf8), header: header, key: publicKey)
        let opened = try JWE(compact: text).opened(with: JWKSet([key]))
        return opened
    }
}

@Suite("Examples of bound and encrypted tokens")
struct BoundTokenExampleTests {
    @Test("Tokens are bound by one line")
    func bound() async throws {
        var server = AuthorizationServer()
        server.settings.dpop.use = .demanded
        let provider = TestProvider(server)
        let client = BoundTokenExamples.bound(try provider.client())
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
    }

    @Test("ID tokens are encrypted to a key of the client's")
    func encrypted() async throws {
        let provider = TestProvider()
        var configuration = try provider.client().configuration
        let published = try BoundTokenExamples.encrypt(&configuration)
        let key = try #require(try JWKSet(.object(published)).keys.first)
        #expect(!key.isSecret)
        provider.server.change { $0.clients[0].idTokenEncryption = TestEncryption(.ecdhES, key: key) }
        let session = try await OAuthClient(configuration, in: provider.environment).signIn(with: provider.userAgent)
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test("A text for one reader")
    func byHand() throws {
        let key = try JWK.generate(for: .ecdhES, keyID: "2026-12")
        let opened = try BoundTokenExamples.byHand(try #require(key.publicHalf), key)
        #expect(opened == Array("for you alone".utf8))
    }
}
