public import TernJOSE

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The time, and waiting. Expiry is judged by the wall clock, since others stop while a device sleeps.
public protocol WallClock: Sendable {
    /// The time of day.
    var now: NumericDate { get }

    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemWallClock: WallClock {
    /// Makes the clock; it has no state.
    public init() {}

    /// The time of day.
    public var now: NumericDate {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return NumericDate(Double(time.tv_sec) + Double(time.tv_nsec) / 1e9)
    }

    /// Waits.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}
