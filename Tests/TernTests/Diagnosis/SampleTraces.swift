import TernJOSE
import TernProtocol

@testable import Tern

/// Traces to draw: one that went well, one that failed, a long one, and one full of what breaks a careless page.
enum SampleTraces {
    static let server = "https://id.example.com"

    static let good = Trace(
        title: "Sign-in at id.example.com", startedAt: NumericDate(1_750_000_000), entries: opening + ending)

    static let failed: Trace = {
        var entries = opening
        var refused = Trace.Entry(
            at: .milliseconds(9_480), from: .app, to: .authorizationServer, "POST /token", origin: server,
            facts: [
                Trace.Fact("grant_type", "authorization_code"), Trace.Fact("code", "‹code 3f9a›"),
                Trace.Fact("redirect_uri", "http://127.0.0.1:49152/callback/"),
            ])
        refused.duration = .milliseconds(61)
        refused.status = 400
        refused.byteCount = 94
        refused.failure = Trace.Failure(
            code: "invalid_grant", whatHappened: "The server refused the code (invalid_grant).",
            likelyCauses: ["the redirect URI is not the one of the authorization request", "the code was used before"],
            whatToDo: ["send the same redirect URI in both requests", "start a new sign-in"],
            comparisons: [
                Comparison(
                    "authorization request", "http://127.0.0.1:49152/callback", "token request",
                    "http://127.0.0.1:49152/callback/")
            ])
        entries.append(refused)
        return Trace(title: "Sign-in at id.example.com", startedAt: NumericDate(1_750_000_000), entries: entries)
    }()

    static let long = Trace(
        title: "Two hundred calls", startedAt: NumericDate(1_750_000_000),
        entries: (0..<200).map(call))

    private static func call(_ index: Int) -> Trace.Entry {
        let party: Trace.Party = index % 3 == 0 ? .authorizationServer : .api
        let tag: String = "DPoP ‹access_token \(index % 20)›"
        return Trace.Entry(
            at: .milliseconds(index * 37), from: .app, to: party, "GET /items/\(index)",
            origin: index % 3 == 0 ? server : "https://api.example.com", facts: [Trace.Fact("authorization", tag)])
    }

    static let hostileText =
        "</script></style><script>alert(1)</script>\"'&\u{202E}evil\u{0}\u{1B}[31m\u{FEFF}]]>\u{FFFE}‹‹"

    static let hostile: Trace = {
        var entry = Trace.Entry(
            at: .zero, from: .browser, to: .app, hostileText,
            origin: hostileText + String(repeating: "a", count: 5_000),
            facts: [Trace.Fact(hostileText, hostileText + String(repeating: "ü", count: 100_000))],
            checks: [hostileText])
        entry.failure = Trace.Failure(
            code: hostileText, whatHappened: hostileText, likelyCauses: [hostileText], whatToDo: [hostileText],
            comparisons: [Comparison(hostileText, hostileText, hostileText, hostileText + "x")])
        return Trace(title: hostileText, startedAt: NumericDate(1e300), entries: [entry])
    }()

    static let all = [good, failed, long, hostile, Trace(title: "", startedAt: NumericDate(0), entries: [])]

    private static let opening: [Trace.Entry] = {
        var discovery = Trace.Entry(
            at: .milliseconds(2), from: .app, to: .authorizationServer, "GET /.well-known/openid-configuration",
            origin: server, checks: ["the issuer is the one that was asked for", "every endpoint is https"])
        discovery.duration = .milliseconds(48)
        discovery.status = 200
        discovery.byteCount = 1_904
        let decision = Trace.Entry(
            at: .milliseconds(51), from: .app, to: .app, "PKCE with S256, a new state and nonce",
            facts: [Trace.Fact("code_verifier", "‹code_verifier 8c11›")])
        let request = Trace.Entry(
            at: .milliseconds(53), from: .app, to: .browser, "Open the authorization request", origin: server,
            facts: [
                Trace.Fact("client_id", "native-app-1"), Trace.Fact("redirect_uri", "http://127.0.0.1:49152/callback"),
                Trace.Fact("scope", "openid profile"), Trace.Fact("state", "‹state a07e›"),
            ])
        let page = Trace.Entry(
            at: .milliseconds(120), from: .browser, to: .authorizationServer, "GET /authorize", origin: server,
            facts: [Trace.Fact("state", "‹state a07e›")])
        let login = Trace.Entry(at: .milliseconds(7_900), from: .user, to: .browser, "Sign in and consent")
        let callback = Trace.Entry(
            at: .milliseconds(9_410), from: .browser, to: .app, "GET /callback", origin: "http://127.0.0.1:49152",
            facts: [Trace.Fact("code", "‹code 3f9a›"), Trace.Fact("state", "‹state a07e›")],
            checks: ["the state is that of this sign-in", "iss is the issuer"])
        return [discovery, decision, request, page, login, callback]
    }()

    private static let ending: [Trace.Entry] = {
        var token = Trace.Entry(
            at: .milliseconds(9_412), from: .app, to: .authorizationServer, "POST /token", origin: server,
            facts: [
                Trace.Fact("code", "‹code 3f9a›"), Trace.Fact("code_verifier", "‹code_verifier 8c11›"),
                Trace.Fact("access_token", "‹access_token 5d20›"), Trace.Fact("refresh_token", "‹refresh_token 77b4›"),
            ], checks: ["the ID token is signed by a key of the issuer", "the nonce is that of this sign-in"])
        token.duration = .milliseconds(73)
        token.status = 200
        token.byteCount = 1_312
        var call = Trace.Entry(
            at: .milliseconds(9_600), from: .app, to: .api, "GET /me", origin: "https://api.example.com",
            facts: [Trace.Fact("authorization", "Bearer ‹access_token 5d20›")])
        call.duration = .milliseconds(31)
        call.status = 200
        let renewal = Trace.Entry(
            at: .seconds(3_590), from: .app, to: .authorizationServer, "POST /token", origin: server,
            facts: [
                Trace.Fact("grant_type", "refresh_token"), Trace.Fact("refresh_token", "‹refresh_token 77b4›"),
                Trace.Fact("access_token", "‹access_token e1c3›"),
            ], checks: ["the new refresh token was stored before its access token was used"])
        return [token, call, renewal]
    }()
}
