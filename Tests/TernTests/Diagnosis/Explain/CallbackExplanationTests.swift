import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Callbacks explained")
struct CallbackExplanationTests {
    private static let redirect = "com.example.app:/callback"
    private static let state = "af0ifjsldkj-0123456789"

    private func findings(_ text: String, _ change: (inout ExplanationContext) -> Void = { _ in }) -> [Finding] {
        Specimen(text, as: .callback).findings(
            in: Sample.context {
                $0.redirectURI = Self.redirect
                $0.state = Self.state
                change(&$0)
            })
    }

    @Test("A good one is taken")
    func good() {
        let findings = findings("\(Self.redirect)?code=abc&state=\(Self.state)")
        #expect(findings[0].title == "Tern would take it")
        #expect(findings["redirect_uri"]?.level == .passed)
        #expect(findings["state"]?.level == .passed)
        #expect(!findings.contains { $0.level == .failed || $0.level == .warning })
    }

    @Test("Without redirect and state it is not claimed to be good")
    func nothingKnown() {
        let findings = Specimen("\(Self.redirect)?code=abc&state=\(Self.state)").findings(in: Sample.context())
        #expect(findings[0].level == .unchecked)
        #expect(findings["state"]?.level == .note)
    }

    @Test("A redirect that differs is shown side by side")
    func redirect() throws {
        let findings = findings("com.example.app:/callback/?code=abc&state=\(Self.state)")
        #expect(findings[0].title == "Tern would not take it: it did not arrive at the redirect URI")
        let comparison = try #require(findings["redirect_uri"]?.comparison)
        #expect(comparison.first == "com.example.app:/callback/")
        #expect(comparison.second == Self.redirect)
        #expect(comparison.difference == .trailingSlash)
    }

    @Test(
        "The reason of a refusal",
        arguments: [
            ("?code=abc&state=other", "state_mismatch"), ("?code=abc", "state_mismatch"),
            ("?state=STATE", "malformed_callback"), ("?code=&state=STATE", "malformed_callback"),
            ("?code=a&code=b&state=STATE", "malformed_callback"),
            ("#code=abc&state=STATE", "unexpected_response_mode"),
            ("?error=access_denied&state=STATE", "access_denied"),
            ("?code=abc&state=STATE&iss=https://evil.example", "issuer_mismatch"),
        ])
    func refused(rest: String, code: String) {
        let text =
            Self.redirect
            + rest.split(separator: "STATE", omittingEmptySubsequences: false).joined(separator: Self.state)
        let findings = findings(text) { $0.issuer = "https://id.example.com" }
        #expect(findings[0].name == "verdict")
        #expect(findings[0].level == .failed)
        #expect(findings[0].detail?.hasSuffix("[\(code)]") == true, "\(findings[0].detail ?? "")")
    }

    @Test("How a state was changed is told without showing it")
    func states() {
        let cases = [
            ("af0ifjsldkj-0123", "its end was cut off"), ("AF0IFJSLDKJ-0123456789", "capital and small letters differ"),
        ]
        for (state, words) in cases {
            let finding = findings("\(Self.redirect)?code=abc&state=\(state)")["state"]
            #expect(finding?.level == .failed)
            #expect(finding?.detail?.contains(words) == true)
        }
        let encoded = findings("\(Self.redirect)?code=abc&state=a%252Fb") { $0.state = "a/b" }["state"]
        #expect(encoded?.detail?.contains("percent-encoded once more") == true)
    }

    @Test("The mode that was asked for counts")
    func mode() {
        let text = "\(Self.redirect)#code=abc&state=\(Self.state)"
        #expect(findings(text) { $0.responseMode = .fragment }[0].level == .passed)
        #expect(findings("code=abc&state=\(Self.state)") { $0.responseMode = .formPost }[0].level == .passed)
    }

    @Test("A redirect that can be none is named")
    func noRedirect() {
        let findings = findings("http://app.example.com/cb?code=a&state=b") { $0.redirectURI = nil }
        #expect(findings["redirect_uri"]?.level == .failed)
        #expect(findings["redirect_uri"]?.title == "No redirect URI of an application is like its address")
    }

