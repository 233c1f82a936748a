internal import TernProtocol

/// Writes events into a log: a line for each that matters enough.
public struct EventLog: EventSink {
    private let log: any LogSink
    private let level: Event.Level
    private let tags = SecretTags()

    /// Makes a sink.
    ///
    /// - Parameters:
    ///   - log: where the lines go.
    ///   - level: from which level on; `wire` tells every request, with tags in the place of secrets.
    public init(_ log: any LogSink, from level: Event.Level = .milestone) {
        self.log = log
        self.level = level
    }

    /// Writes the event, where it matters enough. A failed request matters as a failure does.
    public func record(_ event: Event) {
        let weight: Event.Level = event.failure == nil ? event.level : .failure
        guard weight >= level else { return }
        var fields = event.fields.map { (name: $0.name, value: tags.words($0)) }
        if let failure = event.failure {
            fields.append((name: "explanation", value: failure.explanation.whatHappened))
        }
        log.log(weight, event.name.message, fields)
    }
}
