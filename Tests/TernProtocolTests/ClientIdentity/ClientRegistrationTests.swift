import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 7591, RFC 7592, OpenID Connect Dynamic Client Registration 1.0.
@Suite("Registration of clients")
struct ClientRegistrationTests {
    private let endpoint = "https://server.example.com/register"

    private func metadata(_ members: JSONObject = [:]) -> ClientMetadata {
        var all: JSONObject = ["redirect_uris": ["https://client.example.org/callback"]]
        for (name, value) in members { all[name] = value }
        return ClientMetadata(members: all)
    }

    @Test("The example of RFC 7591 §3.1")
    func example() throws {
        var metadata = ClientMetadata(
            redirectURIs: ["https://client.example.org/callback", "https://client.example.org/callback2"],
            name: "My Example Client", authenticationMethod: "client_secret_basic")
        metadata["client_name#ja-Jpan-JP"] = "クライアント名"
        metadata.logo = "https://client.example.org/logo.png"
        metadata.keysAddress = "https://client.example.org/my_public_keys.jwks"
        metadata["example_extension_parameter"] = "example_value"
        let exchange = ClientRegistrationRequest(
            endpoint: try address(endpoint), metadata: metadata,
            initialAccessToken: InitialAccessToken("ey23f2.adfj230.af32-developer321"))
        let request = try exchange.request()
        #expect(request.method == .post)
        #expect(request.fields["Authorization"] == "Bearer ey23f2.adfj230.af32-developer321")
        #expect(request.fields["Content-Type"] == "application/json")
        let body = try JSON(parsing: request.bodyBytes ?? [])
        #expect(
            body == [
                "redirect_uris": ["https://client.example.org/callback", "https://client.example.org/callback2"],
                "client_name": "My Example Client", "client_name#ja-Jpan-JP": "クライアント名",
                "token_endpoint_auth_method": "client_secret_basic", "logo_uri": "https://client.example.org/logo.png",
                "jwks_uri": "https://client.example.org/my_public_keys.jwks",
                "example_extension_parameter": "example_value",
            ])
        #expect(exchange.secrets == ["ey23f2.adfj230.af32-developer321"])
    }

    @Test("The answer of RFC 7591 §3.2.1")
    func exampleAnswer() throws {
        let body = """
            {"client_id": "s6BhdRkqt3", "client_secret": "cf136dc3c1fc93f31185e5885805d",
             "client_id_issued_at": 2893256800, "client_secret_expires_at": 2893276800,
             "redirect_uris": ["https://client.example.org/callback"], "grant_types": ["authorization_code"],
             "registration_access_token": "this.is.an.access.token.value.ffx83",
             "registration_client_uri": "https://server.example.com/register/s6BhdRkqt3", "x": {"y": 1}}
            """
        let exchange = ClientRegistrationRequest(endpoint: try address(endpoint), metadata: metadata())
        let client = try exchange.answer(from: answer(201, "application/json", body))
        #expect(client.clientID == "s6BhdRkqt3")
        #expect(client.clientSecret == ClientSecret("cf136dc3c1fc93f31185e5885805d"))
        #expect(client.issuedAt == NumericDate(2_893_256_800))
        #expect(client.secretExpiration == NumericDate(2_893_276_800))
        #expect(client.isSecretExpired(at: NumericDate(2_893_276_800)))
        #expect(client.registrationAddress?.text == "https://server.example.com/register/s6BhdRkqt3")
        #expect(client.metadata.members.names == ["redirect_uris", "grant_types", "x"])
        #expect(try ClientInformation(client.exposedMembers) == client)
        for text in ["\(client)", String(reflecting: client)] {
            #expect(!text.contains("cf136dc3c1fc93f31185e5885805d") && !text.contains("ffx83"))
        }
    }

    @Test("Zero means that the secret never ends")
    func endless() throws {
        let client = try ClientInformation(["client_id": "c", "client_secret": "s", "client_secret_expires_at": 0])
        #expect(client.secretExpiration == nil)
        #expect(client.exposedMembers["client_secret_expires_at"] == 0)
    }

    @Test(
        "Answers that cannot be used",
        arguments: [
            ("{}", "client_id"), (#"{"client_id":""}"#, "client_id"), (#"{"client_id":1}"#, "client_id"),
            (#"{"client_id":"c","registration_client_uri":"not an address"}"#, "registration_client_uri"),
            ("[]", "body"), ("", "body"),
        ])
    func malformed(body: String, field: String) throws {
        let exchange = ClientRegistrationRequest(endpoint: try address(endpoint), metadata: metadata())
        #expect(
            try reason { try exchange.answer(from: answer(201, "application/json", body)) }?.malformedField == field)
    }

    @Test(
        "The server's refusals keep its words, and say what to do (§3.2.2)",
        arguments: [
            "invalid_redirect_uri", "invalid_client_metadata", "invalid_software_statement",
            "unapproved_software_statement",
        ])
    func refusals(code: String) throws {
        let exchange = ClientRegistrationRequest(endpoint: try address(endpoint), metadata: metadata())
        let body = #"{"error":"\#(code)","error_description":"because"}"#
        do {
            _ = try exchange.answer(from: answer(400, "application/json", body))
            Issue.record("accepted")
        } catch {
            #expect(error.code == code)
            #expect(error.step == .registration)
            #expect(error.serverError?.detail == "because")
            #expect(error.explanation.whatHappened.contains("because"))
            #expect(!error.explanation.likelyCauses.isEmpty)
        }
    }

    @Test("A refused token that only the challenge tells of")
    func challenge() throws {
        let client = try ClientInformation([
            "client_id": "c", "registration_access_token": "rat-1",
            "registration_client_uri": "https://server.example.com/register/c",
        ])
        let response = answer(401, nil, "", ["WWW-Authenticate": #"Bearer realm="r", error="invalid_token""#])
        #expect(try reason { try ClientReadRequest(of: client).answer(from: response) }?.words?.code == "invalid_token")
    }

    @Test(
        "What contradicts itself is found before it is sent",
        arguments: [
            (["redirect_uris": []], "redirect_uris"), (["redirect_uris": ["http://example.com/cb"]], "redirect_uris"),
            (["redirect_uris": ["https://example.com/cb#x"]], "redirect_uris"),
            (["redirect_uris": "x"], "redirect_uris"),
            (["jwks": ["keys": []]], "jwks"), (["jwks": ["keys": [["kty": "oct", "k": "AA"]]]], "jwks"),
            (["jwks": ["keys": [["kty": "new", "d": "AA"]]]], "jwks"),
            (["jwks": ["keys": [["kty": "EC"]]], "jwks_uri": "https://example.com/k"], "jwks"),
            (["token_endpoint_auth_method": "private_key_jwt"], "jwks"),
            (["grant_types": ["client_credentials"]], "response_types"),
            (["response_types": ["token"]], "response_types"),
            (["response_types": ["code id_token"]], "response_types"),
            (["grant_types": ["authorization_code"], "response_types": []], "response_types"),
            (["client_uri": "nowhere"], "client_uri"), (["logo_uri": "mailto:a@b"], "logo_uri"),
            (["client_name": 7], "client_name"), (["contacts": [1]], "contacts"),
        ] as [(JSONObject, String)])
    func contradictions(members: JSONObject, field: String) throws {
        let metadata = metadata(members)
        #expect(try reason { try metadata.check() }?.invalidField == field)
        let exchange = ClientRegistrationRequest(endpoint: try address(endpoint), metadata: metadata)
        #expect(try reason { try exchange.request() }?.invalidField == field)
    }

    @Test("Keys at a plain http address are refused")
    func insecureKeys() throws {
        #expect(
            try reason { try metadata(["jwks_uri": "http://example.com/k"]).check() }
                == .insecureEndpoint(field: "jwks_uri"))
    }

    @Test(
        "What fits together passes",
        arguments: [
            [:], ["grant_types": ["authorization_code", "refresh_token"]],
            ["response_types": ["code id_token"], "grant_types": ["authorization_code", "implicit"]],
            ["redirect_uris": ["http://127.0.0.1/cb", "com.example.app:/cb"], "application_type": "native"],
            ["token_endpoint_auth_method": "private_key_jwt", "jwks_uri": "https://example.com/k"],
        ] as [JSONObject])
    func fitting(members: JSONObject) throws {
        #expect(try reason { try metadata(members).check() } == nil)
    }

    @Test("Clients without pages need no redirect")
    func machine() throws {
        let metadata = ClientMetadata(grantTypes: ["client_credentials"])
        #expect(metadata.members["response_types"] == [])
        #expect(try reason { try metadata.check() } == nil)
    }

    @Test("The public half alone becomes part of the metadata")
    func keys() throws {
        var metadata = metadata()
        metadata.keys = JWKSet([try JWK.generate(for: .es256, keyID: "k")])
        #expect(metadata["jwks"]?["keys"]?.array?.first?["d"] == nil)
        #expect(metadata["jwks"]?["keys"]?.array?.first?["kid"] == "k")
        #expect(metadata.keys?.keys.count == 1)
    }

    @Test("Differences to what was asked for")
    func differences() throws {
        let asked = ClientMetadata(members: [
            "redirect_uris": ["https://a.example/1", "https://a.example/2"], "scope": "openid email",
            "client_name": "One", "logo_uri": "https://a.example/l", "grant_types": ["authorization_code"],
        ])
        let client = try ClientInformation([
            "client_id": "c", "redirect_uris": ["https://a.example/2", "https://a.example/1"],
            "scope": "email openid", "client_name": "Two", "grant_types": ["authorization_code", "refresh_token"],
            "id_token_signed_response_alg": "RS256",
        ])
        let found = client.differences(from: asked)
        #expect(Set(found.map(\.name)) == ["client_name", "logo_uri", "grant_types"])
        #expect(found.first { $0.name == "client_name" }?.granted == "Two")
        #expect(found.first { $0.name == "logo_uri" }.map { $0.granted == nil } == true)
    }

    private func managed(_ members: JSONObject = [:]) throws -> ClientInformation {
        var all: JSONObject = [
            "client_id": "c1", "client_secret": "sec-1", "registration_access_token": "rat-1",
            "registration_client_uri": "https://server.example.com/register/c1",
            "redirect_uris": ["https://client.example.org/callback"],
        ]
        for (name, value) in members { all[name] = value }
        return try ClientInformation(all)
    }

    @Test("A read, an update and a deletion (RFC 7592 §2)")
    func management() throws {
        let client = try managed()
        let read = try ClientReadRequest(of: client).request()
        #expect(read.method == .get)
        #expect(read.url.text == "https://server.example.com/register/c1")
        #expect(read.fields["Authorization"] == "Bearer rat-1")
        #expect(read.bodyBytes == nil)

        var metadata = client.metadata
        metadata.name = "New"
        metadata["registration_access_token"] = "smuggled"
        let update = try ClientUpdateRequest(of: client, metadata: metadata).request()
        #expect(update.method == .put)
        #expect(
            try JSON(parsing: update.bodyBytes ?? []) == [
                "client_id": "c1", "client_secret": "sec-1", "client_name": "New",
                "redirect_uris": ["https://client.example.org/callback"],
            ])

        let delete = ClientDeleteRequest(of: client)
        #expect(try delete.request().method == .delete)
        #expect(throws: Never.self) { try delete.answer(from: answer(204, nil)) }
        #expect(try reason { try delete.answer(from: answer(405, nil)) } == .httpStatus(405, location: nil))
        #expect(delete.secrets == ["sec-1", "rat-1"])
    }

    @Test("A new token takes the place of the old one; one that is not repeated stays")
    func rotation() throws {
        let client = try managed()
        let rotated = try ClientReadRequest(of: client).answer(
            from: answer(200, "application/json", #"{"client_id":"c1","registration_access_token":"rat-2"}"#))
        #expect(rotated.registrationAccessToken == RegistrationAccessToken("rat-2"))
        #expect(rotated.clientSecret == ClientSecret("sec-1"))
        let kept = try ClientReadRequest(of: client).answer(
            from: answer(200, "application/json", #"{"client_id":"c1","token_endpoint_auth_method":"none"}"#))
        #expect(kept.registrationAccessToken == RegistrationAccessToken("rat-1"))
        #expect(kept.registrationAddress == client.registrationAddress)
        #expect(kept.clientSecret == nil)
    }

    @Test("An answer about another client is refused")
    func otherClient() throws {
        let response = answer(200, "application/json", #"{"client_id":"c2"}"#)
        #expect(
            try reason { try ClientReadRequest(of: managed()).answer(from: response) }?.malformedField == "client_id")
    }

    @Test("Registrations that cannot be looked after, or not safely")
    func unmanaged() throws {
        let bare = try ClientInformation(["client_id": "c"])
        guard case .unsupported = try reason({ try ClientReadRequest(of: bare).request() }) else {
            Issue.record("accepted")
            return
        }
        let plain = try managed(["registration_client_uri": "http://server.example.com/register/c1"])
        #expect(
            try reason { try ClientDeleteRequest(of: plain).request() }
                == .insecureEndpoint(field: "registration_client_uri"))
    }

    @Test("A document names its own address and no secret")
    func document() throws {
        let address = "https://client.example.org/oauth/client.json"
        let document = try ClientIDMetadataDocument(clientID: address, metadata: metadata(["client_name": "Notes"]))
        #expect(
            JSON.object(document.json) == [
                "client_id": .string(address), "redirect_uris": ["https://client.example.org/callback"],
                "client_name": "Notes", "token_endpoint_auth_method": "none",
            ])
        #expect(try ClientIDMetadataDocument(parsing: document.json.serialized(), at: address) == document)
        let elsewhere = "https://client.example.org/other.json"
        #expect(
            try reason { try ClientIDMetadataDocument(parsing: document.json.serialized(), at: elsewhere) }?
                .invalidField == "client_id")
    }

    @Test(
        "What has no place in a document",
        arguments: [
            (["token_endpoint_auth_method": "client_secret_basic"], "token_endpoint_auth_method"),
            (["token_endpoint_auth_method": "client_secret_jwt"], "token_endpoint_auth_method"),
            (["client_secret": "s"], "client_secret"), (["client_secret_expires_at": 0], "client_secret_expires_at"),
            (["client_id": "https://client.example.org/x"], "client_id"),
        ] as [(JSONObject, String)])
    func documentRefusals(members: JSONObject, field: String) throws {
        #expect(
            try reason {
                try ClientIDMetadataDocument(clientID: "https://client.example.org/c", metadata: metadata(members))
            }?.invalidField == field)
    }

    @Test(
        "Client IDs that are no address of a document",
        arguments: [
            "app", "http://client.example.org/c", "https://client.example.org", "https://u@client.example.org/c",
            "https://client.example.org/c#f", "https://client.example.org/a/../c", "https://client.example.org/./c",
            "https://client.example.org/%2e%2E/c", "https:/c", "",
        ])
    func documentAddresses(text: String) throws {
        #expect(try reason { try ClientIDMetadataDocument.checkClientID(text) }?.invalidField == "client_id")
    }

    @Test(
        "Client IDs that are one",
        arguments: [
            "https://client.example.org/", "https://client.example.org:8443/a/c.json", "https://x.example/c?q=1",
        ])
    func goodDocumentAddresses(text: String) throws {
        #expect(try ClientIDMetadataDocument.checkClientID(text).text == text)
    }

    @Test("A software statement vouches for metadata, which takes precedence")
    func statement() throws {
        let key = try SigningKey(try JWK.generate(for: .es256))
        let now = NumericDate(1_750_000_000)
        let text = try SoftwareStatement.sign(
            metadata(["client_name": "Vouched", "software_id": "4NRB1-0XZABZI9E6-5SM3R"]), issuer: "https://v.example",
            issuedAt: now, key: key)
        let keys = ["https://v.example": JWKSet([key.publicKey])]
        let statement = try SoftwareStatement(verifying: text, keys: keys, now: now)
        #expect(statement.issuer == "https://v.example")
        #expect(statement.metadata.softwareID == "4NRB1-0XZABZI9E6-5SM3R")
        #expect(statement.metadata["iss"] == nil)
        let plain = ClientMetadata(members: ["client_name": "Plain", "scope": "openid"])
        #expect(statement.applied(to: plain).name == "Vouched")
        #expect(statement.applied(to: plain).scope == "openid")

        func code(_ text: String, _ keys: [String: JWKSet]) throws -> String? {
            try reason { try SoftwareStatement(verifying: text, keys: keys, audience: "https://as", now: now) }?.words?
                .code
        }
        #expect(try code(text, [:]) == "unapproved_software_statement")
        let other = try SigningKey(try JWK.generate(for: .es256))
        #expect(try code(text, ["https://v.example": JWKSet([other.publicKey])]) == "invalid_software_statement")
        #expect(try code("nonsense", keys) == "invalid_software_statement")
        for (name, value) in [("exp", 1_750_000_000), ("nbf", 1_750_000_001), ("aud", "https://other")]
            as [(String, JSON)]
        {
            let claims: JSONObject = ["iss": "https://v.example", name: value]
            let text = try JWT.sign(JWTClaims(claims), type: "JWT", key: key)
            #expect(try code(text, keys) == "invalid_software_statement", "\(name)")
        }
    }
}