    @Test("A signed answer is verified where the keys are there, and said not to be where not")
    func signed() throws {
        let key = try JWK.generate(for: .es256, keyID: "k1")
        let claims: JSONObject = [
            "iss": "https://id.example.com", "aud": "app", "exp": 1_700_000_300, "code": "abc",
            "state": .string(Self.state),
        ]
        let token = try JWT.sign(
            JWTClaims(claims), header: JWSHeader(algorithm: .es256, keyID: "k1"), key: key)
        let text = "\(Self.redirect)?response=\(token)"
        let unverified = findings(text)
        #expect(unverified["signed_answer"]?.level == .unchecked)
        func verified(_ issuer: String) throws -> [Finding] {
            let keys = try JWKSet(.object(JWKSet([key]).publicJSON()))
            return findings(text) {
                $0.keys = keys
                $0.issuer = issuer
                $0.clientID = "app"
            }
        }
        let good = try verified("https://id.example.com")
        #expect(good[0].title == "Tern would take it")
        #expect(good["signed_answer"]?.level == .passed)
        let bad = try verified("https://id.example.org")
        #expect(bad[0].detail?.hasSuffix("[authorization_response_issuer_mismatch]") == true)
    }

    @Test("A good answer of OAuth 1.0a, and one that was denied")
    func oauth1() {
        let good = findings("\(Self.redirect)?oauth_token=t&oauth_verifier=v")
        #expect(good[0].level == .unchecked)
        let denied = findings("\(Self.redirect)?denied=t")
        #expect(denied[0].level == .failed)
        #expect(denied[0].detail?.hasSuffix("[access_denied]") == true)
    }
}

@Suite("Authorization URLs explained")
struct AuthorizationURLExplanationTests {
    private static let good: [(String, String)] = [
        ("response_type", "code"), ("client_id", "app"), ("redirect_uri", "https://app.example.com/cb"),
        ("scope", "openid email"), ("state", "af0ifjsldkj-0123456789"), ("nonce", "nonce-0S6WzA2Mj-9876"),
        ("code_challenge", "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"), ("code_challenge_method", "S256"),
    ]

    /// The findings about the good request with one parameter changed, or taken out.
    private func findings(
        _ name: String = "", _ value: String? = nil, endpoint: String = "https://id.example.com/authorize",
        _ change: (inout ExplanationContext) -> Void = { _ in }
    ) -> [Finding] {
        var parameters = FormParameters(Self.good.map { .init(name: $0.0, value: $0.1) })
        if !name.isEmpty { parameters[name] = value }
        return Specimen("\(endpoint)?\(parameters.encoded)", as: .authorizationURL).findings(in: Sample.context(change))
    }

    @Test("A good one has nothing to change")
    func good() {
        let findings = findings {
            $0.redirectURI = "https://app.example.com/cb"
            $0.clientID = "app"
            $0.state = "af0ifjsldkj-0123456789"
            $0.nonce = "nonce-0S6WzA2Mj-9876"
        }
        #expect(findings[0].title == "It is a good request")
        #expect(findings.allSatisfy { $0.level == .passed || $0.level == .note }, "\(findings)")
        #expect(findings["pkce"]?.title == "PKCE is there, with S256")
    }

