import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Discovery 1.0 §2, with the examples of §2.2.
@Suite("WebFinger")
struct WebFingerTests {
    @Test(
        "What the user types becomes a resource and a host",
        arguments: [
            ("joe@example.com", "acct:joe@example.com", "https://example.com"),
            ("acct:joe@example.com", "acct:joe@example.com", "https://example.com"),
            ("acct:joe@example.com:8080", "acct:joe@example.com:8080", "https://example.com:8080"),
            (
                "acct:juliet%40capulet.example@shopping.example", "acct:juliet%40capulet.example@shopping.example",
                "https://shopping.example"
            ),
            ("example.com", "https://example.com", "https://example.com"),
            ("example.com:8080", "https://example.com:8080", "https://example.com:8080"),
            ("example.com:8080/joe", "https://example.com:8080/joe", "https://example.com:8080"),
            ("joe@example.com:8080", "https://joe@example.com:8080", "https://example.com:8080"),
            ("example.com/joe", "https://example.com/joe", "https://example.com"),
            ("https://example.com/joe#me", "https://example.com/joe", "https://example.com"),
            ("https://example.com/joe?a=b", "https://example.com/joe?a=b", "https://example.com"),
            (" example.com/joe#me ", "https://example.com/joe", "https://example.com"),
            ("http://127.0.0.1:9080/joe", "http://127.0.0.1:9080/joe", "http://127.0.0.1:9080"),
        ])
    func normalisation(typed: String, resource: String, origin: String) throws {
        let question = try WebFingerRequest(identifier: typed)
        #expect(question.resource == resource)
        let request = try question.request()
        #expect(request.method == .get)
        #expect(request.url.text.hasPrefix(origin + "/.well-known/webfinger?resource="))
        let parameters = try #require(FormParameters(decoding: request.url.encodedQuery ?? ""))
        #expect(parameters["resource"] == resource)
        #expect(parameters["rel"] == "http://openid.net/specs/connect/1.0/issuer")
    }

    @Test(
        "What names nobody is refused",
        arguments: [
            "", "  ", "=joe", "@joe", "!joe", "acct:joe", "acct:@example.com", "acct:joe@", "mailto:joe@example.com",
            "acct://joe@example.com", "joe@exa mple.com", "acct:joe@example.com/x", "ftp://example.com", "https://",
            String(repeating: "a", count: 3_000),
        ])
    func refused(typed: String) throws {
        #expect(try reason { try WebFingerRequest(identifier: typed) }?.invalidField == "identifier")
    }

    @Test("Plain http is for loopback alone")
    func plain() throws {
        #expect(
            try reason { try WebFingerRequest(identifier: "http://example.com/joe") }
                == .insecureEndpoint(field: "identifier"))
    }

    private func issuer(_ body: String, _ status: Int = 200) throws -> String {
        try WebFingerRequest(identifier: "joe@example.com").answer(
            from: answer(status, "application/jrd+json", body)
        ).text
    }

    @Test("The link of the relation leads to the issuer")
    func links() throws {
        #expect(
            try issuer(
                """
                {"subject": "acct:joe@example.com", "links": [
                  {"rel": "http://webfinger.example/rel/profile", "href": "https://example.com/joe"},
                  {"rel": "http://openid.net/specs/connect/1.0/issuer", "href": "https://server.example.com"}]}
                """) == "https://server.example.com")
    }

    @Test("What is wrong with an answer")
    func wrong() throws {
        func link(_ href: String) -> String {
            #"{"links":[{"rel":"http://openid.net/specs/connect/1.0/issuer","href":\#(href)}]}"#
        }
        #expect(try reason { try issuer("{}") } == .missingMetadata(field: WebFingerRequest.issuerRelation))
        #expect(try reason { try issuer(#"{"links":7}"#) } == .missingMetadata(field: WebFingerRequest.issuerRelation))
        #expect(try reason { try issuer(link("7")) }?.malformedField == "href")
        #expect(try reason { try issuer(link(#""https://a.example?x=1""#)) }?.malformedField == "href")
        #expect(try reason { try issuer(link(#""http://a.example""#)) } == .insecureEndpoint(field: "href"))
        #expect(try reason { try issuer("<html>") } == .discoveryNotJSON(mediaType: "application/jrd+json"))
        #expect(try reason { try issuer("", 404) } == .httpStatus(404, location: nil))
        #expect(try reason { try issuer("", 503) } == .transient(status: 503, retryAfter: nil))
    }
}

