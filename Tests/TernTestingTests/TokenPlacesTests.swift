import TernJOSE
import TernProtocol
import TernTesting
import Testing

/// The places of the server that are about tokens and users: RFC 7662, RFC 9068, RFC 7033.
@Suite("Introspection, JWT access tokens and WebFinger of the server") struct TokenPlacesTests {
    private static let app = TestClient("app", authentication: .post("app-secret"))

    private func ask(_ rig: Rig, _ changes: [String: String?], _ fields: HTTPFields = [:]) async throws -> HTTPResponse
    {
        var form: FormParameters = ["token": "unknown", "client_id": "app", "client_secret": "app-secret"]
        for (name, value) in changes { form[name] = value }
        return try await rig.send(.post, rig.address(.introspection), fields, form: form)
    }

    @Test("What the introspection endpoint refuses")
    func refusals() async throws {
        let rig = Rig(Rig.server([Self.app, .app]))
        #expect(try await ask(rig, [:]).json == ["active": false])
        #expect(try await ask(rig, ["token": nil]).errorCode == "invalid_request")
        #expect(try await ask(rig, ["client_secret": "wrong"]).status == 401)
        #expect(try await ask(rig, ["client_secret": nil]).errorCode == "invalid_client")
        let open = try await ask(rig, ["client_id": "test-app", "client_secret": nil])
        #expect(open.status == 401 && open.errorCode == "invalid_client")
        #expect(try await rig.send(.get, rig.address(.introspection)).status == 405)
        #expect(try await ask(rig, [:], ["Authorization": "Bearer x"]).errorCode == "invalid_token")
    }

    @Test("A signed answer comes when it is asked for, inactive ones too")
    func signedAnswer() async throws {
        let rig = Rig(Rig.server([Self.app]))
        let answer = try await ask(rig, [:], ["Accept": "application/json;q=0.5, Application/Token-Introspection+JWT"])
        #expect(answer.fields["Content-Type"] == "application/token-introspection+jwt")
        let claims = try await rig.claims(of: answer.text)
        #expect(claims["token_introspection"] == ["active": false])
        #expect(claims["aud"] == "app" && claims["iss"] == "https://id.example.com")
        #expect(claims["exp"] == nil && claims["sub"] == nil)
    }

    @Test("Discovery names what there is")
    func discovery() async throws {
        let rig = Rig()
        let metadata = try await rig.send(.get, rig.address(.openIDConfiguration)).json
        #expect(metadata["introspection_endpoint"] == "https://id.example.com/introspect")
        #expect(metadata["introspection_signing_alg_values_supported"] == ["RS256"])
        #expect(metadata["backchannel_logout_session_supported"] == true)
        #expect(metadata["frontchannel_logout_supported"] == true)
    }

    @Test("A JWT access token says what the standard wants, and the server's API takes it")
    func accessTokens() async throws {
        let rig = Rig(Rig.server { $0.settings.accessTokenFormat = .jwt(algorithm: .es256) })
        let tokens = try await rig.tokens()
        let claims = try await rig.claims(of: tokens.access)
        #expect(claims["iss"] == "https://id.example.com" && claims["aud"] == "https://id.example.com/api/")
        #expect(claims["client_id"] == "test-app" && claims["scope"] == "openid profile email api")
        #expect(claims["exp"]?.integer == (claims["iat"]?.integer ?? 0) + 3_600)
        #expect(claims["jti"]?.string?.isEmpty == false && claims["sub"]?.string == TestUser.ada.subject)
        #expect(try JWT(compact: tokens.access).header.type == "at+jwt")
        #expect(try await rig.callAPI(tokens.access).status == 200)
        #expect(try await rig.callAPI(tokens.access + "x").status == 401)
    }

    @Test("WebFinger knows the server's own users and addresses")
    func webFinger() async throws {
        let rig = Rig(Rig.server { $0.users[0].claims["email"] = "Ada@Mail.example" })
        func ask(_ query: FormParameters) async throws -> HTTPResponse {
            try await rig.send(.get, URI(rig.address(.webFinger).appendingQuery(query)) ?? rig.served.issuer)
        }
        let issuer = "http://openid.net/specs/connect/1.0/issuer"
        let good = try await ask(["resource": "acct:ada@id.example.com", "rel": issuer])
        #expect(
            good.fields["Content-Type"] == "application/jrd+json" && good.json["subject"] == "acct:ada@id.example.com")
        #expect(good.json["links"] == [["rel": .string(issuer), "href": "https://id.example.com"]])
        #expect(try await ask(["resource": "acct:ada@mail.example"]).json["links"]?.array?.count == 1)
        #expect(try await ask(["resource": "https://id.example.com/x", "rel": "other"]).json["links"] == [])
        #expect(try await ask(["resource": "acct:eve@id.example.com"]).status == 404)
        #expect(try await ask(["resource": "https://other.example/"]).status == 404)
        #expect(try await ask([:]).status == 400)
        #expect(try await ask(["resource": "no address"]).status == 400)
    }
}
