internal import TernCrypto
internal import TernJOSE
public import TernProtocol

/// The sign-ins of a store that have begun and are not over.
///
/// They share one record, which is read and written under the store's exclusive access: so one callback is taken once
/// across processes, and neither beginning nor finishing has to list a store with many accounts. Each is found by the
/// digest of its state. One that has used its callback leaves an entry without secrets until its time is over: another
/// process that gets the same callback, or waits for the end, learns from it what happened.
struct PendingSignIns: Sendable {
    let store: any CredentialStore

    /// The most that a store keeps; the used ones make room first, then the oldest.
    static let maximumCount = 16
    static let key = StoreKey(reserved: "pending-sign-ins")

    /// How far a sign-in has come.
    enum Phase: Sendable {
        /// It waits for its callback.
        case waiting(SignIn)
        /// Its code is being exchanged.
        case taken
        /// It was finished.
        case done
        /// It failed.
        case failed(ReportedFailure)
    }

    /// Keeps a sign-in, and lets those go whose time is over.
    ///
    /// - Throws: what the store throws.
    func add(_ signIn: SignIn, now: NumericDate) async throws(TernError) {
        try await change { (entries) throws(TernError) in
            entries.removeAll { Self.isOver($0, at: now) }
            while entries.count >= Self.maximumCount {
                entries.remove(at: entries.firstIndex { !Self.isWaiting($0) } ?? 0)
            }
            entries.append(Self.entry(signIn))
        }
    }

    /// The sign-in that waits for an address, also when its time is over.
    ///
    /// - Parameter isOwn: which sign-ins count.
    /// - Throws: `strayCallback` when none fits; what the store throws.
    func signIn(
        answeredBy callback: URI, where isOwn: (SignIn) -> Bool = { _ in true }
    ) async throws(TernError) -> SignIn {
        let entries = try await entries()
        var reason = StrayCallback.nothingPending
        for entry in entries {
            guard case .waiting(let signIn) = Self.phase(of: entry), isOwn(signIn) else { continue }
            switch signIn.judge(callback, delivery: .open) {
            case .success, .signedOut, .failure: return signIn
            case .refused: reason = callback.states.isEmpty ? .missingState : .unknownState
            case .notMine: break
            }
        }
        let ids = callback.states.map(Self.id)
        let wasUsed = entries.contains { entry in
            !Self.isWaiting(entry) && entry["id"]?.string.map(ids.contains) == true
        }
        throw TernError(.strayCallback(wasUsed ? .alreadyUsed : reason), at: .authorizationResponse)
    }

    /// The sign-ins that wait for their callbacks, the oldest first, also those whose time is over.
    func waiting() async throws(TernError) -> [SignIn] {
        try await entries().compactMap { entry in
            if case .waiting(let signIn) = Self.phase(of: entry) { signIn } else { nil }
        }
    }

    /// How far a sign-in has come; `nil` when it is not there any more.
    func phase(of signIn: SignIn) async throws(TernError) -> Phase? {
        try await entries().first { Self.isEntry($0, of: signIn) }.flatMap(Self.phase)
    }

    /// Uses a sign-in up: nobody else can send its code from now on.
    ///
    /// - Throws: `strayCallback` when somebody has done so before, or it is not there any more; what the store throws.
    func take(_ signIn: SignIn) async throws(TernError) {
        try await change { (entries) throws(TernError) in
            guard let index = entries.firstIndex(where: { Self.isEntry($0, of: signIn) }) else {
                throw TernError(.strayCallback(.unknownState), at: .authorizationResponse)
            }
            guard Self.isWaiting(entries[index]) else {
                throw TernError(.strayCallback(.alreadyUsed), at: .authorizationResponse)
            }
            entries[index]["phase"] = "taken"
            entries[index]["sign_in"] = nil
        }
    }

    /// Gives a sign-in back whose code was not sent after all.
    func giveBack(_ signIn: SignIn) async {
        await finally { entries in
            guard let index = entries.firstIndex(where: { Self.isEntry($0, of: signIn) }) else { return }
            entries[index] = Self.entry(signIn)
        }
    }

    /// Lets a sign-in go that is over, and leaves word of it.
    ///
    /// - Parameter wasTaken: whether the caller has taken it; otherwise only one that still waits is let go.
    func end(_ signIn: SignIn, _ error: TernError?, wasTaken: Bool) async {
        await finally { entries in
            guard let index = entries.firstIndex(where: { Self.isEntry($0, of: signIn) }) else { return }
            guard entries[index]["phase"]?.string == (wasTaken ? "taken" : "waiting") else { return }
            entries[index]["phase"] = error == nil ? "done" : "failed"
            entries[index]["failure"] = error.map { .object(ReportedFailure($0).json) }
            entries[index]["sign_in"] = nil
        }
    }

