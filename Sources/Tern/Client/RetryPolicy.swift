public import TernCrypto
public import TernProtocol

/// How often a renewal is tried again when the trouble may pass: no connection, no answer, 408, 429, 5xx.
///
/// Pauses grow twofold from one attempt to the next; each is cut by a random part of up to a half, so that many clients
/// that failed at one moment do not come back at one moment. A wait that the server asks for (`Retry-After`, RFC 9110
/// §10.2.3) replaces the pause; one that is longer than ``longestPause`` is not waited for, and nobody asks the server
/// before it is over.
public struct RetryPolicy: Sendable, Hashable {
    /// The most attempts, the first one included; at least one.
    public var maximumAttempts: Int
    /// The pause before the second attempt.
    public var firstPause: Duration
    /// The longest pause.
    public var longestPause: Duration
    /// No attempt begins later than this after the first one.
    public var timeLimit: Duration

    /// Three attempts within 30 seconds, the first pause half a second, none above 8 seconds.
    public static let standard = RetryPolicy()

    /// One attempt.
    public static let never = RetryPolicy(maximumAttempts: 1)

    /// Makes a policy.
    public init(
        maximumAttempts: Int = 3, firstPause: Duration = .milliseconds(500), longestPause: Duration = .seconds(8),
        timeLimit: Duration = .seconds(30)
    ) {
        self.maximumAttempts = maximumAttempts
        self.firstPause = firstPause
        self.longestPause = longestPause
        self.timeLimit = timeLimit
    }

    /// The pause after a number of failed attempts; `nil` where no further one should be made.
    ///
    /// - Parameters:
    ///   - attempts: how many have failed.
    ///   - error: how the last one failed.
    ///   - elapsed: the time since the first one began.
    ///   - random: what the pause is cut by.
    public func pause(
        after attempts: Int, _ error: TernError, elapsed: Duration, random: any RandomSource
    ) -> Duration? {
        guard attempts < maximumAttempts, error.isPassing else { return nil }
        let pause: Duration
        if case .transient(_, let wait?) = error.reason {
            guard wait <= longestPause else { return nil }
            pause = wait
        } else {
            pause = backOff(attempts, random: random)
        }
        return elapsed + pause <= timeLimit ? pause : nil
    }

    /// The pause after a number of failures, whatever they were.
    func backOff(_ failures: Int, random: any RandomSource) -> Duration {
        var pause = firstPause
        for _ in 1..<max(1, min(failures, 32)) where pause < longestPause { pause = pause * 2 }
        let cut = Double(random.bytes(1).first ?? 0) / 512
        return min(pause, longestPause) * (1 - cut)
    }
}
