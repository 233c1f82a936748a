internal import Tern

/// The system's clock, moved ahead as far as the demonstration wants, so that an hour passes at once.
final class DemoClock: WallClock {
    private let offset = Locked<Duration>(.zero)
    private let system = SystemWallClock()

    var now: NumericDate { system.now + offset.withLock { $0 } }

    func sleep(for duration: Duration) async throws { try await system.sleep(for: duration) }

    func moveAhead(by duration: Duration) { offset.withLock { $0 += duration } }
}
