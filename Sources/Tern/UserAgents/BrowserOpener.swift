public import TernProtocol

/// Shows a page in a browser that the library does not control.
public protocol BrowserOpener: Sendable {
    /// Opens a page and returns when the browser was told, not when the user is done.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with ``/TernProtocol/TernError/Reason/browserUnavailable(_:)``.
    func open(_ page: URI) async throws(TernError)
}

/// Opens nothing: it hands the address over, so that the user can open it anywhere on this machine.
public struct AnnouncingBrowser: BrowserOpener {
    private let announce: @Sendable (URI) -> Void

    /// Makes an opener.
    ///
    /// - Parameter announce: shows the address to the user.
    public init(_ announce: @escaping @Sendable (URI) -> Void) { self.announce = announce }

    /// Hands the address over. It never throws.
    public func open(_ page: URI) async throws(TernError) { announce(page) }
}

/// Tells when another opener has opened a page, for a line such as "waiting for you in the browser".
public struct ObservedBrowser: BrowserOpener {
    private let browser: any BrowserOpener
    private let didOpen: @Sendable () -> Void

    /// Makes an opener.
    ///
    /// - Parameters:
    ///   - browser: the one that opens.
    ///   - didOpen: called after it opened a page.
    public init(browser: any BrowserOpener, didOpen: @escaping @Sendable () -> Void) {
        self.browser = browser
        self.didOpen = didOpen
    }

    /// Opens a page and tells.
    ///
    /// - Throws: what the other opener throws; then nothing is told.
    public func open(_ page: URI) async throws(TernError) {
        try await browser.open(page)
        didOpen()
    }
}
