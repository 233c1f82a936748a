internal import TernCrypto
internal import TernProtocol

/// Lets one task at a time in for each key, in the order of arrival.
///
/// Waiters are continuations in a list: nobody holds a thread while waiting, and one that is cancelled leaves the list
/// without the others noticing.
final class AccessQueue: Sendable {
    private typealias Waiter = CheckedContinuation<Bool, Never>

    private struct Line {
        var order: [UInt64] = []
        var served = 0
        var waiters: [UInt64: Waiter] = [:]

        mutating func next() -> Waiter? {
            while served < order.count {
                let ticket = order[served]
                served += 1
                if let waiter = waiters.removeValue(forKey: ticket) { return waiter }
            }
            return nil
        }
    }

    private struct State {
        var lastTicket: UInt64 = 0
        /// A line is there for as long as its key is taken.
        var lines: [StoreKey: Line] = [:]
    }

    private enum Step { case enter, refuse, wait }

    private let state = Locked(State())

    /// Waits until nobody else is in under the key.
    ///
    /// - Throws: `cancelled` when the task was or is cancelled before its turn.
    func enter(_ key: StoreKey) async throws(TernError) {
        let ticket = state.withLock { state in
            state.lastTicket += 1
            return state.lastTicket
        }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // Cancellation sets the flag before it calls the handler, so either the flag is seen here or the
                // handler finds the waiter in its line.
                let step: Step = state.withLock { state in
                    if Task.isCancelled { return .refuse }
                    guard state.lines[key] != nil else {
                        state.lines[key] = Line()
                        return .enter
                    }
                    state.lines[key]?.order.append(ticket)
                    state.lines[key]?.waiters[ticket] = continuation
                    return .wait
                }
                switch step {
                case .enter: continuation.resume(returning: true)
                case .refuse: continuation.resume(returning: false)
                case .wait: break
                }
            }
        } onCancel: {
            state.withLock { $0.lines[key]?.waiters.removeValue(forKey: ticket) }?.resume(returning: false)
        }
        guard isIn else { throw TernError(.cancelled, at: .storage) }
    }

    /// Lets the next one in.
    func leave(_ key: StoreKey) {
        let next = state.withLock { state -> Waiter? in
            let next = state.lines[key]?.next()
            if next == nil { state.lines[key] = nil }
            return next
        }
        next?.resume(returning: true)
    }

    /// How many wait under a key.
    func waiterCount(_ key: StoreKey) -> Int { state.withLock { $0.lines[key]?.waiters.count ?? 0 } }
}
