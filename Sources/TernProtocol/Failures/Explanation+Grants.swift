extension TernError {
    /// The codes of the grants that have no callback (RFC 8628 §3.5, RFC 8693 §2.2.2, OpenID Connect CIBA Core 1.0 §13).
    static func explainGrant(_ error: ServerError) -> Explanation? {
        let said = "The server answered \(words(error))."
        return switch error.code {
        case "unsupported_grant_type":
            Explanation(
                said, causes: ["the server does not offer this grant, or not to this client"],
                todo: ["compare grant_types_supported in its metadata, and the client's registration"])
        case "invalid_target":
            Explanation(
                said, causes: ["the resource or audience is not known to the server, or not allowed for this client"])
        case "unknown_user_id":
            Explanation(said, causes: ["the hint names nobody whom the server knows"])
        case "expired_login_hint_token":
            Explanation(said, causes: ["the token of the hint is too old"], todo: ["get a new one"])
        case "missing_user_code", "invalid_user_code":
            Explanation(
                said, causes: ["the server wants a code that only the user knows"], todo: ["ask the user for it"])
        case "invalid_binding_message":
            Explanation(
                said, causes: ["the binding message is too long or has characters that the device cannot show"],
                todo: ["use a short one of plain letters and digits"])
        case "transaction_failed":
            Explanation(said, causes: ["the user could not be asked"], todo: ["try again"])
        default: nil
        }
    }
}
