import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("The profile of the AT Protocol")
struct ATProtoTests {
    private static let clientID = "https://app.example/client.json"
    private static let did = "did:plc:abc123"

    /// A server of the AT Protocol: it knows clients by their metadata, and its token answers name accounts.
    private func provider(
        answer: JSONObject = ["sub": .string(ATProtoTests.did)], scope: String? = "atproto",
        _ change: (inout AuthorizationServer) -> Void = { _ in }
    ) -> TestProvider {
        var client = TestClient(Self.clientID, redirectURIs: ["https://app.example/callback"])
        client.scopes = ["atproto", "transition:generic"]
        var server = AuthorizationServer(clients: [client])
        server.settings.dpop.use = .demanded
        server.settings.dpop.nonceLifetimeAtAuthorizationServer = .seconds(300)
        server.settings.requests.demandsPushed = true
        server.settings.metadataChanges["client_id_metadata_document_supported"] = true
        server.settings.tokenAnswerChanges = answer.reduce(into: [:]) { $0[$1.name] = .some($1.value) }
        if scope == nil { server.settings.tokenAnswerChanges["scope"] = .some(nil) }
        change(&server)
        return TestProvider(server)
    }

    private func client(
        _ provider: TestProvider, _ adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> OAuthClient {
        var configuration = try ClientConfiguration(
            server: .issuer(try Issuer(provider.issuer)), clientID: Self.clientID,
            redirectURI: try RedirectURI("https://app.example/callback"), scope: ["transition:generic"])
        adjust(&configuration)
        try configuration.adopt(.atproto)
        return OAuthClient(configuration, in: provider.environment)
    }

    @Test("One word: pushed, bound, and the account is known by its DID, after a renewal too")
    func signIn() async throws {
        let provider = provider()
        let session = try await client(provider).signIn(with: provider.userAgent)
        let credential = try await session.credential()
        #expect(credential.subject == Self.did)
        #expect(credential.tokenType == .dpop)
        #expect(credential.scope == ["atproto", "transition:generic"])
        #expect(provider.server.count(of: .pushedAuthorization) == 2)
        provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        #expect(try await session.credential().subject == Self.did)
    }

    @Test("An account that is another one than was expected is refused")
    func anotherAccount() async throws {
        let provider = provider()
        var options = SignInOptions()
        options.expectedSubject = "did:plc:other"
        await #expect(throws: TernError(.idTokenRejected(.subjectMismatch), at: .tokenRequest)) {
            try await client(provider).signIn(options, with: provider.userAgent)
        }
    }

    @Test("A token answer without a DID is refused", arguments: ["", "ada", "did:", "did:plc:", "did::x"])
    func noAccount(subject: String) async throws {
        let provider = provider(answer: ["sub": .string(subject)])
        #expect(
            try await clause { try await client(provider).signIn(with: provider.userAgent) }
                == "Tokens and Session Lifetime")
    }

    @Test("A token answer that does not say its scope is refused")
    func noScope() async throws {
        let provider = provider(scope: nil)
        #expect(
            try await clause { try await client(provider).signIn(with: provider.userAgent) }
                == "Tokens and Session Lifetime")
    }

    @Test(
        "A server that cannot is refused before anybody is sent there",
        arguments: [
            ("require_pushed_authorization_requests", false),
            ("authorization_response_iss_parameter_supported", false),
            ("client_id_metadata_document_supported", nil), ("dpop_signing_alg_values_supported", ["RS256"]),
            ("scopes_supported", ["openid"]), ("code_challenge_methods_supported", nil),
        ] as [(String, JSON?)])
    func server(member: String, value: JSON?) async throws {
        let provider = provider { $0.settings.metadataChanges[member] = .some(value) }
        #expect(
            try await clause { try await client(provider).signIn(with: provider.userAgent) }
                == "Authorization Servers")
        #expect(provider.server.count(of: .authorization) == 0)
    }

    @Test("Which redirect URI belongs to which client")
    func redirects() async throws {
        let good = [
            ("https://app.example/client.json", "https://app.example/callback"),
            ("https://app.example/client.json", "example.app:/callback"),
            ("http://localhost", "http://127.0.0.1:8080/"), ("http://localhost?scope=atproto", "http://[::1]/"),
        ]
        let bad = [
            ("https://app.example/client.json", "https://other.example/callback"),
            ("https://app.example/client.json", "app.example:/callback"),
            ("https://app.example/client.json", "http://127.0.0.1/callback"),
            ("http://localhost", "http://localhost/callback"), ("http://localhost:80", "http://127.0.0.1/"),
            ("my-app", "https://app.example/callback"),
        ]
        func refusal(_ clientID: String, _ redirect: String) async throws -> String? {
            let redirect = try RedirectURI(redirect)
            return try await clause {
                try client(provider()) {
                    $0.clientID = clientID
                    $0.redirectURI = redirect
                }
            }
        }
        for (clientID, redirect) in good { #expect(try await refusal(clientID, redirect) == nil, "\(redirect)") }
        for (clientID, redirect) in bad { #expect(try await refusal(clientID, redirect) == "Clients", "\(redirect)") }
    }

    @Test("Secrets, other keys and bearer tokens are refused")
    func clients() async throws {
        let provider = provider()
        let other = try SigningKey(try JWK.generate(for: .ps256))
        #expect(
            try await clause { try client(provider) { $0.authentication = .basic(ClientSecret("secret")) } }
                == "Clients")
        #expect(try await clause { try client(provider) { $0.authentication = .privateKeyJWT(other) } } == "Clients")
        #expect(
            try await clause { try client(provider) { $0.dpop = DPoP(key: .given(other)) } }
                == "Demonstrating Proof of Possession")
    }
}