/// OpenID Connect Core 1.0 §4.
@Suite("Login that another site begins")
struct LoginInitiationTests {
    private func policy() throws -> LoginInitiation.Policy {
        LoginInitiation.Policy(
            issuers: [try Issuer("https://idp.example"), try Issuer("https://other.example")],
            targetOrigins: [try #require(try address("https://app.example").origin)])
    }

    private func read(_ query: String) throws -> LoginInitiation {
        try LoginInitiation(
            HTTPRequest(.get, address("https://app.example/login?\(query)")), allowing: policy())
    }

    private func refused(_ query: String) throws -> String? {
        guard case .requestRejected(let name, _) = try reason({ try read(query) }) else { return nil }
        return name
    }

    @Test("Issuer, hint and page, by GET and by POST")
    func good() throws {
        let login = try read(
            "iss=https%3A%2F%2Fidp.example&login_hint=ada&target_link_uri=https%3A%2F%2Fapp.example%2Fnotes%3Fid%3D1&lti=7"
        )
        #expect(login.issuer.text == "https://idp.example" && login.loginHint == "ada")
        #expect(login.target?.text == "https://app.example/notes?id=1")
        #expect(login.additionalParameters == ["lti": "7"])
        let posted = try LoginInitiation(
            HTTPRequest(.post, address("https://app.example/login"), body: .form(["iss": "https://other.example"])),
            allowing: policy())
        #expect(posted.issuer.text == "https://other.example" && posted.target == nil && posted.loginHint == nil)
        #expect("\(login)" == "login at https://idp.example")
    }

    @Test("The issuer must be one that the application allows, octet by octet")
    func issuers() throws {
        #expect(try refused("login_hint=ada") == "iss")
        #expect(try refused("iss=") == "iss")
        #expect(try refused("iss=https%3A%2F%2Fevil.example") == "iss")
        #expect(try refused("iss=https%3A%2F%2Fidp.example%2F") == "iss")
        #expect(try refused("iss=https%3A%2F%2Fidp.example&iss=https%3A%2F%2Fother.example") == "iss")
    }

    @Test(
        "No open redirect",
        arguments: [
            "https://evil.example/", "https://app.example.evil.example/", "https://app.example:444/",
            "http://app.example/", "https://app.example@evil.example/", "//evil.example", "/notes",
            "javascript:alert(1)",
            "https://evil.example\\@app.example/", "https://user@app.example/", "https:app.example/",
            "data:text/html,x",
        ])
    func targets(target: String) throws {
        let query = "iss=https%3A%2F%2Fidp.example&target_link_uri=" + PercentCodec.encode(target)
        #expect(try refused(query) == "target_link_uri")
    }

    @Test("A parameter that stands there twice")
    func twice() throws {
        let login = "iss=https%3A%2F%2Fidp.example&"
        #expect(try refused(login + "login_hint=a&login_hint=b") == "login_hint")
        let page = "target_link_uri=https%3A%2F%2Fapp.example%2F"
        #expect(try refused(login + page + "&" + page) == "target_link_uri")
        let text = HTTPRequest(.post, try address("https://app.example/login"), body: .bytes([1]))
        #expect(
            try reason { try LoginInitiation(text, allowing: policy()) }
                == .requestRejected(parameter: "body", problem: "cannot be read"))
    }
}
