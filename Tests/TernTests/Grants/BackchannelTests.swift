import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Users asked over the backchannel", .timeLimit(.minutes(1)))
struct BackchannelTests {
    private static func world(
        _ delivery: TestClient.BackchannelDelivery = .poll, _ change: (inout AuthorizationServer) -> Void = { _ in }
    ) throws -> GrantWorld {
        var client = GrantWorld.service
        client.backchannelDelivery = delivery
        return try GrantWorld(client, change)
    }

    private static let endpoint = "https://client.example.com/ciba"

    private static func answer(_ world: GrantWorld, allowing: Bool = true) throws -> HTTPRequest? {
        let now = world.provider.clock.now
        return world.provider.server.change { server in
            guard let question = server.backchannelQuestions.first else { return nil }
            return server.answerBackchannel(question.requestID, allowing: allowing, at: now)
        }
    }

    @Test("Poll: the client asks until the user has answered")
    func poll() async throws {
        let world = try Self.world()
        var options = BackchannelSignInOptions(asking: .login("ada"))
        options.bindingMessage = "W4SCT"
        let signIn = Task { [client = world.client, options] in try await client.signInOverBackchannel(options) }
        await world.provider.clock.waitForSleepers()
        world.provider.clock.advance(by: .seconds(5))
        await world.provider.clock.waitForSleepers()
        #expect(world.provider.server.server.backchannelQuestions.first?.bindingMessage == "W4SCT")
        #expect(try Self.answer(world) == nil)
        world.provider.clock.advance(by: .seconds(5))
        let session = try await signIn.value
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(world.count(.token) == 2)
        #expect(try world.lastGrant()["grant_type"] == "urn:openid:params:grant-type:ciba")
    }

    @Test("No, and no answer in time")
    func denied() async throws {
        let world = try Self.world()
        let options = BackchannelSignInOptions(asking: .login("ada"))
        let signIn = Task { [client = world.client] in try await client.signInOverBackchannel(options) }
        await world.provider.clock.waitForSleepers()
        _ = try Self.answer(world, allowing: false)
        world.provider.clock.advance(by: .seconds(5))
        #expect(try await world.code { try await signIn.value } == "access_denied")

        var short = options
        short.requestedExpiry = .seconds(3)
        let late = Task { [client = world.client, short] in try await client.signInOverBackchannel(short) }
        await world.provider.clock.waitForSleepers()
        world.provider.clock.advance(by: .seconds(3))
        #expect(try await world.reason { try await late.value } == .flowExpired(refused: []))
    }

    @Test("Ping: the call has the tokens asked for at once")
    func ping() async throws {
        let world = try Self.world(.ping(Self.endpoint))
        var options = BackchannelSignInOptions(asking: .login("ada"))
        options.delivery = .ping
        let signIn = try await world.client.beginOverBackchannel(options)
        let call = try #require(try Self.answer(world))
        #expect(BackchannelNotification.requestID(in: call) == signIn.authentication.requestID)
        var stranger = call
        stranger.fields["Authorization"] = "Bearer guessed"
        for wrong in [stranger, HTTPRequest(.post, call.url, fields: call.fields, body: .bytes(Array("{}".utf8)))] {
            #expect(
                try await world.code { try await world.client.finish(signIn, notifiedBy: wrong) }
                    == "malformed_callback")
        }
        #expect(world.count(.token) == 0)
        let credential = try await world.client.finish(signIn, notifiedBy: call)
        #expect(credential.subject == TestUser.ada.subject)
        #expect(world.provider.clock.totalSleep == .zero)
    }

    @Test("Push: the tokens come with the call, and its ID token is tied to them and to the request")
    func push() async throws {
        let world = try Self.world(.push(Self.endpoint))
        var options = BackchannelSignInOptions(asking: .login("ada"))
        options.delivery = .push
        let signIn = try await world.client.beginOverBackchannel(options)
        let call = try #require(try Self.answer(world))
        func with(_ name: String, _ value: JSON) throws -> HTTPRequest {
            var object = try #require(try JSON(parsing: call.bodyBytes ?? []).object)
            object[name] = value
            var changed = call
            changed.body = .bytes(object.serialized())
            return changed
        }
        for (name, value) in [("access_token", "other"), ("refresh_token", "other")] {
            let changed = try with(name, .string(value))
            let code = try await world.code { try await world.client.finish(signIn, notifiedBy: changed) }
            #expect(code?.hasPrefix("id_token_") ?? false, "\(name)")
        }
        let plain = try await world.client.signIn(with: world.provider.userAgent).credential()
        let foreign = try with("id_token", .string(try #require(plain.idToken).exposedText))
        #expect(
            try await world.code { try await world.client.finish(signIn, notifiedBy: foreign) } != nil)
        let without = try with("id_token", .null)
        #expect(
            try await world.code { try await world.client.finish(signIn, notifiedBy: without) }
                == "malformed_response")
        let credential = try await world.client.finish(signIn, notifiedBy: call)
        #expect(credential.subject == TestUser.ada.subject && credential.refreshToken != nil)

        let second = try await world.client.beginOverBackchannel(options)
        let refusal = try #require(try Self.answer(world, allowing: false))
        #expect(try await world.code { try await world.client.finish(second, notifiedBy: refusal) } == "access_denied")
    }

    @Test("The strict server wants one hint, a code where the user has one, a short message and openid")
    func refusals() async throws {
        let world = try Self.world { $0.settings.backchannelUserCodes = [TestUser.ada.subject: "1234"] }
        func code(_ change: (inout BackchannelSignInOptions) -> Void) async throws -> String? {
            var options = BackchannelSignInOptions(asking: .login("ada"))
            options.userCode = BackchannelUserCode("1234")
            change(&options)
            let changed = options
            return try await world.code { try await world.client.beginOverBackchannel(changed) }
        }
        #expect(try await code { _ in } == nil)
        #expect(try await code { $0.userCode = nil } == "missing_user_code")
        #expect(try await code { $0.userCode = BackchannelUserCode("0") } == "invalid_user_code")
        #expect(try await code { $0.hint = .login("nobody") } == "unknown_user_id")
        #expect(try await code { $0.hint = .token(LoginHintToken("old")) } == "expired_login_hint_token")
        #expect(try await code { $0.bindingMessage = String(repeating: "x", count: 61) } == "invalid_binding_message")
        #expect(try await code { $0.additionalParameters = ["id_token_hint": "x"] } == "invalid_request")
        #expect(try await code { $0.scope = ["api"] } == "invalid_configuration")
        let open = try GrantWorld(.app)
        #expect(
            try await open.code {
                try await open.client.beginOverBackchannel(BackchannelSignInOptions(asking: .login("ada")))
            } == "unauthorized_client")
    }
}
