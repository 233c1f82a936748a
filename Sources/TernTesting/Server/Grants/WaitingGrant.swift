internal import TernJOSE
internal import TernProtocol

/// A grant whose user is asked elsewhere, while the client asks for the tokens.
struct WaitingGrant: Sendable {
    enum Answer: Sendable {
        case allowed(subject: String, authenticatedAt: NumericDate, sessionID: String)
        case denied
    }

    let clientID: String
    let scopes: [String]
    let authenticationContext: String?
    let expiresAt: NumericDate
    var interval: Duration
    var answer: Answer?
    var lastQuestion: NumericDate?
    var isUsed = false

    init(
        clientID: String, scopes: [String], authenticationContext: String?, expiresAt: NumericDate, interval: Duration
    ) {
        self.clientID = clientID
        self.scopes = scopes
        self.authenticationContext = authenticationContext
        self.expiresAt = expiresAt
        self.interval = interval
    }

    /// A question that comes this much too early is no offence: networks are not exact.
    private static let tolerance = Duration.milliseconds(250)

    /// Takes a question of the client (RFC 8628 §3.5, OpenID Connect CIBA Core 1.0 §11).
    mutating func question(at now: NumericDate) throws(EndpointFailure) -> (
        subject: String, authenticatedAt: NumericDate, sessionID: String
    ) {
        guard !isUsed else { throw EndpointFailure("invalid_grant", "the code was used before") }
        guard expiresAt > now else { throw EndpointFailure("expired_token", "the code is too old") }
        let isTooEarly = lastQuestion.map { now + Self.tolerance < $0 + interval } ?? false
        lastQuestion = now
        switch answer {
        case .allowed(let subject, let time, let sessionID):
            isUsed = true
            return (subject, time, sessionID)
        case .denied:
            isUsed = true
            throw EndpointFailure("access_denied", "the user said no")
        case nil:
            guard !isTooEarly else {
                interval += .seconds(5)
                throw EndpointFailure("slow_down", "the client asks too often")
            }
            throw EndpointFailure("authorization_pending", "the user has not answered yet")
        }
    }
}

/// A device whose user is at the pages, or not there yet.
struct WaitingDevice: Sendable {
    let userCode: String
    var grant: WaitingGrant
}

/// A user who is asked on a device of theirs.
struct WaitingBackchannel: Sendable {
    let subject: String
    let bindingMessage: String?
    let notificationToken: String?
    var grant: WaitingGrant
}
