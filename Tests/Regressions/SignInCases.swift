import Foundation
import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Sign-ins and their ends")
struct SignInCases {
    @Test("AR-03, state, nonce and verifier are new, long and of plain letters")
    func randomTexts() async throws {
        let world = try World()
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var seen: Set<String> = []
        for _ in 1...20 {
            let query = try await world.client.begin().address.encodedQuery ?? ""
            let parameters = try #require(FormParameters(decoding: query))
            for name in ["state", "nonce", "code_challenge"] {
                let text = try #require(parameters[name])
                #expect(text.count >= 22)
                #expect(text.allSatisfy(allowed.contains))
                seen.insert(text)
            }
        }
        #expect(seen.count == 60)
    }

    @Test("ID-09")
    func keyRotation() async throws {
        let full = Array(FieldVector.o1.keys.utf8)
        let set = try #require(try JSON(parsing: full)["keys"]?.array)
        let small = JSON.object(["keys": .array(Array(set.prefix(2)))]).serialized()
        let isFirst = Locked(true)
        let held = try await HeldGrant(nil, endpoints: ["jwks_uri": "https://idp.example/k"]) { _ in
            let body = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst ? small : full
            }
            return answer(200, "application/jwk-set+json", body)
        }
        let good = EncodedIDToken(FieldVector.o1.token)
        // Fills the cache with the old set; a fetch forced now would use up the minute.
        held.client.prefetch()
        #expect(try await held.client.verify(good, nonce: .required(Fixed.nonce)).subject == "u-1")
        #expect(held.transport.sent.count == 2)

