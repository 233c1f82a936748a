internal import TernJOSE
internal import TernProtocol

extension Credential {
    /// Where the next access token comes from.
    public enum RenewalMethod: Sendable, Hashable {
        /// From the refresh token, where there is one.
        case refreshToken
        /// From the same request made again: the client's own credentials are the grant (RFC 6749 §4.4).
        case clientCredentials(RequestedAccess)
        /// From a new assertion about this subject (RFC 7523 §2.1). It takes a session that knows an ``/TernProtocol/AssertionIssuer``.
        case assertion(RequestedAccess, subject: String)
    }

    /// Whether there is a way to another access token without the user.
    public var isRenewable: Bool { refreshToken != nil || renewalMethod != .refreshToken }
}

extension Credential.RenewalMethod {
    /// Reads what ``json`` wrote. A method that only a later version knows counts as none.
    init(_ json: JSONObject?) {
        guard let json else {
            self = .refreshToken
            return
        }
        switch json["grant"]?.string {
        case Self.clientCredentialsName: self = .clientCredentials(RequestedAccess(json))
        case Self.assertionName: self = .assertion(RequestedAccess(json), subject: json["sub"]?.string ?? "")
        default: self = .refreshToken
        }
    }

    /// What the record holds; `nil` for the refresh token, which needs no word.
    var json: JSONObject? {
        switch self {
        case .refreshToken: return nil
        case .clientCredentials(let access):
            var json = access.json
            json["grant"] = .string(Self.clientCredentialsName)
            return json
        case .assertion(let access, let subject):
            var json = access.json
            json["grant"] = .string(Self.assertionName)
            json["sub"] = .string(subject)
            return json
        }
    }

    private static let clientCredentialsName = "client_credentials"
    private static let assertionName = "jwt_bearer"
}
