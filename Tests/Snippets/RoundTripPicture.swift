import Foundation
import Tern
import TernTesting
import Testing

/// The picture of the article about the round trip. It is drawn from a run, so that it cannot be out of step with the code.
@Suite("The picture of the round trip")
struct RoundTripPicture {
    private static let folder = DocumentationTests.root.appendingPathComponent("Sources/Tern/Tern.docc/Resources")

    /// Run with TERN_WRITE_PAGES set after a change of what a sign-in does or of how a trace is drawn.
    @Test("It shows what a sign-in does")
    func isInStep() async throws {
        let trace = try await SampleRoundTrip().trace()
        let isWritten = ProcessInfo.processInfo.environment["TERN_WRITE_PAGES"] != nil
        if isWritten { try FileManager.default.createDirectory(at: Self.folder, withIntermediateDirectories: true) }
        for (name, theme) in [("round-trip.svg", Trace.Theme.light), ("round-trip~dark.svg", .dark)] {
            let file = Self.folder.appendingPathComponent(name)
            if isWritten { try trace.svg(theme: theme).write(to: file, atomically: true, encoding: .utf8) }
            let drawn = try String(contentsOf: file, encoding: .utf8)
            #expect(drawn == trace.svg(theme: theme), "TERN_WRITE_PAGES=1 draws it anew")
        }
    }

    @Test("The article has a section for each arrow, and names no other one")
    func sections() async throws {
        let trace = try await SampleRoundTrip().trace()
        let page = Self.folder.deletingLastPathComponent().appendingPathComponent("Round-trip.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        let numbers = lines.filter { $0.hasPrefix("### ") }.flatMap { line in
            line.split { !$0.isNumber }.compactMap { Int($0) }
        }
        #expect(numbers.sorted() == Array(1...trace.entries.count))
    }
}

/// A sign-in and a call of an API at the server of `TernTesting`, with times and tags that are the same in every run.
struct SampleRoundTrip {
    private let provider = TestProvider()

    func trace() async throws -> Trace {
        let recorder = TraceRecorder(clock: provider.clock)
        var environment = provider.environment
        environment.transport = try transport()
        environment.events = recorder
        let client = OAuthClient(try provider.client(scope: ["openid", "api"]).configuration, in: environment)
        let userAgent = provider.userAgent
        let session = try await client.signIn(with: userAgent)
        let reply = try await session.send(.get("https://api.example.com/notes"))
        #expect(reply.status == 200)
        let title = "A sign-in, and a call of an API"
        let recorded = recorder.trace(title: title)
        let entries = withTheBrowser(recorded.entries)
        return Trace(title: title, startedAt: recorded.startedAt, entries: tagged(timed(entries)))
    }

    /// The test server's API at an address of its own, as APIs mostly have.
    private func transport() throws -> TestTransport {
        let origin = try #require(URI("https://api.example.com")?.origin)
        return provider.transport.answering(origin) { [server = provider.server] request, now in
            var moved = request
            moved.url = URI(server.server.apiAddress(String(request.url.encodedPath.dropFirst()))) ?? request.url
            return server.deliver(moved, at: now)
        }
    }

    /// The first and the last of what browser and server say to each other, which the application cannot see, from the
    /// server's journal. The keys are fetched while the page is open, so that their place differs from run to run.
    private func withTheBrowser(_ recorded: [Trace.Entry]) -> [Trace.Entry] {
        let origin = recorded.first { $0.to == .authorizationServer }?.origin
        let visits = provider.server.server.journal.entries.filter {
            [.authorization, .interaction].contains($0.endpoint)
        }
        let arrows = [visits.first, visits.last].compactMap(\.self).map { visit in
            var arrow = Trace.Entry(
                at: .zero, from: .browser, to: .authorizationServer,
                "\(visit.request.method.rawValue) \(visit.request.url.encodedPath)", origin: origin)
            arrow.status = visit.status
            arrow.duration = .zero
            return arrow
        }
        let keys = recorded.filter { $0.title == "GET /jwks" }
        var entries = recorded.filter { $0.title != "GET /jwks" }
        guard let login = entries.firstIndex(where: { $0.from == .user }), arrows.count == 2 else { return recorded }
        entries.insert(arrows[1], at: login + 1)
        entries.insert(contentsOf: [arrows[0]] + keys, at: login)
        return entries
    }

    /// Every exchange takes the same time, and the user eight seconds.
    private func timed(_ entries: [Trace.Entry]) -> [Trace.Entry] {
        var now = Duration.zero
        return entries.map { entry in
            var entry = entry
            entry.offset = now
            if entry.duration != nil {
                entry.duration = .milliseconds(40)
                now += .milliseconds(40)
            }
            now += entry.from == .user ? .seconds(8) : .milliseconds(1)
            return entry
        }
    }

    /// The digits of a tag are random; here they follow from the place at which it stands first.
    private func tagged(_ entries: [Trace.Entry]) -> [Trace.Entry] {
        let random = SeededRandomSource(seed: 7)
        var known: [String: String] = [:]
        func fixed(_ tag: String) -> String {
            if let name = known[tag] { return name }
            let digits = random.bytes(3).map { String(Int($0) + 256, radix: 16).dropFirst() }.joined()
            let name = "‹\(tag.drop { $0 == "‹" }.prefix { $0 != " " }) \(digits)›"
            known[tag] = name
            return name
        }
        return entries.map { entry in
            var entry = entry
            entry.facts = entry.facts.map { fact in
                guard fact.value.hasPrefix("‹"), fact.value.hasSuffix("›") else { return fact }
                return Trace.Fact(fact.name, fixed(fact.value))
            }
            return entry
        }
    }
}
