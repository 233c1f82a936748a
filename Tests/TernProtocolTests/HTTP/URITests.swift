import TernProtocol
import Testing

@Suite("Addresses (RFC 3986)")
struct URITests {
    @Test("The parts are found and the text stays octet for octet")
    func parts() throws {
        let text = "HTTPS://ada:pw@ID.Example:8443/a%2Fb/C;x=1?q=%7e&u=http://x/?y#frag?ment#x"
        let uri = try #require(URI(text))
        #expect(uri.text == text && uri.description == text)
        #expect(uri.scheme == "HTTPS" && uri.normalizedScheme == "https")
        #expect(uri.host == "ID.Example" && uri.port == 8_443)
        #expect(uri.hasUserInformation && uri.hasAuthority)
        #expect(uri.encodedPath == "/a%2Fb/C;x=1")
        #expect(uri.encodedQuery == "q=%7e&u=http://x/?y")
        #expect(uri.encodedFragment == "frag?ment#x")
        #expect(uri.withoutFragment == "HTTPS://ada:pw@ID.Example:8443/a%2Fb/C;x=1?q=%7e&u=http://x/?y")
        #expect(uri.withoutQueryAndFragment == "HTTPS://ada:pw@ID.Example:8443/a%2Fb/C;x=1")
        #expect(uri.origin?.description == "https://id.example:8443")
    }

    // RFC 3986 §1.1.2, with what each of them has.
    @Test(
        "The examples of the standard",
        arguments: [
            ("ftp://ftp.is.co.za/rfc/rfc1808.txt", "ftp.is.co.za", "/rfc/rfc1808.txt"),
            ("ldap://[2001:db8::7]/c=GB?objectClass?one", "[2001:db8::7]", "/c=GB"),
            ("mailto:John.Doe@example.com", nil, "John.Doe@example.com"),
            ("tel:+1-816-555-1212", nil, "+1-816-555-1212"),
            ("telnet://192.0.2.16:80/", "192.0.2.16", "/"),
            (
                "urn:oasis:names:specification:docbook:dtd:xml:4.1.2", nil,
                "oasis:names:specification:docbook:dtd:xml:4.1.2"
            ),
            ("com.example.app:/cb", nil, "/cb"), ("com.example.app:///cb", nil, "/cb"),
            ("com.example.app://cb", "cb", ""), ("a:", nil, ""), ("http://h?q", "h", ""),
        ] as [(String, String?, String)])
    func examples(text: String, host: String?, path: String) throws {
        let uri = try #require(URI(text))
        #expect(uri.host == host)
        #expect(uri.encodedPath == path)
        #expect(uri.text == text)
    }

    @Test(
        "What is not an absolute address is refused",
        arguments: [
            "", "x", "/cb", "//host/cb", "?q", "#f", ":", "1a://h", "ht tp://h", "http://h/a b", "http://h/\n",
            "http://h\r\nX: y",
            "http://h/\u{0}", "http://h/\u{7F}", " http://h", "http://h:65536/", "http://h:x/", "http://h:-1/",
            "http://:80/",
            "http://@/", "http://[::1/", "http://[::1]x/", "http://[g::1]/", "http://h\\x/",
            "http://höst/",
            "ä://h", "http://h:99999999999999999999/",
        ])
    func refused(text: String) {
        #expect(URI(text) == nil)
    }

    @Test(
        "What browsers deliver is let through",
        arguments: ["http://h/%", "http://h/?e=100%", "http://h/ä?ö#ü", "http://h/[x]|"])
    func lenient(text: String) {
        #expect(URI(text)?.text == text)
    }

    @Test("A megabyte is the limit")
    func length() {
        let head = "http://h/"
        #expect(URI(head + String(repeating: "a", count: URI.maximumByteCount - head.utf8.count)) != nil)
        #expect(URI(head + String(repeating: "a", count: URI.maximumByteCount)) == nil)
    }

