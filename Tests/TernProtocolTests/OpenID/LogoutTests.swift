import TernCrypto
import TernJOSE
import TernProtocol
import Testing

/// OpenID Connect Back-Channel Logout 1.0 §2.4 to §2.8.
@Suite("Logout token")
struct LogoutTokenTests {
    private let bench = TokenBench(
        type: "logout+jwt",
        claims: [
            "iss": "https://idp.example", "sub": "u-1", "aud": "app", "iat": TokenBench.date(-5),
            "exp": TokenBench.date(115), "jti": "lt-1", "sid": "s-1",
            "events": ["http://schemas.openid.net/event/backchannel-logout": [:]],
        ])

    private func verify(
        _ token: String, _ change: (inout LogoutToken.Expectation) -> Void = { _ in }
    ) throws -> LogoutToken {
        var expected = LogoutToken.Expectation(issuer: "https://idp.example", clientID: "app")
        change(&expected)
        return try LogoutToken(
            verifying: EncodedLogoutToken(token), keys: bench.keys, expecting: expected,
            now: NumericDate(TokenBench.now))
    }

    private func rejection(
        _ changes: [String: JSON?], type: String?? = nil, _ change: (inout LogoutToken.Expectation) -> Void = { _ in }
    ) throws -> TokenRejection.Reason? {
        try tokenRejection { try verify(bench.token(changes, type: type), change) }
    }

    @Test("A good token names the user and the session")
    func good() throws {
        let token = try verify(bench.token())
        #expect(token.subject == "u-1" && token.sessionID == "s-1" && token.tokenID == "lt-1")
        #expect(token.ends(subject: "u-1", sessionID: "s-1"))
        #expect(!token.ends(subject: "u-1", sessionID: "s-2"))
        #expect(!token.ends(subject: "u-1", sessionID: nil))
        #expect(!token.ends(subject: "u-2", sessionID: "s-1"))
        #expect(try verify(bench.token(["sid": nil])).ends(subject: "u-1", sessionID: "s-9"))
        #expect(try verify(bench.token(["sub": nil])).ends(subject: "u-9", sessionID: "s-1"))
        #expect("\(token)" == "<logout token>")
    }

    @Test(
        "typ: its own, plain or none; another kind is refused",
        arguments: ["logout+jwt", "application/logout+jwt", "JWT", nil])
    func types(type: String?) throws {
        #expect(try rejection([:], type: .some(type)) == nil)
        #expect(try rejection([:], type: "at+jwt") == .wrongType("at+jwt"))
        #expect(try rejection([:], type: "secevent+jwt") == .wrongType("secevent+jwt"))
    }

    @Test("Every claim")
    func claims() throws {
        #expect(try rejection(["nonce": "n"]) == .forbiddenClaim("nonce"))
        #expect(try rejection(["nonce": nil, "sub": nil, "sid": nil]) == .malformedClaim("sub"))
        #expect(try rejection(["sid": 7]) == .malformedClaim("sid"))
        #expect(try rejection(["sub": ""]) == .malformedClaim("sub"))
        #expect(try rejection(["sid": nil]) { $0.requiresSession = true } == .malformedClaim("sid"))
        #expect(try rejection(["jti": nil]) == .malformedClaim("jti"))
        #expect(try rejection(["iat": nil]) == .malformedClaim("iat"))
        #expect(try rejection(["exp": nil]) == .malformedClaim("exp"))
        #expect(try rejection(["events": nil]) == .malformedClaim("events"))
        #expect(try rejection(["events": ["other": [:]]]) == .malformedClaim("events"))
        #expect(
            try rejection(["events": ["http://schemas.openid.net/event/backchannel-logout": true]])
                == .malformedClaim("events"))
        #expect(try rejection(["iss": "x"]) == .issuerMismatch(expected: "https://idp.example", received: "x"))
        #expect(try rejection(["aud": ["other"]]) == .audienceMismatch)
        #expect(try rejection(["exp": TokenBench.date(-60)]) == .expired(by: 60))
        #expect(try rejection(["iat": TokenBench.date(61)]) == .clockSkew(ahead: 61))
        #expect(try rejection(["iat": TokenBench.date(-361)]) == .tooOld(by: 61))
        #expect(try rejection(["nbf": TokenBench.date(61)]) == .notYetValid(by: 61))
        let foreign = try JWK.generate(for: .es256, keyID: "k1")
        #expect(try tokenRejection { try verify(bench.token(signedBy: foreign)) } == .signature)
    }

    @Test("A token is taken once, and may be taken again only when nobody would")
    func replay() async throws {
        let store = MemoryReplayStore()
        let token = try verify(bench.token())
        let now = NumericDate(TokenBench.now)
        try await token.take(by: store, now: now)
        await #expect(throws: TernError(.tokenRejected(TokenRejection(.logoutToken, .replayed)), at: .logout)) {
            try await token.take(by: store, now: now + .seconds(170))
        }
        try await verify(bench.token(["jti": "lt-2"])).take(by: store, now: now)
        #expect(store.count == 2)
    }

    @Test("The memory is bounded in size and in time")
    func memory() async throws {
        let store = MemoryReplayStore(capacity: 2)
        let now = NumericDate(TokenBench.now)
        #expect(try await store.note("a", until: now + .seconds(10), now: now))
        #expect(try await store.note("b", until: now + .seconds(20), now: now))
        #expect(try await store.note("c", until: now + .seconds(30), now: now))
        #expect(store.count == 2)
        #expect(try await !store.note("c", until: now + .seconds(30), now: now))
        #expect(try await store.note("a", until: now + .seconds(10), now: now))
        #expect(try await store.note("d", until: now + .seconds(90), now: now + .seconds(40)))
        #expect(store.count == 1)
    }

    @Test("The request is a form that is posted, with one token")
    func requests() throws {
        let there = try address("https://app.example/backchannel")
        func token(_ request: HTTPRequest) throws -> String { try EncodedLogoutToken(postedBy: request).exposedText }
        #expect(try token(HTTPRequest(.post, there, body: .form(["logout_token": "a.b.c"]))) == "a.b.c")
        let bytes = HTTPRequest(
            .post, there, fields: ["Content-Type": "application/x-www-form-urlencoded; charset=utf-8"],
            body: .bytes(Array("logout_token=a.b.c".utf8)))
        #expect(try token(bytes) == "a.b.c")
        var plain = bytes
        plain.fields["Content-Type"] = "text/plain"
        let wrong = [
            plain, HTTPRequest(.get, there), HTTPRequest(.post, there, body: .form([:])),
            HTTPRequest(.get, try address("https://app.example/backchannel?logout_token=a.b.c")),
        ]
        for request in wrong { #expect(try tokenRejection { try token(request) } == .missing) }
        let twice = HTTPRequest(.post, there, body: .form(["logout_token": "a", "logout_token": "b"]))
        #expect(try tokenRejection { try token(twice) } == .malformed("form"))
    }

    @Test("The answer is never kept, and an error is a JSON object")
    func answers() throws {
        #expect(LogoutToken.response().status == 200)
        #expect(LogoutToken.response().fields["Cache-Control"] == "no-store")
        let error = TernError(.tokenRejected(TokenRejection(.logoutToken, .replayed)), at: .logout)
        let refusal = LogoutToken.response(error)
        #expect(refusal.status == 400 && refusal.fields["Cache-Control"] == "no-store")
        #expect(try JSON(parsing: refusal.body)["error"] == "invalid_request")
        #expect(error.code == "logout_token_replayed")
    }
}

