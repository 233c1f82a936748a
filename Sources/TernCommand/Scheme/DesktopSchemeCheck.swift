internal import Tern

/// The check of `tern doctor` whether a Linux desktop opens a redirect's scheme with something.
enum DesktopSchemeCheck {
    /// Looks at what this user's desktop does with the scheme; nothing for other redirects and on other systems.
    ///
    /// - Parameters:
    ///   - redirect: the address as it was given.
    ///   - store: the folder of the accounts, where it is not the usual one.
    static func findings(
        redirect: String, store: String? = nil, environment: (String) -> String? = Process.environment
    ) -> [Finding] { [] }
}