    /// Forgets a sign-in, whatever became of it.
    func remove(_ signIn: SignIn) async {
        await finally { entries in entries.removeAll { Self.isEntry($0, of: signIn) } }
    }

    /// Tidies up, also for a task that was cancelled. A store that cannot be written now tidies up at the next sign-in:
    /// what stays behind expires.
    private func finally(_ body: @escaping @Sendable (inout [JSONObject]) -> Void) async {
        await Task { try? await change { (entries) throws(TernError) in body(&entries) } }.value
    }

    private func change(_ body: @Sendable (inout [JSONObject]) throws(TernError) -> Void) async throws(TernError) {
        try await store.withExclusiveAccess(to: Self.key) { () async throws(TernError) in
            let before = try await entries()
            var entries = before
            try body(&entries)
            guard entries != before else { return }
            guard !entries.isEmpty else { return try await store.delete(Self.key) }
            let record = JSON.object(["sign_ins": .array(entries.map(JSON.object))])
            try await store.save(StoredRecord(record.serialized()), for: Self.key)
        }
    }

    /// The entries as they are, also those that a newer version of the library wrote. A damaged record holds none: the
    /// sign-ins in it are lost, and it must not keep others from beginning.
    private func entries() async throws(TernError) -> [JSONObject] {
        let record: StoredRecord?
        do throws(TernError) {
            record = try await store.load(Self.key)
        } catch {
            guard case .corruptedRecord = error.reason else { throw error }
            record = nil
        }
        let json = try? record.map { try JSON(parsing: $0.exposedBytes) }
        return (json?["sign_ins"]?.array ?? []).compactMap(\.object)
    }

    private static func entry(_ signIn: SignIn) -> JSONObject {
        var entry: JSONObject = ["id": .string(id(signIn.state)), "phase": "waiting", "sign_in": .object(signIn.json)]
        entry["expires_at"] = JSONNumber(signIn.expiresAt.secondsSince1970).map(JSON.number)
        return entry
    }

    private static func isWaiting(_ entry: JSONObject) -> Bool { entry["phase"]?.string == "waiting" }

    private static func phase(of entry: JSONObject) -> Phase? {
        switch entry["phase"]?.string {
        case "waiting": entry["sign_in"]?.object.flatMap { try? SignIn($0) }.map(Phase.waiting)
        case "taken": .taken
        case "done": .done
        case "failed": entry["failure"]?.object.flatMap(ReportedFailure.init).map(Phase.failed)
        default: nil
        }
    }

    private static func isOver(_ entry: JSONObject, at now: NumericDate) -> Bool {
        guard let end = entry["expires_at"]?.double else { return true }
        return now.secondsSince1970 > end
    }

    private static func id(_ state: String) -> String {
        Base64URL.encode(HashFunction.sha256.digest(Array(state.utf8)))
    }

    private static func isEntry(_ entry: JSONObject, of signIn: SignIn) -> Bool {
        entry["id"]?.string == id(signIn.state)
    }
}

extension CredentialStore {
    /// The sign-ins that wait for their callbacks, the oldest first, so that a process which has just started can see what
    /// each belongs to (``SignIn/account``, ``SignIn/attachment``) before it makes a client.
    ///
    /// - Throws: `storeUnavailable`.
    public func pendingSignIns() async throws(TernError) -> [SignIn] {
        try await PendingSignIns(store: self).waiting()
    }

    /// The pending sign-in that an address answers, whichever client it belongs to.
    ///
    /// - Throws: `strayCallback` when none fits; `storeUnavailable`.
    public func pendingSignIn(answeredBy callback: URI) async throws(TernError) -> SignIn {
        try await PendingSignIns(store: self).signIn(answeredBy: callback)
    }

    /// Gives up a pending sign-in that cannot be finished, and tells a process that waits for its end why. One that another
    /// process finishes just now, or that is over, stays as it is.
    ///
    /// - Parameters:
    ///   - signIn: the sign-in.
    ///   - error: why it cannot be finished.
    public func abandon(_ signIn: SignIn, because error: TernError) async {
        await PendingSignIns(store: self).end(signIn, error, wasTaken: false)
    }
}
