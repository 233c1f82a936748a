import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// RFC 7523 §2.2 and §3, OpenID Connect Core 1.0 §9, draft-ietf-oauth-rfc7523bis.
@Suite("Client assertions")
struct ClientAssertionTests {
    private let now = NumericDate(1_750_000_000.7)
    private let key: SigningKey
    private let secret = ClientSecret("a-secret-of-thirty-two-bytes-or-more")

    init() throws { key = try SigningKey(try JWK.generate(for: .es256, keyID: "k1")) }

    private func metadata(_ members: JSONObject = [:]) -> ServerMetadata {
        var all: JSONObject = ["issuer": "https://idp.example", "token_endpoint": "https://idp.example/t?x=1"]
        for (name, value) in members { all[name] = value }
        return ServerMetadata(members: all)
    }

    private func request(
        _ authentication: ClientAuthentication, at endpoint: String = "https://idp.example/revoke?a=b",
        _ metadata: ServerMetadata? = nil
    ) throws -> HTTPRequest {
        var request = HTTPRequest(.post, try address(endpoint), body: .form(["a": "b"]))
        try authentication.authenticate(
            &request, clientID: "app", on: .init(at: metadata ?? self.metadata(), now: now))
        return request
    }

    private func token(_ request: HTTPRequest) throws -> JWT {
        #expect(
            request.form["client_assertion_type"] == "urn:ietf:params:oauth:client-assertion-type:jwt-bearer")
        #expect(request.form.values(of: "client_id") == ["app"])
        #expect(request.form["client_secret"] == nil)
        #expect(request.fields.fields.isEmpty)
        return try JWT(compact: try #require(request.form["client_assertion"]))
    }

    @Test("The claims, and the issuer as sole audience")
    func claims() throws {
        let token = try token(request(.privateKeyJWT(key)))
        try token.jws.verify(with: key.publicKey, allowed: [.es256])
        #expect(token.header.keyID == "k1")
        #expect(token.header.type == "JWT")
        let claims = token.claims.members
        #expect(claims.names == ["iss", "sub", "aud", "jti", "iat", "exp"])
        #expect(claims["iss"] == "app")
        #expect(claims["sub"] == "app")
        #expect(claims["aud"] == "https://idp.example")
        #expect(claims["iat"] == 1_750_000_000)
        #expect(claims["exp"] == 1_750_000_060)
        #expect((claims["jti"]?.string?.utf8.count ?? 0) >= 22)
    }

    @Test("A new jti for every request")
    func everyOneIsNew() throws {
        let names = try (0..<50).map { _ in try token(request(.privateKeyJWT(key))).claims.tokenID }
        #expect(Set(names).count == 50)
    }

    @Test(
        "The audience is a setting",
        arguments: [
            (ClientAssertion.Audience.issuer, "https://idp.example"), (.tokenEndpoint, "https://idp.example/t?x=1"),
            (.endpoint, "https://idp.example/revoke"), (.custom("urn:x"), "urn:x"),
        ])
    func audiences(audience: ClientAssertion.Audience, text: String) throws {
        let token = try token(request(.privateKeyJWT(key, ClientAssertion(audience: audience))))
        #expect(token.claims["aud"] == .string(text))
    }

    @Test("Type, lifetime and nbf are settings")
    func settings() throws {
        let settings = ClientAssertion(
            lifetime: .seconds(5), type: ClientAssertion.explicitType, statesNotBefore: true)
        let token = try token(request(.privateKeyJWT(key, settings)))
        #expect(token.header.type == "client-authentication+jwt")
        #expect(token.claims["exp"] == 1_750_000_005)
        #expect(token.claims["nbf"] == 1_750_000_000)
        #expect(
            try self.token(request(.privateKeyJWT(key, ClientAssertion(type: nil)))).header.type == nil)
    }

    @Test("client_secret_jwt signs with the secret and never sends it", arguments: [SignatureAlgorithm.hs256])
    func secretJWT(algorithm: SignatureAlgorithm) throws {
        let request = try request(.secretJWT(secret, algorithm: algorithm))
        let token = try token(request)
        try token.jws.verify(with: JWK(.symmetric(SymmetricKey(secret: secret))), allowed: [algorithm])
        #expect(!String(decoding: request.bodyBytes ?? [], as: UTF8.self).contains(secret.exposedText))
    }

    @Test("A secret that is too short for its hash is a configuration error (RFC 7518 §3.2)")
    func shortSecret() throws {
        #expect(
            try reason { try request(.secretJWT(ClientSecret("short"))) }?.invalidField == "client_assertion")
        #expect(
            try reason { try request(.secretJWT(secret, algorithm: .hs512)) }?.invalidField == "client_assertion")
        #expect(
            try reason { try request(.secretJWT(secret, algorithm: .rs256)) }?.invalidField == "client_assertion")
    }

    @Test("An algorithm that the server does not take is an error before anything is sent")
    func algorithmNotOffered() throws {
        let offered = "token_endpoint_auth_signing_alg_values_supported"
        let other = metadata([offered: ["RS256", "PS256"]])
        guard
            case .invalidConfiguration("client_assertion", let problem) = try reason({
                try request(.privateKeyJWT(key), other)
            })
        else {
            Issue.record("it was signed")
            return
        }
        #expect(problem == "the key signs with ES256 and the server takes RS256, PS256")
        #expect(try reason { try request(.secretJWT(secret), other) }?.invalidField == "client_assertion")
        #expect(try reason { try request(.privateKeyJWT(key), metadata([offered: ["RS256", "ES256"]])) } == nil)
    }

    @Test("Without an issuer the default audience is an error that says so")
    func noIssuer() throws {
        let nameless = ServerMetadata(members: ["token_endpoint": "https://idp.example/t"])
        #expect(try reason { try request(.privateKeyJWT(key), nameless) }?.invalidField == "issuer")
        let other = ClientAssertion(audience: .tokenEndpoint)
        #expect(try reason { try request(.privateKeyJWT(key, other), nameless) } == nil)
    }

    @Test("With a certificate the body names the client alone")
    func certificate() throws {
        #expect(try request(.tls).form == ["a": "b", "client_id": "app"])
    }

    @Test("A refusal names the audience switch, and nothing of the assertion")
    func refusal() throws {
        let error = TernError(.serverError(ServerError(code: "invalid_client")), at: .tokenRequest)
        #expect(!error.explanation.whatToDo.joined().contains("audience of ClientAssertion"))
        let refused = error.refusing(.privateKeyJWT(key))
        #expect(refused.explanation.whatToDo.first?.contains("audience of ClientAssertion") == true)
        #expect(refused.code == "invalid_client")
        #expect(error.refusing(.basic(secret)) == error)
        #expect(error.refusing(.tls).explanation.likelyCauses.first?.contains("clientIdentity") == true)
    }

    @Test("Nothing of a key or secret is printed")
    func secrecy() {
        #expect(!"\(ClientAuthentication.secretJWT(secret))".contains(secret.exposedText))
        #expect(!"\(ClientAuthentication.privateKeyJWT(key))".contains(key.publicKey.thumbprint()))
    }
}

