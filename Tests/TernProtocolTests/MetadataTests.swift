import TernJOSE
import TernProtocol
import Testing

/// RFC 8414 §2 and §3, OpenID Connect Discovery 1.0 §3 and §4.
@Suite("Metadata")
struct MetadataTests {
    @Test(
        "The well-known addresses",
        arguments: [
            (
                "https://idp.example", "https://idp.example/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server"
            ),
            (
                "https://idp.example/", "https://idp.example/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server"
            ),
            (
                "https://idp.example/issuer1", "https://idp.example/issuer1/.well-known/openid-configuration",
                "https://idp.example/.well-known/oauth-authorization-server/issuer1"
            ),
            (
                "https://IdP.example:444/a%20b/c/", "https://IdP.example:444/a%20b/c/.well-known/openid-configuration",
                "https://IdP.example:444/.well-known/oauth-authorization-server/a%20b/c"
            ),
            (
                "http://127.0.0.1:8080/x", "http://127.0.0.1:8080/x/.well-known/openid-configuration",
                "http://127.0.0.1:8080/.well-known/oauth-authorization-server/x"
            ),
        ])
    func wellKnown(text: String, openID: String, oauth: String) throws {
        let issuer = try Issuer(text)
        #expect(issuer.text == text)
        #expect(issuer.openIDMetadataAddress?.text == openID)
        #expect(issuer.oauthMetadataAddress?.text == oauth)
    }

    @Test(
        "What is no issuer",
        arguments: [
            "https://idp.example?", "https://idp.example/a?b=c", "https://idp.example/#", "https://u:p@idp.example",
            "idp",
            "urn:idp", "ftp://idp.example", "https://", "https:// idp.example", "https://idp.example\n",
        ])
    func noIssuer(text: String) throws {
        #expect(try reason { try Issuer(text) }?.invalidField == "issuer")
    }

    @Test(
        "Plain http is for loopback",
        arguments: [
            ("http://idp.example", false), ("http://10.0.0.1", false), ("http://127.0.0.1.nip.example", false),
            ("http://localhost:8080", true), ("http://[::1]:8080", true), ("http://127.8.8.8", true),
        ])
    func plain(text: String, isAllowed: Bool) throws {
        #expect(try reason { try Issuer(text) } == (isAllowed ? nil : .insecureEndpoint(field: "issuer")))
    }

    @Test("Issuers are the same when their octets are")
    func comparison() throws {
        #expect(try Issuer("https://idp.example/a") == Issuer("https://idp.example/a"))
        #expect(try Issuer("https://idp.example/a") != Issuer("https://idp.example/a/"))
        #expect(try Issuer("https://idp.example/a") != Issuer("https://IDP.example/a"))
        #expect(try Issuer("https://idp.example/\u{E9}") != Issuer("https://idp.example/e\u{301}"))
    }

    @Test(
        "Fields that are null, empty or of another type count as absent",
        arguments: [
            nil, .null, "", 7, [], [:], true, [7], [.null],
        ] as [JSON?])
    func absent(value: JSON?) throws {
        var members: JSONObject = [:]
        for name in [
            "issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint",
            "revocation_endpoint", "end_session_endpoint", "scopes_supported", "code_challenge_methods_supported",
            "token_endpoint_auth_methods_supported", "id_token_signing_alg_values_supported",
        ] {
            members[name] = value
        }
        let metadata = ServerMetadata(members: members)
        #expect(metadata.issuer == nil)
        #expect(metadata.scopes == nil)
        #expect(metadata.codeChallengeMethods == nil)
        #expect(metadata.tokenEndpointAuthenticationMethods == nil)
        #expect(metadata.idTokenSigningAlgorithms == nil)
        for endpoint in ServerMetadata.Endpoint.allCases {
            #expect(metadata[endpoint] == nil)
            #expect(
                try reason { try metadata.address(of: endpoint, for: .discovery) }
                    == .missingMetadata(field: endpoint.rawValue))
        }
    }

    @Test(
        "The promise of RFC 9207 is true and nothing else",
        arguments: [
            (true, true), (false, false), ("true", false), (1, false), (nil, false),
        ] as [(JSON?, Bool)])
    func issuerInAnswers(value: JSON?, promised: Bool) {
        var members: JSONObject = [:]
        members["authorization_response_iss_parameter_supported"] = value
        #expect(ServerMetadata(members: members).promisesIssuerInAnswers == promised)
    }

    @Test("Metadata without discovery names its wrong field")
    func handMade() throws {
        let good = try ServerMetadata(
            issuer: "https://idp.example", authorizationEndpoint: "https://idp.example/a?x=1",
            tokenEndpoint: "https://idp.example/t", jwksURI: "https://idp.example/k")
        #expect(good[.authorization]?.text == "https://idp.example/a?x=1")
        #expect(good[.keys]?.text == "https://idp.example/k")
        #expect(good[.userInfo] == nil)
        #expect(
            try reason {
                try ServerMetadata(authorizationEndpoint: "https://idp.example/a", tokenEndpoint: "/t")
            }?.invalidField == "token_endpoint")
        #expect(
            try reason {
                try ServerMetadata(
                    issuer: "x", authorizationEndpoint: "https://idp.example/a", tokenEndpoint: "https://idp.example/t")
            }?.invalidField == "issuer")
    }

    @Test(
        "Answers that are no metadata",
        arguments: [
            (404, "text/html", "", "http_status"), (503, "text/html", "", "transient"),
            (200, "text/html", "<html>", "discovery_not_json"), (200, "application/json", "[]", "discovery_not_json"),
            (200, "application/json", "{}", "issuer_mismatch"), (302, "text/html", "", "http_status"),
            (200, "application/json", #"{"issuer":"https://idp.example","issuer":"x"}"#, "discovery_not_json"),
        ])
    func answers(status: Int, type: String, body: String, code: String) throws {
        let request = MetadataRequest(issuer: try Issuer("https://idp.example"))
        #expect(try reason { try request.answer(from: answer(status, type, body)) }?.code == code)
    }

    @Test("A key set is read whatever its label")
    func keySet() throws {
        let request = KeySetRequest(address: try address("https://idp.example/keys"))
        for type in ["application/jwk-set+json", "text/plain", nil] {
            #expect(try request.answer(from: answer(200, type, #"{"keys":[{"kty":"XX"}]}"#)).keys.isEmpty)
        }
        for body in ["", "[]", "{}", #"{"keys":{}}"#, "<html>"] {
            #expect(try reason { try request.answer(from: answer(200, nil, body)) }?.malformedField == "keys")
        }
        #expect(try reason { try request.answer(from: answer(404, nil)) } == .httpStatus(404, location: nil))
    }
}
