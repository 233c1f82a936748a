import Tern
import TernCrypto
import TernProtocol
import TernTesting
import Testing

/// Takes events and lines, to look at them.
final class Witness: EventSink, LogSink {
    private let seen = Locked<(events: [Event], lines: [String])>(([], []))

    var events: [Event] { seen.withLock { $0.events } }
    var lines: [String] { seen.withLock { $0.lines } }

    func record(_ event: Event) { seen.withLock { $0.events.append(event) } }

    func log(_ level: Event.Level, _ message: String, _ fields: [(name: String, value: String)]) {
        let words = fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
        seen.withLock { $0.lines.append("\(level.rawValue): \(message) \(words)") }
    }
}

@Suite("Events, logs and metrics")
struct EventTests {
    /// A world whose client tells its events.
    private func world(
        _ sink: any EventSink, _ configure: (inout ClientConfiguration) -> Void = { _ in }
    ) throws -> (World, OAuthClient) {
        let world = try World(AuthorizationServer(), configure)
        var environment = world.client.environment
        environment.events = sink
        return (world, OAuthClient(world.client.configuration, in: environment))
    }

    /// A whole round trip: sign-in, user information, an API, a renewal, a sign-out.
    private func roundTrip(_ sink: any EventSink) async throws -> (World, secrets: [String]) {
        let (world, client) = try world(sink)
        let session = try await client.signIn(with: world.robot)
        _ = try await session.userInfo()
        _ = try await session.send(.get(world.server.server.apiAddress("notes")))
        world.clock.advance(by: .seconds(7_200))
        _ = try await session.accessToken()
        let last = try await session.credential()
        try await session.signOut()
        var secrets = [last.accessToken.exposedText, last.refreshToken?.exposedText, last.idToken?.exposedText]
            .compactMap(\.self)
        for entry in world.server.server.journal.entries {
            for name in [
                "code", "code_verifier", "code_challenge", "state", "nonce", "token", "refresh_token", "password",
            ] {
                if let value = entry.parameters[name], !value.isEmpty { secrets.append(value) }
            }
            if let authorization = entry.request.fields["Authorization"] {
                secrets += authorization.split(separator: " ").dropFirst().map(String.init)
            }
        }
        return (world, secrets)
    }