/// RFC 8705 §3.1, appendix A, and §5.
@Suite("Certificates of clients")
struct CertificateThumbprintTests {
    private static let certificate = """
        -----BEGIN CERTIFICATE-----
        MIIBBjCBrAIBAjAKBggqhkjOPQQDAjAPMQ0wCwYDVQQDDARtdGxzMB4XDTE4MTAx
        ODEyMzcwOVoXDTIyMDUwMjEyMzcwOVowDzENMAsGA1UEAwwEbXRsczBZMBMGByqG
        SM49AgEGCCqGSM49AwEHA0IABNcnyxwqV6hY8QnhxxzFQ03C7HKW9OylMbnQZjjJ
        /Au08/coZwxS7LfA4vOLS9WuneIXhbGGWvsDSb0tH6IxLm8wCgYIKoZIzj0EAwID
        SQAwRgIhAP0RC1E+vwJD/D1AGHGzuri+hlV/PpQEKTWUVeORWz83AiEA5x2eXZOV
        bUlJSGQgjwD5vaUaKlLR50Q2DmFfQj1L+SY=
        -----END CERTIFICATE-----
        """
    private static let digest = "A4DtL2JmUMhAsvJj5tKyn64SqzmuXbMrJa0n761y5v0"

    @Test("The example of RFC 8705 appendix A")
    func example() throws {
        let thumbprint = try CertificateThumbprint(pem: Array(Self.certificate.utf8))
        #expect(thumbprint.text == Self.digest)
        #expect(thumbprint.confirmation == ["x5t#S256": .string(Self.digest)])
        #expect(thumbprint.isConfirmed(by: ["cnf": ["x5t#S256": .string(Self.digest)]]))
        #expect(CertificateThumbprint(boundBy: ["cnf": ["x5t#S256": .string(Self.digest)]]) == thumbprint)
    }

    @Test(
        "What is bound to nothing, or to another certificate, is not confirmed",
        arguments: [
            [:], ["cnf": [:]], ["cnf": ["jkt": "x"]], ["cnf": ["x5t#S256": 1]], ["cnf": ["x5t#S256": "short"]],
            ["cnf": ["x5t#S256": "bwcK0esc3ACC3DB2Y5_lESsXE8o9ltc05O89jdN-dg2"]],
            ["cnf": ["x5t#S256": "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU"]],
        ] as [JSONObject])
    func others(claims: JSONObject) throws {
        #expect(try !CertificateThumbprint(pem: Array(Self.certificate.utf8)).isConfirmed(by: claims))
    }

    @Test("A text without a certificate is refused")
    func noCertificate() throws {
        #expect(try reason { try CertificateThumbprint(pem: Array("x".utf8)) }?.invalidField == "certificate")
    }

    @Test("Aliases count for those that want them, and only where programs call")
    func aliases() throws {
        var metadata = ServerMetadata(members: [
            "issuer": "https://idp.example", "token_endpoint": "https://idp.example/t",
            "authorization_endpoint": "https://idp.example/a", "revocation_endpoint": "https://idp.example/r",
            "introspection_endpoint": "https://idp.example/i",
            "mtls_endpoint_aliases": [
                "token_endpoint": "https://mtls.idp.example/t", "authorization_endpoint": "https://mtls.idp.example/a",
                "revocation_endpoint": 7, "introspection_endpoint": "http://mtls.idp.example/i",
            ],
        ])
        #expect(try metadata.address(of: .token, for: .tokenRequest).text == "https://idp.example/t")
        metadata.prefersCertificateEndpoints = true
        #expect(try metadata.address(of: .token, for: .tokenRequest).text == "https://mtls.idp.example/t")
        #expect(
            try metadata.address(of: .authorization, for: .authorizationRequest).text == "https://idp.example/a")
        #expect(try metadata.address(of: .revocation, for: .revocation).text == "https://idp.example/r")
        let introspection = try reason { try metadata.address(of: .introspection, for: .tokenRequest) }
        #expect(introspection == .insecureEndpoint(field: "introspection_endpoint"))
    }
}