    // RFC 3986 §5.4.1 and §5.4.2. The base of the standard has the query "q".
    @Test(
        "References are resolved as the standard's examples want it",
        arguments: [
            ("g:h", "g:h"), ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"),
            ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"),
            ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"), (";x", "http://a/b/c/;x"),
            ("g;x", "http://a/b/c/g;x"),
            ("g;x?y#s", "http://a/b/c/g;x?y#s"), ("", "http://a/b/c/d;p?q"), (".", "http://a/b/c/"),
            ("./", "http://a/b/c/"),
            ("..", "http://a/b/"), ("../", "http://a/b/"), ("../g", "http://a/b/g"), ("../..", "http://a/"),
            ("../../", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("../../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), (".g", "http://a/b/c/.g"),
            ("g..", "http://a/b/c/g.."), ("..g", "http://a/b/c/..g"), ("./../g", "http://a/b/g"),
            ("./g/.", "http://a/b/c/g/"),
            ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"), ("g;x=1/./y", "http://a/b/c/g;x=1/y"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/./x", "http://a/b/c/g?y/./x"),
            ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/./x", "http://a/b/c/g#s/./x"), ("g#s/../x", "http://a/b/c/g#s/../x"), ("http:g", "http:g"),
        ])
    func resolution(reference: String, expected: String) throws {
        let base = try #require(URI("http://a/b/c/d;p?q"))
        #expect(base.resolving(reference)?.text == expected)
    }

    @Test("References beyond the examples")
    func furtherResolution() throws {
        let bare = try #require(URI("http://a"))
        #expect(bare.resolving("g")?.text == "http://a/g")
        #expect(bare.resolving("a b") == nil)
        let slashInQuery = try #require(URI("http://a/b/c?d/e"))
        #expect(slashInQuery.resolving("g")?.text == "http://a/b/g")
        #expect(slashInQuery.resolving("g:8080/x") == URI("g:8080/x"))
        // What has a colon before its first slash is an address or nothing (RFC 3986 §4.2).
        for broken in ["http://a:99999/x", "http://\u{FC}/x", "1:2", ":x"] { #expect(bare.resolving(broken) == nil) }
        #expect(bare.resolving("./1:2")?.text == "http://a/1:2" && bare.resolving("g?1:2")?.text == "http://a/g?1:2")
    }

    @Test("What is logged has neither query, nor fragment, nor user information")
    func redaction() throws {
        let uri = try #require(URI("https://ada:pw@h:1/cb?code=c-secret#access_token=t-secret"))
        #expect(uri.redacted == "https://h:1/cb")
        #expect(try #require(URI("com.example.app:/cb?code=c")).redacted == "com.example.app:/cb")
        let request = HTTPRequest(
            .post, uri, fields: ["Authorization": "Bearer t-secret"], body: .form(["code": "c-secret"]))
        var dumped = ""
        dump(request, to: &dumped)
        #expect("\(request)" == "POST https://h:1/cb")
        #expect(!dumped.contains("secret"))
    }

    @Test(
        "Loopback is 127/8, ::1 and localhost",
        arguments: [
            ("http://127.0.0.1/", true), ("http://127.255.0.9:1/", true), ("http://[::1]/", true),
            ("http://LocalHost/", true),
            ("http://127.0.0.1.example/", false), ("http://127.0.0/", false), ("http://0x7f.0.0.1/", false),
            ("http://localhost.example/", false), ("http://[::2]/", false), ("http://127.0.0.1@evil.example/", false),
            ("com.example:/127.0.0.1", false), ("http://256.0.0.1/", false), ("http://127.+1.0.1/", false),
        ])
    func loopback(text: String, expected: Bool) throws {
        #expect(try #require(URI(text)).isLoopback == expected)
    }

    @Test("The origin ignores case and the scheme's own port, and nothing else")
    func origins() throws {
        func origin(_ text: String) throws -> Origin? { try #require(URI(text)).origin }
        #expect(try origin("https://H/") == origin("HTTPS://h:443/x?y"))
        #expect(try origin("https://h/") != origin("http://h/"))
        #expect(try origin("https://h/") != origin("https://h:444/"))
        #expect(try origin("https://h/") != origin("https://h.evil/"))
        #expect(try origin("https://h@evil.example/")?.host == "evil.example")
        #expect(try origin("com.example:/cb") == nil)
        #expect(try origin("http://h/")?.description == "http://h")
    }

    @Test("Addresses are compared as octets")
    func equality() {
        #expect(URI("https://h/a") != URI("https://H/a"))
        #expect(URI("https://h/%7e") != URI("https://h/~"))
        #expect(URI("https://h/\u{E9}") != URI("https://h/e\u{301}"))
    }

    @Test(
        "Parameters go behind the query that is there, octet for octet",
        arguments: [
            ("https://h/a", "https://h/a?x=1%202"), ("https://h/a?", "https://h/a?x=1%202"),
            ("https://h/a?p=%7e&q", "https://h/a?p=%7e&q&x=1%202"), ("https://h/a?p&", "https://h/a?p&x=1%202"),
            ("https://h/a?p#f", "https://h/a?p&x=1%202#f"), ("https://h", "https://h?x=1%202"),
        ])
    func appending(text: String, expected: String) throws {
        let uri = try #require(URI(text))
        #expect(uri.appendingQuery(["x": "1 2"]) == expected)
        #expect(uri.appendingQuery([:]) == text)
    }

    @Test("A wrong address in the configuration is named with its field")
    func required() {
        let error = #expect(throws: TernError.self) { try URI.required("nowhere", field: "token_endpoint") }
        guard case .invalidConfiguration(let field, _)? = error?.reason else {
            Issue.record("it is \(String(describing: error))")
            return
        }
        #expect(field == "token_endpoint")
        #expect(error?.step == .configuration)
    }
}
