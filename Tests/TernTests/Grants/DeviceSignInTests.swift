import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Sign-in on another device", .timeLimit(.minutes(1)))
struct DeviceSignInTests {
    @Test("The user types the code elsewhere; the session has a checked ID token and a refresh token")
    func wholeWay() async throws {
        let world = try GrantWorld(.app)
        let (clock, browser) = (world.provider.clock, world.provider.browser)
        let shown = Locked<DeviceAuthorization?>(nil)
        let signIn = Task { [client = world.client] in
            try await client.signInOnOtherDevice { authorization in shown.withLock { $0 = authorization } }
        }
        await clock.waitForSleepers()
        clock.advance(by: .seconds(5))
        await clock.waitForSleepers()
        let authorization = try #require(shown.withLock { $0 })
        #expect(authorization.completeVerificationURI != nil)
        #expect(try await browser.approve(authorization).title?.hasPrefix("Device signed in") ?? false)
        clock.advance(by: .seconds(5))
        let session = try await signIn.value
        let credential = try await session.credential()
        #expect(credential.subject == TestUser.ada.subject && credential.refreshToken != nil)
        #expect(try await world.provider.store.load(session.account) == credential.record)
        #expect(world.count(.token) == 2)
        // A code is good once.
        let again = try await world.provider.transport.send(
            HTTPRequest(
                .post, try #require(URI(world.provider.server.server.address(of: .token))),
                body: .form(try world.lastGrant())), step: .tokenRequest)
        #expect(try JSON(parsing: again.body)["error"]?.string == "invalid_grant")
    }

    @Test("The address with the code in it leads the same way")
    func completeAddress() async throws {
        let world = try GrantWorld(.app)
        let signIn = try await world.client.beginOnOtherDevice()
        let page = try #require(signIn.authorization.completeVerificationURI)
        _ = try await world.provider.browser.signIn(at: page, stoppingAt: nil)
        world.provider.clock.advance(by: .seconds(5))
        let finishing = Task { [client = world.client] in try await client.finish(signIn) }
        await world.provider.clock.waitForSleepers()
        world.provider.clock.advance(by: .seconds(5))
        #expect(try await finishing.value.subject == TestUser.ada.subject)
    }

    @Test("A server that gives no ID token here signs in somebody without a name; who must be known is not let in")
    func withoutIDToken() async throws {
        let world = try GrantWorld(.app)
        world.provider.server.add(Fault(at: .token, .member("id_token", .remove)))
        func finish(_ options: DeviceSignInOptions) async throws -> Credential {
            let signIn = try await world.client.beginOnOtherDevice(options)
            _ = try await world.provider.browser.approve(signIn.authorization)
            let finishing = Task { [client = world.client] in try await client.finish(signIn) }
            await world.provider.clock.waitForSleepers()
            world.provider.clock.advance(by: .seconds(5))
            return try await finishing.value
        }
        var options = DeviceSignInOptions()
        options.expectedSubject = TestUser.ada.subject
        #expect(try await world.reason { try await finish(options) } == .malformedResponse(field: "id_token"))
        options.expectedSubject = nil
        options.acrValues = ["phr"]
        #expect(try await world.reason { try await finish(options) } == .malformedResponse(field: "id_token"))
        #expect(try await world.provider.store.keys().isEmpty)

        let credential = try await finish(DeviceSignInOptions())
        #expect(credential.subject == nil && credential.idToken == nil && credential.refreshToken != nil)
        let session = try #require(try await world.client.session())
        try await session.refresh()
        #expect(try await session.credential().subject == nil)
        #expect(try await world.reason { try await session.userInfo() }?.code == "unsupported")
    }

    @Test("Who says no is heard at the next question")
    func denied() async throws {
        let world = try GrantWorld(.app)
        let signIn = try await world.client.beginOnOtherDevice()
        await world.provider.browser.become(.ada, consent: .deny)
        _ = try await world.provider.browser.approve(signIn.authorization)
        let finishing = Task { [client = world.client] in try await client.finish(signIn) }
        await world.provider.clock.waitForSleepers()
        world.provider.clock.advance(by: .seconds(5))
        #expect(try await world.code { try await finishing.value } == "access_denied")
        #expect(try await world.provider.store.keys().isEmpty)
    }

