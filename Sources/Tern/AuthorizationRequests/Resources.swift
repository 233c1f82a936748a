internal import TernJOSE
public import TernProtocol

extension [URI] {
    /// The addresses that a record holds as a list of texts.
    init(json: JSON?) { self = (json?.array ?? []).compactMap { $0.string.flatMap { URI($0) } } }
}

extension Credential {
    /// What the client may do, as the server granted it (RFC 9396 §7); none where it did not say.
    public var authorizationDetails: [AuthorizationDetail] {
        AuthorizationDetail.all(in: additionalMembers["authorization_details"])
    }
}
