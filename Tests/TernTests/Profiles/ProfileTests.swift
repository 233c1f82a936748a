import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Profiles")
struct ProfileTests {
    private func world(
        _ profile: Profile, algorithm: SignatureAlgorithm = .es256,
        server change: (inout AuthorizationServer) -> Void = { _ in },
        client adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> RequestWorld {
        var failure: (any Error)?
        let world = try RequestWorld(
            algorithm: algorithm,
            server: { server in
                server.clients[0].idTokenAlgorithm = .es256
                change(&server)
            },
            client: { configuration, _ in
                do {
                    configuration.redirectURI = try RedirectURI("http://127.0.0.1/callback")
                    adjust(&configuration)
                    try configuration.adopt(profile)
                } catch {
                    failure = error
                }
            })
        if let failure { throw failure }
        return world
    }

    @Test("FAPI 2.0 with proofs: one word, and everything is as its client plan wants it")
    func fapi() async throws {
        let world = try world(
            .fapi2(),
            server: {
                $0.settings.requests.demandsPushed = true
                $0.settings.dpop.use = .demanded
                $0.settings.dpop.nonceLifetimeAtAuthorizationServer = .seconds(300)
                $0.settings.dpop.nonceLifetimeAtAPI = .seconds(300)
            })
        let session = try await world.signIn()
        #expect(try await session.send(.get(world.provider.apiAddress("notes"))).status == 200)
        #expect(try world.opened().parameters.map(\.name) == ["client_id", "request_uri"])
        let pushed = try world.pushed()
        #expect(pushed["response_type"] == "code")
        #expect(pushed["code_challenge_method"] == "S256")
        let assertion = try JWT(compact: pushed["client_assertion"] ?? "")
        #expect(assertion.claims["aud"] == .string(world.provider.issuer))
        #expect(try await session.credential().tokenType == .dpop)
    }

    @Test("FAPI 2.0: an ID token under RS256 is refused, whatever the server would like")
    func fapiAlgorithms() async throws {
        let world = try world(.fapi2(), server: { $0.clients[0].idTokenAlgorithm = .rs256 })
        #expect(
            try await world.reason { try await world.signIn() } == .idTokenRejected(.unsupportedAlgorithm("RS256")))
    }

