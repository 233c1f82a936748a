public import Tern
public import TernProtocol

/// A ``RobotBrowser`` that is started like the system's browser: it opens the page, goes the user's way on its own, and
/// ends at the redirect, where an agent such as the loopback one listens.
public struct RobotOpener: BrowserOpener {
    private let browser: RobotBrowser

    /// Makes an opener of a browser, whose cookies stay from one page to the next.
    public init(_ browser: RobotBrowser) { self.browser = browser }

    /// Starts the robot and does not wait for it, as with a browser.
    public func open(_ page: URI) async throws(TernError) {
        Task { [browser] in _ = try? await browser.signIn(at: page, stoppingAt: nil) }
    }
}
