internal import TernProtocol

/// What the web authentication session of Apple's systems is told to wait for.
enum WebAuthenticationCallback: Sendable, Hashable {
    /// An https address, by its host and path. The matcher for it is there from iOS 17.4 and macOS 14.4 on.
    case https(host: String, path: String)
    /// A scheme of the application's own, without the colon; never `https` or `http`, which the session does not match.
    case customScheme(String)

    /// Chooses for a redirect URI, before any page is shown.
    ///
    /// - Parameter systemMatchesHTTPS: whether the system has the matcher for https addresses.
    /// - Throws: `unsupportedRedirect` when the session could not see the answer.
    init(_ redirect: RedirectURI, systemMatchesHTTPS: Bool) throws(TernError) {
        func unsupported(_ problem: String) -> TernError { TernError(.unsupportedRedirect(problem), at: .userAgent) }
        switch redirect.kind {
        case .privateUseScheme: self = .customScheme(redirect.uri.normalizedScheme)
        case .loopback:
            throw unsupported(
                "the web authentication session does not see a loopback address; use a scheme of your own")
        case .outOfBand: throw unsupported("the page shows a text, which has to be typed: ask the user for it")
        case .claimedHTTPS:
            guard systemMatchesHTTPS else {
                throw unsupported(
                    "this system's web authentication session cannot wait for an https address; register a redirect "
                        + "URI with a scheme of your own too, or require iOS 17.4 or macOS 14.4")
            }
            guard let host = redirect.uri.host, (redirect.uri.port ?? 443) == 443 else {
                throw unsupported("the web authentication session matches https addresses on port 443 alone")
            }
            let path = redirect.uri.encodedPath
            self = .https(host: host.lowercased(), path: path.isEmpty ? "/" : path)
        }
    }
}
