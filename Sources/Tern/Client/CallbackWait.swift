internal import TernCrypto
internal import TernProtocol

/// Waits for the callback of one sign-in or logout, for a limited time, and remembers what was refused meanwhile.
struct CallbackWait: Sendable {
    let visit: any UserAgentVisit
    let address: URI
    let timeLimit: Duration
    let clock: any WallClock
    let judge: CallbackJudge

    /// The most refusals remembered.
    private static let maximumRefusals = 8

    func callback() async throws(TernError) -> URI {
        let refused = Locked<[String]>([])
        let hasEnded = Locked(false)
        let outcome = await withTaskGroup(of: Result<URI, TernError>?.self) { group in
            group.addTask {
                do throws(TernError) {
                    return .success(
                        try await visit.open(address) { [judge] address in
                            let verdict = judge(address)
                            switch verdict {
                            case .refused(let code):
                                refused.withLock { if $0.count < Self.maximumRefusals { $0.append(code) } }
                            case .success, .signedOut, .failure:
                                // Systems report a callback twice; the answer was taken the first time.
                                let isRepeat = hasEnded.withLock { hasEnded in
                                    defer { hasEnded = true }
                                    return hasEnded
                                }
                                if isRepeat { return .notMine }
                            case .notMine: break
                            }
                            return verdict
                        })
                } catch {
                    return .failure(error)
                }
            }
            group.addTask {
                do { try await clock.sleep(for: timeLimit) } catch { return nil }
                return .failure(TernError(.flowExpired(refused: refused.withLock { $0 }), at: .userAgent))
            }
            var outcome: Result<URI, TernError>?
            while outcome == nil, let next = await group.next() { outcome = next }
            group.cancelAll()
            await visit.dismiss()
            return outcome
        }
        guard let outcome, !Task.isCancelled else { throw TernError(.cancelled, at: .userAgent) }
        return try outcome.get()
    }
}
