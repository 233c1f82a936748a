import Tern
import TernCrypto
import TernTesting
import Testing

/// What a stand-in for a logger was given.
final class StandInLines: Sendable {
    private let lines = Locked<[String]>([])

    var all: [String] { lines.withLock { $0 } }
    func add(_ line: String) { lines.withLock { $0.append(line) } }
}

private enum OnApple {
    typealias Logger = UnifiedLogging.Logger
    typealias OSLogType = UnifiedLogging.OSLogType

    struct SystemLog: LogSink {
        let logger = Logger(subsystem: "com.example.app", category: "sign-in")

        func log(_ level: Event.Level, _ message: String, _ fields: [(name: String, value: String)]) {
            let words = fields.map { "\($0.name)=\($0.value)" }.joined(separator: " ")
            let type: OSLogType = level == .failure ? .error : level == .milestone ? .default : .debug
            logger.log(level: type, "\(message, privacy: .public) \(words, privacy: .public)")
        }
    }
}

private enum OnServers {
    typealias Logger = SwiftLog.Logger

    struct ServerLog: LogSink {
        let logger = Logger(label: "sign-in")

        func log(_ level: Event.Level, _ message: String, _ fields: [(name: String, value: String)]) {
            let metadata = Dictionary(fields.map { ($0.name, Logger.MetadataValue.string($0.value)) }) { first, _ in
                first
            }
            let level: Logger.Level = level == .failure ? .error : level == .milestone ? .info : .debug
            logger.log(level: level, "\(message)", metadata: metadata)
        }
    }
}

struct Dashboard: EventSink {
    let count: @Sendable (_ metric: String, _ value: Double, _ dimensions: [String: String]) -> Void

    func record(_ event: Event) {
        for measurement in event.measurements {
            count(measurement.metric.rawValue, measurement.value, measurement.dimensions)
        }
    }
}

@Suite("Examples: logs, metrics and traces")
struct LoggingExamples {
    private func signIn(telling sink: any EventSink) async throws {
        let provider = TestProvider()
        var environment = provider.environment
        environment.events = sink
        let client = OAuthClient(try provider.client().configuration, in: environment)
        _ = try await client.signIn(with: provider.userAgent)
    }

    @Test("The adapters hand on message, level and fields")
    func adapters() async throws {
        let apple = OnApple.SystemLog()
        let server = OnServers.ServerLog()
        try await signIn(telling: EventSinks([EventLog(apple, from: .detail), EventLog(server)]))
        #expect(apple.logger.lines.all.contains { $0.hasPrefix("debug a callback came request=code=‹code ") })
        #expect(server.logger.lines.all.count == 1)
        #expect(server.logger.lines.all[0].hasPrefix("info an account is signed in account="))
    }

    @Test("A dashboard counts")
    func dashboard() async throws {
        let counted = StandInLines()
        try await signIn(
            telling: Dashboard { metric, value, dimensions in counted.add("\(metric) \(value) \(dimensions)") })
        #expect(counted.all.contains(#"tern.sign_ins 1.0 ["outcome": "success"]"#))
    }

    @Test("The log is put into the environment")
    func environment() throws {
        typealias SystemLog = OnApple.SystemLog
        var environment = try Environment.standard(application: "my-app")
        environment.events = EventLog(SystemLog(), from: .detail)
        #expect(environment.events is EventLog)
    }

    @Test("A trace of a sign-in")
    func trace() async throws {
        let provider = TestProvider()
        let userAgent = provider.userAgent
        let configuration = try provider.client().configuration
        var environment = provider.environment
        let recorder = TraceRecorder()
        environment.events = recorder
        let client = OAuthClient(configuration, in: environment)
        _ = try? await client.signIn(with: userAgent)
        let page = recorder.trace(title: "A sign-in").html
        #expect(page.contains("POST /token"))
    }
}
