/// A request to the application's front-channel logout address, which the server loads in the user's browser (OpenID
/// Connect Front-Channel Logout 1.0 §2).
///
/// Anybody can send a browser there. With `iss` and `sid` only the session that the server means is ended; an application
/// that registers `frontchannel_logout_session_required` demands them.
public struct FrontChannelLogout: Sendable, Hashable {
    /// The session, by the `sid` of its ID tokens; `nil` where the server does not say, and the session of this browser is
    /// meant.
    public let sessionID: String?

    /// Reads a request.
    ///
    /// - Parameters:
    ///   - url: the address that was asked for.
    ///   - issuer: the server.
    ///   - requiresSession: whether `iss` and `sid` must be there.
    /// - Throws: ``TernError`` with `requestRejected` and the parameter: `iss` for another issuer; `iss` or `sid` when one is
    ///   missing beside the other, when both are and a session is required, or when one stands there twice.
    public init(request url: URI, issuer: String, requiresSession: Bool = false) throws(TernError) {
        func rejected(_ parameter: String, _ problem: String) -> TernError {
            TernError(.requestRejected(parameter: parameter, problem: problem), at: .logout)
        }
        guard let parameters = FormParameters(decoding: url.encodedQuery ?? "") else {
            throw rejected("query", "holds too many parameters")
        }
        func value(_ name: String) throws(TernError) -> String? {
            let values = parameters.values(of: name)
            guard values.count <= 1 else { throw rejected(name, "stands there twice") }
            return values.first.flatMap { $0.isEmpty ? nil : $0 }
        }
        let (received, session) = (try value("iss"), try value("sid"))
        if received == nil, session == nil {
            guard !requiresSession else { throw rejected("sid", "is missing") }
            sessionID = nil
            return
        }
        guard let received else { throw rejected("iss", "is missing") }
        guard received.hasSameOctets(as: issuer) else { throw rejected("iss", "is another issuer") }
        guard let session else { throw rejected("sid", "is missing") }
        sessionID = session
    }

    /// Whether the session of this browser is meant.
    ///
    /// - Parameter sessionID: the `sid` of the ID token with which the session began, where it had one.
    public func ends(sessionID: String?) -> Bool {
        guard let session = self.sessionID else { return true }
        return sessionID.map(session.hasSameOctets) ?? false
    }
}
