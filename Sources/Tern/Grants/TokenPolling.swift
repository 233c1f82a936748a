internal import TernProtocol

/// Asks for tokens again and again until the user has answered elsewhere (RFC 8628 §3.5, OpenID Connect CIBA Core 1.0
/// §10.1).
///
/// It waits before each question, longer for good after each `slow_down`, and for a while after trouble that passes. The
/// end counts here even where the server goes on with `authorization_pending` for ever.
struct TokenPolling: Sendable {
    let clock: any WallClock
    /// How long to wait before each question.
    var interval: Duration
    let end: NumericDate
    /// What the end means.
    let expired: TernError

    /// How much longer the interval becomes with each `slow_down`.
    private static let slowDown = Duration.seconds(5)
    /// The longest wait after trouble that passes, unless the interval is longer or the server asks for more.
    private static let longestBackOff = Duration.seconds(60)

    /// - Parameters:
    ///   - asksAtOnce: whether the first question is asked without waiting: somebody said that the answer is there.
    ///   - ask: asks once.
    /// - Throws: what `ask` throws, unless it says to ask again; ``expired``; `cancelled`.
    func tokens(
        asksAtOnce: Bool = false, _ ask: () async throws(TernError) -> TokenResponse
    ) async throws(TernError) -> TokenResponse {
        var interval = interval
        var wait = asksAtOnce ? .zero : interval
        var failures = 0
        while true {
            try await pause(wait)
            do throws(TernError) {
                return try await ask()
            } catch {
                switch error.reason {
                case .serverError(let words) where words.code == "authorization_pending":
                    interval = max(interval, words.interval ?? .zero)
                    failures = 0
                    wait = interval
                case .serverError(let words) where words.code == "slow_down":
                    interval = max(interval + Self.slowDown, words.interval ?? .zero)
                    failures = 0
                    wait = interval
                case .serverError(let words) where words.code == "expired_token": throw expired
                case .transient(_, let asked):
                    failures += 1
                    wait = max(backOff(interval, failures), asked ?? .zero)
                case .network, .outcomeUnknown:
                    failures += 1
                    wait = backOff(interval, failures)
                default: throw error
                }
            }
        }
    }

    private func pause(_ wait: Duration) async throws(TernError) {
        let left = end.duration(since: clock.now)
        do { try await clock.sleep(for: min(wait, max(left, .zero))) } catch {
            throw TernError(.cancelled, at: expired.step)
        }
        guard wait < left, !Task.isCancelled else {
            throw Task.isCancelled ? TernError(.cancelled, at: expired.step) : expired
        }
    }

    /// Twice as long with each failure (RFC 8628 §3.5).
    private func backOff(_ interval: Duration, _ failures: Int) -> Duration {
        var wait = interval
        for _ in 0..<min(failures, 16) where wait < Self.longestBackOff { wait = wait * 2 }
        return max(interval, min(wait, Self.longestBackOff))
    }
}