    @Test("FAPI 2.0: an answer without iss is refused although the server promised none")
    func fapiIssuer() async throws {
        let world = try world(.fapi2(), server: { $0.settings.identifiesItself = false })
        #expect(
            try await world.reason { try await world.signIn() }
                == .issuerMismatch(expected: world.provider.issuer, received: nil))
        #expect(world.count(.token) == 0)
    }

    @Test("FAPI 2.0: a bearer token is refused")
    func fapiBearer() async throws {
        let world = try world(.fapi2(), server: { $0.settings.dpop.use = .ignored })
        #expect(try await world.reason { try await world.signIn() } == .tokenNotBound)
    }

    @Test("Message Signing: the request is signed with the client's key, the answer is signed too")
    func messageSigning() async throws {
        let world = try world(.fapi2MessageSigning(), server: { $0.settings.requests.demandsSigned = true })
        let session = try await world.signIn()
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let claims = try JWT(compact: try world.pushed()["request"] ?? "").claims
        #expect(claims["response_mode"]?.string == "jwt")
        #expect(claims["nbf"] != nil && claims["exp"] != nil)
    }

    @Test("What FAPI 2.0 forbids, and where it says so")
    func fapiClauses() async throws {
        let key = try SigningKey(try JWK.generate(for: .rs256))
        let cases: [(String, (inout ClientConfiguration) -> Void)] = [
            ("§5.3.3.1", { $0.authentication = .none }),
            ("§5.3.3.1", { $0.authentication = .basic(ClientSecret("secret")) }),
            ("§5.3.3.1", { $0.authentication = .secretJWT(ClientSecret("secret")) }),
            ("§5.4.1", { $0.authentication = .privateKeyJWT(key) }),
            (
                "§5.3.3.1",
                {
                    guard case .privateKeyJWT(let key, _) = $0.authentication else { return }
                    $0.authentication = .privateKeyJWT(key, ClientAssertion(audience: .tokenEndpoint))
                }
            ),
            ("§5.4.1", { $0.dpop = DPoP(key: .generated(.rs256)) }),
            (
                "§5.3.3.1",
                {
                    $0.dpop = DPoP()
                    $0.dpop?.acceptsBearerTokens = true
                }
            ),
            ("§5.3.3.2", { $0.responseType = .codeIDToken }),
            ("§5.3.3.1", { $0.server = .metadata(ServerMetadata(members: [:])) }),
        ]
        for (index, (expected, change)) in cases.enumerated() {
            #expect(
                try await clause { try world(.fapi2(), client: change) } == expected, "case \(index)")
        }
        let private_ = try RedirectURI("com.example.app:/callback")
        #expect(try await clause { try world(.fapi2(), client: { $0.redirectURI = private_ }) } == "§5.3.2.2")
    }

    @Test("With certificates: no proof is made, and a client that shows none is given the certificate's endpoints")
    func certificates() async throws {
        let world = try world(.fapi2(.certificate))
        #expect(world.client.configuration.dpop == nil)
        #expect(world.client.configuration.wantsCertificateBoundTokens)
    }

    @Test("Message Signing without a key to sign with is refused")
    func noKey() async throws {
        #expect(
            try await clause {
                try world(.fapi2MessageSigning(.certificate), client: { $0.authentication = .tls })
            } == "§5.3.2")
        let long = try SigningKey(try JWK.generate(for: .es256))
        #expect(
            try await clause {
                try world(
                    .fapi2MessageSigning(),
                    client: {
                        var object = RequestObject(key: long)
                        object.lifetime = .seconds(3601)
                        $0.requestDelivery.signing = object
                    })
            } == "§5.3.2")
    }

    @Test("A configuration that is changed afterwards is caught when a sign-in begins, and so are options")
    func changed() async throws {
        var configuration = try world(.fapi2()).client.configuration
        let provider = TestProvider()
        var trying = configuration
        trying.triesOtherAuthentication = true
        let other = OAuthClient(trying, in: provider.environment)
        #expect(try await clause { try await other.begin() } == "§5.3.3.1")
        configuration.requestDelivery.pushing = .whenRequired
        let client = OAuthClient(configuration, in: provider.environment)
        #expect(try await clause { try await client.begin() } == "§5.3.3.2")
        let good = try world(.fapi2())
        var options = SignInOptions()
        options.responseType = .codeIDToken
        #expect(try await clause { try await good.client.begin(options) } == "§5.3.3.2")
        #expect(good.count(.pushedAuthorization) == 0)
    }

    @Test("A refused profile leaves the configuration as it was")
    func nothingHalf() throws {
        var configuration = try TestProvider().client().configuration
        let before = configuration.requestDelivery.pushing
        #expect(throws: TernError.self) { try configuration.adopt(.fapi2()) }
        #expect(configuration.requestDelivery.pushing == before)
        #expect(configuration.dpop == nil)
        #expect(configuration.profile == nil)
    }

    @Test("OAuth 2.1: no passwords, no tokens through the browser, PKCE")
    func oauth21() async throws {
        let world = try world(.oauth21)
        _ = try await world.signIn()
        #expect(
            try await clause {
                try await world.client.signInHandingOverPassword(
                    username: "ada", userPassword: UserPassword("lovelace"))
            } == "OAuth 2.1 §10")
        #expect(try await clause { try await world.client.beginExposingTokens() } == "OAuth 2.1 §10")
        #expect(try await clause { try self.world(.oauth21, client: { $0.responseType = .codeToken }) } == "§10")
        let plain = try self.world(
            .oauth21, server: { $0.settings.metadataChanges["code_challenge_methods_supported"] = ["plain"] })
        #expect(try await clause { try await plain.signIn() } == "§4.1.1")
    }

    @Test("MCP: tokens for one named server; a server that is silent about PKCE is refused")
    func mcp() async throws {
        #expect(try await clause { try self.world(.mcp) } == "Resource Parameter Implementation")
        let api = try #require(URI("https://mcp.example/v1"))
        let world = try world(.mcp, client: { $0.resources = [api] })
        _ = try await world.signIn()
        #expect(try world.opened()["resource"] == api.text)
        #expect(world.provider.server.requests(to: .token).first?.parameters["resource"] == api.text)
        let silent = try self.world(
            .mcp, server: { $0.settings.metadataChanges["code_challenge_methods_supported"] = JSON?.none },
            client: { $0.resources = [api] })
        #expect(try await clause { try await silent.signIn() } == "Authorization Code Protection")
    }
}
