public import TernCrypto
public import TernJOSE
public import TernProtocol

/// What a server posts to a client when a user's session is over (OpenID Connect Back-Channel Logout 1.0 §2.5), as a value:
/// the test hands it to the application.
public struct OutgoingLogout: Sendable, Hashable {
    /// The client that it is for.
    public let clientID: String
    /// The client's address for it, where one is registered.
    public let address: URI?
    /// The logout token.
    public let token: EncodedLogoutToken

    /// The request to the client's address; `nil` where none is registered.
    public var request: HTTPRequest? {
        address.map { HTTPRequest(.post, $0, body: .form(["logout_token": token.exposedText])) }
    }
}

/// What the client of a front-channel logout gets: the address that its frame is loaded from (OpenID Connect Front-Channel
/// Logout 1.0 §2).
public struct OutgoingFrontChannelLogout: Sendable, Hashable {
    /// The client that it is for.
    public let clientID: String
    /// The address, with `iss` and `sid` where the client is registered for them.
    public let address: URI
}

extension AuthorizationServer {
    /// Makes the logout tokens for every client that a user is signed in to: one for each session.
    ///
    /// - Parameters:
    ///   - subject: the user.
    ///   - sessionID: the session, by its `sid`; every one of the user's where `nil`.
    ///   - change: what is wrong with the tokens on purpose.
    ///   - now: the time.
    /// - Returns: the tokens, ordered by client and session.
    public mutating func logoutTokens(
        forUser subject: String, sessionID: String? = nil, changing change: TokenChange? = nil, at now: NumericDate
    ) -> [OutgoingLogout] {
        var logouts: [OutgoingLogout] = []
        for (clientID, session) in sessions(of: subject, sessionID) {
            guard let client = client(clientID) else { continue }
            let claims: JSONObject = [
                "iss": .string(issuer.text), "sub": .string(subject), "aud": .string(clientID), "iat": .date(now),
                "exp": .date(now + Self.logoutTokenLifetime), "jti": .string(token("jti")),
                "events": .object([LogoutToken.event: [:]]), "sid": .string(session),
            ]
            let algorithm = client.idTokenAlgorithm.isAsymmetric ? client.idTokenAlgorithm : .rs256
            guard var token = try? sign(claims, algorithm, type: "logout+jwt") else { continue }
            if let change { token = change.applied(to: token, keys: &keys, secret: nil) }
            logouts.append(
                OutgoingLogout(
                    clientID: clientID, address: client.backChannelLogoutURI.flatMap { URI($0) },
                    token: EncodedLogoutToken(token)))
        }
        return logouts
    }

    /// The addresses of the frames that end the sessions of a user's clients, for clients with a
    /// ``TestClient/frontChannelLogoutURI``.
    ///
    /// - Parameters:
    ///   - subject: the user.
    ///   - sessionID: the session, by its `sid`; every one of the user's where `nil`.
    public func frontChannelLogouts(
        forUser subject: String, sessionID: String? = nil
    ) -> [OutgoingFrontChannelLogout] {
        sessions(of: subject, sessionID).compactMap { clientID, session in
            guard let text = client(clientID)?.frontChannelLogoutURI, let base = URI(text),
                let address = URI(base.appendingQuery(["iss": issuer.text, "sid": session]))
            else { return nil }
            return OutgoingFrontChannelLogout(clientID: clientID, address: address)
        }
    }

    private static let logoutTokenLifetime = Duration.seconds(120)

    /// The clients and sessions of a user that still hold a grant.
    private func sessions(of subject: String, _ sessionID: String?) -> [(clientID: String, sessionID: String)] {
        struct Pair: Hashable {
            let clientID: String
            let sessionID: String
        }
        let grants = state.grants.values.filter { grant in
            grant.subject == subject && !grant.isRevoked && (sessionID == nil || grant.sessionID == sessionID)
        }
        return Set(grants.map { Pair(clientID: $0.clientID, sessionID: $0.sessionID) })
            .sorted { ($0.clientID, $0.sessionID) < ($1.clientID, $1.sessionID) }
            .map { ($0.clientID, $0.sessionID) }
    }
}
