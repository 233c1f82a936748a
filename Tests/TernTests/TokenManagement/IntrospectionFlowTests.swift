import Tern
import TernTesting
import Testing

/// Questions about tokens (RFC 7662, RFC 9701) and the tokens of APIs (RFC 9068), from client to server.
@Suite("Introspection and access tokens for APIs")
struct IntrospectionFlowTests {
    private static func api() -> TestClient {
        var api = TestClient("api", authentication: .basic("api-secret"), redirectURIs: [])
        api.isProtectedResource = true
        return api
    }

    private func provider(_ change: (inout AuthorizationServer) -> Void = { _ in }) -> TestProvider {
        let app = TestClient("confidential", authentication: .basicOrPost("app-secret"))
        var server = AuthorizationServer(clients: [app, Self.api(), .app])
        change(&server)
        return TestProvider(server)
    }

    private func apiClient(_ provider: TestProvider) throws -> OAuthClient {
        try provider.client(Self.api(), redirectURI: OAuthClient.loopbackRedirect)
    }

    private func signed() -> OAuthClient.IntrospectionOptions {
        var options = OAuthClient.IntrospectionOptions()
        options.signed = true
        return options
    }

    @Test("An API learns of every access token, in the plain and in the signed form", arguments: [false, true])
    func api(isSigned: Bool) async throws {
        let provider = provider()
        let token = try await provider.client().signIn(with: provider.userAgent).accessToken()
        let api = try apiClient(provider)
        var options = OAuthClient.IntrospectionOptions()
        options.signed = isSigned
        let answer = try await api.introspect(token, options)
        #expect(answer.isActive && answer.clientID == "confidential" && answer.username == "ada")
        #expect(answer.scope?.contains("api") == true && answer.tokenType == "Bearer")
        #expect(answer.subject == TestUser.ada.subject && answer.issuer == provider.issuer)
        #expect(answer.isGood(at: provider.clock.now))
        provider.clock.advance(by: .seconds(3_601))
        #expect(try await api.introspect(token, options).isActive == false)
        let sent = try #require(provider.server.requests(to: .introspection).first)
        #expect(sent.request.fields["Authorization"]?.hasPrefix("Basic ") == true)
    }

    @Test("A client learns of its own tokens alone, refresh tokens too")
    func ownTokens() async throws {
        let provider = provider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let refreshToken = try #require(try await session.credential().refreshToken)
        #expect(try await client.introspect(refreshToken).isActive)
        #expect(try await client.introspect(try await session.accessToken()).isActive)
        #expect(try await apiClient(provider).introspect(refreshToken).isActive == false)
        #expect(try await client.introspect(AccessToken("nobody's")).isActive == false)
        try await client.revoke(refreshToken)
        #expect(try await client.introspect(refreshToken).isActive == false)
        #expect(try await client.introspect(try await session.accessToken()).isActive == false)
    }

