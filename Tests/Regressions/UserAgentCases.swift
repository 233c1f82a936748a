import Tern
import TernProtocol
import Testing

@testable import Tern

@Suite("User agents")
struct UserAgentCases {
    private func callback(_ text: String, matchesHTTPS: Bool) throws -> WebAuthenticationCallback {
        try WebAuthenticationCallback(RedirectURI(text), systemMatchesHTTPS: matchesHTTPS)
    }

    @Test("UA-08 a")
    func withMatcher() throws {
        #expect(
            try callback("https://app.example/cb", matchesHTTPS: true) == .https(host: "app.example", path: "/cb"))
        #expect(
            try callback("https://App.Example:443", matchesHTTPS: true) == .https(host: "app.example", path: "/"))
    }

    @Test("UA-08 b")
    func withoutMatcher() {
        let error = #expect(throws: TernError.self) { try callback("https://app.example/cb", matchesHTTPS: false) }
        #expect(error?.code == "unsupported_redirect" && error?.step == .userAgent)
    }

    @Test("UA-08, a scheme of one's own works on every system", arguments: [false, true])
    func customScheme(matchesHTTPS: Bool) throws {
        #expect(
            try callback("Com.Example.App:/cb", matchesHTTPS: matchesHTTPS) == .customScheme("com.example.app"))
    }

    @Test(
        "UA-08, what the session cannot see is refused",
        arguments: ["https://app.example:8443/cb", "http://127.0.0.1/cb", "http://localhost:8080/cb"])
    func refusals(text: String) {
        let error = #expect(throws: TernError.self) { try callback(text, matchesHTTPS: true) }
        #expect(error?.code == "unsupported_redirect")
    }
}
