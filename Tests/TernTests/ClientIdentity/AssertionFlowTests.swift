import Tern
import TernTesting
import Testing

/// Whole flows of clients that sign their assertions, and every refusal of a strict server (RFC 7523 §3).
@Suite("Clients with assertions")
struct AssertionFlowTests {
    private static func key(_ algorithm: SignatureAlgorithm = .es256) throws -> SigningKey {
        try SigningKey(try JWK.generate(for: algorithm, keyID: "k1"))
    }

    private static let secret = "a-secret-of-sixty-four-bytes-or-more-so-that-it-fits-to-hs512-too"

    private func provider(_ authentication: TestClient.Authentication) -> TestProvider {
        TestProvider(AuthorizationServer(clients: [TestClient("signer", authentication: authentication)]))
    }

    /// The assertions that have arrived at an endpoint.
    private func assertions(_ provider: TestProvider, at endpoint: TernTesting.Endpoint = .token) throws -> [JWT] {
        try provider.server.requests(to: endpoint).map { entry in
            try JWT(compact: entry.request.form["client_assertion"] ?? "")
        }
    }

    @Test(
        "Sign-in, renewal and revocation, with a new assertion for each",
        arguments: [
            SignatureAlgorithm.es256, .es384, .ps256, .rs256, .edDSA,
        ])
    func privateKey(algorithm: SignatureAlgorithm) async throws {
        let key = try Self.key(algorithm)
        let provider = provider(.privateKeyJWT(key))
        let client = try provider.client(authentication: .privateKeyJWT(key))
        let session = try await client.signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(4000))
        _ = try await session.accessToken()
        let report = try await session.signOut()
        #expect(report.revocation == .done)
        let sent = try assertions(provider) + assertions(provider, at: .revocation)
        #expect(sent.count == 3)
        #expect(Set(sent.compactMap { $0.claims["jti"]?.string }).count == 3)
        #expect(sent.allSatisfy { $0.claims["aud"]?.string == provider.issuer })
    }

    @Test("client_secret_jwt, with each hash", arguments: [SignatureAlgorithm.hs256, .hs384, .hs512])
    func secretJWT(algorithm: SignatureAlgorithm) async throws {
        let provider = provider(.secretJWT(Self.secret))
        let client = try provider.client(
            authentication: .secretJWT(ClientSecret(Self.secret), algorithm: algorithm))
        _ = try await client.signIn(with: provider.userAgent)
        #expect(try assertions(provider).first?.header.algorithm == algorithm)
    }

    @Test("A renewal that is tried again carries a new assertion")
    func retry() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        let client = try provider.client(authentication: .privateKeyJWT(key))
        var configuration = client.configuration
        configuration.retryPolicy = RetryPolicy(maximumAttempts: 3, firstPause: .zero)
        let patient = OAuthClient(configuration, in: client.environment)
        let session = try await patient.signIn(with: provider.userAgent)
        provider.clock.advance(by: .seconds(4000))
        provider.server.change { $0.settings.rotatesRefreshTokens = false }
        provider.server.add(Fault(at: .token, on: .first(1), .status(503)))
        _ = try await session.accessToken()
        let sent = try assertions(provider)
        #expect(sent.count == 3)
        #expect(Set(sent.compactMap { $0.claims["jti"]?.string }).count == 3)
    }

    @Test("A server that wants the token endpoint as audience, and the error that names the switch")
    func audience() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        provider.server.change { $0.settings.assertionAudiences = [.tokenEndpoint] }
        let client = try provider.client(authentication: .privateKeyJWT(key))
        var configuration = client.configuration
        configuration.triesOtherAuthentication = false
        do {
            _ = try await OAuthClient(configuration, in: client.environment).signIn(with: provider.userAgent)
            Issue.record("the issuer was accepted")
        } catch {
            #expect(error.code == "invalid_client")
            #expect(error.explanation.whatToDo.first?.contains(".tokenEndpoint") == true)
            #expect(error.explanation.whatToDo.first?.contains("--audience") == true)
            #expect(error.serverError?.refusedAuthenticationMethod == "private_key_jwt")
        }
        let other = try provider.client(
            authentication: .privateKeyJWT(key, ClientAssertion(audience: .tokenEndpoint)))
        _ = try await other.signIn(with: provider.userAgent)
    }

    @Test("A key whose algorithm the server does not take is refused before the code is sent")
    func algorithm() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        provider.server.change {
            $0.settings.metadataChanges = ["token_endpoint_auth_signing_alg_values_supported": ["PS256"]]
        }
        let client = try provider.client(authentication: .privateKeyJWT(key))
        let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
        #expect(error?.code == "invalid_configuration")
        #expect(provider.server.count(of: .token) == 0)
    }

    @Test("An assertion that the server repeats is taken out of the error")
    func scrubbed() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        let seen = Locked<[String]>([])
        let origin = try #require(URI(provider.issuer)?.origin)
        let server = provider.server
        let transport = provider.transport.answering(origin) { request, now in
            guard let assertion = request.form["client_assertion"] else { return server.deliver(request, at: now) }
            seen.withLock { $0.append(assertion) }
            let body: JSONObject = ["error": "invalid_client", "error_description": .string("got " + assertion)]
            return Delivery(.answer(HTTPResponse(status: 401, body: body.serialized())))
        }
        var environment = provider.environment
        environment.transport = transport
        let configuration = try provider.client(authentication: .privateKeyJWT(key)).configuration
        do {
            _ = try await OAuthClient(configuration, in: environment).signIn(with: provider.userAgent)
            Issue.record("signed in")
        } catch {
            let sent = try #require(seen.withLock { $0.first })
            #expect(error.serverError?.detail?.contains("<secret>") == true)
            let words = JSON.object(error.serverError?.members ?? [:]).text
            #expect(!words.contains(sent.suffix(40)))
        }
    }

    private struct Attempt {
        var claims: JSONObject
        var algorithm = SignatureAlgorithm.es256
        var type: String? = "JWT"
        var key: SigningKey
        var form: FormParameters = [:]
        var fields: HTTPFields = [:]
    }

    /// What the server says to a token request with an assertion made by hand.
    private func refusal(
        _ change: (inout Attempt) throws -> Void
    ) async throws -> (code: String?, detail: String?) {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        let now = Int64(provider.clock.now.secondsSince1970)
        var attempt = Attempt(
            claims: [
                "iss": "signer", "sub": "signer", "aud": .string(provider.issuer), "jti": "j1",
                "iat": .number(JSONNumber(now)), "exp": .number(JSONNumber(now + 60)),
            ], key: key)
        try change(&attempt)
        for name in attempt.claims.names where attempt.claims[name] == .null { attempt.claims[name] = nil }
        let assertion = try JWT.sign(JWTClaims(attempt.claims), type: attempt.type, key: attempt.key)
        var form: FormParameters = [
            "grant_type": "refresh_token", "refresh_token": "r", "client_assertion": assertion,
            "client_assertion_type": ClientAssertion.typeName,
        ]
        for parameter in attempt.form.parameters { form[parameter.name] = parameter.value }
        let request = HTTPRequest(
            .post, try #require(URI(provider.issuer + "/token")), fields: attempt.fields, body: .form(form))
        let response = try await provider.transport.send(request, step: .tokenRequest)
        let json = try JSON(parsing: response.body)
        return (json["error"]?.string, json["error_description"]?.string)
    }

    @Test("The good one reaches the grant")
    func control() async throws {
        #expect(try await refusal { _ in }.code == "invalid_grant")
        #expect(try await refusal { $0.claims["aud"] = .array([$0.claims["aud"] ?? .null]) }.code == "invalid_grant")
        #expect(try await refusal { $0.type = nil }.code == "invalid_grant")
        #expect(try await refusal { $0.form = ["client_id": "signer"] }.code == "invalid_grant")
    }

    @Test(
        "Claims that do not fit",
        arguments: [
            ("iss", "other"), ("iss", .null), ("sub", "other"), ("sub", .null), ("aud", "https://elsewhere.example"),
            ("aud", "https://id.example.com/token"), ("aud", ["https://id.example.com", "https://elsewhere.example"]),
            ("aud", .null), ("jti", .null), ("jti", ""), ("exp", .null), ("exp", 1), ("exp", 99_999_999_999),
            ("iat", .null), ("iat", 99_999_999_999), ("nbf", 99_999_999_999), ("exp", "soon"),
        ] as [(String, JSON)])
    func claims(name: String, value: JSON) async throws {
        #expect(try await refusal { $0.claims[name] = value }.code == "invalid_client", "\(name)")
    }

    @Test("Another key, another type, another client, two ways at once")
    func others() async throws {
        #expect(try await refusal { $0.key = try Self.key() }.code == "invalid_client")
        #expect(try await refusal { $0.type = "at+jwt" }.code == "invalid_client")
        #expect(try await refusal { $0.form = ["client_id": "other"] }.code == "invalid_client")
        #expect(try await refusal { $0.form = ["client_secret": "s"] }.code == "invalid_request")
        #expect(try await refusal { $0.fields = ["Authorization": "Basic YTpi"] }.code == "invalid_request")
        #expect(try await refusal { $0.form = ["client_assertion_type": "x"] }.code == "invalid_request")
        #expect(try await refusal { $0.form = ["client_assertion": "a.b.c"] }.code == "invalid_client")
    }

    @Test("A second use of an assertion")
    func replay() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        let metadata = try await provider.client(authentication: .privateKeyJWT(key)).metadata()
        var request = HTTPRequest(
            .post, try metadata.address(of: .token, for: .tokenRequest),
            body: .form(["grant_type": "refresh_token", "refresh_token": "r"]))
        try ClientAuthentication.privateKeyJWT(key).authenticate(
            &request, clientID: "signer", on: .init(at: metadata, now: provider.clock.now))
        let first = try await provider.transport.send(request, step: .tokenRequest)
        let second = try await provider.transport.send(request, step: .tokenRequest)
        #expect(try JSON(parsing: first.body)["error"] == "invalid_grant")
        #expect(try JSON(parsing: second.body)["error_description"] == "this assertion was used before")
    }

    @Test("No other way for a client that is registered for assertions, and none for others")
    func registeredWay() async throws {
        let key = try Self.key()
        let provider = provider(.privateKeyJWT(key))
        for way: ClientAuthentication in [.none, .basic(ClientSecret("s")), .post(ClientSecret("s")), .tls] {
            let client = try provider.client(authentication: way)
            let error = await #expect(throws: TernError.self) { try await client.signIn(with: provider.userAgent) }
            #expect(error?.code == "invalid_client", "\(way.methodName)")
        }
        let plain = self.provider(.basic("s"))
        let error = await #expect(throws: TernError.self) {
            try await plain.client(authentication: .privateKeyJWT(key)).signIn(with: plain.userAgent)
        }
        #expect(error?.code == "invalid_client")
    }
}
