internal import Tern

/// What a look at the store shows, and what has happened since the look before.
struct StoreLook: Sendable {
    /// An event with what the record says.
    struct Change: Sendable, Equatable {
        enum Event: String, Sendable {
            case signedIn = "signed_in"
            case refreshed
            case signInNeeded = "sign_in_needed"
            case signedOut = "signed_out"
        }

        let account: StoreKey
        let event: Event
        var expiration: NumericDate?
    }

    private struct State: Sendable {
        let record: StoredRecord
        let credential: Credential
        let isDead: Bool
    }

    private var states: [StoreKey: State] = [:]
    /// Only this account is looked at, where one is named.
    let only: StoreKey?

    init(only: StoreKey?) { self.only = only }

    /// The accounts that were there at the last look.
    var accounts: [StoreKey] { states.keys.sorted() }

    /// Looks again. What cannot be read now counts as it was.
    ///
    /// - Parameter isFirst: whether nothing was known before, so that being there is no event.
    mutating func changes(
        in store: any CredentialStore, at now: NumericDate, isFirst: Bool
    ) async throws(TernError) -> [Change] {
        let keys = try await store.accounts().filter { (only ?? $0) == $0 }
        var found: [Change] = []
        for key in states.keys.sorted() where !keys.contains(key) {
            states[key] = nil
            found.append(Change(account: key, event: .signedOut))
        }
        for key in keys {
            guard let record = try? await store.load(key) else { continue }
            let old = states[key]
            let credential: Credential
            if let old, old.record == record {
                credential = old.credential
            } else if let read = try? Credential(record) {
                credential = read
            } else {
                continue
            }
            let end = credential.expiration
            let isDead =
                credential.refreshToken == nil && (end.map { $0 <= now } ?? (old?.credential.refreshToken != nil))
            states[key] = State(record: record, credential: credential, isDead: isDead)
            let event: Change.Event? =
                if let old {
                    Self.event(old, credential, isDead)
                } else if isDead {
                    .signInNeeded
                } else {
                    isFirst ? nil : .signedIn
                }
            if let event { found.append(Change(account: key, event: event, expiration: end)) }
        }
        return found
    }

    private static func event(_ old: State, _ new: Credential, _ isDead: Bool) -> Change.Event? {
        if isDead { return old.isDead ? nil : .signInNeeded }
        guard new.accessToken != old.credential.accessToken else { return nil }
        // A renewal keeps the nonce and the user; a sign-in brings a nonce of its own.
        let isSameSignIn = new.nonce == old.credential.nonce && new.subject == old.credential.subject
        return isSameSignIn && !old.isDead ? .refreshed : .signedIn
    }
}
