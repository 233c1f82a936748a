import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Signed authorization requests (RFC 9101)")
struct SignedRequestTests {
    private func world(
        _ algorithm: SignatureAlgorithm = .es256, _ change: (inout AuthorizationServer) -> Void = { _ in },
        _ adjust: (inout RequestDelivery) -> Void = { _ in }
    ) throws -> RequestWorld {
        try RequestWorld(algorithm: algorithm, server: change) { configuration, key in
            configuration.requestDelivery.signing = RequestObject(key: key)
            adjust(&configuration.requestDelivery)
        }
    }

    @Test("By value, with each kind of key", arguments: [SignatureAlgorithm.es256, .ps256, .rs256, .edDSA])
    func byValue(algorithm: SignatureAlgorithm) async throws {
        let world = try world(algorithm, { $0.settings.requests.demandsSigned = true })
        var options = SignInOptions()
        options.maxAge = .seconds(100)
        options.claims = ["id_token": ["email": .null]]
        options.resources = try ["a", "b"].map { try #require(URI("https://\($0).example")) }
        let session = try await world.signIn(options)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let opened = try world.opened()
        #expect(opened.parameters.map(\.name) == ["client_id", "response_type", "scope", "request"])
        let jwt = try JWT(compact: try #require(opened["request"]))
        #expect(jwt.header.type == "oauth-authz-req+jwt")
        #expect(jwt.header.algorithm == algorithm)
        let claims = jwt.claims
        #expect(claims["iss"]?.string == "signer")
        #expect(claims["aud"]?.string == world.provider.issuer)
        #expect(claims["max_age"]?.integer == 100)
        #expect(claims["claims"]?["id_token"]?["email"] == .null)
        #expect(claims["resource"]?.array?.count == 2)
        #expect(claims["sub"] == nil)
        #expect(claims["code_challenge"]?.string?.utf8.count == 43)
        let (begin, end) = (claims["nbf"]?.double ?? 0, claims["exp"]?.double ?? 0)
        #expect(end - begin == 300)
    }

    @Test("Nothing stands beside it for a server that goes by RFC 9101 alone")
    func bare() async throws {
        let world = try world(.es256, { _ in }, { $0.signing?.repeatsParameters = false })
        _ = try await world.signIn()
        #expect(try world.opened().parameters.map(\.name) == ["client_id", "request"])
    }

    @Test("By reference: the browser carries the address at which it was published")
    func byReference() async throws {
        let place = "https://app.example/requests/1"
        let published = Locked<String?>(nil)
        let provider = Locked<TestProvider?>(nil)
        let world = try world(.es256, { _ in }) { delivery in
            delivery.placement = .byReference { text in
                published.withLock { $0 = text }
                provider.withLock { $0 }?.server.change { $0.settings.requests.published[place] = text }
                return try #require(URI(place))
            }
        }
        provider.withLock { $0 = world.provider }
        let session = try await world.signIn()
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let opened = try world.opened()
        #expect(opened["request_uri"] == place)
        #expect(opened["request"] == nil)
        #expect(published.withLock { $0 }?.isEmpty == false)
    }

    @Test("A reference that is not protected by TLS is refused, and so is one that cannot be published")
    func badReferences() async throws {
        let open = try world(.es256, { _ in }) {
            $0.placement = .byReference { _ in try #require(URI("http://app.example/1")) }
        }
        #expect(try await open.reason { try await open.signIn() } == .insecureEndpoint(field: "request_uri"))
        let long = try world(.es256, { _ in }) {
            $0.placement = .byReference { _ in
                try #require(URI("https://app.example/" + String(repeating: "a", count: 500)))
            }
        }
        #expect(
            try await long.reason { try await long.signIn() }
                == .invalidConfiguration(field: "request_uri", problem: "it is longer than 512 bytes"))
        struct Full: Error {}
        let full = try world(.es256, { _ in }) { $0.placement = .byReference { _ in throw Full() } }
        #expect(
            try await full.reason { try await full.signIn() }
                == .invalidConfiguration(
                    field: "request_uri", problem: "the signed request could not be published"))
    }

    @Test("Pushed: the form carries the client and the signed request alone")
    func pushed() async throws {
        let world = try world(.es256, { _ in }, { $0.pushing = .always })
        let session = try await world.signIn()
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let names = Set(try world.pushed().parameters.map(\.name))
        #expect(names == ["client_id", "request", "client_assertion", "client_assertion_type"])
        #expect(try world.opened().parameters.map(\.name) == ["client_id", "request_uri"])
    }

    @Test("A server that demands signed requests is not asked for anything else")
    func demanded() async throws {
        let world = try RequestWorld(server: { $0.settings.requests.demandsSigned = true })
        #expect(
            try await world.reason { try await world.signIn() }
                == .invalidConfiguration(field: "request", problem: "the server takes only signed requests"))
    }

