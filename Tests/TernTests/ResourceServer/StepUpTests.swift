import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("What an API wants of a sign-in (RFC 9470, RFC 6750 §3.1)")
struct StepUpTests {
    private func world(
        incremental: Scope = ["admin"], _ change: (inout AuthorizationServer) -> Void = { _ in }
    ) throws -> RequestWorld {
        try RequestWorld(
            server: {
                $0.settings.loginsOfAPI = [
                    "/api/money": LoginDemand(acrValues: ["gold", "silver"]),
                    "/api/new": LoginDemand(maxAge: .seconds(60)),
                ]
                change(&$0)
            }, client: { configuration, _ in configuration.incrementalScope = incremental })
    }

    @Test("Scope that the configuration does not name is never asked for by the session itself")
    func strangeScope() async throws {
        let world = try world(incremental: [])
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        #expect(try await get("admin/x", session, world).status == 403)
        #expect(world.count(.authorization) == 1)
        try await session.signIn(meeting: StepUpChallenge(scope: ["admin"]), with: world.provider.userAgent)
        #expect(try await get("admin/x", session, world).status == 200)
    }

    private func get(_ path: String, _ session: Session, _ world: RequestWorld) async throws -> HTTPResponse {
        try await session.send(.get(world.provider.apiAddress(path)))
    }

    @Test("Without leave to show a page the caller gets the answer, and reads what is wanted")
    func handedOver() async throws {
        let world = try world()
        let session = try await world.signIn()
        let answer = try await get("money", session, world)
        #expect(answer.status == 401)
        #expect(StepUpChallenge(answer) == StepUpChallenge(acrValues: ["gold", "silver"]))
        #expect(world.count(.token) == 1)
        try await session.signIn(meeting: try #require(StepUpChallenge(answer)), with: world.provider.userAgent)
        #expect(try await get("money", session, world).status == 200)
        #expect(world.count(.token) == 2)
    }

    @Test("With leave the page is shown once, and the call is repeated once")
    func shown() async throws {
        let world = try world()
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        #expect(try await get("money", session, world).status == 200)
        #expect(try await get("money", session, world).status == 200)
        #expect(world.count(.authorization) == 2)
        let asked = try #require(world.provider.server.requests(to: .authorization).last).parameters
        #expect(asked["acr_values"] == "gold silver")
        #expect(asked["id_token_hint"] != nil)
        // The stored credential is the new one.
        let again = try #require(try await world.client.session())
        #expect(try await get("money", again, world).status == 200)
    }

    @Test("A login that has grown old is made anew, each time that it has")
    func age() async throws {
        let world = try world()
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        for count in 2...3 {
            world.provider.clock.advance(by: .seconds(61))
            #expect(try await get("new", session, world).status == 200)
            #expect(world.count(.authorization) == count)
        }
    }

    @Test("More scope: what was granted stays, and the rest is added")
    func scope() async throws {
        let world = try world()
        let session = try await world.signIn()
        let refused = try await get("admin/x", session, world)
        #expect(refused.status == 403)
        #expect(StepUpChallenge(refused) == StepUpChallenge(scope: ["admin"]))
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        #expect(try await get("admin/x", session, world).status == 200)
        #expect(try await session.credential().scope == ["openid", "api", "admin"])
        #expect(world.count(.authorization) == 2)
    }

    @Test("An API that is never content shows one page, and the caller gets its answer")
    func neverContent() async throws {
        let challenge = BearerChallenge(.insufficientUserAuthentication)
        let world = try world {
            $0.faults.add(
                Fault(
                    at: .api,
                    .replace(
                        HTTPResponse(
                            status: 401, fields: ["WWW-Authenticate": challenge.fieldValue + ", acr_values=\"x\""]))))
        }
        var options = SignInOptions()
        options.scope = ["openid"]
        let session = try await world.signIn(options)
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        for _ in 1...3 { #expect(try await get("notes", session, world).status == 401) }
        #expect(world.count(.authorization) == 2)
    }

    @Test("Many calls that are refused at one moment show one page")
    func many() async throws {
        let world = try world()
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...20 { group.addTask { try await get("money", session, world).status } }
            return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
        }
        #expect(statuses == [200])
        #expect(world.count(.authorization) == 2)
    }

    @Test("Another user on that page is refused, and the session goes on as it was")
    func anotherUser() async throws {
        let world = try world { $0.users.append(TestUser("grace", password: "hopper")) }
        let session = try await world.signIn()
        let before = try await session.credential()
        world.provider.server.change { $0.forgetSessions() }
        let other = RobotUserAgent(
            transport: world.provider.environment.transport, user: TestUser("grace", password: "hopper"))
        #expect(
            try await world.reason {
                try await session.signIn(meeting: StepUpChallenge(scope: ["admin"]), with: other)
            } == .idTokenRejected(.subjectMismatch))
        #expect(try await session.credential() == before)
        #expect(try await world.client.session()?.credential() == before)
    }

