internal import TernJOSE
public import TernProtocol

extension SignInOptions {
    /// The member of ``attachment`` that holds the page to go to after the login.
    public static let targetMember = "target_link_uri"

    /// What a login that another site began asks for (OpenID Connect Core 1.0 §4): its hint, and the page to go to afterwards
    /// in ``attachment``, under ``targetMember``.
    public init(_ initiation: LoginInitiation) {
        self.init()
        loginHint = initiation.loginHint
        attachment[Self.targetMember] = initiation.target.map { .string($0.text) }
    }
}

extension SignIn {
    /// The page to go to after a login that another site began; it was checked when the login began.
    public var target: URI? { attachment[SignInOptions.targetMember]?.string.flatMap { URI($0) } }
}
