import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Refresh and session life")
struct RefreshCases {
    private static let invalidGrant = answer(400, "application/json", #"{"error":"invalid_grant"}"#)

    private static func tokens(_ access: String, _ refresh: String? = nil) -> HTTPResponse {
        let refresh = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
        return answer(
            200, "application/json", #"{"access_token":"\#(access)","token_type":"Bearer","expires_in":60\#(refresh)}"#)
    }

    @Test("RF-01 a, b", arguments: [nil, ""])
    func keepsTheRefreshToken(refresh: String?) async throws {
        let held = try await HeldGrant { _ in Self.tokens("at-1", refresh) }
        held.expire()
        #expect(try await held.session().accessToken().exposedText == "at-1")
        let stored = try await held.stored()
        #expect(stored?.accessToken.exposedText == "at-1")
        #expect(stored?.refreshToken?.exposedText == "rt-1")
        #expect(stored?.expiration == held.clock.now + .seconds(60))
        #expect(
            held.transport.sent.first?.form
                == ["grant_type": "refresh_token", "refresh_token": "rt-1", "client_id": "native-app-1"])
    }

    @Test("RF-02")
    func singleFlight() async throws {
        let gate = Gate()
        let arrived = Gate()
        let posts = Locked(0)
        let held = try await HeldGrant { _ in
            let number = posts.withLock { count in
                count += 1
                return count
            }
            await arrived.open()
            await gate.pass()
            return number == 1 ? Self.tokens("at-2", "rt-2") : Self.invalidGrant
        }
        held.expire()
        let session = try await held.session()
        let callers = (1...20).map { _ in Task { try await session.accessToken().exposedText } }
        await arrived.pass()
        callers[2].cancel()
        #expect(try await asyncReason { try await callers[2].value } == .cancelled)
        await gate.open()
        for (index, caller) in callers.enumerated() where index != 2 {
            #expect(try await caller.value == "at-2")
        }
        #expect(posts.withLock { $0 } == 1)
        #expect(try await held.stored()?.refreshToken?.exposedText == "rt-2")
    }

    @Test("RF-02, the class: sessions of one store, and callers with an old token")
    func severalSessions() async throws {
        let held = try await HeldGrant { request in
            request.form["refresh_token"] == "rt-1" ? Self.tokens("at-2", "rt-2") : Self.invalidGrant
        }
        held.expire()
        let sessions = [try await held.session(), try await held.session(), try await held.session()]
        try await withThrowingTaskGroup(of: String.self) { group in
            for session in sessions { group.addTask { try await session.accessToken().exposedText } }
            for try await token in group { #expect(token == "at-2") }
        }
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-03")
    func loserOfTheRace() async throws {
        let store = MemoryStore()
        let account = Locked<StoreKey?>(nil)
        let clock = NumericDate(Fixed.now.secondsSince1970 + 7_200)
        let held = try await HeldGrant(store: store) { (_) async throws(TernError) in
            // Another process, without the lock, was first.
            if let account = account.withLock({ $0 }) {
                try await store.save(
                    HeldGrant.record(access: "at-2", refresh: "rt-2", obtainedAt: clock), for: account)
            }
            return Self.invalidGrant
        }
        account.withLock { $0 = held.account }
        let session = try await held.session()
        held.expire()
        #expect(try await session.accessToken().exposedText == "at-2")
        let stored = try await held.stored()
        #expect(stored?.accessToken.exposedText == "at-2")
        #expect(stored?.refreshToken?.exposedText == "rt-2")
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-03, a newer token in the store is used without asking")
    func newerTokenInTheStore() async throws {
        let held = try await HeldGrant { _ in Self.invalidGrant }
        let session = try await held.session()
        held.expire()
        try await held.store.save(
            HeldGrant.record(access: "at-2", refresh: "rt-2", obtainedAt: held.clock.now), for: held.account)
        #expect(try await session.accessToken().exposedText == "at-2")
        #expect(held.transport.sent.isEmpty)
    }

    @Test("RF-03, the store still holds the refused token")
    func deadGrant() async throws {
        let held = try await HeldGrant { _ in Self.invalidGrant }
        held.expire()
        let session = try await held.session()
        #expect(try await asyncReason { try await session.accessToken() }?.code == "reauthentication_required")
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-04 a, b, c", arguments: [nil, answer(500, nil), answer(502, "text/html", "<html>")])
    func passingTrouble(response: HTTPResponse?) async throws {
        let isWell = Locked(false)
        let held = try await HeldGrant { (_) async throws(TernError) in
            if isWell.withLock({ $0 }) { return Self.tokens("at-2") }
            guard let response else { throw TernError(.network(.timedOut), at: .refresh) }
            return response
        }
        held.expire()
        let before = try await held.store.load(held.account)
        let session = try await held.session()
        #expect(
            try await asyncReason { try await session.accessToken() }
                == response.map { .transient(status: $0.status, retryAfter: nil) } ?? .network(.timedOut))
        #expect(try await held.store.load(held.account) == before)
        isWell.withLock { $0 = true }
        #expect(try await session.accessToken().exposedText == "at-2")
        #expect(held.transport.sent.count == 2)
    }

    @Test("RF-04 d", arguments: ["120", "Sun, 15 Jun 2025 17:08:40 GMT"])
    func retryAfter(written: String) async throws {
        let held = try await HeldGrant { _ in HTTPResponse(status: 429, fields: ["Retry-After": written]) }
        held.expire()
        let session = try await held.session()
        let expected = TernError.Reason.transient(status: 429, retryAfter: .seconds(120))
        #expect(try await asyncReason { try await session.accessToken() } == expected)
        held.clock.advance(by: .seconds(119))
        #expect(try await asyncReason { try await session.accessToken() } == expected)
        #expect(held.transport.sent.count == 1)
        held.clock.advance(by: .seconds(1))
        _ = try? await session.accessToken()
        #expect(held.transport.sent.count == 2)
        #expect(try await held.stored()?.refreshToken?.exposedText == "rt-1")
    }

    @Test("RF-04 e")
    func refusedClient() async throws {
        let held = try await HeldGrant { _ in
            answer(400, "application/json", #"{"error":"invalid_client"}"#)
        }
        held.expire()
        let before = try await held.store.load(held.account)
        #expect(
            try await asyncReason { try await held.session().accessToken() }?.serverError?.code == "invalid_client")
        #expect(try await held.store.load(held.account) == before)
    }

    @Test("RF-04 f")
    func deadTokenIsDroppedOnce() async throws {
        let held = try await HeldGrant { _ in Self.invalidGrant }
        held.expire()
        let session = try await held.session()
        for _ in 1...3 {
            #expect(try await asyncReason { try await session.accessToken() }?.code == "reauthentication_required")
        }
        #expect(try await held.stored()?.refreshToken == nil)
        // A process that starts later does not try it again.
        #expect(
            try await asyncReason { try await held.session().accessToken() }?.code == "reauthentication_required")
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-04, trouble while the token is still good harms nobody")
    func earlyTrouble() async throws {
        let held = try await HeldGrant { _ in answer(503, nil) }
        held.clock.advance(by: .seconds(3_570))
        let session = try await held.session()
        #expect(try await session.accessToken().exposedText == "at-old")
        #expect(held.transport.sent.count == 1)
        held.clock.advance(by: .seconds(30))
        #expect(
            try await asyncReason { try await session.accessToken() } == .transient(status: 503, retryAfter: nil))
    }

    @Test("RF-05")
    func shortLifetime() async throws {
        let held = try await HeldGrant(HeldGrant.record(lifetime: 59)) { _ in Self.tokens("at-2") }
        let session = try await held.session()
        for _ in 1...3 {
            #expect(try await session.accessToken().exposedText == "at-old")
            held.clock.advance(by: .seconds(3))
        }
        #expect(held.transport.sent.isEmpty)
        held.clock.advance(by: .seconds(21))
        #expect(try await session.accessToken().exposedText == "at-2")
    }

    @Test("RF-06")
    func afterSleep() async throws {
        let held = try await HeldGrant { _ in Self.tokens("at-2") }
        let session = try await held.session()
        #expect(try await session.accessToken().exposedText == "at-old")
        held.clock.advance(by: .seconds(7_200))
        #expect(try await session.accessToken().exposedText == "at-2")
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-06, a token of unknown lifetime is used until an API refuses it")
    func unknownLifetime() async throws {
        let held = try await HeldGrant(HeldGrant.record(lifetime: nil)) { _ in Self.tokens("at-2") }
        held.clock.advance(by: .seconds(1_000_000))
        #expect(try await held.session().accessToken().exposedText == "at-old")
        #expect(held.transport.sent.isEmpty)
    }

    private func refreshed(_ world: World, after seconds: Int64 = 3_600) async throws -> (Session, EncodedIDToken) {
        let session = try await world.client.signIn(with: world.robot)
        let idToken = try #require(try await session.credential().idToken)
        world.clock.advance(by: .seconds(seconds))
        return (session, idToken)
    }

    @Test("RF-07 a")
    func noIDToken() async throws {
        let world = try World { $0.settings.renewsIDTokens = false }
        let (session, idToken) = try await refreshed(world)
        try await session.refresh()
        #expect(try await world.stored()?.idToken == idToken)
        #expect(world.server.requests(to: .token).last?.parameters["scope"] == nil)
        #expect(world.server.requests(to: .token).last?.parameters["grant_type"] == "refresh_token")
    }

    @Test("RF-07 b")
    func noNonce() async throws {
        let world = try World()
        world.server.add(
            Fault(
                at: .token, where: ["grant_type": "refresh_token"],
                .changeToken(TokenChange(.claim("nonce", .remove)))))
        let (session, idToken) = try await refreshed(world)
        try await session.refresh()
        let stored = try #require(try await world.stored())
        #expect(stored.idToken != nil)
        #expect(stored.idToken != idToken)
    }

    @Test("RF-07 c")
    func sameIDTokenAgain() async throws {
        let world = try World()
        let (session, idToken) = try await refreshed(world)
        world.server.add(Fault(at: .token, .member("id_token", .set(.string(idToken.exposedText)))))
        let before = try await session.credential().accessToken
        try await session.refresh()
        let stored = try #require(try await world.stored())
        #expect(stored.accessToken != before)
        #expect(stored.idToken == idToken)
    }

    @Test(
        "RF-07, another user or another nonce is refused and nothing is stored",
        arguments: [
            ("sub", IDTokenRejection.subjectMismatch), ("nonce", .nonceMismatch), ("aud", .audienceMismatch),
        ])
    func foreignIDToken(claim: String, rejection: IDTokenRejection) async throws {
        let world = try World()
        let (session, _) = try await refreshed(world)
        world.server.add(Fault(at: .token, .changeToken(TokenChange(.claim(claim, .set("other"))))))
        let before = try await world.store.load(world.configuration.account)
        #expect(try await asyncReason { try await session.refresh() } == .idTokenRejected(rejection))
        #expect(try await world.store.load(world.configuration.account) == before)
    }

    @Test("RF-08")
    func signOutMeanwhile() async throws {
        let gate = Gate()
        let arrived = Gate()
        let held = try await HeldGrant(endpoints: ["revocation_endpoint": "https://idp.example/r"]) { request in
            guard request.url.encodedPath == "/t" else { return answer(200, nil) }
            await arrived.open()
            await gate.pass()
            return Self.tokens("at-9", "rt-9")
        }
        held.expire()
        let session = try await held.session()
        let caller = Task { try await session.accessToken().exposedText }
        await arrived.pass()
        try await session.signOut(revokingTokens: false)
        await gate.open()
        #expect(try await asyncReason { try await caller.value } == .signedOut)
        #expect(try await held.store.keys().isEmpty)
        #expect(try await asyncReason { try await session.accessToken() } == .signedOut)
    }

    @Test("RF-08, a late answer does not touch the next sign-in", arguments: ["u-1", "u-2"])
    func nextSignIn(subject: String) async throws {
        let gate = Gate()
        let arrived = Gate()
        let held = try await HeldGrant { _ in
            await arrived.open()
            await gate.pass()
            return Self.tokens("at-9", "rt-9")
        }
        held.expire()
        let session = try await held.session()
        let caller = Task { try await session.accessToken().exposedText }
        await arrived.pass()
        try await session.signOut(revokingTokens: false)
        var object = try #require(
            try JSON(parsing: HeldGrant.record(access: "at-new", refresh: "rt-new").exposedBytes).object)
        object["sub"] = .string(subject)
        let next = StoredRecord(JSON.object(object).serialized())
        try await held.store.save(next, for: held.account)
        await gate.open()
        #expect(try await asyncReason { try await caller.value } == .signedOut)
        #expect(try await held.store.load(held.account) == next)
    }

    @Test("RF-08, another user under the same name is no renewal")
    func anotherUser() async throws {
        let held = try await HeldGrant { _ in Self.tokens("at-9") }
        let session = try await held.session()
        held.expire()
        var object = try #require(
            try JSON(parsing: HeldGrant.record(access: "at-new", obtainedAt: held.clock.now).exposedBytes).object)
        object["sub"] = "somebody-else"
        try await held.store.save(StoredRecord(JSON.object(object).serialized()), for: held.account)
        #expect(try await asyncReason { try await session.accessToken() } == .signedOut)
        #expect(held.transport.sent.isEmpty)
    }

    @Test("RF-09 a")
    func redirectedTokenRequest() async throws {
        let world = try World()
        world.server.add(Fault(at: .token, .redirect(to: "https://id.example.com/token/?x=1")))
        let expected = TernError.Reason.httpStatus(302, location: "https://id.example.com/token/")
        #expect(try await asyncReason { try await world.client.signIn(with: world.robot) } == expected)
        #expect(world.server.count(of: .token) == 1)
        #expect(world.server.count(of: .other) == 0)
        #expect(try await world.store.keys().isEmpty)

        let held = try await HeldGrant { _ in
            HTTPResponse(status: 302, fields: ["Location": "https://idp.example/token/"])
        }
        held.expire()
        #expect(
            try await asyncReason { try await held.session().accessToken() }
                == .httpStatus(302, location: "https://idp.example/token/"))
        #expect(held.transport.sent.count == 1)
    }

    @Test("RF-09 b", arguments: [FaultAction.dropAnswer, .dropRequest, .truncate(10)])
    func lostAnswer(action: FaultAction) async throws {
        let world = try World()
        world.server.add(Fault(at: .token, action))
        do {
            _ = try await world.client.signIn(with: world.robot)
            Issue.record("signed in")
        } catch {
            #expect(error.reason == .outcomeUnknown)
            #expect(error.explanation.whatToDo.contains { $0.contains("new sign-in") })
        }
        #expect(world.server.count(of: .token) == 1)
        #expect(try await world.store.keys().isEmpty)
    }
}
