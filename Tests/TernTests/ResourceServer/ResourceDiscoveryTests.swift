import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("What an API says about itself (RFC 9728)")
struct ResourceDiscoveryTests {
    private func uri(_ text: String) throws -> URI { try #require(URI(text)) }

    @Test("From the API's address to a session with a token for it")
    func wholeWay() async throws {
        let provider = TestProvider()
        let transport = provider.environment.transport
        let api = try uri(provider.server.server.apiResource)
        let metadata = try await ProtectedResourceMetadata.discover(api, over: transport)
        #expect(metadata.authorizationServers.map(\.text) == [provider.issuer])
        #expect(metadata.name == "The API of the test server")
        let known = try provider.client().configuration
        let configuration = try ClientConfiguration(
            for: metadata, clientID: known.clientID, redirectURI: known.redirectURI, scope: ["openid", "api"])
        let session = try await OAuthClient(configuration, in: provider.environment)
            .signIn(with: provider.userAgent)
        #expect(try await session.credential().resources == [api])
        #expect(try await session.send(.get(provider.apiAddress("notes"))).status == 200)
    }

    @Test("Without the well-known address: the challenge of a refused call leads there, and no token was sent")
    func challenge() async throws {
        let provider = TestProvider()
        let transport = provider.environment.transport
        let called = try uri(provider.apiAddress("notes"))
        #expect(
            try await reason { try await ProtectedResourceMetadata.discover(called, over: transport) }
                == .resourceMismatch(expected: called.text, received: provider.server.server.apiResource))
        let metadata = try await ProtectedResourceMetadata.discover(called, rule: .covering, over: transport)
        #expect(metadata.resource.text == provider.server.server.apiResource)
        #expect(provider.server.requests(to: .api).allSatisfy { $0.request.fields["Authorization"] == nil })
        provider.server.change { $0.settings.namesResourceMetadata = false }
        #expect(
            try await reason { try await ProtectedResourceMetadata.discover(called, over: transport) }
                == .missingMetadata(field: "resource_metadata"))
    }

    @Test(
        "Trouble of the API's server is trouble and not absence; a whole host is looked at last, where its name may cover"
    )
    func places() async throws {
        let provider = TestProvider()
        let called = try uri(provider.apiAddress("notes"))
        provider.server.add(Fault(at: .resourceMetadata, .replace(HTTPResponse(status: 503))))
        #expect(
            try await reason {
                try await ProtectedResourceMetadata.discover(
                    try uri(provider.server.server.apiResource), over: provider.transport)
            }?.code == "transient")
        let host = OneDocument(body: #"{"resource":"https://id.example.com/"}"#)
        #expect(
            try await reason { try await ProtectedResourceMetadata.discover(called, over: host) }
                == .missingMetadata(field: "resource_metadata"))
        #expect(
            try await ProtectedResourceMetadata.discover(called, rule: .covering, over: host).resource.text
                == "https://id.example.com/")
    }

    @Test("A client with a secret names its server: no API chooses where the secret goes")
    func secrets() async throws {
        let api = try uri("https://api.example/v1")
        let issuer = try Issuer("https://id.example")
        let metadata = try ProtectedResourceMetadata(resource: api, authorizationServers: [issuer])
        let redirect = try RedirectURI("http://127.0.0.1/callback")
        let secret = ClientAuthentication.basic(ClientSecret("secret"))
        #expect(
            try await reason {
                try ClientConfiguration(for: metadata, clientID: "a", redirectURI: redirect, authentication: secret)
            }?.code == "invalid_configuration")
        _ = try ClientConfiguration(
            for: metadata, clientID: "a", redirectURI: redirect, authentication: secret, issuer: issuer)
    }

    @Test("A client of one API heeds what the API demands, and takes no server that the API does not name")
    func demands() async throws {
        let provider = TestProvider()
        provider.server.change { $0.settings.dpop.use = .demanded }
        let api = try uri(provider.server.server.apiResource)
        let metadata = try await ProtectedResourceMetadata.discover(api, over: provider.environment.transport)
        let known = try provider.client().configuration
        let configuration = try ClientConfiguration(
            for: metadata, clientID: known.clientID, redirectURI: known.redirectURI)
        #expect(configuration.dpop != nil)
        #expect(
            try await reason {
                try ClientConfiguration(
                    for: metadata, clientID: "a", redirectURI: known.redirectURI,
                    issuer: try Issuer("https://other.example"))
            } == .invalidConfiguration(field: "issuer", problem: "the API does not take its tokens"))
        let silent = try ProtectedResourceMetadata(resource: api, authorizationServers: [])
        #expect(
            try await reason {
                try ClientConfiguration(for: silent, clientID: "a", redirectURI: known.redirectURI)
            } == .missingMetadata(field: "authorization_servers"))
    }

    @Test(
        "The well-known address",
        arguments: [
            ("https://api.example", "https://api.example/.well-known/oauth-protected-resource"),
            ("https://api.example/", "https://api.example/.well-known/oauth-protected-resource"),
            ("https://api.example/a/b", "https://api.example/.well-known/oauth-protected-resource/a/b"),
            ("https://api.example:8443/a/?t=1", "https://api.example:8443/.well-known/oauth-protected-resource/a/?t=1"),
            ("https://api.example?t=1", "https://api.example/.well-known/oauth-protected-resource?t=1"),
            ("https://api.example/#f", nil), ("urn:api", nil),
        ] as [(String, String?)])
    func address(resource: String, expected: String?) throws {
        #expect(ProtectedResourceMetadata.address(of: try uri(resource))?.text == expected)
    }

    @Test(
        "Which names fit which addresses",
        arguments: [
            ("https://a.example", "https://a.example/", true, true),
            ("https://A.example:443/x", "https://a.example/x", true, true),
            ("https://a.example/x", "https://a.example/x/y", false, true),
            ("https://a.example/x/", "https://a.example/x/y", false, true),
            ("https://a.example/", "https://a.example/x", false, true),
            ("https://a.example/x", "https://a.example/xy", false, false),
            ("https://a.example/x/y", "https://a.example/x", false, false),
            ("https://a.example/x", "https://a.example/x/../y", false, false),
            ("https://a.example/x", "https://a.example/x/%2e%2e/y", false, false),
            ("https://a.example/x?t=1", "https://a.example/x?t=2", false, false),
            ("https://b.example/", "https://a.example/x", false, false),
            ("http://a.example/", "https://a.example/", false, false),
            ("https://a.example:444/", "https://a.example/", false, false),
        ])
    func rules(name: String, asked: String, exact: Bool, covering: Bool) throws {
        func fits(_ rule: ResourceRule) throws -> Bool {
            var request = try ProtectedResourceMetadataRequest(resource: try uri(asked))
            request.rule = rule
            let body = JSON.object(["resource": .string(name)]).serialized()
            let answer = HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: body)
            do throws(TernError) {
                _ = try request.answer(from: answer)
                return true
            } catch {
                guard case .resourceMismatch = error.reason else { throw error }
                return false
            }
        }
        #expect(try fits(.exact) == exact)
        #expect(try fits(.covering) == covering)
    }

    @Test("Addresses that are not protected, and answers that are no metadata")
    func refused() async throws {
        #expect(
            try await reason { try ProtectedResourceMetadataRequest(resource: try uri("http://api.example/")) }
                == .insecureEndpoint(field: "resource"))
        #expect(
            try await reason {
                try ProtectedResourceMetadataRequest(
                    at: try uri("http://api.example/m"), of: try uri("https://api.example/"))
            } == .insecureEndpoint(field: "resource_metadata"))
        let request = try ProtectedResourceMetadataRequest(resource: try uri("https://api.example/"))
        for body in ["{}", #"{"resource":7}"#, #"{"resource":"https://api.example/#f"}"#] {
            let answer = HTTPResponse(
                status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
            #expect(try await reason { try request.answer(from: answer) } == .malformedResponse(field: "resource"))
        }
        let page = HTTPResponse(status: 200, fields: ["Content-Type": "text/html"], body: Array("<p>".utf8))
        #expect(
            try await reason { try request.answer(from: page) } == .discoveryNotJSON(mediaType: "text/html"))
    }

    @Test("What an API publishes is read back as it was meant")
    func published() throws {
        let api = try uri("https://api.example/v1")
        let metadata = try ProtectedResourceMetadata(
            resource: api, authorizationServers: [try Issuer("https://id.example")], scopes: ["read", "write"],
            further: ["dpop_bound_access_tokens_required": true, "resource_name": "Notes"])
        #expect(metadata.requiresDPoP)
        #expect(metadata.scopes == ["read", "write"])
        #expect(metadata.name == "Notes")
        #expect(throws: TernError.self) {
            try ProtectedResourceMetadata(
                resource: api, authorizationServers: [], further: ["resource": "https://other.example"])
        }
    }

    private func reason<Result>(_ body: () async throws -> Result) async throws -> TernError.Reason? {
        do {
            _ = try await body()
            return nil
        } catch let error as TernError {
            return error.reason
        }
    }
}

/// A host that has one document alone, about itself.
private struct OneDocument: HTTPTransport {
    let body: String

    func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
        guard request.url.encodedPath == "/.well-known/oauth-protected-resource" else {
            return HTTPResponse(status: 404)
        }
        return HTTPResponse(status: 200, fields: ["Content-Type": "application/json"], body: Array(body.utf8))
    }
}
