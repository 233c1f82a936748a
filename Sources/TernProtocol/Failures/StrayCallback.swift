/// Why no pending sign-in fits an address that arrived. It names no part of the address, so it may stand in logs.
public enum StrayCallback: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Its scheme, host or path is no redirect URI of this application.
    case foreignAddress = "foreign_address"
    /// It came to a redirect URI, and no sign-in is pending.
    case nothingPending = "nothing_pending"
    /// It came to a redirect URI without a state, so it cannot be told which sign-in it would answer.
    case missingState = "missing_state"
    /// It came to a redirect URI, and its state is that of no pending sign-in.
    case unknownState = "unknown_state"
    /// Its sign-in has used its callback already, in this process or another one.
    case alreadyUsed = "already_used"

    /// The reason in words that fit behind "because".
    public var description: String {
        switch self {
        case .foreignAddress: "the address is no redirect URI of this application"
        case .nothingPending: "no sign-in is pending"
        case .missingState: "the address has no state"
        case .unknownState: "its state is that of no pending sign-in"
        case .alreadyUsed: "its sign-in has used its callback already"
        }
    }
}
