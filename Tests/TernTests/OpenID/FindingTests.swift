import Tern
import TernTesting
import Testing

/// How an application comes to know at which server a user logs in (OpenID Connect Discovery 1.0 §2, Core 1.0 §4).
@Suite("Finding the server")
struct FindingTests {
    @Test(
        "By what the user types",
        arguments: ["ada@id.example.com", "acct:ada@id.example.com", "id.example.com", "https://id.example.com/ada"])
    func found(typed: String) async throws {
        let provider = TestProvider()
        #expect(try await Issuer.find(for: typed, over: provider.transport).text == provider.issuer)
    }

    @Test("The e-mail host may send the question on, to https alone")
    func redirects() async throws {
        let provider = TestProvider()
        let origin = try #require(URI("https://example.com")?.origin)
        func transport(_ location: String) -> TestTransport {
            provider.transport.answering(origin) { request, _ in
                let target = location + "?" + (request.url.encodedQuery ?? "")
                return Delivery(.answer(HTTPResponse(status: 301, fields: ["Location": target])))
            }
        }
        let there = provider.server.server.address(of: .webFinger)
        #expect(try await Issuer.find(for: "ada@example.com", over: transport(there)).text == provider.issuer)
        await #expect(throws: TernError(.insecureEndpoint(field: "Location"), at: .discovery)) {
            try await Issuer.find(
                for: "ada@example.com", over: transport("http://id.example.com/.well-known/webfinger"))
        }
        await #expect {
            try await Issuer.find(for: "ada@example.com", over: transport("https://example.com/circle"))
        } throws: {
            ($0 as? TernError)?.code == "http_status"
        }
    }

    @Test("Somebody whom the host does not know")
    func unknown() async throws {
        let provider = TestProvider()
        await #expect(throws: TernError(.httpStatus(404, location: nil), at: .discovery)) {
            try await Issuer.find(for: "eve@id.example.com", over: provider.transport)
        }
    }

    @Test("A login that another site begins ends at the page that it named")
    func initiation() async throws {
        let provider = TestProvider()
        let client = try provider.client()
        let policy = LoginInitiation.Policy(
            issuers: [try Issuer(provider.issuer)],
            targetOrigins: [try #require(URI("https://app.example")?.origin)])
        let address = try #require(
            URI("https://app.example/login")?.appendingQuery([
                "iss": provider.issuer, "login_hint": "ada", "target_link_uri": "https://app.example/notes/1",
            ]))
        let initiation = try LoginInitiation(.get(address), allowing: policy)
        let signIn = try await client.begin(SignInOptions(initiation))
        #expect(signIn.target?.text == "https://app.example/notes/1")
        #expect(FormParameters(decoding: signIn.address.encodedQuery ?? "")?["login_hint"] == "ada")
    }

    @Test("A server for many tenants: the token's own tenant counts, of those that are allowed")
    func tenants() async throws {
        let issuer = try #require(URI("https://id.example.com/common/v2.0"))
        func signIn(_ tenant: String, tokenIssuer: String? = nil, allowed: Set<String>?) async throws -> Session {
            var server = AuthorizationServer(issuer: issuer)
            server.settings.metadataChanges["issuer"] = "https://id.example.com/{tenantid}/v2.0"
            let provider = TestProvider(server)
            let name = tokenIssuer ?? "https://id.example.com/\(tenant)/v2.0"
            provider.server.add(
                Fault(
                    at: .token,
                    .changeToken(TokenChange(.claim("iss", .set(.string(name))), .claim("tid", .set(.string(tenant))))))
            )
            var configuration = try provider.client().configuration
            configuration.server = .issuer(try Issuer(issuer.text), .tenantTemplate)
            configuration.allowedTenants = allowed
            return try await OAuthClient(configuration, in: provider.environment).signIn(with: provider.userAgent)
        }
        let session = try await signIn("t-1", allowed: ["t-1"])
        #expect(try await session.credential().issuer == "https://id.example.com/t-1/v2.0")
        _ = try await signIn("t-9", allowed: nil)
        await #expect(throws: TernError(.idTokenRejected(.tenantNotAllowed), at: .idToken)) {
            try await signIn("t-2", allowed: ["t-1"])
        }
        await #expect {
            try await signIn("t-1", tokenIssuer: "https://id.example.com/t-2/v2.0", allowed: ["t-1", "t-2"])
        } throws: {
            ($0 as? TernError)?.code == "id_token_issuer_mismatch"
        }
    }
}
