import Tern
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Faults") struct FaultTests {
    @Test(
        arguments: [
            (.every, [true, true, true, true]), (.nth(2), [false, true, false, false]),
            (.first(2), [true, true, false, false]), (.from(3), [false, false, true, true]),
        ] as [(Fault.Occurrence, [Bool])])
    func occurrences(occurrence: Fault.Occurrence, expected: [Bool]) async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .keys, on: occurrence, .status(503)))
        var seen: [Bool] = []
        for _ in expected { seen.append(try await rig.send(.get, rig.address(.keys)).status == 503) }
        #expect(seen == expected)
        #expect(try await rig.send(.get, rig.address(.openIDConfiguration)).status == 200)
    }

    @Test func parametersNarrowAFault() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .token, where: ["grant_type": "refresh_token"], .status(500)))
        let tokens = try await rig.tokens()
        #expect(try await rig.refresh(tokens.refresh).status == 500)
    }

    @Test func headerBodyAndMembers() async throws {
        let rig = Rig()
        rig.served.change {
            $0.faults = [
                Fault(
                    at: .token, .header("Content-Type", "text/plain"), .header("X-Extra", "1"),
                    .member("expires_in", .set("3599")), .member("refresh_token", .remove),
                    .member("extra", .set([1, 2])), .member(["extra", "0"], .set("one")), .header("Pragma", nil))
            ]
        }
        let response = try await rig.exchange(code: rig.answer()["code"] ?? "")
        #expect(response.mediaType == "text/plain")
        #expect(response.fields["X-Extra"] == "1")
        #expect(response.fields["Pragma"] == nil)
        #expect(response.json["expires_in"] == "3599")
        #expect(response.json["refresh_token"] == nil)
        #expect(response.json["extra"] == ["one", 2])
        rig.served.add(Fault(at: .keys, .text("<html>")))
        #expect(try await rig.send(.get, rig.address(.keys)).text == "<html>")
    }

    @Test(arguments: [
        (Edit.append("_INVALID"), "code,state=st-1_INVALID,iss"), (.remove, "code,iss"),
        (.double, "code,state=st-1,iss,state=st-1"), (.set("x"), "code,state=x,iss"),
    ])
    func callbackParameters(edit: Edit, expected: String) async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .interaction, .parameter("state", edit)))
        let answer = try await rig.answer()
        let seen = answer.parameters.map { $0.name == "state" ? "state=\($0.value)" : $0.name }
        #expect(seen.joined(separator: ",") == expected)
    }

    /// The token of a sign-in with a change, and whether its signature still fits the published keys.
    func changed(
        _ change: TokenChange, _ client: TestClient = .app
    ) async throws -> (header: JSONObject, claims: JSONObject, isValid: Bool) {
        let rig = Rig(Rig.server([client]))
        rig.served.add(Fault(at: .token, .changeToken(change)))
        let token = try await rig.tokens().id
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        // The parts are read by way of a token whose header is known to be readable.
        let probe = "eyJhbGciOiJSUzI1NiJ9."
        let header = try JSON(parsing: JWS(compact: probe + parts[0] + ".").payload).object ?? [:]
        let claims = try JSON(parsing: JWS(compact: probe + parts[1] + ".").payload).object ?? [:]
        return (header, claims, (try? await rig.claims(of: token)) != nil)
    }

    @Test func claimsChangeWithAndWithoutSigningAgain() async throws {
        let renewed = try await changed(TokenChange(.claim("iss", .append("1")), .claim("exp", .move(.seconds(-960)))))
        #expect(renewed.claims["iss"] == "https://id.example.com1")
        #expect(renewed.claims["exp"] == 1_749_999_640)
        #expect(renewed.isValid)
        let kept = try await changed(TokenChange(.claim("sub", .set("eve")), signature: .kept))
        #expect(kept.claims["sub"] == "eve")
        #expect(!kept.isValid)
        let missing = try await changed(TokenChange(.claim("aud", .remove), .header("kid", .remove)))
        #expect(missing.claims["aud"] == nil)
        #expect(missing.header["kid"] == nil)
        #expect(missing.isValid)
        let several = try await changed(TokenChange(.claim("aud", .set(["test-app", "test-app1"]))))
        #expect(several.claims["aud"] == ["test-app", "test-app1"])
    }

    @Test(arguments: [SignatureAlgorithm.rs256, .es256, .edDSA, .ps256])
    func signatures(algorithm: SignatureAlgorithm) async throws {
        var client = TestClient.app
        client.idTokenAlgorithm = algorithm
        #expect(try await changed(TokenChange(), client).isValid)
        #expect(try await !changed(TokenChange(signature: .turned()), client).isValid)
        let foreign = try await changed(TokenChange(signature: .byForeignKey), client)
        #expect(!foreign.isValid)
        #expect(foreign.header["kid"]?.string == algorithm.rawValue.lowercased() + "-1")
    }

    @Test func otherAlgorithms() async throws {
        let none = try await changed(TokenChange(signature: .none))
        #expect(none.header["alg"] == "none")
        #expect(!none.isValid)
        let other = try await changed(TokenChange(signature: .by(.es384)))
        #expect(other.header["alg"] == "ES384")
        let lied = try await changed(TokenChange(.header("alg", .set("rs256"))))
        #expect(lied.header["alg"] == "rs256")
    }

    @Test func signedUserInformationChangesToo() async throws {
        var client = TestClient.app
        client.userInfoAlgorithm = .rs256
        let rig = Rig(Rig.server([client]))
        rig.served.add(Fault(at: .userInfo, .changeToken(TokenChange(.claim("sub", .append("invalid"))))))
        let token = try await rig.tokens().access
        let answer = try await rig.send(.get, rig.address(.userInfo), ["Authorization": "Bearer \(token)"])
        #expect(try await rig.claims(of: answer.text)["sub"] == "user-adainvalid")
    }

    @Test func connectionsBreakBeforeAndAfterTheWork() async throws {
        let rig = Rig()
        let tokens = try await rig.tokens()
        rig.served.add(Fault(at: .token, on: .nth(1), .dropRequest))
        rig.served.add(Fault(at: .token, on: .nth(2), .dropAnswer))
        rig.served.add(Fault(at: .keys, .truncate(10)))
        for _ in 0..<2 {
            let error = await #expect(throws: TernError.self) { try await rig.refresh(tokens.refresh) }
            #expect(error?.reason == .outcomeUnknown)
        }
        // The first attempt never arrived; the second used the token up.
        #expect(try await rig.refresh(tokens.refresh).errorCode == "invalid_grant")
        let cut = await #expect(throws: TernError.self) { try await rig.send(.get, rig.address(.keys)) }
        #expect(cut?.reason == .network(.connectionLost))
        let log = rig.served.requests(to: .token).suffix(3).map(\.status)
        #expect(log == [nil, 200, 400])
    }

    @Test func nothingComesUntilTheClientGivesUp() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .keys, .dropAnswer, .connection(.silence)))
        rig.served.add(Fault(at: .token, .dropRequest, .connection(.silence)))
        let keys = Task { try await rig.send(.get, rig.address(.keys)) }
        await rig.clock.waitForSleepers()
        rig.clock.advance(by: .seconds(30))
        let error = await #expect(throws: TernError.self) { try await keys.value }
        #expect(error?.reason == .network(.timedOut))
        let tokens = Task { try await rig.refresh("refresh-x") }
        await rig.clock.waitForSleepers()
        rig.clock.advance(by: .seconds(30))
        let unknown = await #expect(throws: TernError.self) { try await tokens.value }
        #expect(unknown?.reason == .outcomeUnknown)
        #expect(rig.served.requests(to: .token).map(\.fate) == [.requestLost(.silence)])
    }

    @Test func aSlowBodyTakesItsTime() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .keys, .text(String(repeating: "x", count: 10)), .drip(bytes: 3, every: .seconds(2))))
        async let answer = rig.send(.get, rig.address(.keys))
        await rig.clock.waitForSleepers()
        rig.clock.advance(by: .seconds(6))
        #expect(try await answer.body.count == 10)
        #expect(rig.clock.totalSleep == .seconds(6))
    }

    @Test func aRequestIsHandledTwiceOrAnsweredFromMemory() async throws {
        let rig = Rig()
        let code = try await rig.answer()["code"] ?? ""
        rig.served.add(Fault(at: .token, on: .nth(1), .handleTwice))
        #expect(try await rig.exchange(code: code).errorCode == "invalid_grant")
        rig.served.add(Fault(at: .token, .repeatLastAnswer))
        #expect(try await rig.exchange(code: rig.answer()["code"] ?? "").errorCode == "invalid_grant")
    }

    @Test func replacementAndRedirect() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .userInfo, on: .nth(1), .replace(HTTPResponse(status: 418))))
        rig.served.add(Fault(at: .userInfo, on: .nth(2), .redirect(to: "https://evil.example/", status: 307)))
        #expect(try await rig.send(.get, rig.address(.userInfo)).status == 418)
        let redirect = try await rig.send(.get, rig.address(.userInfo))
        #expect(redirect.status == 307)
        #expect(redirect.fields["Location"] == "https://evil.example/")
    }

    @Test func keysChangeAtAChosenMoment() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .token, on: .nth(2), .rotateKeys(keepingPrevious: false)))
        let first = try await rig.tokens().id
        #expect(try JWS(compact: first).header.keyID == "rs256-1")
        #expect(try JWS(compact: await rig.tokens().id).header.keyID == "rs256-2")
        await #expect(throws: JOSEError.self) { try await rig.claims(of: first) }
    }

    @Test func aDelayIsTheClocks() async throws {
        let rig = Rig()
        rig.served.add(Fault(at: .keys, .delay(.seconds(30))))
        async let answer = rig.send(.get, rig.address(.keys))
        await rig.clock.waitForSleepers()
        rig.clock.advance(by: .seconds(30))
        #expect(try await answer.status == 200)
        #expect(rig.clock.totalSleep == .seconds(30))
    }

    @Test func theJournalTellsNoSecrets() async throws {
        let rig = Rig()
        _ = try await rig.tokens()
        #expect(rig.served.count(of: .token) == 1)
        let entry = try #require(rig.served.requests(to: .token).first)
        #expect(entry.parameters["code_verifier"] == Rig.verifier)
        #expect(entry.status == 200)
        let text = "\(entry)"
        #expect(text == "token: POST https://id.example.com/token \u{2192} 200")
        var dumped = ""
        dump(rig.served.server, to: &dumped)
        dump(entry, to: &dumped)
        #expect(!dumped.contains(Rig.verifier))
        #expect(!dumped.contains("access-"))
        rig.served.change { $0.clearJournal() }
        #expect(rig.served.count(of: .token) == 0)
    }
}
