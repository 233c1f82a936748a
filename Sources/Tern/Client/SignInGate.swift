internal import TernCrypto
internal import TernProtocol

/// Lets one sign-in of a client run at a time.
final class SignInGate: Sendable {
    typealias Outcome = Result<Credential, TernError>

    private struct State {
        var running: (id: UInt64, account: StoreKey, task: Task<Outcome, Never>)?
        var nextID: UInt64 = 0
    }

    private let state = Locked(State())

    /// Runs a sign-in when no other runs, or after the other was cancelled and has ended.
    ///
    /// - Throws: what the sign-in throws; `loginInProgress`.
    func run(
        _ account: StoreKey, whenBusy: SignInOptions.WhenBusy, _ body: @escaping @Sendable () async -> Outcome
    ) async throws(TernError) -> Credential {
        while true {
            enum Entry { case mine(UInt64, Task<Outcome, Never>), other(Task<Outcome, Never>) }
            let entry: Entry = state.withLock { state in
                if let running = state.running { return .other(running.task) }
                state.nextID += 1
                let id = state.nextID
                let task = Task { [self] in
                    let outcome = await body()
                    leave(id)
                    return outcome
                }
                state.running = (id, account, task)
                return .mine(id, task)
            }
            switch entry {
            case .mine(_, let task):
                return try await withTaskCancellationHandler {
                    await task.value
                } onCancel: {
                    task.cancel()
                }.get()
            case .other(let task):
                guard whenBusy == .takeOver else { throw TernError(.loginInProgress, at: .userAgent) }
                task.cancel()
                _ = await task.value
                guard !Task.isCancelled else { throw TernError(.cancelled, at: .userAgent) }
            }
        }
    }

    /// Cancels the sign-in that runs, if one does.
    func cancel() { state.withLock { $0.running?.task }?.cancel() }

    /// The sign-in to an account that runs, if one does.
    func running(_ account: StoreKey) -> Task<Outcome, Never>? {
        state.withLock { $0.running.flatMap { $0.account == account ? $0.task : nil } }
    }

    private func leave(_ id: UInt64) {
        state.withLock { state in
            if state.running?.id == id { state.running = nil }
        }
    }
}
