import Tern
import TernTesting
import Testing

/// RFC 8705: clients that authenticate with certificates, and tokens that are bound to them.
@Suite("Clients with certificates")
struct CertificateFlowTests {
    private let certificate = Array("one certificate".utf8)
    private let other = Array("another certificate".utf8)

    private func provider(
        _ authentication: TestClient.Authentication, binds: Bool = false, alias: String? = nil
    ) -> TestProvider {
        var client = TestClient("machine", authentication: authentication)
        client.bindsTokensToCertificate = binds
        var server = AuthorizationServer(clients: [client])
        server.settings.certificateOrigin = alias
        return TestProvider(server)
    }

    private func client(
        of provider: TestProvider, showing certificate: [UInt8]?, alias: String? = nil
    ) throws -> OAuthClient {
        let configuration = try provider.client().configuration
        var transport = provider.transport
        if let certificate { transport = transport.showing(certificate: certificate) }
        let server = provider.server
        if let origin = alias.flatMap({ URI($0)?.origin }) {
            transport = transport.answering(origin) { request, now in server.deliver(request, at: now) }
        }
        var environment = provider.environment
        environment.transport = transport
        return OAuthClient(configuration, in: environment)
    }

    private var registered: TestClient.Authentication { .tls(CertificateThumbprint(der: certificate).text) }

    @Test("The registered certificate signs in, another one and none do not")
    func authentication() async throws {
        let provider = provider(registered)
        _ = try await client(of: provider, showing: certificate).signIn(with: provider.userAgent)
        let request = try #require(provider.server.requests(to: .token).first?.request)
        #expect(request.form.values(of: "client_id") == ["machine"])
        for wrong in [other, nil] {
            let client = try client(of: provider, showing: wrong)
            let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
            #expect(error?.code == "invalid_client")
            #expect(error?.likeliestCause?.hasPrefix("certificate_") == true)
            #expect(error?.explanation.likelyCauses.contains { $0.contains("client certificate") } == true)
        }
    }

    @Test("The endpoints for certificates are called, and the browser's page is not there")
    func aliases() async throws {
        let alias = "https://mtls.id.example.com"
        let provider = provider(registered, alias: alias)
        let session = try await client(of: provider, showing: certificate, alias: alias)
            .signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        _ = try await session.signOut()
        for endpoint in [TernTesting.Endpoint.token, .revocation] {
            let hosts = provider.server.requests(to: endpoint).map(\.request.url.host)
            #expect(hosts.allSatisfy { $0 == "mtls.id.example.com" } && !hosts.isEmpty)
        }
        #expect(
            provider.server.requests(to: .authorization).allSatisfy { $0.request.url.host == "id.example.com" })
    }

    @Test("A client with a secret leaves the aliases alone unless its tokens are to be bound")
    func noAliases() async throws {
        let alias = "https://mtls.id.example.com"
        let plain = provider(.basic("s"), alias: alias)
        _ = try await client(of: plain, showing: certificate, alias: alias).signIn(with: plain.userAgent)
        #expect(plain.server.requests(to: .token).first?.request.url.host == "id.example.com")
        let binding = provider(.basic("s"), binds: true, alias: alias)
        _ = try await client(of: binding, showing: certificate, alias: alias).signIn(with: binding.userAgent)
        #expect(binding.server.requests(to: .token).first?.request.url.host == "mtls.id.example.com")
    }

    @Test("A bound token is good over a connection with its certificate alone")
    func bound() async throws {
        let provider = provider(registered, binds: true)
        let session = try await client(of: provider, showing: certificate).signIn(with: provider.userAgent)
        let good = try await session.send(.get(provider.apiAddress("notes")))
        #expect(good.status == 200)
        let token = try await session.accessToken()
        for shown in [other, nil] {
            var transport = provider.transport
            if let shown { transport = transport.showing(certificate: shown) }
            var request = try HTTPRequest.get(provider.apiAddress("notes"))
            request.fields["Authorization"] = "Bearer " + token.exposedText
            // What a client claims by itself counts for nothing.
            request.fields["Client-Cert"] = ":" + Base64.encode(certificate) + ":"
            let answer = try await transport.send(request, step: .resourceRequest)
            #expect(answer.status == 401)
            #expect(AuthenticateChallenge.bearerError(in: answer)?.code == "invalid_token")
        }
    }

    @Test("A client whose tokens are to be bound gets none without a certificate")
    func bindingWithoutCertificate() async throws {
        let provider = provider(.basic("a-secret-of-the-client"), binds: true)
        let client = try client(of: provider, showing: nil)
        let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
        #expect(error?.code == "invalid_request")
    }
}
