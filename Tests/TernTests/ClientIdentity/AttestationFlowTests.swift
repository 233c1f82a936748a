import Tern
import TernTesting
import Testing

/// draft-ietf-oauth-attestation-based-client-auth: whole flows, and what a server refuses.
@Suite("Clients with attestations")
struct AttestationFlowTests {
    private let attester: SigningKey
    private let key: SigningKey

    init() throws {
        attester = try SigningKey(try JWK.generate(for: .es256, keyID: "a1"))
        key = try SigningKey(try JWK.generate(for: .es256))
    }

    private func provider(_ challenges: AttestationChallenges = .none) -> TestProvider {
        var server = AuthorizationServer(clients: [TestClient("wallet", authentication: .attestation(by: attester))])
        server.settings.attestationChallenges = challenges
        return TestProvider(server)
    }

    private func attestation(_ provider: TestProvider, lifetime: Duration = .seconds(86_400)) throws
        -> ClientAttestation
    {
        try ClientAttestation(
            TestClient.attestation(
                of: "wallet", key: key, by: attester, until: provider.clock.now + lifetime), key: key)
    }

    private func proofs(_ provider: TestProvider) throws -> [JWTClaims] {
        try provider.server.requests(to: .token).map {
            try JWT(compact: $0.request.fields[ClientAttestation.proofField] ?? "").claims
        }
    }

    private func signIn(_ provider: TestProvider) async throws -> Session {
        let way = ClientAuthentication.attestation(ClientAttester(try attestation(provider)))
        return try await provider.client(authentication: way).signIn(with: provider.userAgent)
    }

    @Test("Without challenges: one request each, a new proof for each")
    func plain() async throws {
        let provider = provider()
        let session = try await signIn(provider)
        provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        let sent = try proofs(provider)
        #expect(sent.count == 2)
        #expect(Set(sent.compactMap { $0["jti"]?.string }).count == 2)
        #expect(sent.allSatisfy { $0["challenge"] == nil })
    }

    @Test("A challenge in the refusal: one repeat, and it serves the next request too")
    func challengeInAnswer() async throws {
        let provider = provider(.inAnswers)
        let session = try await signIn(provider)
        #expect(provider.server.count(of: .token) == 2)
        provider.clock.advance(by: .seconds(250))
        _ = try await session.refresh()
        #expect(provider.server.count(of: .token) == 3)
        #expect(try proofs(provider).map { $0["challenge"] == nil } == [true, false, false])
        // The challenge is too old now.
        provider.clock.advance(by: .seconds(250))
        _ = try await session.refresh()
        #expect(provider.server.count(of: .token) == 5)
    }

    @Test("The challenge endpoint is asked first")
    func challengeEndpoint() async throws {
        let provider = provider(.endpoint)
        _ = try await signIn(provider)
        #expect(provider.server.count(of: .attestationChallenge) == 1)
        #expect(provider.server.count(of: .token) == 1)
    }

    @Test("A server that asks for ever is asked twice")
    func endless() async throws {
        let provider = provider(.inAnswers)
        provider.server.change { $0.settings.challengeLifetime = .zero }
        let error = await #expect(throws: TernError.self) { try await signIn(provider) }
        #expect(error?.code == "use_attestation_challenge")
        #expect(provider.server.count(of: .token) == 2)
    }

    @Test("An attestation that is too old is asked for anew, once")
    func fresh() async throws {
        let provider = provider()
        let old = try attestation(provider, lifetime: .seconds(-1))
        let new = try attestation(provider)
        let asked = Locked<[Bool]>([])
        let source = ClientAttester { (mustBeNew: Bool) async throws(TernError) -> ClientAttestation in
            asked.withLock { $0.append(mustBeNew) }
            return mustBeNew ? new : old
        }
        _ = try await provider.client(authentication: .attestation(source)).signIn(with: provider.userAgent)
        #expect(asked.withLock { $0 } == [false, true])
    }

    @Test("An attester that the server does not know, another client's attestation, a foreign key")
    func refusals() async throws {
        let provider = provider()
        let stranger = try SigningKey(try JWK.generate(for: .es256))
        let end = provider.clock.now + .seconds(60)
        let foreign = try ClientAttestation(
            TestClient.attestation(of: "wallet", key: key, by: stranger, until: end), key: key)
        let others = try ClientAttestation(
            TestClient.attestation(of: "other", key: key, by: attester, until: end), key: key)
        for attestation in [foreign, others] {
            let way = ClientAuthentication.attestation(ClientAttester(attestation))
            let client = try provider.client(authentication: way)
            let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
            #expect(["invalid_client_attestation", "invalid_client"].contains(error?.code))
            #expect(error?.explanation.whatToDo.first == "get a new attestation")
        }
        let plain = try provider.client(authentication: ClientAuthentication.none)
        let error = await #expect(throws: TernError.self) { try await plain.signIn(with: provider.userAgent) }
        #expect(error?.code == "invalid_client")
    }

    @Test("A proof that is missing, used before, or for another server")
    func proofs() async throws {
        let provider = provider()
        let metadata = try await provider.client(authentication: ClientAuthentication.none).metadata()
        func send(_ issuer: String?, _ change: (inout HTTPRequest) -> Void = { _ in }) async throws -> (
            JSON?, HTTPRequest
        ) {
            var occasion = ClientAuthentication.Occasion(at: metadata, now: provider.clock.now)
            if let issuer { occasion.issuer = issuer }
            occasion.attestation = try attestation(provider)
            var request = HTTPRequest(
                .post, try metadata.address(of: .token, for: .tokenRequest),
                body: .form(["grant_type": "refresh_token", "refresh_token": "r"]))
            try ClientAuthentication.attestation(ClientAttester(try attestation(provider)))
                .authenticate(&request, clientID: "wallet", on: occasion)
            change(&request)
            let answer = try await provider.transport.send(request, step: .tokenRequest)
            return (try JSON(parsing: answer.body)["error"], request)
        }
        let (first, request) = try await send(nil)
        #expect(first == "invalid_grant")
        let again = try await provider.transport.send(request, step: .tokenRequest)
        #expect(try JSON(parsing: again.body)["error_description"] == "this assertion was used before")
        #expect(try await send("https://elsewhere.example").0 == "invalid_client_attestation")
        #expect(
            try await send(nil) { $0.fields[ClientAttestation.proofField] = nil }.0 == "invalid_client_attestation")
        #expect(try await send(nil) { $0.form["client_id"] = "other" }.0 == "invalid_client")
        #expect(try await send(nil) { $0.form["client_secret"] = "s" }.0 == "invalid_request")
        #expect(
            try await send(nil) {
                $0.fields.append(ClientAttestation.field, $0.fields[ClientAttestation.field] ?? "")
            }.0 == "invalid_client_attestation")
    }
}