    @Test("The milestones of a round trip are told in their order, under their names")
    func milestones() async throws {
        let witness = Witness()
        _ = try await roundTrip(witness)
        let names = witness.events.map(\.name)
        #expect(names.filter { $0.level == .milestone } == [.signedIn, .refreshed, .signedOut])
        #expect(
            names.filter { $0.level == .detail } == [
                .signInBegan, .pageOpened, .callbackReceived, .callbackAccepted, .idTokenAccepted, .idTokenAccepted,
            ])
        let measured = witness.events.flatMap(\.measurements)
        #expect(measured.filter { $0.metric == .signIns }.map(\.dimensions) == [["outcome": "success"]])
        #expect(measured.count { $0.metric == .renewals } == 1 && measured.count { $0.metric == .signOuts } == 1)
        let exchanges = measured.filter { $0.metric == .exchangeSeconds }
        #expect(Set(exchanges.compactMap { $0.dimensions["status"] }) == ["200"])
        #expect(exchanges.allSatisfy { $0.value >= 0 && $0.value < 60 })
    }

    @Test("A failure is told once, with its code")
    func failures() async throws {
        let witness = Witness()
        let (world, client) = try world(witness)
        world.server.add(Fault(at: .token, .replace(.error("invalid_grant"))))
        _ = try await whatFails { try await client.signIn(with: world.robot) }
        let failed = witness.events.filter { $0.name == .signInFailed }
        #expect(failed.count == 1 && failed.first?.failure?.code == "invalid_grant")
        #expect(failed.first?.measurements.first?.dimensions == ["outcome": "invalid_grant"])
    }

    @Test("A log at its plainest tells the milestones and the failures alone")
    func levels() async throws {
        let quiet = Witness()
        _ = try await roundTrip(EventLog(quiet))
        #expect(quiet.lines.count == 3 && quiet.lines.allSatisfy { $0.hasPrefix("milestone: ") })
        let loud = Witness()
        _ = try await roundTrip(EventLog(loud, from: .wire))
        #expect(loud.lines.count { $0.contains("path=/token") } == 2)
        #expect(loud.lines.contains { $0.contains("grant_type=authorization_code") && $0.contains("code=‹code ") })
    }

    @Test("No secret is told at any level, nor by an event that is printed")
    func secrecy() async throws {
        let (log, events, recorder) = (Witness(), Witness(), TraceRecorder())
        let (world, secrets) = try await roundTrip(EventSinks([EventLog(log, from: .wire), events, recorder]))
        let trace = recorder.trace(title: "A round trip")
        var printed = ""
        for event in events.events { dump(event, to: &printed) }
        let told = [
            log.lines.joined(separator: "\n"), printed, "\(events.events)", trace.html, trace.svg(),
            JSON.object(trace.json).text,
        ]
        #expect(secrets.count > 10)
        _ = world
        for secret in Set(secrets) {
            let bytes = Array(secret.utf8)
            // In every form: as it is, encoded, and hashed with nothing that could be guessed.
            let forms =
                [
                    secret, PercentCodec.encode(secret), Base64URL.encode(bytes),
                    Base64URL.encode(HashFunction.sha256.digest(bytes)), hex(HashFunction.sha256.digest(bytes)),
                ] + [String(secret.prefix(12)), String(secret.suffix(12))].filter { $0.utf8.count == 12 }
            for form in forms { for text in told { #expect(!text.contains(form)) } }
            let tag = hex(Array(HashFunction.sha256.digest(bytes).prefix(3)))
            for text in told { #expect(!text.contains(" \(tag)›")) }
        }
    }

    @Test("The same secret has the same tag wherever it occurs, and another one in another log")
    func tags() async throws {
        let recorder = TraceRecorder()
        _ = try await roundTrip(recorder)
        let trace = recorder.trace(title: "A round trip")
        func values(_ title: String, _ name: String) -> [String] {
            trace.entries.filter { $0.title == title }.flatMap(\.facts).filter { $0.name == name }.map(\.value)
        }
        let codes = values("The callback", "code") + values("POST /token", "code")
        #expect(codes.count == 2 && Set(codes).count == 1 && codes[0].hasPrefix("‹code "))
        let issued = values("POST /token", "\u{2190} access_token")
        #expect(issued.count == 2 && values("GET /api/notes", "access_token") == [issued[0]])
        let other = TraceRecorder()
        _ = try await roundTrip(other)
        #expect(other.trace(title: "").entries.flatMap(\.facts).allSatisfy { !codes.contains($0.value) })
    }

    @Test("What no standard knows counts as a secret")
    func unknownNames() async throws {
        let log = Witness()
        let (world, client) = try world(EventLog(log, from: .wire)) {
            $0.additionalAuthorizationParameters = ["apikey": "very-private"]
            $0.additionalTokenParameters = ["device_id": "also-private"]
        }
        world.server.change { $0.settings.tokenAnswerChanges["session_key"] = "from-the-server" }
        _ = try await client.signIn(with: world.robot)
        let text = log.lines.joined()
        for value in ["very-private", "also-private", "from-the-server"] { #expect(!text.contains(value)) }
        #expect(text.contains("apikey=‹apikey ") && text.contains("session_key=‹session_key "))
    }

    @Test("The arrow that fails is marked with its explanation")
    func failingArrow() async throws {
        let recorder = TraceRecorder()
        let (world, client) = try world(recorder)
        world.server.add(Fault(at: .token, .replace(.error("invalid_grant", "the code is too old"))))
        _ = try await whatFails { try await client.signIn(with: world.robot) }
        let trace = recorder.trace(title: "A sign-in that fails")
        let last = try #require(trace.entries.last)
        #expect(last.title == "POST /token" && last.failure?.code == "invalid_grant")
        #expect(last.failure?.likelyCauses.first?.contains("too old") == true)
        #expect(trace.entries.dropLast().allSatisfy { $0.failure == nil })

        let network = TraceRecorder()
        let (second, broken) = try self.world(network)
        second.server.add(Fault(at: .openIDConfiguration, .dropRequest))
        _ = try await whatFails { try await broken.signIn(with: second.robot) }
        #expect(network.trace(title: "").entries.last?.failure != nil)
    }

    private func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
