public import TernProtocol

/// The release check-list of `tern doctor`: what works while an app is made and must not be shipped.
public enum ReleaseChecks {
    /// Goes through the list.
    ///
    /// - Parameters:
    ///   - redirect: the redirect as it was given.
    ///   - issuer: the authorization server.
    ///   - app: what the app says about itself, where its files are known.
    ///   - appHasSecret: whether the client that the app is has a secret.
    public static func findings(
        redirect: String? = nil, issuer: URI? = nil, app: AppleApp? = nil, appHasSecret: Bool = false
    ) -> [Finding] { [] }
}