    @Test("Nothing is lost: neither the details nor the refresh token that a server gives but once")
    func kept() async throws {
        let world = try world()
        var options = SignInOptions()
        options.authorizationDetails = [try AuthorizationDetail(type: "account_information")]
        let session = try await world.signIn(options)
        let before = try await session.credential()
        world.provider.server.change { $0.settings.tokenAnswerChanges["refresh_token"] = JSON?.none }
        try await session.signIn(meeting: StepUpChallenge(acrValues: ["gold"]), with: world.provider.userAgent)
        let after = try await session.credential()
        #expect(after.accessToken != before.accessToken)
        #expect(after.refreshToken == before.refreshToken)
        #expect(after.authorizationDetails == options.authorizationDetails)
        #expect(try await world.client.session()?.credential() == after)
    }

    @Test("Two wants at once: who joined the other's page gets a page of its own at the next call")
    func twoWants() async throws {
        let world = try world()
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        async let money = get("money", session, world).status
        async let admin = get("admin/x", session, world).status
        _ = try await (money, admin)
        #expect(try await get("money", session, world).status == 200)
        #expect(try await get("admin/x", session, world).status == 200)
        #expect(try await get("money", session, world).status == 200)
    }

    @Test("Users may take their time at a page whose login must be new")
    func slowUser() async throws {
        let world = try world()
        var options = SignInOptions()
        options.maxAge = .zero
        let signIn = try await world.client.begin(options)
        let callback = try await world.provider.browser.signIn(
            at: signIn.address, stoppingAt: world.client.configuration.redirectURI)
        world.provider.clock.advance(by: .seconds(50))
        _ = try await world.client.finish(signIn, callback: callback)
        let late = try await world.client.begin(options)
        let old = try await world.provider.browser.signIn(
            at: late.address, stoppingAt: world.client.configuration.redirectURI)
        world.provider.server.add(
            Fault(at: .token, .changeToken(TokenChange(.claim("auth_time", .move(.seconds(-90)))))))
        #expect(
            try await world.reason { try await world.client.finish(late, callback: old) }
                == .idTokenRejected(.authenticationTooOld(by: 90)))
    }

    @Test("Who must sign in is refused without an ID token that names them, and so is a login that nothing shows")
    func unproved() async throws {
        let world = try world {
            $0.settings.tokenAnswerChanges = ["scope": .some("api"), "id_token": JSON?.none]
        }
        _ = try await world.signIn()
        var subject = SignInOptions()
        subject.expectedSubject = TestUser.ada.subject
        var level = SignInOptions()
        level.acrValues = ["gold"]
        for options in [subject, level] {
            #expect(try await world.reason { try await world.signIn(options) } == .malformedResponse(field: "id_token"))
        }
    }

    @Test("Work in the background shows no page")
    func background() async throws {
        let world = try world()
        let session = try await world.signIn()
        await session.setInteraction(.allowed(with: world.provider.userAgent))
        let answer = try await Interaction.forbidding { try await get("money", session, world) }
        #expect(answer.status == 401)
        #expect(world.count(.authorization) == 1)
    }

    @Test(
        "What is read of an answer, and what is not",
        arguments: [
            (401, #"Bearer error="insufficient_user_authentication", acr_values="a b", max_age=5"#, "a b|5|"),
            (401, #"DPoP error="insufficient_user_authentication", max_age="0""#, "|0|"),
            (401, #"Bearer error="insufficient_user_authentication""#, "|0|"),
            (401, #"Bearer error="insufficient_user_authentication", acr_values="a", max_age="x""#, "a||"),
            (401, #"Bearer error="insufficient_user_authentication", acr_values="a", scope="s""#, "a||s"),
            (403, #"Bearer error="insufficient_scope", scope="s t""#, "||s t"),
            (403, #"Bearer error="insufficient_scope""#, nil),
            (401, #"Bearer error="insufficient_scope", scope="s""#, nil),
            (403, #"Bearer error="insufficient_user_authentication", acr_values="a""#, nil),
            (401, #"Bearer error="invalid_token""#, nil),
            (401, #"Basic error="insufficient_user_authentication""#, nil),
        ] as [(Int, String, String?)])
    func reading(status: Int, field: String, expected: String?) {
        let challenge = StepUpChallenge(HTTPResponse(status: status, fields: ["WWW-Authenticate": field]))
        let read = challenge.map { challenge in
            let age = challenge.maxAge.map { String($0.components.seconds) } ?? ""
            return "\(challenge.acrValues.joined(separator: " "))|\(age)|\(challenge.scope)"
        }
        #expect(read == expected)
    }
}
