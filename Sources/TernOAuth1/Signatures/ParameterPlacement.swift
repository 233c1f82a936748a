/// Where the `oauth_` parameters of a request stand (RFC 5849 §3.5).
public enum ParameterPlacement: String, Sendable, Hashable, CaseIterable, Codable {
    /// In the field `Authorization` (§3.5.1), as the RFC prefers.
    case header
    /// In the form of the body (§3.5.2).
    case form
    /// In the query of the address (§3.5.3), where logs and histories may keep it.
    case query
}
