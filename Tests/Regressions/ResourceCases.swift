import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Calls to APIs")
struct ResourceCases {
    private static let invalid =
        #"Negotiate, Basic realm="x, y", Bearer error="invalid_token""#

    private func held(_ api: @escaping ScriptedTransport.Answer) async throws -> HeldGrant {
        try await HeldGrant { (request) async throws(TernError) in
            guard request.url.text == "https://idp.example/t" else { return try await api(request) }
            return answer(
                200, "application/json", #"{"access_token":"at-2","token_type":"Bearer","refresh_token":"rt-2"}"#)
        }
    }

    private func calls(_ held: HeldGrant) -> [String] {
        held.transport.sent.map { "\($0.url.text) \($0.fields["Authorization"] ?? "-")" }
    }

    /// A session whose tokens are bound to a key.
    private func bound(_ tokens: @escaping ScriptedTransport.Answer) async throws -> HeldGrant {
        let key = try JWK.generate(for: .es256)
        var object = try #require(try JSON(parsing: HeldGrant.record().exposedBytes).object)
        object["token_type"] = "DPoP"
        object["dpop"] = .object(key.privateJSON())
        return try await HeldGrant(
            StoredRecord(JSON.object(object).serialized()), configure: { $0.dpop = DPoP() }, tokens)
    }

    private func claims(_ request: HTTPRequest) throws -> JWTClaims {
        try JWT(compact: try #require(request.fields["DPoP"])).claims
    }

    @Test("RS-01 a")
    func tokenNonce() async throws {
        let held = try await bound { request in
            guard request.url.text == "https://idp.example/t" else { return answer(200, nil) }
            guard (try? JWT(compact: request.fields["DPoP"] ?? ""))?.claims["nonce"] == nil else {
                return answer(
                    200, "application/json", #"{"access_token":"at-2","token_type":"dpop","refresh_token":"rt-2"}"#)
            }
            var refusal = answer(400, "application/json", #"{"error":"use_dpop_nonce"}"#)
            refusal.fields["DPoP-Nonce"] = "nn-1"
            return refusal
        }
        let session = try await held.session()
        try await session.refresh()
        let proofs = try held.transport.sent.map { try claims($0) }
        #expect(proofs.count == 2)
        #expect(proofs.map { $0["nonce"] } == [nil, "nn-1"])
        #expect(proofs[0]["jti"] != proofs[1]["jti"])
        try await session.refresh()
        #expect(try claims(try #require(held.transport.sent.last))["nonce"] == "nn-1")
        #expect(held.transport.sent.count == 3)
    }

    @Test("RS-01 b")
    func target() async throws {
        let held = try await bound { _ in answer(200, nil) }
        _ = try await held.session().send(.get("https://api.example/v1/items?x=1#f"))
        let request = try #require(held.transport.sent.first)
        #expect(request.fields["Authorization"] == "DPoP at-old")
        #expect(try claims(request)["htu"] == "https://api.example/v1/items")
        #expect(
            try claims(request)["ath"]
                == .string(Base64URL.encode(HashFunction.sha256.digest(Array("at-old".utf8)))))
    }

    @Test("RS-02", arguments: ["dpop", "DPoP", "Bearer"])
    func tokenType(word: String) async throws {
        let held = try await bound { request in
            guard request.url.text == "https://idp.example/t" else { return answer(200, nil) }
            return answer(
                200, "application/json",
                #"{"access_token":"at-2","token_type":"\#(word)","refresh_token":"rt-2"}"#)
        }
        let session = try await held.session()
        guard word == "Bearer" else {
            try await session.refresh()
            _ = try await session.send(.get("https://api.example/v1"))
            #expect(held.transport.sent.last?.fields["Authorization"] == "DPoP at-2")
            return
        }
        #expect(try await asyncReason { try await session.refresh() } == .tokenNotBound)
    }

    @Test("RS-03 with a proof")
    func boundRedirect() async throws {
        let held = try await bound { request in
            guard request.url.text == "https://api.example/file" else { return answer(200, nil) }
            return HTTPResponse(status: 302, fields: ["Location": "https://cdn.other.example/f"])
        }
        _ = try await held.session().send(.get("https://api.example/file"), followingRedirects: true)
        #expect(held.transport.sent.first?.fields["DPoP"] != nil)
        #expect(held.transport.sent.last?.fields.fields.isEmpty == true)
    }

    @Test("RS-03")
    func redirect() async throws {
        let held = try await held { _ in
            HTTPResponse(status: 302, fields: ["Location": "https://cdn.other.example/f"])
        }
        let response = try await held.session().send(.get("https://api.example/file"))
        #expect(response.status == 302)
        #expect(calls(held) == ["https://api.example/file Bearer at-old"])
    }

    @Test("RS-03, followed")
    func followedRedirect() async throws {
        let held = try await held { request in
            switch request.url.text {
            case "https://api.example/file":
                HTTPResponse(status: 302, fields: ["Location": "https://cdn.other.example/f"])
            case "https://cdn.other.example/f":
                HTTPResponse(status: 302, fields: ["Location": "https://api.example/back"])
            default: answer(200, nil)
            }
        }
        var request = try HTTPRequest.get("https://api.example/file")
        request.fields = ["DPoP": "proof", "X-Api-Key": "key", "Cookie": "c=1", "Accept": "image/png"]
        #expect(try await held.session().send(request, followingRedirects: true).status == 200)
        #expect(
            calls(held) == [
                "https://api.example/file Bearer at-old", "https://cdn.other.example/f -",
                "https://api.example/back -",
            ])
        for stranger in held.transport.sent.dropFirst() {
            #expect(stranger.fields.fields.map(\.name) == ["Accept"])
        }
    }

    @Test("RS-03, followed within the origin")
    func followedWithinOrigin() async throws {
        let held = try await held { request in
            guard request.url.encodedPath == "/file" else { return answer(200, nil) }
            return HTTPResponse(status: 302, fields: ["Location": "HTTPS://API.example:443/f"])
        }
        #expect(
            try await held.session().send(.get("https://api.example/file"), followingRedirects: true).status == 200)
        #expect(
            calls(held) == [
                "https://api.example/file Bearer at-old", "HTTPS://API.example:443/f Bearer at-old",
            ])
    }

    @Test("RS-03, never to plain http", arguments: ["http://api.example/file", "ftp://127.0.0.1/x", "x:/y"])
    func plain(address: String) async throws {
        let held = try await held { _ in answer(200, nil) }
        let session = try await held.session()
        #expect(
            try await asyncReason { try await session.send(.get(address)) } == .insecureEndpoint(field: "url"))
        #expect(
            try await asyncReason { try await session.authorize(.get(address)) } == .insecureEndpoint(field: "url"))
        #expect(held.transport.sent.isEmpty)
    }

    @Test("RS-04")
    func oneRepeat() async throws {
        let held = try await held { _ in HTTPResponse(status: 401, fields: ["WWW-Authenticate": Self.invalid]) }
        let response = try await held.session().send(.get("https://api.example/x"))
        #expect(response.status == 401)
        #expect(
            calls(held) == [
                "https://api.example/x Bearer at-old", "https://idp.example/t -", "https://api.example/x Bearer at-2",
            ])
    }

    @Test(
        "RS-04, the repeat succeeds",
        arguments: [
            invalid, #"BEARER realm="a", error = "invalid_token""#, "Bearer", #"bearer realm="x""#, nil,
        ])
    func successfulRepeat(challenge: String?) async throws {
        let held = try await held { request in
            if request.fields["Authorization"] == "Bearer at-2" { return answer(200, nil, "ok") }
            var response = answer(401, nil)
            response.fields["WWW-Authenticate"] = challenge
            return response
        }
        #expect(try await held.session().send(.get("https://api.example/x")).status == 200)
        #expect(held.transport.sent.count == 3)
    }

    @Test(
        "RS-04, what never leads to a refresh",
        arguments: [
            (403, #"Bearer error="insufficient_scope", scope="admin""#), (403, invalid), (401, #"Basic realm="x""#),
            (401, #"Bearer error="insufficient_scope""#), (400, #"Bearer error="invalid_request""#), (500, ""),
            (401, #"Bearer error="invalid_request""#),
        ])
    func noRefresh(status: Int, challenge: String) async throws {
        let held = try await held { _ in HTTPResponse(status: status, fields: ["WWW-Authenticate": challenge]) }
        #expect(try await held.session().send(.get("https://api.example/x")).status == status)
        #expect(held.transport.sent.count == 1)
    }

    @Test("RS-04, against the test server")
    func testServer() async throws {
        let world = try World()
        let session = try await world.client.signIn(with: world.robot)
        world.server.change { $0.forgetAccessTokens() }
        let address = world.server.server.apiAddress("notes")
        #expect(try await session.send(.get(address)).status == 200)
        #expect(world.server.count(of: .token) == 2)
        #expect(try await session.send(.get(world.server.server.apiAddress("admin"))).status == 403)
        #expect(world.server.count(of: .token) == 2)
    }
}
