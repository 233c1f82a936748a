public import Tern
public import TernProtocol

/// A ``RobotBrowser`` for user agents that open a browser and wait for its callback, such as `LoopbackUserAgent`.
///
/// The robot goes the user's whole way and opens the redirect URI as well, at which somebody must listen.
public struct RobotOpener: BrowserOpener {
    private let browser: RobotBrowser

    /// Makes an opener of a browser, whose cookies stay from one sign-in to the next.
    public init(_ browser: RobotBrowser) { self.browser = browser }

    /// Makes an opener with a browser of its own; see ``RobotBrowser/init(transport:user:consent:)``.
    public init(transport: any HTTPTransport, user: TestUser? = .ada, consent: RobotBrowser.Consent = .give) {
        browser = RobotBrowser(transport: transport, user: user, consent: consent)
    }

    /// Opens the page and goes on until no page wants anything more.
    ///
    /// - Throws: what ``RobotBrowser/signIn(at:stoppingAt:)`` throws.
    public func open(_ page: URI) async throws(TernError) {
        _ = try await browser.signIn(at: page, stoppingAt: nil)
    }
}
