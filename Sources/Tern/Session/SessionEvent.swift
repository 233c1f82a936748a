public import TernProtocol

/// What happens to a signed-in account. Events are announced after the change was stored.
public enum SessionEvent: Sendable, Hashable {
    /// A user signed in, for the first time or again.
    case signedIn
    /// The tokens were renewed.
    case refreshed
    /// Only a new sign-in helps; the reason.
    case signInNeeded(TernError)
    /// The account was signed out.
    case signedOut
}

/// What happened to which of a client's accounts.
public struct AccountEvent: Sendable, Hashable {
    /// The account.
    public let account: StoreKey
    /// What happened.
    public let event: SessionEvent

    /// Makes an event.
    public init(account: StoreKey, event: SessionEvent) {
        self.account = account
        self.event = event
    }
}
