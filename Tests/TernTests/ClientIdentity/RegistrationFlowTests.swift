import Tern
import TernTesting
import Testing

/// RFC 7591, RFC 7592 and client-ID metadata documents against a server.
@Suite("Clients that register")
struct RegistrationFlowTests {
    private func provider(
        _ rule: ClientRegistrationRule = .open, _ change: (inout ServerSettings) -> Void = { _ in }
    ) -> TestProvider {
        var server = AuthorizationServer(clients: [])
        server.settings.registration = rule
        change(&server.settings)
        return TestProvider(server)
    }

    private let redirect = "com.example.app:/callback"

    private func metadata(_ method: String? = nil, _ members: JSONObject = [:]) -> ClientMetadata {
        var metadata = ClientMetadata(
            redirectURIs: [redirect], name: "Notes", grantTypes: ["authorization_code", "refresh_token"],
            authenticationMethod: method, scope: "openid email")
        for (name, value) in members { metadata[name] = value }
        return metadata
    }

    private func registrar(_ provider: TestProvider) throws -> ClientRegistrar {
        ClientRegistrar(server: .issuer(try Issuer(provider.issuer)), in: provider.environment)
    }

    private func code(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch { return (error as? TernError)?.code }
    }

    @Test(
        "Register and sign in at once, by every method",
        arguments: ["none", nil, "client_secret_basic", "client_secret_post", "client_secret_jwt", "private_key_jwt"])
    func registerAndSignIn(method: String?) async throws {
        let provider = provider()
        let key = method == "private_key_jwt" ? try SigningKey(try JWK.generate(for: .es256, keyID: "k1")) : nil
        let (client, information) = try await OAuthClient.register(
            metadata(method), at: .issuer(try Issuer(provider.issuer)), key: key, in: provider.environment)
        #expect(information.clientSecret == nil || method?.contains("secret") ?? true)
        #expect(client.configuration.authentication.methodName == method ?? "client_secret_basic")
        #expect(information.metadata.authenticationMethod == method ?? "client_secret_basic")
        #expect(information.differences(from: metadata(method)).isEmpty)
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.credential().scope == "openid email")
        #expect(try await session.credential().clientID == information.clientID)
    }

    @Test("A server that wants an initial access token, and one that lets nobody register")
    func initialToken() async throws {
        let provider = provider(.withToken("iat-1"))
        let registrar = try registrar(provider)
        #expect(await code { _ = try await registrar.register(metadata()) } == "invalid_token")
        #expect(
            await code {
                _ = try await registrar.register(metadata(), initialAccessToken: InitialAccessToken("wrong"))
            } == "invalid_token")
        _ = try await registrar.register(metadata(), initialAccessToken: InitialAccessToken("iat-1"))
        let closed = try self.registrar(self.provider(.closed))
        #expect(await code { _ = try await closed.register(metadata()) } == "missing_metadata")
    }

    @Test("What the server changes is told")
    func differences() async throws {
        let provider = provider { $0.registrationChanges = ["client_name": "Notes (unverified)", "scope": "openid"] }
        let information = try await registrar(provider).register(metadata())
        #expect(Set(information.differences(from: metadata()).map(\.name)) == ["client_name", "scope"])
        #expect(try information.configuration(server: .issuer(Issuer(provider.issuer))).scope == "openid")
    }

    @Test("Secrets may end")
    func secretLifetime() async throws {
        let provider = provider { $0.registeredSecretLifetime = .seconds(60) }
        let information = try await registrar(provider).register(metadata())
        #expect(information.secretExpiration == provider.clock.now + .seconds(60))
        #expect(!information.isSecretExpired(at: provider.clock.now))
        #expect(information.isSecretExpired(at: provider.clock.now + .seconds(60)))
    }

    @Test("Read, change, delete, with a token that changes each time")
    func management() async throws {
        let provider = provider()
        let registrar = try registrar(provider)
        let first = try await registrar.register(metadata())
        let read = try await registrar.read(first)
        #expect(read.registrationAccessToken != first.registrationAccessToken)
        #expect(read.metadata == first.metadata)
        #expect(read.clientSecret == first.clientSecret)
        // The old token is over.
        #expect(await code { _ = try await registrar.read(first) } == "invalid_token")

        var changed = read.metadata
        changed.name = "New name"
        changed.redirectURIs = ["com.example.app:/other"]
        let updated = try await registrar.update(read, to: changed)
        #expect(updated.metadata.name == "New name")
        #expect(provider.server.server.clients.first?.redirectURIs == ["com.example.app:/other"])

        let session = try await OAuthClient(
            updated.configuration(server: registrar.server), in: provider.environment
        ).signIn(with: provider.userAgent)
        try await registrar.delete(updated)
        #expect(await code { _ = try await registrar.read(updated) } == "invalid_token")
        #expect(await code { _ = try await session.refresh() } == "invalid_client")
    }

    @Test("A client that turns public loses its secret")
    func turnsPublic() async throws {
        let provider = provider()
        let registrar = try registrar(provider)
        let client = try await registrar.register(metadata())
        var changed = client.metadata
        changed.authenticationMethod = "none"
        let updated = try await registrar.update(client, to: changed)
        #expect(updated.clientSecret == nil)
        #expect(try updated.authentication() == .none)
    }

    @Test(
        "What a strict server refuses",
        arguments: [
            (["application_type": "web"], "invalid_redirect_uri"),
            (["application_type": "x"], "invalid_client_metadata"),
            (["token_endpoint_auth_method": "tls_client_auth"], "invalid_client_metadata"),
            (
                ["token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://nowhere.example/k"],
                "invalid_client_metadata"
            ),
            (["id_token_signed_response_alg": "none"], "invalid_client_metadata"),
            (["software_statement": "x"], "invalid_software_statement"),
        ] as [(JSONObject, String)])
    func refusals(members: JSONObject, expected: String) async throws {
        let registrar = try registrar(provider())
        #expect(await code { _ = try await registrar.register(metadata(nil, members)) } == expected)
    }

    @Test(
        "What a client of this library does not send, and a server refuses all the same",
        arguments: [
            (#"{"redirect_uris":["http://example.com/cb"]}"#, "invalid_redirect_uri"),
            (#"{"redirect_uris":[]}"#, "invalid_redirect_uri"), ("[]", "invalid_client_metadata"),
            (#"{"redirect_uris":["com.a:/b"],"response_types":["token"]}"#, "invalid_client_metadata"),
            (#"{"redirect_uris":["com.a:/b"],"client_id":"mine"}"#, "invalid_client_metadata"),
        ])
    func foreignRequests(body: String, expected: String) async throws {
        let provider = provider()
        let request = HTTPRequest(
            .post, try #require(URI(provider.issuer + "/register")), fields: ["Content-Type": "application/json"],
            body: .bytes(Array(body.utf8)))
        let answer = try await provider.transport.send(request, step: .registration)
        #expect(answer.status == 400)
        #expect(try JSON(parsing: answer.body)["error"]?.string == expected)
    }

    @Test("A software statement from somebody whom the server trusts takes precedence")
    func statement() async throws {
        let voucher = try SigningKey(try JWK.generate(for: .es256))
        let provider = provider {
            $0.softwareStatementIssuers = ["https://v.example": PublicKeys(JWKSet([voucher.publicKey]))]
        }
        let vouched = ClientMetadata(members: ["client_name": "Vouched Notes", "software_id": "s-1"])
        func statement(_ issuer: String) throws -> String {
            try SoftwareStatement.sign(vouched, issuer: issuer, issuedAt: provider.clock.now, key: voucher)
        }
        let registrar = try registrar(provider)
        let information = try await registrar.register(
            metadata(nil, ["software_statement": .string(statement("https://v.example"))]))
        #expect(information.metadata.name == "Vouched Notes")
        #expect(information.metadata.softwareID == "s-1")
        let stranger = metadata(nil, ["software_statement": .string(try statement("https://w.example"))])
        #expect(await code { _ = try await registrar.register(stranger) } == "unapproved_software_statement")
    }

    @Test("A client whose ID is the address of its document need not register")
    func document() async throws {
        let address = "https://notes.example.org/client.json"
        let key = try SigningKey(try JWK.generate(for: .es256))
        for method in ["none", "private_key_jwt"] {
            var metadata = metadata(method)
            if method == "private_key_jwt" { metadata.keys = JWKSet([key.publicKey]) }
            let document = try ClientIDMetadataDocument(clientID: address, metadata: metadata)
            let provider = provider(.closed) { $0.clientDocuments = [address: document.json] }
            let configuration = try ClientConfiguration(
                server: .issuer(try Issuer(provider.issuer)), clientID: address,
                redirectURI: try RedirectURI(redirect),
                authentication: method == "none" ? .none : .privateKeyJWT(key))
            let client = OAuthClient(configuration, in: provider.environment)
            #expect(try await client.metadata().supportsClientIDMetadataDocuments)
            let session = try await client.signIn(with: provider.userAgent)
            #expect(try await session.credential().clientID == address)
        }
    }

    @Test("A document at another address, or with a secret method, makes no client")
    func wrongDocuments() async throws {
        let address = "https://notes.example.org/client.json"
        for document: JSONObject in [
            [
                "client_id": "https://else.example/c", "redirect_uris": [.string(redirect)],
                "token_endpoint_auth_method": "none",
            ],
            ["client_id": .string(address), "redirect_uris": [.string(redirect)]],
        ] {
            let provider = provider(.closed) { $0.clientDocuments = [address: document] }
            let page = try #require(
                URI(provider.issuer + "/authorize?response_type=code&client_id=" + PercentCodec.encode(address)))
            let answer = try await provider.transport.send(HTTPRequest(.get, page), step: .userAgent)
            #expect(String(decoding: answer.body, as: UTF8.self).contains("unknown client"))
        }
    }
}
