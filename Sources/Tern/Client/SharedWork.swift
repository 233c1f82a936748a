internal import TernCrypto
internal import TernProtocol

/// One piece of work at a time, for any number of waiters: whoever asks while it runs gets its outcome.
///
/// Cancelling a waiter ends its waiting and nothing else; the work goes on for the others. A list of continuations is
/// kept, since awaiting one `Task` from ten thousand places costs far more than linear time.
final class SharedWork<Value: Sendable>: Sendable {
    typealias Outcome = Result<Value, TernError>

    /// Where a waiter stands. It is touched under the lock of the state alone.
    private final class Ticket: @unchecked Sendable {
        enum Place {
            case outside
            case inLine(Int, round: UInt64)
            case cancelled
        }

        var place = Place.outside
    }

    /// The line is an array, in which a waiter who leaves lets his place empty: ten thousand entries in a dictionary, and
    /// waking them in its order, cost more than all the rest.
    private struct State {
        var isRunning = false
        /// How often the whole line was sent away.
        var round: UInt64 = 0
        var line: [CheckedContinuation<Outcome, Never>?] = []

        mutating func takeLine() -> [CheckedContinuation<Outcome, Never>?] {
            defer {
                line = []
                round += 1
            }
            return line
        }
    }

    private enum Entry { case cancelled, first, follower }

    private let state = Locked(State())

    /// Waits for the work that runs, or starts it.
    ///
    /// - Throws: what the work throws; `cancelled` when the waiting task is cancelled.
    func value(
        at step: Step, _ work: @escaping @Sendable () async throws(TernError) -> Value
    ) async throws(TernError) -> Value {
        let ticket = Ticket()
        return try await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                enter(ticket, continuation, at: step, work)
            }
        } onCancel: {
            leave(ticket, at: step)
        }.get()
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
        for waiter in state.withLock({ $0.takeLine() }) { waiter?.resume(returning: .failure(error)) }
    }

    private func enter(
        _ ticket: Ticket, _ continuation: CheckedContinuation<Outcome, Never>, at step: Step,
        _ work: @escaping @Sendable () async throws(TernError) -> Value
    ) {
        let entry: Entry = state.withLock { state in
            if case .cancelled = ticket.place { return .cancelled }
            ticket.place = .inLine(state.line.count, round: state.round)
            state.line.append(continuation)
            defer { state.isRunning = true }
            return state.isRunning ? .follower : .first
        }
        switch entry {
        case .cancelled: continuation.resume(returning: .failure(TernError(.cancelled, at: step)))
        case .first: run(work)
        case .follower: break
        }
    }

    private func leave(_ ticket: Ticket, at step: Step) {
        let continuation: CheckedContinuation<Outcome, Never>? = state.withLock { state in
            guard case .inLine(let place, let round) = ticket.place else {
                ticket.place = .cancelled
                return nil
            }
            // The outcome is on its way already.
            guard round == state.round else { return nil }
            defer { state.line[place] = nil }
            return state.line[place]
        }
        continuation?.resume(returning: .failure(TernError(.cancelled, at: step)))
    }

    private func run(_ work: @escaping @Sendable () async throws(TernError) -> Value) {
        // Whoever has asked meanwhile stands in line before it, and waits for it.
        Task(priority: .high) {
            let outcome: Outcome
            do throws(TernError) { outcome = .success(try await work()) } catch { outcome = .failure(error) }
            let line = state.withLock { state in
                state.isRunning = false
                return state.takeLine()
            }
            for waiter in line { waiter?.resume(returning: outcome) }
        }
    }
}
