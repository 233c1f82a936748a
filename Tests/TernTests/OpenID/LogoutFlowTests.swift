import Tern
import TernTesting
import Testing

/// What the server tells its clients when a user is gone (OpenID Connect Back-Channel and Front-Channel Logout 1.0).
@Suite("Logouts that the server begins")
struct LogoutFlowTests {
    private func provider() -> TestProvider {
        var app = TestClient.app
        app.backChannelLogoutURI = "https://app.example/backchannel"
        app.frontChannelLogoutURI = "https://app.example/frontchannel?a=b"
        return TestProvider(AuthorizationServer(clients: [app]))
    }

    @Test("A logout token ends the session that it names, once")
    func backChannel() async throws {
        let provider = provider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let idToken = try await client.verify(
            try #require(try await session.credential().idToken), nonce: .ifPresent(session.credential().nonce))
        let logouts = provider.server.change { $0.logoutTokens(forUser: TestUser.ada.subject, at: provider.clock.now) }
        #expect(logouts.map(\.clientID) == ["test-app"])
        let request = try #require(logouts.first?.request)
        let store = MemoryReplayStore()
        let logout = try await client.verify(EncodedLogoutToken(postedBy: request), replays: store)
        #expect(logout.ends(subject: idToken.subject, sessionID: idToken.sessionID))
        await #expect { try await client.verify(EncodedLogoutToken(postedBy: request), replays: store) } throws: {
            ($0 as? TernError)?.code == "logout_token_replayed"
        }
        #expect(provider.server.change { $0.logoutTokens(forUser: "nobody", at: provider.clock.now) }.isEmpty)
        #expect(
            provider.server.change {
                $0.logoutTokens(forUser: TestUser.ada.subject, sessionID: "other", at: provider.clock.now)
            }.isEmpty)
    }

    @Test(
        "A fault in each claim is found",
        arguments: [
            (TokenChange(.claim("iss", .append("/"))), "issuer_mismatch"),
            (TokenChange(.claim("aud", .set("other"))), "audience_mismatch"),
            (TokenChange(.claim("iat", .move(.seconds(90)))), "clock_skew"),
            (TokenChange(.claim("iat", .move(.seconds(-400)))), "too_old"),
            (TokenChange(.claim("exp", .move(.seconds(-200)))), "expired"),
            (TokenChange(.claim("jti", .remove)), "malformed_claim"),
            (TokenChange(.claim("events", .remove)), "malformed_claim"),
            (TokenChange(.claim("events", .set(["other": [:]]))), "malformed_claim"),
            (TokenChange(.claim("sub", .remove), .claim("sid", .remove)), "malformed_claim"),
            (TokenChange(.claim("nonce", .set("n"))), "forbidden_claim"),
            (TokenChange(.header("typ", .set("at+jwt"))), "wrong_type"),
            (TokenChange(signature: .kept), nil),
            (TokenChange(.claim("sub", .append("x")), signature: .kept), "signature"),
            (TokenChange(signature: .byForeignKey), "signature"),
            (TokenChange(signature: .none), "unsupported_algorithm"),
        ] as [(TokenChange, String?)])
    func faults(change: TokenChange, code: String?) async throws {
        let provider = provider()
        let client = try provider.client()
        _ = try await client.signIn(with: provider.userAgent)
        let logout = try #require(
            provider.server.change {
                $0.logoutTokens(forUser: TestUser.ada.subject, changing: change, at: provider.clock.now)
            }.first)
        var received: String?
        do throws(TernError) {
            _ = try await client.verify(logout.token, replays: MemoryReplayStore())
        } catch {
            received = error.code
        }
        #expect(received == code.map { "logout_token_" + $0 })
    }

    @Test("A frame that the server loads names issuer and session")
    func frontChannel() async throws {
        let provider = provider()
        let client = try provider.client()
        let session = try await client.signIn(with: provider.userAgent)
        let idToken = try await client.verify(
            try #require(try await session.credential().idToken), nonce: .ifPresent(session.credential().nonce))
        let frames = provider.server.server.frontChannelLogouts(forUser: TestUser.ada.subject)
        let address = try #require(frames.first?.address)
        #expect(address.text.hasPrefix("https://app.example/frontchannel?a=b&iss="))
        let logout = try FrontChannelLogout(request: address, issuer: provider.issuer, requiresSession: true)
        #expect(logout.ends(sessionID: idToken.sessionID))
    }

    @Test("The session state of the callback is kept, over a refresh too")
    func sessionState() async throws {
        let provider = provider()
        provider.server.add(Fault(at: .interaction, .parameter("session_state", .set("abc.salt"))))
        let session = try await provider.client().signIn(with: provider.userAgent)
        #expect(try await session.credential().sessionState?.text == "abc.salt")
        provider.clock.advance(by: .seconds(4_000))
        _ = try await session.accessToken()
        #expect(try await session.credential().sessionState?.text == "abc.salt")
        let again = try #require(try await provider.client().session())
        #expect(try await again.credential().sessionState?.message(clientID: "test-app") == "test-app abc.salt")
    }
}
