internal import TernCrypto

/// A value that comes once from anywhere and is awaited at most once. The first value wins; later ones are dropped.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case full(Value)
    }

    private let state = Locked(State.empty)

    /// Puts the value in.
    ///
    /// - Returns: whether it was the first.
    @discardableResult
    func resolve(_ value: Value) -> Bool {
        let (first, waiter): (Bool, CheckedContinuation<Value, Never>?) = state.withLock { state in
            switch state {
            case .empty:
                state = .full(value)
                return (true, nil)
            case .awaited(let waiter):
                state = .full(value)
                return (true, waiter)
            case .full: return (false, nil)
            }
        }
        waiter?.resume(returning: value)
        return first
    }

    /// Waits for the value, also when the calling task is cancelled.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let ready: Value? = state.withLock { state in
                if case .full(let value) = state { return value }
                state = .awaited(continuation)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    /// Waits for the value; when the calling task is cancelled first, the value is the given one.
    func value(whenCancelled: Value) async -> Value {
        await withTaskCancellationHandler {
            await value()
        } onCancel: {
            resolve(whenCancelled)
        }
    }
}
