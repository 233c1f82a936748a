import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import Testing

@Suite("What a text is")
struct RecognitionTests {
    @Test("Each kind is recognised by itself", arguments: Sample.all)
    func recognised(sample: Sample) { #expect(Specimen(sample.text).kind == sample.kind) }

    @Test("Every kind has a sample")
    func complete() { #expect(Set(Sample.all.map(\.kind)) == Set(Specimen.Kind.allCases)) }

    @Test(
        "Forms in which people copy things",
        arguments: [
            ("  \n'com.example.app:/cb?code=a&state=b'\n", Specimen.Kind.callback),
            ("?code=abc&state=def", .callback),
            ("/callback?error=access_denied&state=x", .callback),
            ("GET /callback?code=abc&state=def HTTP/1.1", .callback),
            ("code=abc&state=def", .callback),
            ("https://app.example.com/cb?code=abc\n  &state=def", .callback),
            ("https://id.example.com/a?client_id=x&request_uri=urn:y", .authorizationURL),
            ("Authorization: Bearer \(Sample.idToken)", .jwt),
            ("DPoP: \(Sample.idToken)", .jwt),
            ("WWW-Authenticate: Basic realm=\"x\"", .challenge),
            ("HTTP/1.1 401 Unauthorized\r\nDate: x\r\nWWW-Authenticate: Bearer\r\n\r\n", .challenge),
            ("OAuth oauth_problem=\"token_rejected\"", .challenge),
            ("access_token=abc&token_type=bearer", .tokenAnswer),
            ("error=invalid_grant&error_description=x", .errorAnswer),
            (#"{"issuer":"https://id.example.com"}"#, .serverMetadata),
            ("id_token_nonce_mismatch", .errorCode),
            ("my_own_code", .errorCode),
        ])
    func copied(text: String, kind: Specimen.Kind) { #expect(Specimen(text).kind == kind) }

    @Test(
        "What fits nothing says so, with the reason and what is known",
        arguments: [
            ("", "it is empty."),
            ("hello", "it is neither JSON, nor an address, a token, a header field or an error code."),
            ("{\"a\":1}", "it is a JSON object, and none of its members is known here."),
            ("[1]", "it is JSON and no object."),
            ("{\"a\":", "it begins like JSON, but not JSON: the text ends too early, at offset 5."),
            ("a.b.c", "it has the 3 parts of a token, but its header cannot be read."),
            ("-----BEGIN PRIVATE KEY-----", "it is PEM, which `tern keys show` reads."),
            (
                "https://example.com/",
                "it is an address, and no parameter in it is of a sign-in; nothing is fetched from it here, so give what is "
                    + "behind it."
            ),
            (
                "2YotnFZFEjr1zCsicMWpAA",
                "it is one word; a token that is no JWT is text which its server alone understands (introspection tells)."
            ),
        ])
    func unknown(text: String, reason: String) {
        let specimen = Specimen(text)
        #expect(specimen.kind == nil)
        let findings = specimen.findings(in: Sample.context())
        #expect(findings.count == 1)
        #expect(findings[0].level == .failed)
        #expect(findings[0].name == "unrecognised")
        #expect(findings[0].detail == reason)
        for kind in Specimen.Kind.allCases { #expect(findings[0].fix?.contains(kind.words) == true) }
    }

    @Test("The kind can be forced")
    func forced() {
        let specimen = Specimen("https://app.example.com/cb", as: .callback)
        #expect(specimen.kind == .callback)
        #expect(specimen.findings(in: Sample.context())["verdict"]?.level == .failed)
        #expect("\(specimen)" == "<callback>")
    }

    @Test("A code of one word is one of those that are known")
    func words() {
        #expect(Specimen("network").kind == .errorCode)
        #expect(Specimen("networks").kind == nil)
    }
}

@Suite("Explanations hold no secret")
struct ExplanationSecretTests {
    @Test("In no kind, whatever the text is taken for", arguments: Sample.all)
    func secrets(sample: Sample) {
        for kind in Specimen.Kind.allCases.map(Optional.some) + [nil] {
            let context = Sample.context {
                $0.redirectURI = "https://app.example.com/cb"
                $0.state = "another-state-of-mine"
                $0.nonce = "another-nonce-of-mine"
                $0.issuer = "https://id.example.com"
                $0.clientID = "app"
                $0.counterpart = sample.text.replacingOccurrence(of: "kkk9d7dh3k39sjv7", with: "pfkkdhi9sl3r4s00")
            }
            let told = Specimen(sample.text, as: kind).findings(in: context).map(\.everything).joined(separator: "\n")
            let hidden = sample.secrets + ["another-state-of-mine", "another-nonce-of-mine", "pfkkdhi9sl3r4s00"]
            for secret in hidden { #expect(!told.contains(secret), "\(kind?.rawValue ?? "found out"): \(secret)") }
        }
    }

    @Test("The length is told in its place")
    func length() throws {
        let findings = Specimen(Sample.all[0].text).findings(in: Sample.context())
        let code = try #require(findings.first { $0.title.hasPrefix("code ") })
        #expect(code.detail == "<not shown, 22 characters>")
    }
}

@Suite("Hostile specimens")
struct HostileSpecimenTests {
    private static let texts: [String] = [
        String(repeating: "a", count: 900_000),
        String(repeating: "a=b&", count: 200_000),
        "https://a.example/?" + String(repeating: "code=x&", count: 100_000),
        "https://a.example/?code=1&state=" + String(repeating: "%", count: 500_000),
        String(repeating: "[", count: 500_000),
        String(repeating: "{\"keys\":", count: 100_000),
        "{\"keys\":[" + String(repeating: "{},", count: 90_000) + "{}]}",
        "{\"iss\":\"x\"" + (0..<2_000).map { ",\"m\($0)\":\"\($0)aaaaaaaa\"" }.joined() + "}",
        String(repeating: "a?b=cccccccccc#", count: 50_000),
        String(repeating: ".", count: 500_000),
        "Bearer " + String(repeating: "a=\"b\",", count: 2_000),
        "GET&https%3A%2F%2Fa&" + String(repeating: "%26a%3D", count: 50_000),
        "eyJhbGciOiJSUzI1NiJ9." + String(repeating: "e30", count: 100_000) + ".x",
        "\u{0}\u{1B}[31mred\u{7}\u{202E}", "\u{FEFF}",
        "{\"error\":\"\\u001b[31mred\\u0007\",\"error_description\":\"\u{202E}x\"}",
        "com.example.app:/cb?error=\u{1B}&state=1", "https://[::1", "=&=&=", "?", "#", "/", "&&", "..", "....", "\"",
        "''",
    ]

    @Test("Nothing traps or takes long, and no control character is told", arguments: texts.indices)
    func hostile(index: Int) {
        let text = Self.texts[index]
        let kinds: [Specimen.Kind?] = text.utf8.count > 10_000 ? [nil] : [nil] + Specimen.Kind.allCases
        for kind in kinds {
            for finding in Specimen(text, as: kind).findings(in: Sample.context { $0.counterpart = text }) {
                for told in [finding.title, finding.detail, finding.fix].compactMap(\.self) {
                    #expect(told.unicodeScalars.count <= 4_001)
                    #expect(!told.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x202E || $0.value == 0x7F })
                }
            }
        }
    }

    @Test("Bytes that are no UTF-8, and too many of them")
    func bytes() {
        #expect(Specimen([0xFF, 0xFE, 0x00]).kind == nil)
        let long = Specimen([UInt8](repeating: 0x61, count: Specimen.maximumByteCount + 1))
        #expect(long.kind == nil)
        #expect(long.findings(in: Sample.context())[0].detail == "it has more than 1048576 bytes.")
    }
}

extension String {
    fileprivate func replacingOccurrence(of old: String, with new: String) -> String {
        split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
}