        held.clock.advance(by: .seconds(10))
        let key = try JWK.generate(for: .es256)
        let ghost = try JWT.sign(
            JWTClaims(["sub": "u-1"]), header: JWSHeader(algorithm: .es256, keyID: "ghost"), key: key)
        #expect(
            try await asyncReason {
                try await held.client.verify(EncodedIDToken(ghost), nonce: .required(Fixed.nonce))
            } == .idTokenRejected(.unknownKey))
        #expect(held.transport.sent.count == 2)
        held.clock.advance(by: .seconds(60))
        _ = try? await held.client.verify(EncodedIDToken(ghost), nonce: .required(Fixed.nonce))
        #expect(held.transport.sent.count == 3)
    }

    @Test("DI-04 a, a failure is not kept")
    func failureIsNotCached() async throws {
        let world = try World()
        world.server.add(
            Fault(
                at: .openIDConfiguration, on: .first(1),
                .replace(answer(200, "text/html", "<!doctype html><title>Wi-Fi login</title>"))))
        #expect(
            try await asyncReason { try await world.client.metadata() } == .discoveryNotJSON(mediaType: "text/html"))
        #expect(try await world.client.metadata().issuer == world.server.issuer.text)
        #expect(world.server.count(of: .openIDConfiguration) == 2)
    }

    @Test("UA-04")
    func twoSignIns() async throws {
        let world = try World()
        let agent = HandAgent()
        let first = Task { try await world.client.signIn(with: agent) }
        let page = try await agent.page()
        #expect(try await asyncReason { try await world.client.signIn(with: world.robot) } == .loginInProgress)
        let callback = try await world.callback(from: page)
        #expect(agent.arrive(callback) == .success)
        #expect(agent.arrive(callback) == .notMine)
        _ = try await first.value.credential()
        #expect(agent.arrive(callback) == .notMine)
        #expect(world.server.count(of: .token) == 1)
        _ = try await world.client.signIn(with: world.robot)
        #expect(world.server.count(of: .token) == 2)
    }

    @Test("UA-04, the new one takes over")
    func takeOver() async throws {
        let world = try World()
        let agent = HandAgent()
        let first = Task { try await world.client.signIn(with: agent) }
        _ = try await agent.page()
        var options = SignInOptions()
        options.whenBusy = .takeOver
        _ = try await world.client.signIn(options, with: world.robot)
        #expect(try await asyncReason { try await first.value } == .cancelled)
        #expect(agent.dismissals > 0)
    }

    @Test("UA-05, the user closes the page")
    func userCancels() async throws {
        let world = try World()
        _ = try await world.client.signIn(with: world.robot)
        let before = try await world.store.load(world.configuration.account)
        let agent = HandAgent()
        let signIn = Task { try await world.client.signIn(with: agent) }
        _ = try await agent.page()
        agent.close()
        #expect(try await asyncReason { try await signIn.value } == .userCancelled)
        #expect(try await world.store.load(world.configuration.account) == before)
        #expect(agent.dismissals > 0)
        _ = try await world.client.signIn(with: world.robot)
    }

    @Test("UA-05, the task or the application cancels", arguments: [true, false])
    func taskIsCancelled(byTask: Bool) async throws {
        let world = try World()
        let agent = HandAgent()
        let signIn = Task { try await world.client.signIn(with: agent) }
        _ = try await agent.page()
        if byTask { signIn.cancel() } else { world.client.cancelSignIn() }
        #expect(try await asyncReason { try await signIn.value } == .cancelled)
        #expect(agent.dismissals > 0)
        #expect(try await world.store.keys().isEmpty)
        _ = try await world.client.signIn(with: world.robot)
    }

    @Test("UA-05, nobody comes back")
    func timeLimit() async throws {
        let world = try World()
        let agent = HandAgent()
        let signIn = Task { try await world.client.signIn(with: agent) }
        _ = try await agent.page()
        await world.clock.waitForSleepers()
        world.clock.advance(by: .seconds(600))
        #expect(try await asyncReason { try await signIn.value } == .flowExpired(refused: []))
        #expect(agent.dismissals > 0)
    }

    private func begunAndKept(_ world: World) async throws -> (kept: Data, callback: URI) {
        let signIn = try await world.client.begin()
        return (try JSONEncoder().encode(signIn), try await world.callback(from: signIn.address))
    }

    @Test("UA-06 a")
    func coldStart() async throws {
        let world = try World()
        let page = try await world.client.begin().address
        world.clock.advance(by: .seconds(120))
        let callback = try await world.callback(from: page)
        let client = world.newClient()
        guard case .finished(let session) = await CallbackHub([client]).handle(callback) else {
            Issue.record("not finished")
            return
        }
        let credential = try await session.credential()
        #expect(credential.subject == TestUser.ada.subject)
        #expect(try await client.session()?.accessToken() == credential.accessToken)
        #expect(try await world.store.pendingSignIns().isEmpty)
        #expect(try await world.store.accounts() == [world.configuration.account])
    }

    @Test("UA-06 a, where the application keeps the sign-in itself")
    func coldStartByValue() async throws {
        let world = try World()
        let (kept, callback) = try await begunAndKept(world)
        world.clock.advance(by: .seconds(30))
        let client = world.newClient()
        let signIn = try JSONDecoder().decode(SignIn.self, from: kept)
        #expect(signIn.judge(callback, delivery: .open) == .success)
        let credential = try await client.finish(signIn, callback: callback)
        #expect(credential.subject == TestUser.ada.subject)
        #expect(try await client.session()?.accessToken() == credential.accessToken)
    }

    @Test("UA-06 b", arguments: [601, 172_800], [true, false])
    func tooOld(seconds: Int64, byValue: Bool) async throws {
        let world = try World()
        let (kept, callback) = try await begunAndKept(world)
        world.clock.advance(by: .seconds(seconds))
        let signIn = try JSONDecoder().decode(SignIn.self, from: kept)
        let client = world.newClient()
        let reason = try await asyncReason {
            if byValue {
                try await client.finish(signIn, callback: callback)
            } else {
                try await client.finish(callback: callback)
            }
        }
        #expect(reason == .flowExpired(refused: []))
        #expect(world.server.count(of: .token) == 0)
        #expect(try await world.store.pendingSignIns().isEmpty)
        #expect(try await world.store.accounts().isEmpty)
    }

    @Test("UA-06 c")
    func nothingPending() async throws {
        let world = try World()
        let callback = try address("com.example.app:/cb?code=u6&state=st-open-1")
        for hub in [CallbackHub(), CallbackHub([world.client])] {
            guard case .notMine(.foreignAddress) = await hub.handle(callback) else {
                Issue.record("taken")
                return
            }
        }
        let own = try address("com.example.app:/callback?code=u6&state=st-open-1")
        guard case .notMine(.nothingPending) = await CallbackHub([world.client]).handle(own) else {
            Issue.record("taken")
            return
        }
        #expect(world.server.count(of: .openIDConfiguration) == 0)
    }

    @Test("CB-08, a hub leaves foreign addresses to others while a sign-in is pending")
    func hubAndForeignAddresses() async throws {
        let world = try World()
        let callback = try await world.callback(from: try await world.client.begin().address)
        let hub = CallbackHub([world.newClient()])
        let foreign = ["fb9990001:/authorize?code=zz&state=st-open-1", "com.example.app:/share?code=zz"]
        for text in foreign {
            guard case .notMine(.foreignAddress) = await hub.handle(try address(text)) else {
                Issue.record("\(text)")
                continue
            }
        }
        // One with another path, slash and state, and errors without a state, use nothing up either (CB-01 c, CB-02 b).
        let query = "?" + (callback.encodedQuery ?? "")
        for text in [
            "com.example.app:/callback/extra" + query, "com.example.app://callback" + query,
            "com.example.app:/callback?code=zz&state=st-open-1", "com.example.app:/callback?error=login_required",
        ] {
            guard case .notMine = await hub.handle(try address(text)) else {
                Issue.record("\(text)")
                continue
            }
        }
        guard case .finished = await hub.handle(callback) else {
            Issue.record("the sign-in is gone")
            return
        }
    }

    @Test("UA-06 c, what a begun sign-in says of foreign addresses")
    func foreignAddresses() async throws {
        let world = try World()
        let signIn = try await world.client.begin()
        #expect(signIn.judge(try address("com.example.app:/share?code=zz"), delivery: .open) == .notMine)
        #expect(signIn.judge(try address("fb1:/callback?code=zz"), delivery: .system) == .notMine)
        for query in ["?code=x&state=wrong", "?error=access_denied", "?code=x", ""] {
            guard
                case .refused = signIn.judge(try address("com.example.app:/callback" + query), delivery: .open)
            else {
                Issue.record("\(query)")
                continue
            }
        }
    }

    @Test("UA-06, a damaged record is an error and no crash", arguments: ["{}", "[]", "", #"{"address":"x"}"#])
    func damaged(text: String) {
        #expect(throws: (any Error).self) { try JSONDecoder().decode(SignIn.self, from: Data(text.utf8)) }
    }
}
