/// The part of the interface of Apple's unified logging that the documented adapter touches, declared as it is there.
enum UnifiedLogging {
    struct OSLogType: Sendable, Equatable {
        let name: String
        static let `default` = OSLogType(name: "default")
        static let debug = OSLogType(name: "debug")
        static let error = OSLogType(name: "error")
    }

    struct OSLogPrivacy: Sendable { static let `public` = OSLogPrivacy() }

    struct OSLogInterpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {}
        mutating func appendLiteral(_ literal: String) { text += literal }
        mutating func appendInterpolation(_ value: @autoclosure () -> String, privacy: OSLogPrivacy) { text += value() }
    }

    struct OSLogMessage: ExpressibleByStringInterpolation {
        let text: String

        init(stringInterpolation: OSLogInterpolation) { text = stringInterpolation.text }
        init(stringLiteral value: String) { text = value }
    }

    struct Logger: Sendable {
        let lines = StandInLines()

        init(subsystem: String, category: String) {}
        func log(level: OSLogType, _ message: OSLogMessage) { lines.add("\(level.name) \(message.text)") }
    }
}

/// The part of swift-log's public interface that the documented adapter touches, declared as it is there (1.6).
enum SwiftLog {
    struct Logger: Sendable {
        enum Level: String, Sendable { case debug, info, error }
        enum MetadataValue: Sendable { case string(String) }
        typealias Metadata = [String: MetadataValue]

        struct Message: ExpressibleByStringInterpolation, Sendable {
            let text: String
            init(stringLiteral value: String) { text = value }
        }

        let lines = StandInLines()

        init(label: String) {}

        func log(
            level: Level, _ message: @autoclosure () -> Message, metadata: @autoclosure () -> Metadata? = nil
        ) {
            let words = (metadata() ?? [:]).map { pair in
                switch pair.value {
                case .string(let text): "\(pair.key)=\(text)"
                }
            }
            lines.add(([level.rawValue, message().text] + words.sorted()).joined(separator: " "))
        }
    }
}
