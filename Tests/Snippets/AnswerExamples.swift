import Tern
import TernTesting
import Testing

@Suite("Examples: how answers come back")
struct AnswerExamples {
    private let provider: TestProvider
    private let privateKey: JWK
    private var userAgent: RobotUserAgent { provider.userAgent }

    init() throws {
        privateKey = try JWK.generate(for: .ecdhES, encryption: .a128CBCHS256, keyID: "enc-1")
        var app = TestClient.app
        app.authorizationResponseEncryption = TestEncryption(.ecdhES, key: privateKey.publicHalf)
        var server = AuthorizationServer(clients: [app])
        server.settings.responseTypes = Set(ResponseType.all)
        provider = TestProvider(server)
    }

    private func configured(_ change: (inout ClientConfiguration) -> Void) throws -> OAuthClient {
        var configuration = try provider.client().configuration
        change(&configuration)
        return OAuthClient(configuration, in: provider.environment)
    }

    private func finish(_ client: OAuthClient, _ signIn: SignIn, _ body: String) async throws -> Credential {
        guard let form = FormParameters(decoding: body) else {
            throw TernError(.malformedCallback("it is no form"), at: .authorizationResponse)
        }
        let credential = try await client.finish(signIn, form: form)
        return credential
    }

    @Test("Posted, by a web server")
    func posted() async throws {
        let client = try configured { configuration in
            configuration.responseMode = .formPost
        }
        let signIn = try await client.begin()
        let callback = try await provider.browser.signIn(
            at: signIn.address, stoppingAt: client.configuration.redirectURI)
        let credential = try await finish(client, signIn, callback.encodedQuery ?? "")
        #expect(credential.subject == TestUser.ada.subject)
    }

    @Test("Signed and encrypted")
    func signed() async throws {
        let client = try configured { configuration in
            configuration.responseMode = .jwt
            configuration.decryptionKeys = JWKSet([privateKey])
        }
        _ = try await client.signIn(with: userAgent)
    }

    @Test("With an ID token beside the code")
    func hybrid() async throws {
        let client = try configured { configuration in
            configuration.responseType = .codeIDToken
        }
        _ = try await client.signIn(with: userAgent)
    }

    @Test("Without a code")
    func withoutCode() async throws {
        let client = try provider.client()
        let user = try await client.identify(with: userAgent).subject
        #expect(user == TestUser.ada.subject)

        let session = try await client.signInExposingTokens(with: userAgent)
        #expect(try await session.credential().refreshToken == nil)
    }
}
