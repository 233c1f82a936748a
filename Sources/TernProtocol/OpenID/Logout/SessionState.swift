internal import TernCrypto

/// The state of the user's session at the server, as a page of the application asks the server's page about it (OpenID
/// Connect Session Management 1.0 §2 and §3).
///
/// To a client it is opaque: it keeps ``text`` with the session, and posts ``message(clientID:)`` to the frame at
/// `check_session_iframe`, which answers `unchanged`, `changed` or `error`. A server makes it with
/// ``init(clientID:origin:browserState:salt:)`` and compares with ``isCurrent(clientID:origin:browserState:)``.
public struct SessionState: Sendable, Hashable {
    /// The text on the wire, without blanks.
    public let text: String

    /// Takes the text of an answer; `nil` when it is empty or holds a blank, which would make two values of the message.
    public init?(_ text: String) {
        guard !text.isEmpty, !text.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        self.text = text
    }

    /// The state that came with an answer of the authorization endpoint; `nil` where the server sent none.
    public init?(in parameters: FormParameters) {
        let values = parameters.values(of: "session_state")
        guard values.count == 1, let text = values.first else { return nil }
        self.init(text)
    }

    /// Makes the state as a server does: a salted SHA-256 over client, origin and browser state, in hexadecimal, and the salt
    /// behind a dot (§3.2).
    ///
    /// - Parameters:
    ///   - clientID: the client.
    ///   - origin: the origin of the address that the answer goes to.
    ///   - browserState: what the server's page knows of the browser, and what changes when the user logs in or out.
    ///   - salt: random text; everything but letters, digits, `-` and `_` is left out.
    public init(clientID: String, origin: Origin, browserState: String, salt: String) {
        let salt = String(decoding: salt.utf8.filter { $0.isUnreserved && $0 != 0x2E && $0 != 0x7E }, as: UTF8.self)
        text = Self.digest(clientID, origin, browserState, salt) + "." + salt
    }

    /// Whether it is what a server would make now, with the same salt: the comparison of the server's page.
    public func isCurrent(clientID: String, origin: Origin, browserState: String) -> Bool {
        guard let dot = text.lastIndex(of: ".") else { return false }
        let salt = String(text[text.index(after: dot)...])
        return constantTimeEqual(Self.digest(clientID, origin, browserState, salt).utf8, text[..<dot].utf8)
    }

    /// What the application's page posts to the server's page (§3.1).
    public func message(clientID: String) -> String { clientID + " " + text }

    private static func digest(_ clientID: String, _ origin: Origin, _ browserState: String, _ salt: String) -> String {
        let input = "\(clientID) \(origin) \(browserState) \(salt)"
        let digits = Array("0123456789abcdef".utf8)
        let digest = HashFunction.sha256.digest(Array(input.utf8))
        return String(decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}

extension AuthorizationResponse {
    /// The state of the user's session at the server, where the answer carries it (OpenID Connect Session Management 1.0 §2).
    public var sessionState: SessionState? { SessionState(in: additionalParameters) }
}
