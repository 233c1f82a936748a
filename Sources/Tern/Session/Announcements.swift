internal import TernCrypto

/// Hands events to any number of consumers. One that does not keep up loses the oldest beyond 64.
final class Announcements<Event: Sendable>: Sendable {
    private struct State {
        var consumers: [UInt64: AsyncStream<Event>.Continuation] = [:]
        var lastID: UInt64 = 0
    }

    private let state = Locked(State())

    func stream() -> AsyncStream<Event> {
        let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(64))
        let id = state.withLock { state in
            state.lastID += 1
            state.consumers[state.lastID] = continuation
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { $0.consumers[id] = nil } }
        return stream
    }

    func announce(_ event: Event) {
        for consumer in state.withLock({ Array($0.consumers.values) }) { consumer.yield(event) }
    }

    deinit { for consumer in state.withLock({ Array($0.consumers.values) }) { consumer.finish() } }
}
