import Tern
import TernTesting
import Testing

/// A refused proof in its other form: once, only where it is of no use to anybody else, and remembered.
@Suite("The other form of a refused client proof")
struct OtherProofTests {
    private static func key() throws -> SigningKey { try SigningKey(try JWK.generate(for: .es256, keyID: "k1")) }

    private func provider(
        _ authentication: TestClient.Authentication, _ audiences: Set<AssertionAudience> = [.issuer]
    ) -> TestProvider {
        var server = AuthorizationServer(clients: [TestClient("signer", authentication: authentication)])
        server.settings.assertionAudiences = audiences
        return TestProvider(server)
    }

    private func audiences(_ provider: TestProvider, at endpoint: TernTesting.Endpoint) throws -> [String] {
        try provider.server.requests(to: endpoint).map { entry in
            try JWT(compact: entry.request.form["client_assertion"] ?? "").claims["aud"]?.string ?? ""
        }
    }

    @Test("A server that wants its token endpoint gets it, and from then on at once")
    func tokenEndpoint() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key), [.tokenEndpoint])
        let client = try provider.client(authentication: .privateKeyJWT(key))
        let session = try await client.signIn(with: provider.userAgent)
        #expect(
            client.acceptedAuthentication == .privateKeyJWT(key, ClientAssertion(audience: .tokenEndpoint)))
        try await session.refresh()
        let address = provider.server.server.address(of: .token)
        #expect(try audiences(provider, at: .token) == [provider.issuer, address, address])
        #expect(try await session.signOut().revocation == .done)
        #expect(try audiences(provider, at: .revocation) == [address])
    }

    @Test("A server that wants the endpoint that is called gets that")
    func endpoint() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key), [.endpoint])
        let client = try provider.client(authentication: .privateKeyJWT(key))
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.signOut().revocation == .done)
        let server = provider.server.server
        #expect(
            try audiences(provider, at: .revocation)
                == [server.address(of: .token), server.address(of: .revocation)])
    }

    @Test("Where nothing is known yet, the endpoint that is called comes after the token endpoint")
    func firstEndpoint() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key), [.endpoint])
        _ = try await provider.client(authentication: .privateKeyJWT(key)).signIn(with: provider.userAgent)
        let fresh = try provider.client(authentication: .privateKeyJWT(key))
        let session = try #require(try await fresh.session())
        _ = try await fresh.introspect(try await session.accessToken())
        let server = provider.server.server
        #expect(
            try audiences(provider, at: .introspection)
                == [provider.issuer, server.address(of: .token), server.address(of: .introspection)])
        #expect(
            fresh.acceptedAuthentication == .privateKeyJWT(key, ClientAssertion(audience: .endpoint)))
    }

    @Test("client_secret_jwt is tried in the same way")
    func secretJWT() async throws {
        let secret = "a-secret-of-more-than-thirty-two-bytes"
        let provider = provider(.secretJWT(secret), [.tokenEndpoint])
        _ = try await provider.client().signIn(with: provider.userAgent)
        #expect(provider.server.count(of: .token) == 2)
    }

    @Test("An audience that was chosen, a wrong key and a switch that is off are refused at once or after one more try")
    func limits() async throws {
        let key = try Self.key()
        let chosen = provider(.privateKeyJWT(key))
        let client = try chosen.client(
            authentication: .privateKeyJWT(key, ClientAssertion(audience: .tokenEndpoint)))
        await #expect(throws: TernError.self) { try await client.signIn(with: chosen.userAgent) }
        #expect(chosen.server.count(of: .token) == 1)

        let wrong = provider(.privateKeyJWT(try Self.key()), [.tokenEndpoint])
        let error = await #expect(throws: TernError.self) {
            try await wrong.client(authentication: .privateKeyJWT(key)).signIn(with: wrong.userAgent)
        }
        #expect(error?.code == "invalid_client")
        #expect(wrong.server.count(of: .token) == 2)

        let strict = provider(.privateKeyJWT(key), [.tokenEndpoint])
        var configuration = try strict.client(authentication: .privateKeyJWT(key)).configuration
        configuration.triesOtherAuthentication = false
        let patient = OAuthClient(configuration, in: strict.environment)
        await #expect(throws: TernError.self) { try await patient.signIn(with: strict.userAgent) }
        #expect(strict.server.count(of: .token) == 1)
    }

    @Test("No assertion names a token endpoint to an endpoint of another origin")
    func otherOrigin() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key), [.tokenEndpoint])
        let evil = try #require(URI("https://evil.example/revoke"))
        provider.server.change { $0.settings.metadataChanges = ["revocation_endpoint": .string(evil.text)] }
        let seen = Locked<[String]>([])
        let origin = try #require(evil.origin)
        var environment = provider.environment
        environment.transport = provider.transport.answering(origin) { request, _ in
            let jwt = try? JWT(compact: request.form["client_assertion"] ?? "")
            seen.withLock { $0.append(jwt?.claims["aud"]?.string ?? "") }
            return Delivery(.answer(HTTPResponse(status: 401, body: Array(#"{"error":"invalid_client"}"#.utf8))))
        }
        let configuration = try provider.client(authentication: .privateKeyJWT(key)).configuration
        let session = try await OAuthClient(configuration, in: environment).signIn(with: provider.userAgent)
        _ = try await session.signOut()
        #expect(!seen.withLock { $0 }.isEmpty)
        #expect(seen.withLock { $0.allSatisfy { $0 == provider.issuer } })
    }

    @Test("Basic credentials go as they are to a server that does not decode them, and a plain secret goes once")
    func rawBasic() async throws {
        let provider = provider(.basic("a+b%41/c_d"))
        let origin = try #require(URI(provider.issuer)?.origin)
        let server = provider.server
        let raw = "Basic " + Base64.encode(Array("signer:a+b%41/c_d".utf8))
        var environment = provider.environment
        environment.transport = provider.transport.answering(origin) { request, now in
            var request = request
            if request.fields["Authorization"] == raw {
                // What such a server takes literally the strict one takes encoded.
                request.fields["Authorization"] = "Basic " + Base64.encode(Array("signer:a%2Bb%2541%2Fc_d".utf8))
            } else if request.fields["Authorization"]?.hasPrefix("Basic ") == true {
                request.fields["Authorization"] = "Basic " + Base64.encode(Array("signer:x".utf8))
            }
            return server.deliver(request, at: now)
        }
        let configuration = try provider.client().configuration
        let client = OAuthClient(configuration, in: environment)
        let session = try await client.signIn(with: provider.userAgent)
        #expect(client.acceptedAuthentication == .rawBasic(ClientSecret("a+b%41/c_d")))
        try await session.refresh()
        #expect(provider.server.count(of: .token) == 3)

        let plain = self.provider(.basic("other"))
        let wrong = try plain.client(authentication: .basic(ClientSecret("plain")))
        await #expect(throws: TernError.self) { try await wrong.signIn(with: plain.userAgent) }
        #expect(plain.server.count(of: .token) == 1)
    }

    @Test("What the second try says about the grant counts, since the client was accepted")
    func secondRefusal() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key), [.tokenEndpoint])
        let client = try provider.client(authentication: .privateKeyJWT(key))
        let session = try await client.signIn(with: provider.userAgent)
        provider.server.change { $0.revokeGrants(ofUser: TestUser.ada.subject) }
        // A client that starts anew does not know what the server wants.
        let fresh = try #require(try await provider.client(authentication: .privateKeyJWT(key)).session())
        let error = await #expect(throws: TernError.self) { try await fresh.refresh() }
        #expect(error?.code == "reauthentication_required")
        #expect(session.account == fresh.account)
    }

    @Test("A registered client is kept beside the accounts, and is none of them")
    func keptRegistration() async throws {
        let store = MemoryStore()
        let issuer = try Issuer("https://id.example.com")
        #expect(try await store.registration(at: issuer) == nil)
        let information = try ClientInformation([
            "client_id": "c", "client_secret": "s", "registration_access_token": "t",
            "registration_client_uri": "https://id.example.com/c", "client_name": "Notes",
        ])
        try await store.keep(information, registeredAt: issuer)
        #expect(try await store.registration(at: issuer) == information)
        #expect(try await store.registration(at: Issuer("https://id.example.com/")) == nil)
        #expect(try await store.accounts().isEmpty)
        try await store.save(StoredRecord(Array("{}".utf8)), for: .registration(at: issuer))
        let error = await #expect(throws: TernError.self) { try await store.registration(at: issuer) }
        #expect(error?.code == "corrupted_record")
        try await store.forgetRegistration(at: issuer)
        #expect(try await store.registration(at: issuer) == nil)
    }
}