    @Test("The end counts here, and the server's word counts as well")
    func expiry() async throws {
        let world = try GrantWorld(.app) { $0.settings.deviceCodeLifetime = .seconds(12) }
        let finishing = Task { [client = world.client] in try await client.signInOnOtherDevice { _ in } }
        for wait in [5, 5, 2] {
            await world.provider.clock.waitForSleepers()
            world.provider.clock.advance(by: .seconds(wait))
        }
        #expect(try await world.reason { try await finishing.value } == .deviceCodeExpired)
        #expect(world.count(.token) == 2)

        let late = try await world.client.beginOnOtherDevice()
        let response = try await world.provider.transport.send(
            HTTPRequest(
                .post, try #require(URI(world.provider.server.server.address(of: .token))),
                body: .form([
                    "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "test-app",
                    "device_code": late.authorization.deviceCode.exposedText,
                ])), step: .tokenRequest)
        #expect(try JSON(parsing: response.body)["error"]?.string == "authorization_pending")
        world.provider.clock.advance(by: .seconds(12))
        let page = try await world.provider.browser.approve(late.authorization)
        #expect(page.title?.hasPrefix("Sign in on a device") ?? false)
    }

    @Test("Cancelling ends it at once, and the presenter with it")
    func cancelled() async throws {
        let world = try GrantWorld(.app)
        let isOver = Locked(false)
        let signIn = Task { [client = world.client, clock = world.provider.clock] in
            try await client.signInOnOtherDevice { _ in
                try? await clock.sleep(for: .seconds(10_000))
                isOver.withLock { $0 = true }
            }
        }
        await world.provider.clock.waitForSleepers(2)
        world.client.cancelSignIn()
        #expect(try await world.reason { try await signIn.value } == .cancelled)
        #expect(isOver.withLock { $0 })
        #expect(world.count(.token) == 0)
    }

    @Test("Who asks too fast is told to slow down, for good")
    func tooFast() async throws {
        let world = try GrantWorld(.app)
        let authorization = try await world.client.beginOnOtherDevice().authorization
        let address = try #require(URI(world.provider.server.server.address(of: .token)))
        let form: FormParameters = [
            "grant_type": "urn:ietf:params:oauth:grant-type:device_code", "client_id": "test-app",
            "device_code": authorization.deviceCode.exposedText,
        ]
        var answers: [String] = []
        for wait in [0, 1, 9, 15] {
            world.provider.clock.advance(by: .seconds(wait))
            let response = try await world.provider.transport.send(
                HTTPRequest(.post, address, body: .form(form)), step: .tokenRequest)
            answers.append(try JSON(parsing: response.body)["error"]?.string ?? "")
        }
        #expect(answers == ["authorization_pending", "slow_down", "slow_down", "authorization_pending"])
    }

    @Test("A server that does not offer it, a wrong code, and a client that may not")
    func refusals() async throws {
        let world = try GrantWorld(.app) { $0.settings.metadataChanges["device_authorization_endpoint"] = .some(nil) }
        #expect(
            try await world.reason { try await world.client.beginOnOtherDevice() }
                == .missingMetadata(field: "device_authorization_endpoint"))
        let other = try GrantWorld(.app) { server in
            server.clients = server.clients.map { client in
                var client = client
                client.furtherGrants = []
                return client
            }
        }
        #expect(try await other.code { try await other.client.beginOnOtherDevice() } == "unauthorized_client")
        let third = try GrantWorld(.app)
        let page = try await third.provider.browser.approve(
            "ZZZZ-ZZZZ", at: try await third.client.beginOnOtherDevice().authorization.verificationURI)
        #expect(page.title?.hasPrefix("Sign in on a device") ?? false)
    }

    @Test("Another user than the expected one is refused, and nothing is stored")
    func expectedSubject() async throws {
        let world = try GrantWorld(.app)
        var options = DeviceSignInOptions()
        options.expectedSubject = "somebody-else"
        let signIn = try await world.client.beginOnOtherDevice(options)
        _ = try await world.provider.browser.approve(signIn.authorization)
        let finishing = Task { [client = world.client] in try await client.finish(signIn) }
        await world.provider.clock.waitForSleepers()
        world.provider.clock.advance(by: .seconds(5))
        #expect(try await world.reason { try await finishing.value } == .idTokenRejected(.subjectMismatch))
        #expect(try await world.provider.store.keys().isEmpty)
    }
}
