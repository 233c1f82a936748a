public import Tern
internal import TernCrypto
public import TernJOSE

/// A clock that stands still until a test moves it.
///
/// Whoever sleeps on it wakes when ``advance(by:)`` has carried the time far enough. Copies of the reference are one clock.
public final class FakeClock: WallClock {
    private struct Sleeper {
        let wakesAt: NumericDate
        let continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        let count: Int
        let continuation: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now: NumericDate
        var nextID = 0
        var sleepers: [Int: Sleeper] = [:]
        var cancelled: Set<Int> = []
        var watchers: [Watcher] = []
        var slept = Duration.zero
    }

    private let state: Locked<State>
    private let sleepsPassAtOnce: Bool

    /// Makes a clock.
    ///
    /// - Parameters:
    ///   - now: what it shows first: 2025-06-15, 15:06:40 UTC, where it is left out.
    ///   - sleepsPassAtOnce: whether a sleep returns at once and moves the clock by its length, for tests in which
    ///     nothing else happens meanwhile.
    public init(_ now: NumericDate = NumericDate(1_750_000_000), sleepsPassAtOnce: Bool = false) {
        state = Locked(State(now: now))
        self.sleepsPassAtOnce = sleepsPassAtOnce
    }

    /// The time that the clock shows.
    public var now: NumericDate { state.withLock { $0.now } }

    /// The sum of all sleeps that were asked for.
    public var totalSleep: Duration { state.withLock { $0.slept } }

    /// How many sleep at this moment.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Moves the clock and wakes whoever has slept long enough, the earliest first. A negative duration sets it back.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now + duration
            let due = state.sleepers.filter { $0.value.wakesAt <= state.now }
            for id in due.keys { state.sleepers[id] = nil }
            return due.sorted { ($0.value.wakesAt, $0.key) < ($1.value.wakesAt, $1.key) }
        }
        for (_, sleeper) in due { sleeper.continuation.resume() }
    }

    /// Sleeps until the clock was moved so far.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func sleep(for duration: Duration) async throws {
        try Task.checkCancellation()
        if sleepsPassAtOnce || duration <= .zero {
            state.withLock { state in
                if duration > .zero {
                    state.now = state.now + duration
                    state.slept += duration
                }
            }
            return
        }
        let id = state.withLock { state in
            state.nextID += 1
            state.slept += duration
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                fallAsleep(id, for: duration, continuation)
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                state.cancelled.insert(id)
                return state.sleepers.removeValue(forKey: id)
            }
            sleeper?.continuation.resume(throwing: CancellationError())
        }
    }

    /// Waits until at least `count` sleep, so that a test moves the clock only when what it tests has come to its wait.
    public func waitForSleepers(_ count: Int = 1) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.sleepers.count >= count { return true }
                state.watchers.append(Watcher(count: count, continuation: continuation))
                return false
            }
            if isThere { continuation.resume() }
        }
    }

    private func fallAsleep(_ id: Int, for duration: Duration, _ continuation: CheckedContinuation<Void, any Error>) {
        let (wasCancelled, ready) = state.withLock { state in
            if state.cancelled.remove(id) != nil { return (true, [Watcher]()) }
            state.sleepers[id] = Sleeper(wakesAt: state.now + duration, continuation: continuation)
            let ready = state.watchers.filter { $0.count <= state.sleepers.count }
            state.watchers.removeAll { $0.count <= state.sleepers.count }
            return (false, ready)
        }
        if wasCancelled { continuation.resume(throwing: CancellationError()) }
        for watcher in ready { watcher.continuation.resume() }
    }
}
