import TernProtocol
import Testing

/// What becomes of a request that is redirected (RFC 9110 §15.4).
@Suite("Redirects")
struct RedirectTests {
    private static let fields: HTTPFields = [
        "Authorization": "Bearer t", "Cookie": "c=1", "AcceptToken": "k", "Content-Api-Key": "k",
        "Accept": "text/plain",
        "Content-Type": "application/json", "Expect": "100-continue", "X-Mine": "1",
    ]

    private func redirected(
        _ method: HTTPMethod, _ status: Int, to location: String?, from address: String = "https://a.example/x/y"
    ) throws -> HTTPRequest? {
        let url = try #require(URI(address))
        let request = HTTPRequest(method, url, fields: Self.fields, body: .form(["q": "1"]))
        var fields: HTTPFields = [:]
        fields["Location"] = location
        return try request.redirected(by: HTTPResponse(status: status, fields: fields))
    }

    @Test(
        "301, 302 and 303 make POST a GET without a body; 307 and 308 change nothing but the address",
        arguments: [(301, false), (302, false), (303, false), (307, true), (308, true)])
    func methods(status: Int, keepsBody: Bool) throws {
        let next = try #require(try redirected(.post, status, to: "../z?p=1"))
        #expect(next.url.text == "https://a.example/z?p=1")
        #expect(next.method == (keepsBody ? .post : .get))
        #expect((next.body == .none) == !keepsBody)
        #expect(next.fields["Authorization"] == "Bearer t" && next.fields["X-Mine"] == "1")
        #expect((next.fields["Content-Type"] != nil) == keepsBody && (next.fields["Expect"] != nil) == keepsBody)
    }

    @Test(
        "To another origin go only fields that cannot hold a credential",
        arguments: [
            "https://b.example/x", "https://a.example:8443/x", "//b.example/x",
        ])
    func otherOrigin(location: String) throws {
        let next = try #require(try redirected(.post, 307, to: location))
        #expect(next.fields["Accept"] == "text/plain" && next.fields["Content-Type"] == "application/json")
        for name in ["Authorization", "Cookie", "AcceptToken", "Content-Api-Key", "X-Mine", "Expect"] {
            #expect(next.fields[name] == nil, "\(name)")
        }
    }

    @Test(
        "From https to http nothing is followed, nor to what is no address",
        arguments: [
            "http://a.example/x", "http://127.0.0.1/x", "https://user@a.example/x", "mailto:a@b.example",
            "https://a.example:99999/x", "https://b\u{FC}cher.example/x", "https:/b.example", "https:b.example/x",
            "https:\\\\b.example", "//", "///b.example/x", "//a.example@b.example/", "x y", "javascript:alert(1)",
        ])
    func refused(location: String) {
        #expect(throws: TernError.self) { try redirected(.get, 302, to: location) }
    }

    @Test("Without an address, or with another status, it is no redirect")
    func none() throws {
        #expect(try redirected(.get, 302, to: nil) == nil)
        #expect(try redirected(.get, 304, to: "/x") == nil)
        #expect(try redirected(.get, 200, to: "/x") == nil)
    }
}
