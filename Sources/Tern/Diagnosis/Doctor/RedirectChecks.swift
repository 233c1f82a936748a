/// The checks of `tern doctor` about a redirect.
public enum RedirectChecks {
    /// Looks at a redirect: whether it is well formed, fits the platform, and can arrive at the app.
    ///
    /// - Parameters:
    ///   - redirect: the address as it was given.
    ///   - app: the app that receives it, where it is one for Apple's systems and its files are known.
    ///   - clientID: the client identifier, to which the schemes of some services belong.
    public static func findings(redirect: String, app: AppleApp? = nil, clientID: String? = nil) -> [Finding] { [] }
}