    @Test("A public client may not ask; an access token with the scope may")
    func whoAsks() async throws {
        let provider = provider { $0.clients[2].scopes.insert("introspection") }
        let client = try provider.client(.app, scope: ["openid", "introspection"])
        let token = try await client.signIn(with: provider.userAgent).accessToken()
        await #expect { try await client.introspect(token) } throws: { error in
            (error as? TernError)?.serverError?.code == "invalid_client"
        }
        var options = OAuthClient.IntrospectionOptions()
        options.authorization = token
        #expect(try await client.introspect(token, options).isActive)
        let weak = try await provider.client(.app, scope: ["openid"]).signIn(with: provider.userAgent).accessToken()
        options.authorization = weak
        await #expect { try await client.introspect(token, options) } throws: { error in
            (error as? TernError)?.serverError?.code == "insufficient_scope"
        }
        let sent = provider.server.requests(to: .introspection).dropFirst().map(\.request)
        #expect(sent.allSatisfy { $0.form["client_id"] == nil && $0.form["token"] != nil })
    }

    @Test(
        "Each fault of a signed answer is found",
        arguments: [
            (TokenChange(.claim("iss", .append("x"))), "introspection_issuer_mismatch"),
            (TokenChange(.claim("aud", .set("app"))), "introspection_audience_mismatch"),
            (TokenChange(.claim("iat", .move(.seconds(-400)))), "introspection_too_old"),
            (TokenChange(.claim("iat", .move(.seconds(90)))), "introspection_clock_skew"),
            (TokenChange(.claim("iat", .remove)), "introspection_malformed_claim"),
            (TokenChange(.claim("token_introspection", .remove)), "introspection_malformed_claim"),
            (TokenChange(.header("typ", .set("JWT"))), "introspection_wrong_type"),
            (TokenChange(signature: .turned()), "introspection_signature"),
            (TokenChange(signature: .byForeignKey), "introspection_signature"),
            (TokenChange(signature: .none), "introspection_unsupported_algorithm"),
        ])
    func faults(change: TokenChange, code: String) async throws {
        let provider = provider()
        let token = try await provider.client().signIn(with: provider.userAgent).accessToken()
        provider.server.add(Fault(at: .introspection, .changeToken(change)))
        let api = try apiClient(provider)
        await #expect { try await api.introspect(token, signed()) } throws: { ($0 as? TernError)?.code == code }
    }

    @Test("A plain answer is no signed one; new keys of the server are fetched")
    func downgrade() async throws {
        let provider = provider()
        let token = try await provider.client().signIn(with: provider.userAgent).accessToken()
        let api = try apiClient(provider)
        #expect(try await api.introspect(token, signed()).isActive)
        provider.server.change { $0.rotateKeys(keepingPrevious: false) }
        #expect(try await api.introspect(token, signed()).isActive)
        provider.server.add(
            Fault(
                at: .introspection,
                .replace(
                    HTTPResponse(
                        status: 200, fields: ["Content-Type": "application/json"], body: Array(#"{"active":true}"#.utf8)
                    ))))
        await #expect(throws: TernError(.malformedResponse(field: "Content-Type"), at: .introspection)) {
            try await api.introspect(token, signed())
        }
    }

    @Test("A server without the endpoint, and one without TLS")
    func endpoints() async throws {
        let none = provider { $0.settings.metadataChanges["introspection_endpoint"] = .some(nil) }
        await #expect(throws: TernError(.missingMetadata(field: "introspection_endpoint"), at: .introspection)) {
            try await apiClient(none).introspect(AccessToken("x"))
        }
        let plain = provider {
            $0.settings.metadataChanges["introspection_endpoint"] = "http://id.example.com/introspect"
        }
        await #expect(throws: TernError(.insecureEndpoint(field: "introspection_endpoint"), at: .introspection)) {
            try await apiClient(plain).introspect(AccessToken("x"))
        }
    }

    @Test("JWT access tokens: the server's own API takes them, an API of one's own checks them")
    func jwtAccessTokens() async throws {
        let provider = provider {
            $0.settings.accessTokenFormat = .jwt(audience: "https://api.example", algorithm: .es256)
            $0.users[0].claims["roles"] = ["admin"]
        }
        let session = try await provider.client().signIn(with: provider.userAgent)
        let answer = try await session.send(.get(provider.apiAddress("notes")))
        #expect(answer.status == 200)
        let api = try apiClient(provider)
        let request = try await session.authorize(.get(provider.apiAddress("notes")))
        let token = try await api.verify(AccessToken(bearerOf: request), for: "https://api.example")
        #expect(token.subject == TestUser.ada.subject && token.clientID == "confidential")
        #expect(token.roles == ["admin"] && token.scope.contains("api"))
        try token.require(scope: ["api"])
        let asked = try await api.introspect(try await session.accessToken())
        #expect(asked.tokenID == token.tokenID && asked.audience == ["https://api.example"])

        func code(_ audience: String, after seconds: Int) async -> String? {
            provider.clock.advance(by: .seconds(seconds))
            do throws(TernError) {
                _ = try await api.verify(AccessToken(bearerOf: request), for: audience)
                return nil
            } catch {
                return error.code
            }
        }
        #expect(await code("https://other.example", after: 0) == "access_token_audience_mismatch")
        #expect(await code("https://api.example", after: 3_659) == nil)
        #expect(await code("https://api.example", after: 1) == "access_token_expired")
    }

    @Test("An API answers its callers in a few lines, and a session does what the challenge says")
    func resourceServer() async throws {
        let provider = provider { $0.settings.accessTokenFormat = .jwt(audience: "https://api.example") }
        let session = try await provider.client().signIn(with: provider.userAgent)
        let keys = try await session.client.keys()
        let expected = JWTAccessToken.Expectation(issuer: provider.issuer, audience: "https://api.example")
        @Sendable func reply(_ request: HTTPRequest, _ now: NumericDate, _ scope: Scope) -> HTTPResponse {
            do throws(TernError) {
                let token = try JWTAccessToken(
                    verifying: AccessToken(bearerOf: request), keys: keys, expecting: expected, now: now)
                try token.require(scope: scope)
                return HTTPResponse(status: 200, body: Array(token.subject.utf8))
            } catch {
                return BearerChallenge(error).response
            }
        }
        let good = try await session.authorize(.get("https://api.example/notes"))
        #expect(reply(good, provider.clock.now, ["api"]).status == 200)
        #expect(reply(good, provider.clock.now, ["admin"]).wantedScope == ["admin"])
        #expect(reply(good, provider.clock.now + .seconds(3_700), []).refusesToken)
        let bare = try reply(.get("https://api.example/notes"), provider.clock.now, [])
        #expect(bare.status == 401 && bare.fields["WWW-Authenticate"] == "Bearer")
    }
}