    @Test(
        "Each fault has its finding",
        arguments: [
            ("response_type", nil, "response_type", Finding.Level.failed, "There is no response_type"),
            ("response_type", "banana", "response_type", .failed, "The response type is not known"),
            (
                "response_type", "token", "response_type", .warning,
                "It asks for an access token through the browser: token"
            ),
            ("client_id", nil, "client_id", .failed, "There is no client_id"),
            ("redirect_uri", nil, "redirect_uri", .warning, "There is no redirect_uri"),
            ("redirect_uri", "http://app.example.com", "redirect_uri", .failed, "The redirect URI cannot be used"),
            ("code_challenge", nil, "pkce", .failed, "There is no PKCE"),
            ("code_challenge", "abc", "pkce", .failed, "The code challenge is no SHA-256 in Base64url"),
            ("code_challenge_method", "plain", "pkce", .failed, "The method of PKCE is not S256"),
            ("state", nil, "state", .warning, "There is no state"),
            ("state", "x", "state", .warning, "The state is short"),
            ("nonce", nil, "nonce", .warning, "There is no nonce"),
            (
                "scope", "openid,email", "nonce", .warning,
                "There is a nonce and no scope openid, so no ID token will carry it"
            ),
            ("response_mode", "letter", "response_mode", .failed, "The response mode is not known: letter"),
            ("prompt", "none login", "prompt", .failed, "prompt=none stands alone or not at all"),
            ("prompt", "perhaps", "prompt", .warning, "prompt has a value that no standard knows: perhaps"),
            ("display", "wall", "display", .warning, "display is not known: wall"),
            ("max_age", "-1", "max_age", .failed, "max_age is not a number of seconds"),
            ("claims", "[", "claims", .failed, "claims is not a JSON object"),
            (
                "authorization_details", "[{}]", "authorization_details", .failed,
                "authorization_details is not a list of objects with a type"
            ),
            (
                "resource", "https://a.example/#x", "resource", .failed,
                "resource is not an absolute address without a fragment"
            ),
            ("dpop_jkt", "x", "dpop_jkt", .failed, "dpop_jkt is no SHA-256 thumbprint"),
            ("client_secret", "s", "secret_parameter", .failed, "\"client_secret\" must never stand in an address"),
            ("request", "x", "request", .failed, "The request object cannot be read"),
            ("request_uri", "http://a.example/r", "request_uri", .failed, "The request lies at an address without TLS"),
        ])
    func fault(parameter: String, value: String?, name: String, level: Finding.Level, title: String) {
        let findings = findings(parameter, value)
        let found = findings.first { $0.name == name && $0.title == title }
        #expect(found?.level == level, "\(findings.map(\.title))")
        #expect(findings[0].level == (level == .failed ? .failed : .passed))
    }

    @Test("The place, repeated parameters and a fragment")
    func place() {
        #expect(findings(endpoint: "http://id.example.com/a")["endpoint"]?.level == .failed)
        let text = "https://id.example.com/a?client_id=a&client_id=b#x"
        let findings = Specimen(text, as: .authorizationURL).findings(in: Sample.context())
        #expect(findings["repeated_parameter"]?.title == "\"client_id\" stands in it more than once")
        #expect(findings["fragment"]?.level == .failed)
    }

    @Test("A redirect that is not the registered one is shown side by side")
    func redirect() throws {
        let finding = try #require(findings { $0.redirectURI = "https://app.example.com/CB" }["redirect_uri"])
        #expect(finding.level == .failed)
        #expect(finding.comparison?.difference == .letterCase)
    }

    @Test("An ID token through the browser needs a nonce, and must not come in a query")
    func hybrid() {
        let parameters: FormParameters = [
            "response_type": "code id_token", "client_id": "a", "response_mode": "query", "scope": "openid",
        ]
        let findings = Specimen("https://id.example.com/a?" + parameters.encoded).findings(in: Sample.context())
        #expect(findings["nonce"]?.title == "An ID token through the browser needs a nonce")
        #expect(findings["response_mode"]?.title == "An answer with tokens must not come in a query")
    }

    @Test("A request that was pushed, or is signed")
    func carried() {
        let pushed = Specimen("https://id.example.com/a?client_id=a&request_uri=urn:ietf:params:oauth:request_uri:x1")
            .findings(in: Sample.context())
        #expect(pushed[0].title == "It is a good request")
        let object = Sample.token(["alg": "none"], ["iss": "b", "aud": "x", "client_id": "b"], signature: "")
        let signed = Specimen("https://id.example.com/a?client_id=a&request=\(object)").findings(in: Sample.context())
        #expect(signed["algorithm"]?.title == "request object: Its algorithm is none: it is not signed")
        #expect(signed["request"]?.title == "The client in the request object is another one")
    }
}
