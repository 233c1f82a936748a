internal import TernCrypto
internal import TernProtocol

/// One piece of work at a time, for any number of waiters: whoever asks while it runs gets its outcome.
///
/// Cancelling a waiter ends its waiting and nothing else; the work goes on for the others. A list of continuations is
/// kept, since awaiting one `Task` from ten thousand places costs far more than linear time.
final class SharedWork<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, TernError>

    private struct State {
        var isRunning = false
        var nextID: UInt64 = 0
        var waiters: [UInt64: CheckedContinuation<Outcome, Never>] = [:]
        var cancelled: Set<UInt64> = []
    }

    private enum Entry { case cancelled, first, follower }

    private let state = Locked(State())

    /// Waits for the work that runs, or starts it.
    ///
    /// - Throws: what the work throws; `cancelled` when the waiting task is cancelled.
    func value(
        at step: Step, _ work: @escaping @Sendable () async throws(TernError) -> Value
    ) async throws(TernError) -> Value {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(id, continuation, at: step, work)
            }
        } onCancel: {
            leave(id, at: step)
        }
        // A cancellation that came after the outcome left its mark.
        if Task.isCancelled { state.withLock { _ = $0.cancelled.remove(id) } }
        return try outcome.get()
    }

    /// Starts the work unless it runs, and does not wait for it.
    func start(_ work: @escaping @Sendable () async throws(TernError) -> Value) {
        let isFirst = state.withLock { state in
            defer { state.isRunning = true }
            return !state.isRunning
        }
        if isFirst { run(work) }
    }

    /// Whether the work runs.
    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Ends the waiting of all who wait; the work goes on, for nobody.
    func release(_ error: TernError) {
        let waiters = state.withLock { state in
            defer { state.waiters = [:] }
            return state.waiters.values
        }
        for waiter in waiters { waiter.resume(returning: .failure(error)) }
    }

    private func enter(
        _ id: UInt64, _ continuation: CheckedContinuation<Outcome, Never>, at step: Step,
        _ work: @escaping @Sendable () async throws(TernError) -> Value
    ) {
        let entry: Entry = state.withLock { state in
            guard state.cancelled.remove(id) == nil else { return .cancelled }
            state.waiters[id] = continuation
            defer { state.isRunning = true }
            return state.isRunning ? .follower : .first
        }
        switch entry {
        case .cancelled: continuation.resume(returning: .failure(TernError(.cancelled, at: step)))
        case .first: run(work)
        case .follower: break
        }
    }

    private func leave(_ id: UInt64, at step: Step) {
        let continuation = state.withLock { state in
            let waiter = state.waiters.removeValue(forKey: id)
            if waiter == nil { state.cancelled.insert(id) }
            return waiter
        }
        continuation?.resume(returning: .failure(TernError(.cancelled, at: step)))
    }

    private func run(_ work: @escaping @Sendable () async throws(TernError) -> Value) {
        // Whoever has asked meanwhile stands in line before it, and waits for it.
        Task(priority: .high) {
            let outcome: Outcome
            do throws(TernError) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            let waiters = state.withLock { state in
                defer {
                    state.isRunning = false
                    state.waiters = [:]
                }
                return state.waiters.values
            }
            for waiter in waiters { waiter.resume(returning: outcome) }
        }
    }
}
