import TernTesting
import Testing

@testable import Tern

@Suite("Response modes")
struct ResponseModeTests {
    typealias Mode = AuthorizationRequest.ResponseMode

    /// Leads to the server of a test, and to whoever listens on the loopback interface.
    private struct LoopbackWay: HTTPTransport {
        let server: TestTransport

        func send(_ request: HTTPRequest, step: Step) async throws(TernError) -> HTTPResponse {
            request.url.host == "127.0.0.1"
                ? try await SystemTransport().send(request, step: step)
                : try await server.send(request, step: step)
        }
    }

    private func loopback(_ world: World, consent: RobotBrowser.Consent = .give) -> LoopbackUserAgent {
        LoopbackUserAgent(browser: RobotOpener(transport: LoopbackWay(server: world.transport), consent: consent))
    }

    @Test("Without a mode nothing is asked for", arguments: ResponseType.all.filter(\.hasCode))
    func standard(type: ResponseType) async throws {
        let world = try World.answering(type)
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(world.asked?["response_mode"] == nil)
        #expect(world.asked?["response_type"] == type.text)
    }

    @Test("Each mode", arguments: Mode.allCases)
    func eachMode(mode: Mode) async throws {
        let world = try World.answering(.code, mode)
        let session = try await world.client.signIn(with: world.robot)
        #expect(try await session.credential().subject == TestUser.ada.subject)
        #expect(world.asked?["response_mode"] == mode.rawValue)
        #expect(try await world.store.keys() == [world.client.configuration.account], "nothing stays pending")
    }

    @Test(
        "Each mode through the loopback listener: forms, and fragments by the page that hands them over",
        arguments: Mode.allCases)
    func eachModeAtTheListener(mode: Mode) async throws {
        let world = try World.answering(.code, mode, at: "http://127.0.0.1/callback")
        let session = try await world.client.signIn(with: loopback(world))
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test(
        "Hybrid through the loopback listener", arguments: ResponseType.all.filter { $0.hasCode && $0 != .code },
        [Mode.fragment, .formPost, .formPostJWT])
    func hybridAtTheListener(type: ResponseType, mode: Mode) async throws {
        let world = try World.answering(type, mode, at: "http://127.0.0.1/callback")
        let session = try await world.client.signIn(with: loopback(world))
        #expect(try await session.credential().subject == TestUser.ada.subject)
    }

    @Test("A refusal comes in each mode too", arguments: Mode.allCases)
    func refusal(mode: Mode) async throws {
        let world = try World.answering(.code, mode, at: "http://127.0.0.1/callback")
        let robot = RobotUserAgent(transport: world.transport, consent: .deny)
        for agent in [robot as any UserAgent, loopback(world, consent: .deny)] {
            let reason = try await failure { try await world.client.signIn(with: agent) }
            #expect(reason?.code == "access_denied")
            #expect(try await world.store.keys().isEmpty)
        }
    }

    @Test("An answer in another way than was asked for is refused", arguments: Mode.allCases)
    func otherMode(mode: Mode) async throws {
        let world = try World.answering(.code, mode)
        let given = mode == .query || mode == .queryJWT || mode == .jwt ? Mode.fragment : .query
        let signIn = try await world.client.begin()
        let answer = "code=c&state=\(signIn.state)"
        let callback = try uri("com.example.app:/callback" + (given == .query ? "?" : "#") + answer)
        let reason = try await failure { try await world.client.finish(signIn, callback: callback) }
        #expect(
            reason
                == .unexpectedResponseMode(
                    expected: mode.resolved(for: .code).rawValue, received: given.rawValue))
        #expect(world.server.count(of: .token) == 0)
    }

    @Test("The options of one sign-in go over the configuration")
    func options() async throws {
        let world = try World.answering()
        var options = SignInOptions()
        options.responseType = .codeIDToken
        options.responseMode = .formPost
        _ = try await world.client.signIn(options, with: world.robot)
        #expect(world.asked?["response_type"] == "code id_token" && world.asked?["response_mode"] == "form_post")
    }

    @Test("A web server finishes with the form that was posted to it, once")
    func postedForm() async throws {
        let world = try World.answering(.codeIDToken, .formPost)
        let signIn = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        let form = try #require(FormParameters(decoding: callback.encodedQuery ?? ""))
        var altered = form
        altered["state"] = "other"
        #expect(try await failure { try await world.client.finish(signIn, form: altered) } == .stateMismatch)
        let credential = try await world.client.finish(signIn, form: form)
        #expect(credential.subject == TestUser.ada.subject)
        #expect(
            try await failure { try await world.client.finish(signIn, form: form) } == .strayCallback(.alreadyUsed))
        #expect(world.server.count(of: .token) == 1)
        let tooLarge: FormParameters = ["code": String(repeating: "x", count: URI.maximumByteCount)]
        #expect(
            try await failure { try await world.client.finish(signIn, form: tooLarge) }?.code == "malformed_callback")
    }

    @Test("What is kept of a sign-in says which answer is due", arguments: ResponseType.all, Mode.allCases)
    func record(type: ResponseType, mode: Mode) async throws {
        let isOpen = type != .code && (mode == .query || mode == .queryJWT)
        let world = try World.answering()
        var options = SignInOptions()
        options.responseType = type
        options.responseMode = mode
        options.exposesTokens = true
        let reason = try await failure { try await world.client.begin(options) }
        guard !isOpen else {
            #expect(reason?.code == "invalid_configuration")
            return
        }
        #expect(reason == nil)
        let pending = try await world.store.pendingSignIns()
        #expect(pending.first?.responseType == type)
        #expect(pending.first?.responseMode == mode.resolved(for: type))
    }

    @Test(
        "A new process finishes by the callback alone",
        arguments: [Mode.fragment, .formPost, .queryJWT, .fragmentJWT, .formPostJWT])
    func coldStart(mode: Mode) async throws {
        let world = try World.answering(mode == .queryJWT ? .code : .codeIDToken, mode)
        let signIn = try await world.client.begin()
        _ = try await world.client.begin()
        let callback = try await world.callback(of: signIn)
        let other = OAuthClient(world.client.configuration, in: world.client.environment)
        #expect(try await other.finish(callback: callback).credential().subject == TestUser.ada.subject)
        #expect(try await failure { try await other.finish(callback: callback) } == .strayCallback(.alreadyUsed))
        #expect(world.server.count(of: .token) == 1)
    }
}
