import Tern
import TernTesting
import Testing

/// Claims of other parties (OpenID Connect Core 1.0 §5.6.2) and sign-ins shared between applications (Native SSO 1.0).
@Suite("What comes from elsewhere")
struct SharedClaimsTests {
    private static let key = try? JWK.generate(for: .es256, keyID: "b1")

    private func signed(_ claims: JSONObject) throws -> String {
        try JWT.sign(
            JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "b1", type: "JWT"),
            key: try #require(Self.key))
    }

    private func sources(_ jwt: String) throws -> ClaimSources {
        try #require(
            try ClaimSources(in: [
                "_claim_names": ["address": "here", "credit_score": "there", "age": "stranger"],
                "_claim_sources": [
                    "here": ["JWT": .string(jwt)],
                    "there": ["endpoint": "https://bank.example/claims", "access_token": "at-bank"],
                    "stranger": ["endpoint": "https://stranger.example/claims", "access_token": "at-stranger"],
                ],
            ]))
    }

    @Test("Aggregated and distributed claims are verified; a stranger gets no token")
    func resolution() async throws {
        let provider = TestProvider()
        let score = try signed(["iss": "https://bank.example", "credit_score": 650, "age": 3])
        let origin = try #require(URI("https://bank.example")?.origin)
        let transport = provider.transport.answering(origin) { request, _ in
            guard request.fields["Authorization"] == "Bearer at-bank" else {
                return Delivery(.answer(HTTPResponse(status: 401)))
            }
            return Delivery(
                .answer(
                    HTTPResponse(
                        status: 200, fields: ["Content-Type": "application/jwt"], body: Array(score.utf8))))
        }
        let keys = JWKSet([try #require(Self.key)])
        let environment = Environment(transport: transport, store: provider.store, clock: provider.clock)
        let found = try sources(try signed(["iss": "https://post.example", "address": ["country": "DE"]]))
        let resolution = await found.resolve(in: environment) { source in
            switch source.place {
            case .aggregated: ClaimsProvider(issuer: "https://post.example", keys: keys)
            case .distributed(let there, _) where there.host == "bank.example":
                ClaimsProvider(issuer: "https://bank.example", keys: keys)
            case .distributed: nil
            }
        }
        #expect(resolution.claims == ["address": ["country": "DE"], "credit_score": 650])
        #expect(resolution.issuers == ["address": "https://post.example", "credit_score": "https://bank.example"])
        #expect(resolution.failures.isEmpty)
    }

    @Test("A source that fails spoils nothing but itself, and its secret is in no error")
    func failures() async throws {
        let provider = TestProvider()
        let origin = try #require(URI("https://bank.example")?.origin)
        let transport = provider.transport.answering(origin) { _, _ in
            let fields: HTTPFields = [
                "WWW-Authenticate": "Bearer error=\"invalid_token\", error_description=\"at-bank is unknown\""
            ]
            return Delivery(.answer(HTTPResponse(status: 401, fields: fields)))
        }
        let keys = JWKSet([try #require(Self.key)])
        let environment = Environment(transport: transport, store: provider.store, clock: provider.clock)
        let found = try sources(try signed(["iss": "https://evil.example", "address": ["country": "DE"]]))
        let resolution = await found.resolve(in: environment) { source in
            source.name == "stranger" ? nil : ClaimsProvider(issuer: "https://bank.example", keys: keys)
        }
        #expect(resolution.claims.isEmpty)
        #expect(resolution.failures["here"]?.code == "claims_issuer_mismatch")
        #expect(resolution.failures["there"]?.serverError?.code == "invalid_token")
        #expect(resolution.failures["there"]?.serverError?.detail == "<secret> is unknown")
        #expect(resolution.failures["stranger"] == nil)
    }

    @Test("A second application signs in with the first one's ID token and the device secret")
    func nativeSSO() async throws {
        let first = TestProvider()
        first.server.add(Fault(at: .token, .member("device_secret", .set("ds-1"))))
        let session = try await first.client().signIn(with: first.userAgent)
        let credential = try await session.credential()
        let secret = try #require(credential.deviceSecret)
        #expect(secret.exposedText == "ds-1" && !String(reflecting: credential).contains("ds-1"))
        let idToken = try #require(credential.idToken)
        #expect(throws: TernError(.idTokenRejected(.malformedClaim("ds_hash")), at: .idToken)) {
            // The test server makes no such hash.
            try Self.parsed(idToken, first).requireBinding(to: secret)
        }

        let second = TestProvider()
        second.server.add(
            Fault(
                at: .token,
                .replace(
                    HTTPResponse(
                        status: 200, fields: ["Content-Type": "application/json"],
                        body: Array(#"{"access_token":"at-2","token_type":"Bearer","device_secret":"ds-2"}"#.utf8)))))
        let shared = try await second.client().signIn(sharing: idToken, secret)
        #expect(try await shared.accessToken().exposedText == "at-2")
        #expect(try await shared.credential().deviceSecret?.exposedText == "ds-2")
        #expect(try await second.client().session() != nil)
        let form = try #require(second.server.requests(to: .token).first?.request.form)
        #expect(form["actor_token"] == "ds-1" && form["subject_token"] == idToken.exposedText)
        #expect(form["audience"] == second.issuer && form["client_id"] == "test-app")
    }

    @Test("The device secret outlives a refresh")
    func kept() async throws {
        let provider = TestProvider()
        provider.server.add(
            Fault(at: .token, where: ["grant_type": "authorization_code"], .member("device_secret", .set("ds-1"))))
        let session = try await provider.client().signIn(with: provider.userAgent)
        try await session.refresh()
        #expect(try await session.credential().deviceSecret?.exposedText == "ds-1")
    }

    private static func parsed(_ token: EncodedIDToken, _ provider: TestProvider) throws -> IDToken {
        let set = provider.server.change { server in
            server.respond(
                to: HTTPRequest(.get, URI(server.address(of: .keys)) ?? server.issuer), at: provider.clock.now)
        }
        return try IDToken(
            verifying: token, keys: JWKSet(parsing: set.body),
            expecting: .init(issuer: provider.issuer, clientID: "test-app", nonce: .ifPresent(nil)),
            now: provider.clock.now)
    }
}
