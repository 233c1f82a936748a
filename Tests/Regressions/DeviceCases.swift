import Tern
import TernCrypto
import TernJOSE
import TernProtocol
import TernTesting
import Testing

@Suite("Devices", .timeLimit(.minutes(1)))
struct DeviceCases {
    private static let pending = answer(400, "application/json", #"{"error":"authorization_pending"}"#)
    private static let slowDown = answer(400, "application/json", #"{"error":"slow_down"}"#)

    /// A client whose sleeps pass at once, at a server that answers the polls in turn, and when each of them came.
    private static func world(
        _ authorization: String, _ answers: [Result<HTTPResponse, TernError>]
    ) async throws -> (client: OAuthClient, polls: @Sendable () -> [Double], store: MemoryStore) {
        let clock = FakeClock(sleepsPassAtOnce: true)
        let polls = Locked<[Double]>([])
        let transport = ScriptedTransport { (request) async throws(TernError) in
            guard request.url.text.hasSuffix("/t") else { return answer(200, "application/json", authorization) }
            let number = polls.withLock { polls in
                polls.append(clock.now.secondsSince1970 - Fixed.now.secondsSince1970)
                return polls.count - 1
            }
            return try answers[min(number, answers.count - 1)].get()
        }
        let configuration = try ClientConfiguration(
            server: .metadata(
                ServerMetadata(members: [
                    "issuer": .string(Fixed.issuer), "token_endpoint": "https://idp.example/t",
                    "device_authorization_endpoint": "https://idp.example/d",
                ])), clientID: Fixed.clientID, redirectURI: try RedirectURI("com.example.app:/cb"), scope: ["api"])
        let store = MemoryStore()
        let client = OAuthClient(configuration, in: Environment(transport: transport, store: store, clock: clock))
        return (client, { polls.withLock { $0 } }, store)
    }

    private static let plain =
        #"{"device_code":"dc-o1","user_code":"WXYZ-1234","verification_uri":"https://idp.example/act","expires_in":600}"#

    @Test("DV-01")
    func intervalAndEnd() async throws {
        let (client, polls, store) = try await Self.world(
            #"{"device_code":"dc-o1","user_code":"WXYZ-1234","verification_url":"https://idp.example/act","expires_in":30}"#,
            [.success(Self.pending), .success(Self.slowDown), .success(Self.slowDown), .success(Self.pending)])
        let shown = Locked<DeviceAuthorization?>(nil)
        let reason = try await asyncReason {
            try await client.signInOnOtherDevice { authorization in shown.withLock { $0 = authorization } }
        }
        #expect(reason == .deviceCodeExpired)
        #expect(shown.withLock { $0 }?.verificationURI.text == "https://idp.example/act")
        #expect(polls() == [5, 10, 20])
        #expect(client.environment.clock.now == Fixed.now + .seconds(30))
        #expect(try await store.keys().isEmpty)
    }

    @Test("DV-01, the class: texts as numbers, and what makes no sense is five seconds")
    func numbers() async throws {
        for (interval, expected) in [(#""7""#, 7.0), ("0", 5), ("-3", 5), (#""soon""#, 5), ("null", 5), ("2", 2)] {
            let (client, polls, _) = try await Self.world(
                #"{"device_code":"d","user_code":"u","verification_uri":"https://idp.example/","expires_in":"60","#
                    + #""interval":\#(interval)}"#,
                [.success(answer(200, "application/json", #"{"access_token":"at"}"#))])
            _ = try await client.signInOnOtherDevice { _ in }
            #expect(polls() == [expected])
        }
    }

    @Test("DV-01, the class: a larger interval that the server names with slow_down is obeyed, whatever the status")
    func namedInterval() async throws {
        let (client, polls, _) = try await Self.world(
            Self.plain,
            [
                .success(answer(503, "application/json", #"{"error":"slow_down","interval":30}"#)),
                .success(answer(429, "application/json", #"{"error":"authorization_pending"}"#)),
                .success(answer(200, "application/json", #"{"access_token":"at"}"#)),
            ])
        _ = try await client.signInOnOtherDevice { _ in }
        #expect(polls() == [5, 35, 65])
    }

    @Test("DV-02")
    func blip() async throws {
        let (client, polls, store) = try await Self.world(
            Self.plain,
            [
                .failure(TernError(.network(.connectionLost), at: .tokenRequest)), .success(Self.pending),
                .success(answer(200, "application/json", #"{"access_token":"at-dv","token_type":"bearer"}"#)),
            ])
        let session = try await client.signInOnOtherDevice { _ in }
        #expect(try await session.accessToken().exposedText == "at-dv")
        #expect(polls() == [5, 15, 20])
        #expect(try await store.credential(session.account)?.accessToken.exposedText == "at-dv")
    }

    @Test("DV-02, the class: bad statuses back off, a wait that is asked for is kept, and other codes end it at once")
    func trouble() async throws {
        var busy = answer(503, "text/html", "<html>")
        busy.fields["Retry-After"] = "45"
        let (client, polls, _) = try await Self.world(
            Self.plain,
            [
                .success(answer(502, nil, "")), .success(answer(500, nil, "")), .success(busy),
                .failure(TernError(.outcomeUnknown, at: .tokenRequest)), .success(Self.pending),
                .success(answer(400, "application/json", #"{"error":"invalid_grant"}"#)),
            ])
        let reason = try await asyncReason { try await client.signInOnOtherDevice { _ in } }
        #expect(reason?.serverError?.code == "invalid_grant")
        #expect(polls() == [5, 15, 35, 80, 140, 145])
    }

    @Test("DV-02, the class: expired_token and access_denied end it", arguments: ["expired_token", "access_denied"])
    func ends(code: String) async throws {
        let (client, polls, _) = try await Self.world(
            Self.plain, [.success(answer(400, "application/json", #"{"error":"\#(code)"}"#))])
        let reason = try await asyncReason { try await client.signInOnOtherDevice { _ in } }
        if code == "expired_token" {
            #expect(reason == .deviceCodeExpired)
        } else {
            #expect(reason?.serverError?.code == code)
        }
        #expect(polls().count == 1)
    }

    @Test(
        "The answer with the codes is read strictly",
        arguments: [
            (#"{"user_code":"u","verification_uri":"https://idp.example/"}"#, "device_code"),
            (#"{"device_code":"d","verification_uri":"https://idp.example/"}"#, "user_code"),
            (#"{"device_code":"d","user_code":"a\u001b[2J","verification_uri":"https://idp.example/"}"#, "user_code"),
            (#"{"device_code":"d","user_code":"u"}"#, "verification_uri"),
            (#"{"device_code":"d","user_code":"u","verification_uri":"javascript:alert(1)"}"#, "verification_uri"),
            (#"{"device_code":"d","user_code":"u","verification_uri":"https://a@b.example/"}"#, "verification_uri"),
        ])
    func strictness(body: String, field: String) async throws {
        let (client, _, _) = try await Self.world(body, [.success(Self.pending)])
        #expect(try await asyncReason { try await client.beginOnOtherDevice() }?.malformedField == field)
    }

    @Test("A page on plain http is refused, and so is nothing of the codes printed")
    func secrecy() async throws {
        let (client, _, _) = try await Self.world(
            #"{"device_code":"d","user_code":"u","verification_uri":"http://idp.example/"}"#, [])
        #expect(
            try await asyncReason { try await client.beginOnOtherDevice() }
                == .insecureEndpoint(field: "verification_uri"))
        let (other, _, _) = try await Self.world(Self.plain, [])
        let signIn = try await other.beginOnOtherDevice()
        #expect(!"\(signIn)".contains("dc-o1"))
        #expect(!String(reflecting: signIn).contains("dc-o1"))
    }
}