    @Test("What the metadata says of signed requests is heeded")
    func metadata() async throws {
        let none = try world(.es256, { $0.settings.metadataChanges["request_parameter_supported"] = false })
        #expect(
            try await none.reason { try await none.signIn() } == .unsupported("signed requests in \"request\""))
        let other = try world(
            .es256, { $0.settings.metadataChanges["request_object_signing_alg_values_supported"] = ["PS256"] })
        guard case .invalidConfiguration(let field, let problem) = try await other.reason({ try await other.signIn() })
        else {
            Issue.record("it was not refused")
            return
        }
        #expect(field == "request")
        #expect(problem.contains("ES256") && problem.contains("PS256"))
        #expect(other.count(.authorization) == 0)
    }

    /// A request that somebody changed after the library made it.
    @Test(
        "A strict server's refusals, each told at the pushed request",
        arguments: [
            "key", "typ", "iss", "client_id", "aud", "exp", "far", "nbf", "sub", "nested", "none",
        ])
    func refusals(fault: String) async throws {
        let world = try world()
        let request = AuthorizationRequest(
            endpoint: try #require(URI(world.provider.server.server.address(of: .authorization))), clientID: "signer",
            redirectURI: world.client.configuration.redirectURI, scope: ["openid"], state: "s", nonce: "n",
            codeChallenge: CodeVerifier().challenge)
        let now = world.provider.clock.now
        let good = try RequestObject(key: world.key).signed(
            request, audience: world.provider.issuer, now: now, random: SystemRandomSource())
        var claims = try JWT(compact: good).claims.members
        var key = world.key
        var type: String? = RequestObject.type
        switch fault {
        case "key": key = try SigningKey(try JWK.generate(for: .es256, keyID: "k1"))
        case "typ": type = "at+jwt"
        case "iss": claims["iss"] = "other"
        case "client_id": claims["client_id"] = "other"
        case "aud": claims["aud"] = "https://other.example"
        case "exp": claims["exp"] = .number(JSONNumber(1))
        case "far": claims["exp"] = JSONNumber(now.secondsSince1970 + 7200).map(JSON.number)
        case "nbf": claims["nbf"] = JSONNumber(now.secondsSince1970 + 600).map(JSON.number)
        case "sub": claims["sub"] = "signer"
        case "nested": claims["request_uri"] = "urn:x"
        default: break
        }
        var text = try JWT.sign(JWTClaims(claims), type: type, key: key)
        if fault == "none" {
            let parts = text.split(separator: ".")
            text = Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + ".\(parts[1])."
        }
        func push(_ text: String) async throws -> HTTPResponse {
            var push = try PushedAuthorizationRequest(
                endpoint: try #require(URI(world.provider.server.server.address(of: .pushedAuthorization))),
                parameters: ["client_id": "signer", "request": text]
            ).request()
            let metadata = try await world.client.metadata()
            try ClientAuthentication.privateKeyJWT(world.key).authenticate(
                &push, clientID: "signer", on: .init(at: metadata, now: now))
            return try await world.provider.environment.transport.send(push, step: .pushedAuthorization)
        }
        #expect(try await push(good).status == 201)
        let refusal = try await push(text)
        #expect(refusal.status == 400)
        #expect(try JSON(parsing: refusal.body)["error"]?.string == "invalid_request_object")
    }

    @Test("The claims of a request: text stays text, JSON stays JSON, names that repeat are lists")
    func claims() throws {
        let claims = RequestObject.claims(of: [
            "max_age": "7", "claims": #"{"a":1}"#, "resource": "a", "state": "7", "resource": "b",
        ])
        #expect(claims == ["max_age": 7, "claims": ["a": 1], "resource": ["a", "b"], "state": "7"])
    }
}
