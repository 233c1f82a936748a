internal import TernCrypto
internal import TernProtocol

/// Records events as a ``Trace``. Give one to ``Environment/events`` before the client is made, and take ``trace(title:)`` at
/// any moment.
///
/// It is for one round trip, or a few: beyond ``maximumCount`` entries it records nothing more.
public final class TraceRecorder: EventSink {
    private struct State {
        var start: NumericDate?
        var entries: [Trace.Entry] = []
    }

    /// The most entries that are recorded.
    public static let maximumCount = 1_000

    private let state = Locked(State())
    private let tags: SecretTags
    private let clock: any WallClock

    /// Begins with an empty trace and a new key for the tags of secrets.
    public init(clock: any WallClock = SystemWallClock()) {
        self.clock = clock
        tags = SecretTags()
    }

    /// What was recorded until now.
    ///
    /// - Parameter title: what it is of, in a few words.
    public func trace(title: String) -> Trace {
        state.withLock { Trace(title: title, startedAt: $0.start ?? clock.now, entries: $0.entries) }
    }

    /// Records an event.
    public func record(_ event: Event) {
        let now = clock.now
        state.withLock { state in
            let start = state.start ?? now
            state.start = start
            guard state.entries.count < Self.maximumCount else { return }
            let offset = max(.zero, Duration.seconds(now.secondsSince1970 - start.secondsSince1970))
            add(event, at: offset, to: &state.entries)
        }
    }

    private func add(_ event: Event, at offset: Duration, to entries: inout [Trace.Entry]) {
        func note(_ title: String, _ facts: [Trace.Fact] = []) {
            entries.append(
                Trace.Entry(at: offset, from: .app, to: .app, title, facts: facts, checks: event.list(.checks)))
        }
        switch event.name {
        case .exchange: entries.append(exchange(event, at: offset))
        case .signInBegan:
            note(
                "A sign-in begins, with a new verifier, state and nonce",
                [.account, .redirectURI, .scope].compactMap { name in
                    event.text(name).map { Trace.Fact(name.rawValue, $0) }
                })
        case .pageOpened:
            entries.append(
                Trace.Entry(
                    at: offset, from: .app, to: .browser, "Open the page at \(event.text(.path) ?? "")",
                    facts: facts(event.parameters(.request))))
            entries.append(
                Trace.Entry(
                    at: offset, from: .user, to: .browser, "Log in and allow, which the application cannot see"))
        case .callbackReceived:
            entries.append(
                Trace.Entry(
                    at: offset, from: .browser, to: .app, "The callback",
                    facts: facts(event.parameters(.request))))
        case .callbackAccepted:
            // The metadata may be fetched between the two.
            if let place = entries.lastIndex(where: { $0.from == .browser && $0.to == .app }) {
                entries[place].checks += event.list(.checks)
            }
        case .idTokenAccepted: note("The ID token is good")
        case .signedIn: note("The credential is stored: \(event.text(.account) ?? "") is signed in")
        case .refreshed: note("The new tokens are stored")
        case .signedOut: note("The credential is deleted")
        case .signInFailed, .signInNeeded: fail(event, at: offset, &entries)
        }
    }

    /// Marks the arrow at which it failed: the last one, where it is of the same step.
    private func fail(_ event: Event, at offset: Duration, _ entries: inout [Trace.Entry]) {
        guard let failure = event.failure else { return }
        if let last = entries.indices.last, entries[last].from != entries[last].to, entries[last].from != .user {
            entries[last].failure = Trace.Failure(failure)
        } else {
            var entry = Trace.Entry(
                at: offset, from: .app, to: .app, "It fails while \(failure.step.phrase)")
            entry.failure = Trace.Failure(failure)
            entries.append(entry)
        }
    }

    private func exchange(_ event: Event, at end: Duration) -> Trace.Entry {
        let isOfAPI = event.text(.step) == Step.resourceRequest.rawValue
        var duration = Duration.zero
        if case .seconds(let seconds) = event[.seconds] { duration = .seconds(seconds) }
        var entry = Trace.Entry(
            at: max(.zero, end - duration), from: .app, to: isOfAPI ? .api : .authorizationServer,
            "\(event.text(.method) ?? "") \(event.text(.path) ?? "")", origin: event.text(.origin),
            facts: facts(event.parameters(.request)))
        entry.duration = duration
        if case .number(let status) = event[.status] { entry.status = status }
        if case .number(let count) = event[.bytes] { entry.byteCount = count }
        entry.facts += facts(event.parameters(.response)).map { Trace.Fact("\u{2190} \($0.name)", $0.value) }
        if let failure = event.failure { entry.failure = Trace.Failure(failure) }
        return entry
    }

    private func facts(_ fields: [Event.Field]) -> [Trace.Fact] {
        fields.map { Trace.Fact($0.name, tags.words($0)) }
    }
}
