import TernProtocol
import Testing

@Suite("Redirect URIs (RFC 8252, RFC 6749 §3.1.2)")
struct RedirectURITests {
    @Test(
        "Kinds",
        arguments: [
            ("com.example.app:/cb", .privateUseScheme), ("https://app.example/cb", .claimedHTTPS),
            ("http://127.0.0.1/cb", .loopback), ("http://[::1]:8400/cb", .loopback), ("HTTP://LOCALHOST/cb", .loopback),
            ("urn:ietf:wg:oauth:2.0:oob", .privateUseScheme),
        ] as [(String, RedirectURI.Kind)])
    func kinds(text: String, kind: RedirectURI.Kind) throws {
        let redirect = try RedirectURI(text)
        #expect(redirect.kind == kind)
        #expect(redirect.text == text && redirect.description == text)
    }

    @Test(
        "Refused, with the field named",
        arguments: [
            "", "/cb", "cb", "http://app.example/cb", "http://10.0.0.1/cb", "http:///cb", "http://127.0.0.1.example/",
            "https:///cb",
            "https://a/#f", "com.example.app:/cb#", "https://u@a/cb", "javascript:alert(1)", "JavaScript:x",
            "data:text/html,x",
            "file:///etc/passwd", "about:blank", "blob:https://a/b", "vbscript:x", "https://a/c b",
            "com.example.app:/cb\n",
        ])
    func refused(text: String) {
        let error = #expect(throws: TernError.self) { try RedirectURI(text) }
        guard case .invalidConfiguration(field: "redirect_uri", _)? = error?.reason else {
            Issue.record("it is \(String(describing: error))")
            return
        }
    }

    @Test(
        "What is legal but unwise is a warning with its reason",
        arguments: [
            ("com.example.app:/cb", []), ("https://a/cb", []), ("http://127.0.0.1/cb", []), ("http://[::1]/cb", []),
            ("http://localhost/cb", [.localhost]), ("myapp:/cb", [.schemeWithoutDot("myapp")]),
            ("com.example.app://cb", [.hostInPrivateUseScheme("cb")]),
            ("fb1://cb/x", [.schemeWithoutDot("fb1"), .hostInPrivateUseScheme("cb")]), ("com.example.app:///cb", []),
        ] as [(String, [RedirectURI.Warning])])
    func warnings(text: String, expected: [RedirectURI.Warning]) throws {
        let warnings = try RedirectURI(text).warnings
        #expect(warnings == expected)
        for warning in warnings { #expect(warning.description.utf8.count > 20) }
    }

    @Test(
        "CB-01, CB-02, CB-08: one rule says what arrived at a redirect",
        arguments: [
            ("com.example.app://cb", "com.example.app://cb/?code=c1&state=s", true),
            ("com.example.app:/cb", "COM.EXAMPLE.APP:/cb?code=c1", true),
            ("com.example.app:/cb", "com.example.app:/cb/extra", false),
            ("com.example.app:/cb", "com.example.app:/CB", false),
            ("com.example.app:/cb", "com.example.app:/cb/", false),
            ("com.example.app:/cb", "com.example.app:///cb?code=c2", true),
            ("com.example.app:/cb", "com.example.app://cb", false),
            ("com.example.app:/cb", "fb9990001:/authorize?code=zz", false),
            ("com.example.app:/cb", "com.example.app:/share", false),
            ("com.example.app:/cb", "com.example.app:/cb#code=c3", true),
            ("com.example.app:/cb", "com.example.app:/%63b", false),
            ("https://App.example/cb", "https://app.EXAMPLE:443/cb?x", true),
            ("https://app.example/cb", "http://app.example/cb", false),
            ("https://app.example/cb", "https://u@app.example/cb", false),
            ("https://app.example", "https://app.example/", true),
            ("http://127.0.0.1:8400/cb", "http://127.0.0.1:8400/cb?code=x", true),
            ("http://127.0.0.1:8400/cb", "http://127.0.0.1:8401/cb", false),
            ("http://127.0.0.1:8400/cb", "http://localhost:8400/cb", false),
            ("com.Example.App:/CB?src=a%2Fb", "com.example.app:/CB?code=x", true),
        ])
    func matching(registered: String, arrived: String, expected: Bool) throws {
        #expect(try RedirectURI(registered).matches(try #require(URI(arrived))) == expected)
    }

    @Test("AR-03: it is sent octet for octet, encoded once")
    func octets() throws {
        let redirect = try RedirectURI("com.Example.App:/CB?src=a%2Fb")
        let parameters: FormParameters = ["redirect_uri": redirect.text]
        #expect(parameters.encoded == "redirect_uri=com.Example.App%3A%2FCB%3Fsrc%3Da%252Fb")
    }

    @Test("UA-03: the port of a loopback redirect can be chosen, and nothing else changes")
    func ports() throws {
        #expect(try RedirectURI("http://127.0.0.1/cb?x=%7e").withPort(8_401)?.text == "http://127.0.0.1:8401/cb?x=%7e")
        #expect(try RedirectURI("http://[::1]:8400/cb").withPort(1)?.text == "http://[::1]:1/cb")
        #expect(try RedirectURI("HTTP://LocalHost").withPort(2)?.text == "HTTP://LocalHost:2")
        #expect(try RedirectURI("https://a/cb").withPort(1) == nil)
        #expect(try RedirectURI("com.example.app:/cb").withPort(1) == nil)
        #expect(try RedirectURI("http://127.0.0.1/cb").withPort(70_000) == nil)
    }
}
