/// Takes the events of a client and its sessions, for logs, metrics and traces.
public protocol EventSink: Sendable {
    /// Takes an event. It is called in the middle of the work, from any thread, and must neither wait nor call back into the
    /// client.
    func record(_ event: Event)
}

/// Takes lines of a log; an adapter to the system's log is a few lines long.
public protocol LogSink: Sendable {
    /// Takes a line. The fields hold no secret.
    func log(_ level: Event.Level, _ message: String, _ fields: [(name: String, value: String)])
}

/// Hands each event to several sinks, in their order.
public struct EventSinks: EventSink {
    private let sinks: [any EventSink]

    /// Collects sinks.
    public init(_ sinks: [any EventSink]) { self.sinks = sinks }

    /// Hands the event to each.
    public func record(_ event: Event) { for sink in sinks { sink.record(event) } }
}
