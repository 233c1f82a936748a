internal import Dispatch
internal import TernProtocol

/// Exclusive access to records by name, in this process and across processes: lock files in a folder, which the system
/// frees when their holder dies.
///
/// A store that keeps its records elsewhere uses it with a folder beside them, so that nothing of the store itself is
/// held while a server answers.
struct RecordLocks: Sendable {
    private let files: StoreFolder
    private let longestWait: Duration
    private let queue = AccessQueue()
    // The disk may be slow: the calls block a thread of this queue and never one that runs Swift's tasks.
    private let worker = DispatchQueue(label: "tern.record-locks")

    /// The longest pause between two looks at a lock that another process holds.
    private static let longestPause = Duration.milliseconds(50)

    init(in files: StoreFolder, longestWait: Duration) {
        self.files = files
        self.longestWait = longestWait
    }

    /// Runs `body` while nobody else runs under the same key.
    ///
    /// - Throws: what `body` throws; `cancelled` when the task is cancelled before its turn; `storeUnavailable` when the
    ///   lock file cannot be made, or another process holds it beyond the longest wait.
    func withExclusiveAccess<Result: Sendable>(
        to key: StoreKey, _ body: @Sendable () async throws(TernError) -> Result
    ) async throws(TernError) -> Result {
        // Counted from here: otherwise each of many waiters in this process would wait its whole time after the other.
        let deadline = SuspendingClock.now + longestWait
        try await queue.enter(key)
        defer { queue.leave(key) }
        let lock = try await lock(key, until: deadline)
        defer { lock.release() }
        return try await body()
    }

    /// Waits by looking again after a growing pause. A call that blocks until the lock is free could not be cancelled,
    /// and its thread would stay behind for as long as the holder likes.
    private func lock(_ key: StoreKey, until deadline: SuspendingClock.Instant) async throws(TernError) -> RecordLock {
        let name = RecordFileName.encode(key)
        var pause = Duration.milliseconds(1)
        while true {
            // Asked before the look, so that there is a look after the deadline also when this process was stopped.
            let now = SuspendingClock.now
            if let lock = try await look(name) { return lock }
            guard now < deadline else {
                throw TernError(
                    .storeUnavailable(
                        "another process has held a record in \(files.path) for longer than \(longestWait); look for "
                            + "one that is stopped or hangs"), at: .storage)
            }
            do {
                // Many processes that began to wait at the same moment should not look at the same moment again.
                let random = pause * Double.random(in: 0.5...1)
                try await Task.sleep(for: min(random, now.duration(to: deadline)), clock: .suspending)
            } catch {
                throw TernError(.cancelled, at: .storage)
            }
            pause = min(pause * 2, Self.longestPause)
        }
    }

    private func look(_ name: String) async throws(TernError) -> RecordLock? {
        let result = await withCheckedContinuation { continuation in
            worker.async {
                continuation.resume(
                    returning: Result { () throws(TernError) in try files.tryLock(name) })
            }
        }
        return try result.get()
    }
}
