import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Pushed authorization requests (RFC 9126)")
struct PushedRequestTests {
    private func world(
        _ pushing: RequestDelivery.Pushing = .always, _ change: (inout AuthorizationServer) -> Void = { _ in },
        _ adjust: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> RequestWorld {
        try RequestWorld(server: change) { configuration, _ in
            configuration.requestDelivery.pushing = pushing
            adjust(&configuration)
        }
    }

    @Test("The browser carries the client and a reference, and nothing else")
    func reference() async throws {
        let world = try world()
        var options = SignInOptions()
        options.loginHint = "ada"
        let session = try await world.signIn(options)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        let opened = try world.opened()
        #expect(opened.parameters.map(\.name) == ["client_id", "request_uri"])
        let pushed = try world.pushed()
        #expect(pushed["login_hint"] == "ada")
        #expect(pushed["code_challenge_method"] == "S256")
        #expect(pushed["client_assertion"] != nil)
        #expect(world.count(.pushedAuthorization) == 1)
    }

    @Test("It is pushed when the server demands it, and not otherwise", arguments: [true, false])
    func demanded(isDemanded: Bool) async throws {
        let world = try world(.whenRequired, { $0.settings.requests.demandsPushed = isDemanded })
        _ = try await world.signIn()
        #expect(world.count(.pushedAuthorization) == (isDemanded ? 1 : 0))
    }

    @Test("It is pushed when the server offers it, for who wants that", arguments: [true, false])
    func offered(isOffered: Bool) async throws {
        let world = try world(.whenOffered, { $0.settings.requests.takesPushed = isOffered })
        _ = try await world.signIn()
        #expect(world.count(.pushedAuthorization) == (isOffered ? 1 : 0))
    }

    @Test("A server without the endpoint is refused by who always pushes")
    func missing() async throws {
        let world = try world(.always, { $0.settings.requests.takesPushed = false })
        #expect(
            try await world.reason { try await world.signIn() }
                == .missingMetadata(field: "pushed_authorization_request_endpoint"))
        #expect(world.count(.authorization) == 0)
    }

    @Test("A public client pushes too")
    func publicClient() async throws {
        let provider = TestProvider()
        var configuration = try provider.client().configuration
        configuration.requestDelivery.pushing = .always
        let client = OAuthClient(configuration, in: provider.environment)
        let session = try await client.signIn(with: provider.userAgent)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(provider.server.count(of: .pushedAuthorization) == 1)
    }

    @Test("With a key for the tokens: the proof comes along, and the nonce is learned here (RFC 9449 §10.1)")
    func proof() async throws {
        let world = try world(
            .always,
            {
                $0.settings.dpop.use = .demanded
                $0.settings.dpop.nonceLifetimeAtAuthorizationServer = .seconds(100)
            }, { $0.dpop = DPoP() })
        let session = try await world.signIn()
        #expect(try await session.credential().tokenType == .dpop)
        #expect(world.count(.pushedAuthorization) == 2)
        #expect(world.count(.token) == 1)
        let assertions = try world.provider.server.requests(to: .pushedAuthorization).map { entry in
            try JWT(compact: entry.parameters["client_assertion"] ?? "").claims["jti"]?.string
        }
        #expect(Set(assertions).count == 2)
    }

    @Test("A proof that the server does not like here is left out: the request names the key all the same")
    func proofRefused() async throws {
        let world = try world(
            .always,
            {
                $0.settings.dpop.use = .demanded
                $0.faults.add(
                    Fault(
                        at: .pushedAuthorization, on: .nth(1),
                        .replace(
                            HTTPResponse(
                                status: 403, fields: ["Content-Type": "application/json"],
                                body: Array(#"{"error":"invalid_dpop_proof"}"#.utf8)))))
            }, { $0.dpop = DPoP() })
        let session = try await world.signIn()
        #expect(try await session.credential().tokenType == .dpop)
        let pushed = world.provider.server.requests(to: .pushedAuthorization)
        #expect(pushed.map { $0.request.fields["DPoP"] != nil } == [true, false])
        #expect(pushed.allSatisfy { $0.parameters["dpop_jkt"] != nil })
    }

    @Test("What is wrong is told before any page is shown, with the server's code")
    func refusals() async throws {
        let scope = try RequestWorld(
            scope: ["openid", "unheard-of"],
            client: { configuration, _ in configuration.requestDelivery.pushing = .always })
        #expect(try await scope.serverCode { try await scope.signIn() } == "invalid_scope")
        #expect(scope.count(.authorization) == 0)
        let target = try world(.always, { $0.settings.requests.resources = [] })
        var options = SignInOptions()
        options.resources = [try #require(URI("https://other.example/api"))]
        #expect(try await target.serverCode { try await target.signIn(options) } == "invalid_target")
    }

    @Test("A reference is good once, for a minute, and for its client")
    func onceOnly() async throws {
        let world = try world()
        let first = try await world.client.begin()
        _ = try await world.provider.browser.signIn(
            at: first.address, stoppingAt: world.client.configuration.redirectURI)
        await #expect(throws: TernError.self) {
            try await world.provider.browser.signIn(
                at: first.address, stoppingAt: world.client.configuration.redirectURI)
        }
        let late = try await world.client.begin()
        world.provider.clock.advance(by: .seconds(61))
        await #expect(throws: TernError.self) {
            try await world.provider.browser.signIn(
                at: late.address, stoppingAt: world.client.configuration.redirectURI)
        }
    }

    @Test(
        "Answers that bring no reference",
        arguments: [
            ("{}", "request_uri"), (#"{"request_uri":"","expires_in":60}"#, "request_uri"),
            (#"{"request_uri":"urn:a b"}"#, "request_uri"), (#"{"request_uri":7}"#, "request_uri"),
        ])
    func malformed(body: String, field: String) throws {
        let request = PushedAuthorizationRequest(
            endpoint: try #require(URI("https://id.example/par")), parameters: ["client_id": "app"])
        let answer = HTTPResponse(
            status: 201, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
        #expect(throws: TernError(.malformedResponse(field: field), at: .pushedAuthorization)) {
            try request.answer(from: answer)
        }
    }

    @Test("An answer with 200 and a lifetime as text is read; a pushed reference is refused")
    func lenient() throws {
        let endpoint = try #require(URI("https://id.example/par"))
        let request = PushedAuthorizationRequest(endpoint: endpoint, parameters: ["client_id": "app"])
        let answer = HTTPResponse(
            status: 200, fields: ["Content-Type": "application/json"],
            body: Array(#"{"request_uri":"urn:x:1","expires_in":"90"}"#.utf8))
        let pushed = try request.answer(from: answer)
        #expect(pushed.requestURI == "urn:x:1")
        #expect(pushed.lifetime == .seconds(90))
        let nested = PushedAuthorizationRequest(endpoint: endpoint, parameters: ["request_uri": "urn:x:1"])
        #expect(throws: TernError.self) { try nested.request() }
    }
}
