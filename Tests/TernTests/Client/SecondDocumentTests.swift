import Tern
import TernTesting
import Testing

/// Servers that name some endpoints in one of their two documents only (RFC 8414 §3, OpenID Connect Discovery 1.0 §4).
@Suite("Metadata of two documents", .timeLimit(.minutes(1)))
struct SecondDocumentTests {
    private let provider = TestProvider()

    private init() {
        for name in ["revocation_endpoint", "device_authorization_endpoint", "introspection_endpoint"] {
            provider.server.add(Fault(at: .openIDConfiguration, .member(name, .remove)))
        }
    }

    private func counts() -> [Int] {
        [provider.server.count(of: .openIDConfiguration), provider.server.count(of: .authorizationServerMetadata)]
    }

    private func reason(_ body: () async throws -> some Any) async -> TernError.Reason? {
        do { _ = try await body() } catch { return (error as? TernError)?.reason }
        return nil
    }

    @Test("A sign-in, a refresh and user information need the first document alone")
    func signIn() async throws {
        let session = try await provider.client().signIn(with: provider.userAgent)
        try await session.refresh()
        _ = try await session.userInfo()
        #expect(counts() == [1, 0])
    }

    @Test("A device's codes and a revocation look at the second one, which is fetched once")
    func found() async throws {
        let client = try provider.client()
        _ = try await client.beginOnOtherDevice()
        #expect(counts() == [1, 1])
        _ = try await client.beginOnOtherDevice()
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.signOut().revocation == .done)
        #expect(counts() == [1, 1])
        #expect(provider.server.count(of: .revocation) == 1)
        // What the client shows of the metadata is the first document.
        #expect(try await client.metadata()[.deviceAuthorization] == nil)
    }

    @Test("Many at once fetch it once")
    func crowd() async throws {
        let client = try provider.client()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try? await client.beginOnOtherDevice() } }
        }
        #expect(counts() == [1, 1])
        #expect(provider.server.count(of: .deviceAuthorization) == 20)
    }

    @Test("What the first document says stays")
    func precedence() async throws {
        provider.server.add(
            Fault(at: .authorizationServerMetadata, .member("token_endpoint", .set("https://evil.example/token"))))
        provider.server.add(
            Fault(at: .authorizationServerMetadata, .member("jwks_uri", .set("https://evil.example/jwks"))))
        let client = try provider.client()
        _ = try await client.beginOnOtherDevice()
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.signOut().revocation == .done)
    }

    @Test("A second document of another issuer is none")
    func otherIssuer() async throws {
        provider.server.add(
            Fault(at: .authorizationServerMetadata, .member("issuer", .set("https://evil.example"))))
        let client = try provider.client()
        for _ in 0..<3 {
            #expect(
                await reason { try await client.beginOnOtherDevice() }
                    == .missingMetadata(field: "device_authorization_endpoint"))
        }
        #expect(counts() == [1, 1])
    }

    @Test(
        "A server without a second document has no such endpoint, and is asked once",
        arguments: [FaultAction.status(404), .status(403), .text("<html>")])
    func none(action: FaultAction) async throws {
        provider.server.add(Fault(at: .authorizationServerMetadata, action))
        let client = try provider.client()
        for _ in 0..<3 {
            #expect(
                await reason { try await client.beginOnOtherDevice() }
                    == .missingMetadata(field: "device_authorization_endpoint"))
        }
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.signOut().revocation == .notOffered)
        #expect(counts() == [1, 1])
        provider.clock.advance(by: .seconds(90_000))
        _ = await reason { try await client.beginOnOtherDevice() }
        #expect(counts()[1] > 1)
    }

    @Test("Trouble on the way to it is told as such, and passes")
    func trouble() async throws {
        provider.server.add(Fault(at: .authorizationServerMetadata, on: .first(1), .status(503)))
        let client = try provider.client()
        #expect(await reason { try await client.beginOnOtherDevice() }?.code == "transient")
        _ = try await client.beginOnOtherDevice()
    }

    @Test("A server that has OAuth's document alone is not asked again for what it lacks")
    func oauthAlone() async throws {
        let provider = TestProvider()
        provider.server.add(Fault(at: .openIDConfiguration, .status(404)))
        provider.server.add(
            Fault(at: .authorizationServerMetadata, .member("device_authorization_endpoint", .remove)))
        let client = try provider.client()
        #expect(
            await reason { try await client.beginOnOtherDevice() }
                == .missingMetadata(field: "device_authorization_endpoint"))
        #expect(provider.server.count(of: .authorizationServerMetadata) == 1)
    }

    @Test("Metadata that were given are all that there is")
    func given() async throws {
        let metadata = try ServerMetadata(
            issuer: provider.issuer, authorizationEndpoint: provider.issuer + "/authorize",
            tokenEndpoint: provider.issuer + "/token")
        let configuration = try ClientConfiguration(
            server: .metadata(metadata), clientID: "test-app",
            redirectURI: try RedirectURI("com.example.app:/callback"))
        let client = OAuthClient(configuration, in: provider.environment)
        #expect(await reason { try await client.introspect(AccessToken("t")) }?.code == "missing_metadata")
        #expect(counts() == [0, 0])
    }
}
