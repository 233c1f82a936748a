internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// A document of the server's that changes seldom: its metadata or its keys.
///
/// It is fetched once for all who wait, kept as long as the answer says (within bounds), used a while longer while a new
/// one is fetched in the background, and kept when that fails.
final class CachedDocument<Value: Sendable>: Sendable {
    typealias Fetch = @Sendable () async throws(TernError) -> (answer: Value, fields: HTTPFields)

    /// How long a document is fresh where the answer does not say so.
    static var standardLifetime: Duration { .seconds(600) }
    /// The shortest and the longest time that a document is fresh, whatever the answer says.
    static var lifetimeBounds: ClosedRange<Duration> { .seconds(60)...(.seconds(86_400)) }
    /// How long after that it is still used while a new one is fetched.
    static var staleness: Duration { .seconds(86_400) }
    /// How often a fetch can be forced.
    static var forcedFetchInterval: Duration { .seconds(60) }

    private struct Entry {
        let value: Value
        let freshUntil: NumericDate
    }

    private struct State {
        var entry: Entry?
        var lastForcedFetch: NumericDate?
    }

    private let state = Locked(State())
    private let work = SharedWork<Value>()
    private let clock: any WallClock
    private let step: Step
    private let fetch: Fetch

    init(clock: any WallClock, step: Step, fetch: @escaping Fetch) {
        self.clock = clock
        self.step = step
        self.fetch = fetch
    }

    /// The document as it was fetched last, however old; `nil` before the first fetch.
    var known: Value? { state.withLock { $0.entry?.value } }

    /// The document, from the cache where that is possible.
    func value() async throws(TernError) -> Value {
        guard let entry = state.withLock({ $0.entry }) else { return try await fetchUnlessFresh() }
        let age = clock.now.secondsSince1970 - entry.freshUntil.secondsSince1970
        if age >= 0 {
            if age > Double(Self.staleness.components.seconds) {
                do { return try await fetchUnlessFresh() } catch  where error.reason != .cancelled {
                    return entry.value
                }
            }
            prefetch()
        }
        return entry.value
    }

    /// Starts a fetch unless a fresh document is there, and does not wait.
    func prefetch() {
        if freshValue == nil { work.start { [self] () async throws(TernError) in try await fetchAndKeep() } }
    }

    /// A document newer than the given moment's, for a key that is not in the known one; at most one fetch a minute.
    ///
    /// - Returns: `nil` when the last forced fetch was less than a minute ago.
    func forceFetch() async throws(TernError) -> Value? {
        let isAllowed = state.withLock { state in
            let now = clock.now
            if let last = state.lastForcedFetch, now < last + Self.forcedFetchInterval, now >= last { return false }
            state.lastForcedFetch = now
            return true
        }
        guard isAllowed else { return nil }
        return try await work.value(at: step) { [self] () async throws(TernError) in try await fetchAndKeep() }
    }

    /// Whether a document is here that needs no fetch before it is used.
    var isAtHand: Bool {
        state.withLock { state in
            guard let entry = state.entry else { return false }
            return clock.now <= entry.freshUntil + Self.staleness
        }
    }

    private var freshValue: Value? {
        state.withLock { state in
            state.entry.flatMap { clock.now < $0.freshUntil ? $0.value : nil }
        }
    }

    /// Looks again when its turn has come: the fetch of another caller may have ended since this one looked.
    private func fetchUnlessFresh() async throws(TernError) -> Value {
        try await work.value(at: step) { [self] () async throws(TernError) in
            if let value = freshValue { return value }
            return try await fetchAndKeep()
        }
    }

    private func fetchAndKeep() async throws(TernError) -> Value {
        let (value, fields) = try await fetch()
        let control = CacheControl(fields)
        let wanted = control.mustRevalidate ? .zero : control.maxAge ?? Self.standardLifetime
        let lifetime = min(max(wanted, Self.lifetimeBounds.lowerBound), Self.lifetimeBounds.upperBound)
        state.withLock { $0.entry = Entry(value: value, freshUntil: clock.now + lifetime) }
        return value
    }
}
