import Foundation
import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("Answers explained")
struct AnswerExplanationTests {
    private func findings(_ text: String, as kind: Specimen.Kind? = nil) -> [Finding] {
        Specimen(text, as: kind).findings(in: Sample.context())
    }

    @Test("A good answer")
    func good() {
        let findings = findings(#"{"access_token":"a","token_type":"Bearer","expires_in":60,"refresh_token":"r"}"#)
        #expect(findings[0].title == "Tern would take it")
        #expect(findings["expires_in"]?.title == "The access token lives 60 seconds")
        #expect(!findings.contains { $0.level == .failed || $0.level == .warning })
    }

    @Test(
        "What is odd about one",
        arguments: [
            (
                #"{"access_token":"a","expires_in":60}"#, "token_type", Finding.Level.warning,
                "It does not say how the token is sent"
            ),
            (
                #"{"access_token":"a","token_type":"Bearer"}"#, "expires_in", .warning,
                "It does not say how long the access token lives"
            ),
            (
                #"{"access_token":"a","token_type":"Bearer","expires_in":-1}"#, "expires_in", .warning,
                "Its lifetime makes no sense"
            ),
            (
                #"{"access_token":"a","token_type":"Bearer","refresh_token":""}"#, "refresh_token", .note,
                "The refresh token is empty"
            ),
            (#"{"access_token":"a","scope":"a,b"}"#, "scope", .note, "Granted: a,b"),
            (#"{"access_token":"a","id_token":"x"}"#, "id_token", .failed, "The ID token in it cannot be read"),
            (#"{"access_token":"a","token_type":"mac"}"#, "verdict", .failed, "Tern would refuse it"),
            (
                #"{"refresh_token":"r"}"#, "verdict", .failed,
                "Tern would refuse it: it has neither an access token nor an error"
            ),
            (#"{"error":"invalid_client"}"#, "verdict", .failed, "The server refused: invalid_client"),
            (
                #"{"error":"authorization_pending"}"#, "verdict", .note,
                "No failure yet: the server says authorization_pending"
            ),
            ("error=invalid_grant", "verdict", .failed, "The server refused: invalid_grant"),
            (#"{"device_code":"d","user_code":"u"}"#, "verdict", .failed, "Tern would refuse it"),
            (
                #"{"device_code":"d","user_code":"u","verification_uri":"https://a.example/"}"#, "expires_in", .warning,
                "It does not say how long the codes are good"
            ),
            (#"{"request_uri":"x"}"#, "verdict", .failed, "Tern would refuse it"),
            (#"{"request_uri":"urn:x"}"#, "request_uri", .note, "The reference has not the usual form"),
            (#"{"active":false}"#, "verdict", .failed, "The token is not good"),
            (#"{"active":true,"exp":1}"#, "exp", .failed, "It ended: 1970-01-01T00:00:01Z, 19675 days ago"),
            (#"{"active":true,"exp":"soon"}"#, "verdict", .failed, "Tern would refuse it"),
        ])
    func odd(text: String, name: String, level: Finding.Level, title: String) {
        let findings = findings(text)
        #expect(
            findings.contains { $0.name == name && $0.level == level && $0.title == title }, "\(findings.map(\.title))")
    }
}

@Suite("Metadata explained")
struct MetadataExplanationTests {
    private static let good: JSONObject = [
        "issuer": "https://id.example.com", "authorization_endpoint": "https://id.example.com/a",
        "token_endpoint": "https://id.example.com/t", "jwks_uri": "https://id.example.com/k",
        "response_types_supported": ["code"], "subject_types_supported": ["public"],
        "id_token_signing_alg_values_supported": ["RS256"], "code_challenge_methods_supported": ["S256"],
        "authorization_response_iss_parameter_supported": true,
    ]

    private func findings(_ changes: [String: JSON?]) -> [Finding] {
        var members = Self.good
        for (name, value) in changes { members[name] = value }
        return Specimen(JSON.object(members).text, as: .serverMetadata)
            .findings(in: Sample.context { $0.issuer = "https://id.example.com" })
    }

    @Test("Good metadata")
    func good() {
        let findings = findings([:])
        #expect(findings[0] == Finding(.passed, "verdict", "A client can work with this server"))
        #expect(findings.allSatisfy { $0.level == .passed || $0.level == .note }, "\(findings)")
    }

    @Test(
        "Each fault has its finding",
        arguments: [
            (["issuer": nil], "issuer", Finding.Level.failed, "It does not name the issuer"),
            (["issuer": "https://id.example.com/"], "issuer", .failed, "The issuer is another one"),
            (["issuer": "http://id.example.com"], "issuer", .failed, "The issuer cannot be one"),
            (["token_endpoint": nil], "metadata_endpoints", .failed, "There is no token_endpoint"),
            (["token_endpoint": "/t"], "metadata_endpoints", .failed, "token_endpoint is not an absolute address"),
            (
                ["token_endpoint": "http://id.example.com/t"], "endpoints_https", .failed,
                "token_endpoint is not on https: http://id.example.com/t"
            ),
            (["jwks_uri": nil], "metadata_endpoints", .failed, "There is no jwks_uri"),
            (
                ["code_challenge_methods_supported": nil], "pkce_advertised", .warning,
                "It does not say that PKCE is offered"
            ),
            (
                ["code_challenge_methods_supported": ["plain"]], "pkce_advertised", .failed,
                "PKCE is offered without S256"
            ),
            (
                ["id_token_signing_alg_values_supported": ["HS256"]], "id_token_algorithms", .failed,
                "ID tokens are signed in no way that Tern takes"
            ),
            (
                ["response_types_supported": nil], "metadata_required_members", .warning,
                "There is no response_types_supported"
            ),
            (["scopes_supported": "openid"], "member_type", .warning, "scopes_supported has the wrong type"),
            (
                ["require_pushed_authorization_requests": true], "consistency", .failed,
                "It demands pushed requests, and there is no pushed_authorization_request_endpoint"
            ),
            (
                ["grant_types_supported": ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"]],
                "consistency",
                .warning, "It offers the device grant, and there is no device_authorization_endpoint"
            ),
            (
                ["token_endpoint_auth_methods_supported": ["private_key_jwt"]], "authentication_algorithms", .warning,
                "It takes clients' assertions and does not say with which algorithms"
            ),
        ] as [([String: JSON?], String, Finding.Level, String)])
    func fault(changes: [String: JSON?], name: String, level: Finding.Level, title: String) {
        let findings = findings(changes)
        #expect(
            findings.contains { $0.name == name && $0.level == level && $0.title == title }, "\(findings.map(\.title))")
        #expect(findings[0].level == (level == .failed ? .failed : .passed))
    }

    @Test("What an API says about itself")
    func resource() {
        func findings(_ text: String, issuer: String? = nil) -> [Finding] {
            Specimen(text, as: .resourceMetadata).findings(in: Sample.context { $0.issuer = issuer })
        }
        let text = #"{"resource":"https://api.example.com/v1","authorization_servers":["https://id.example.com"]}"#
        let good = findings(text, issuer: "https://id.example.com")
        #expect(good[0] == Finding(.passed, "verdict", "A client can work with this API"))
        #expect(
            good["resource"]?.detail
                == "It has to lie at https://api.example.com/.well-known/oauth-protected-resource/v1.")
        #expect(findings(text, issuer: "https://id.example.org")["issuer"]?.level == .failed)
        #expect(findings(#"{"resource":"http://api.example.com"}"#)["resource"]?.level == .failed)
        #expect(findings(#"{"resource":"https://a.example"}"#)["authorization_servers"]?.level == .warning)
        let query =
            #"{"resource":"https://a.example","bearer_methods_supported":["query"],"jwks_uri":"http://a.example"}"#
        #expect(findings(query)["bearer_methods"]?.level == .warning)
        #expect(findings(query)["endpoints_https"]?.title == "jwks_uri is not an https address")
    }
}

@Suite("Challenges explained")
struct ChallengeExplanationTests {
    @Test(
        "What a session would do",
        arguments: [
            (#"Bearer error="invalid_token""#, "A session would renew the access token once, and repeat the call once"),
            ("Bearer", "A session would renew the access token once, and repeat the call once"),
            (
                #"Bearer error="insufficient_scope", scope="a b""#,
                "A session would not renew: the token is good, and the API wants the scope a b"
            ),
            (
                #"Bearer error="insufficient_scope""#,
                "A session would not renew: the token is good, and the API wants more scope without saying which"
            ),
            (
                #"Bearer error="insufficient_user_authentication", acr_values="phr", max_age="300""#,
                "A session would not renew: the token is good, and the API wants a login of the kind phr and a login no older "
                    + "than 300 seconds"
            ),
            (
                #"DPoP error="use_dpop_nonce", algs="ES256""#,
                "A session would repeat the call once, with the nonce of the field DPoP-Nonce"
            ),
            (#"Basic realm="x""#, "A session would hand the answer on"),
            (
                "HTTP/1.1 403 Forbidden\r\nWWW-Authenticate: Bearer error=\"invalid_token\"\r\n\r\n",
                "A session would hand the answer on"
            ),
        ])
    func reaction(text: String, title: String) {
        #expect(Specimen(text).findings(in: Sample.context())[0].title == title)
    }

    @Test("Several challenges, and the metadata of the API")
    func several() {
        let text = #"Basic realm="x", Bearer resource_metadata="http://api.example.com/m", error="invalid_token""#
        let findings = Specimen(text).findings(in: Sample.context())
        #expect(findings.filter { $0.name == "scheme" }.map(\.title) == ["challenge 1: Basic", "challenge 2: Bearer"])
        #expect(findings["resource_metadata"]?.level == .failed)
        #expect(findings["meaning"]?.title == "invalid_token (RFC 6750 §3.1)")
    }

    @Test("A token in the place of parameters is an alarm, and is not shown")
    func credentials() {
        let findings = Specimen("Bearer mF_9.B5f-4.1JqM").findings(in: Sample.context())
        #expect(
            findings["credentials"]?.title
                == "challenge has a token in the place of parameters: <not shown, 15 characters>")
    }
}

@Suite("OAuth 1.0a explained")
struct OAuth1ExplanationTests {
    private static let base =
        "GET&https%3A%2F%2Fapi.example.com%2Fnotes&a%3D1%26oauth_consumer_key%3Dck%26oauth_nonce%3Dn1"
        + "%26oauth_signature_method%3DHMAC-SHA1%26oauth_timestamp%3D1700000000%26oauth_token%3Dtoken-one-1234"

    private func findings(_ text: String, against other: String? = nil) -> [Finding] {
        Specimen(text).findings(in: Sample.context { $0.counterpart = other })
    }

    private func changed(_ old: String, _ new: String) -> String {
        Self.base.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }

    @Test("A good base string, and the same against itself")
    func good() {
        let findings = findings(Self.base, against: Self.base)
        #expect(findings[0].title == "Both say the same")
        #expect(!findings.contains { $0.level == .failed || $0.level == .warning }, "\(findings)")
    }

    @Test("Where two differ, part by part")
    func differences() throws {
        let cases = [
            (changed("GET", "POST"), "the method"), (changed("example.com", "example.com%3A443"), "the address"),
            (changed("a%3D1", "a%3D2"), "the parameter a"), (changed("a%3D1%26", ""), "the parameter a"),
            (changed("token-one", "token-two"), "the parameter oauth_token"),
        ]
        for (other, place) in cases {
            let findings = findings(Self.base, against: other)
            #expect(findings[0].title == "They begin to differ at \(place)")
            #expect(findings.filter { $0.name == "difference" }.map(\.title) == [place])
        }
        let address = findings(Self.base, against: cases[1].0)["difference"]
        #expect(address?.comparison?.difference == .port)
        let token = findings(Self.base, against: cases[4].0)["difference"]
        #expect(token?.comparison == nil)
        let encoding = findings(changed("a%3D1", "a%3Dx%2520y"), against: changed("a%3D1", "a%3Dx%252520y"))
        #expect(encoding["difference"]?.detail == "One of them is encoded once more.")
    }

    @Test("The same in another order or encoding")
    func order() {
        let other = changed("a%3D1%26oauth_consumer_key%3Dck", "oauth_consumer_key%3Dck%26a%3D1")
        #expect(findings(Self.base, against: other)["difference"]?.title == "the order or the encoding, from a on")
        #expect(findings(other)["order"]?.title == "The parameters are not sorted")
    }

    @Test("Faults that need no other side")
    func faults() {
        let cases = [
            (changed("GET", "get"), "method"), (changed("example.com", "example.com%3A443"), "address"),
            (changed("oauth_nonce%3Dn1%26", ""), "required_parameter"), (changed("a%3D1", "a%3Dx%2By"), "encoding"),
            (changed("1700000000", "1700000000000"), "oauth_timestamp"),
        ]
        for (text, name) in cases { #expect(findings(text)[name]?.level == .failed, "\(name)") }
        #expect(findings(changed("1700000000", "1600000000"))["oauth_timestamp"]?.level == .warning)
    }

    @Test("A header by itself, and against a base string")
    func header() {
        let header =
            #"OAuth realm="x", oauth_consumer_key="ck", oauth_token="token-one-1234", oauth_signature_method="HMAC-SHA1","#
            + #" oauth_timestamp="1700000000", oauth_nonce="n1", oauth_signature="abcd%3D""#
        #expect(findings(header)[0].level == .note)
        #expect(findings(header, against: Self.base)[0].title == "Both say the same")
        let other = changed("oauth_nonce%3Dn1", "oauth_nonce%3Dn2")
        #expect(findings(header, against: other)[0].title == "They begin to differ at the parameter oauth_nonce")
        #expect(findings(#"OAuth oauth_consumer_key="ck""#)["header"]?.level == .failed)
    }
}

@Suite("Error codes explained")
struct ErrorCodeExplanationTests {
    private static let page: String = {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/Tern/Tern.docc/Errors.md")
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The codes in the first column of a table of the article.
    private static func codes(below heading: String) -> [String] {
        let section =
            page.components(separatedBy: heading).dropFirst().first?.components(separatedBy: "\n##").first ?? ""
        return section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.split(separator: "|")[0].split(separator: "`").enumerated().filter { $0.offset % 2 == 1 }.map {
                String($0.element)
            }
        }
    }

    @Test("Every code of the article about errors is explained")
    func article() {
        let general = Self.codes(below: "## Codes").filter { !$0.hasSuffix("_") }
        let idTokens = Self.codes(below: "### Why an ID token was refused").map { "id_token_" + $0 }
        let kinds = ["access_token_", "logout_token_", "introspection_", "claims_", "authorization_response_"]
        let reasons = Self.codes(below: "### Why another signed token was refused")
        let others = kinds.flatMap { kind in reasons.map { kind + $0 } }
        #expect(general.count > 35 && idTokens.count > 20 && reasons.count > 15)
        for code in general + idTokens + others where code != "access_denied" {
            let findings = Specimen(code).findings(in: Sample.context())
            #expect(Specimen(code).kind == .errorCode, "\(code)")
            #expect(findings["tern_error"]?.detail?.hasSuffix("[\(code)]") == true, "\(code)")
        }
    }

    @Test(
        "Codes of the standards",
        arguments: [
            ("invalid_grant", "RFC 6749 §5.2"), ("access_denied", "RFC 6749 §4.1.2.1"), ("slow_down", "RFC 8628 §3.5"),
            ("insufficient_scope", "RFC 6750 §3.1"), ("invalid_target", "RFC 8707 §2"),
            ("use_dpop_nonce", "RFC 9449 §8"),
            ("login_required", "OpenID Connect Core 1.0 §3.1.2.6"), ("invalid_request_object", "RFC 9101 §7"),
            ("insufficient_user_authentication", "RFC 9470 §3"), ("invalid_redirect_uri", "RFC 7591 §3.2.2"),
        ])
    func standard(code: String, source: String) {
        let findings = Specimen(code).findings(in: Sample.context())
        #expect(findings["meaning"]?.title == "\(code) (\(source))")
        #expect(findings["explanation"]?.detail?.contains("\"\(code)\"") == true)
        #expect(!findings.contains { $0.level == .failed })
    }

    @Test("A code that means two things is explained twice")
    func double() {
        let findings = Specimen("unsupported_token_type").findings(in: Sample.context())
        #expect(findings["meaning"] != nil)
        #expect(findings["tern_error"] != nil)
    }

    @Test("A code that nobody knows")
    func unknown() {
        let findings = Specimen("my_own_code").findings(in: Sample.context())
        #expect(findings[0].level == .warning)
        #expect(findings[0].title == "No standard has a code my_own_code, and Tern has none")
    }
}