/// OpenID Connect Front-Channel Logout 1.0 §2.
@Suite("Front-channel logout")
struct FrontChannelLogoutTests {
    private func read(_ query: String, requiresSession: Bool = false) throws -> FrontChannelLogout {
        try FrontChannelLogout(
            request: address("https://app.example/out\(query)"), issuer: "https://idp.example",
            requiresSession: requiresSession)
    }

    private func refused(_ query: String, requiresSession: Bool = false) throws -> String? {
        guard case .requestRejected(let name, _) = try reason({ try read(query, requiresSession: requiresSession) })
        else { return nil }
        return name
    }

    @Test("The session that is meant")
    func sessions() throws {
        let named = try read("?iss=https%3A%2F%2Fidp.example&sid=s-1&x=1")
        #expect(named.ends(sessionID: "s-1") && !named.ends(sessionID: "s-2") && !named.ends(sessionID: nil))
        let open = try read("")
        #expect(open.sessionID == nil && open.ends(sessionID: "s-2") && open.ends(sessionID: nil))
    }

    @Test("What is refused")
    func refusals() throws {
        #expect(try refused("?iss=https%3A%2F%2Fevil.example&sid=s-1") == "iss")
        #expect(try refused("?iss=https%3A%2F%2Fidp.example%2F&sid=s-1") == "iss")
        #expect(try refused("?sid=s-1") == "iss")
        #expect(try refused("?iss=https%3A%2F%2Fidp.example") == "sid")
        #expect(try refused("?iss=https%3A%2F%2Fidp.example&sid=a&sid=b") == "sid")
        #expect(try refused("", requiresSession: true) == "sid")
    }
}

/// OpenID Connect Session Management 1.0 §2 and §3.
@Suite("Session state")
struct SessionStateTests {
    @Test("The server's figure, from an independent SHA-256")
    func figure() throws {
        let origin = try #require(try address("https://client.example.org/cb").origin)
        let state = SessionState(clientID: "s6BhdRkqt3", origin: origin, browserState: "op-1", salt: "salt.1")
        // printf 's6BhdRkqt3 https://client.example.org op-1 salt1' | sha256sum
        #expect(state.text == "0ec4cb1080094f7c65da8deedf4dc7ac8c76ad4391d45949738a3c0e88b012db.salt1")
        #expect(state.isCurrent(clientID: "s6BhdRkqt3", origin: origin, browserState: "op-1"))
        #expect(!state.isCurrent(clientID: "s6BhdRkqt3", origin: origin, browserState: "op-2"))
        #expect(!state.isCurrent(clientID: "other", origin: origin, browserState: "op-1"))
        let other = try #require(try address("https://client.example.org:444/").origin)
        #expect(!state.isCurrent(clientID: "s6BhdRkqt3", origin: other, browserState: "op-1"))
        #expect(state.message(clientID: "s6BhdRkqt3") == "s6BhdRkqt3 \(state.text)")
    }

    @Test("A text with a blank, without one, without a salt")
    func texts() throws {
        #expect(SessionState("a b") == nil && SessionState("") == nil)
        #expect(SessionState("abc.def")?.text == "abc.def")
        let origin = try #require(try address("https://client.example.org").origin)
        #expect(SessionState("abc")?.isCurrent(clientID: "c", origin: origin, browserState: "s") == false)
        #expect(SessionState(in: ["session_state": "x.y", "session_state": "z"]) == nil)
    }

    @Test("It comes with the answer of the authorization endpoint")
    func answers() throws {
        let redirect = try RedirectURI("com.example.app:/callback")
        let response = try AuthorizationResponse(
            callback: address("com.example.app:/callback?code=c&state=s&session_state=abc.def"),
            expecting: .init(redirectURI: redirect, state: "s", issuer: nil))
        #expect(response?.sessionState?.text == "abc.def")
    }
}
