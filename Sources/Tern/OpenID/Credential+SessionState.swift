internal import TernJOSE
public import TernProtocol

extension Credential {
    /// The state of the user's session at the server, where the sign-in or its tokens brought one: what a page of the
    /// application asks the server's page about (OpenID Connect Session Management 1.0 §2).
    public var sessionState: SessionState? {
        additionalMembers[Self.sessionStateMember]?.string.flatMap { SessionState($0) }
    }

    private static let sessionStateMember = "session_state"

    /// The credential with the session state of a callback, unless the token answer had one.
    func keepingSessionState(of parameters: FormParameters) -> Credential {
        guard sessionState == nil, let state = SessionState(in: parameters) else { return self }
        var copy = self
        copy.additionalMembers[Self.sessionStateMember] = .string(state.text)
        return copy
    }
}

extension JSONObject {
    /// The members of a new answer, with those of the old one that belong to the sign-in and that a refresh does not repeat.
    func keepingSignIn(of old: JSONObject) -> JSONObject {
        var members = self
        for name in ["device_secret", "session_state", "authorization_details"] where members[name] == nil {
            members[name] = old[name]
        }
        return members
    }
}
