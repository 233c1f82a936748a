internal import TernCrypto
public import TernProtocol

/// Shows the page in a browser and receives the callback through a ``CallbackHub``: for applications that the system opens
/// with addresses of a private-use scheme or a claimed https address (RFC 8252 §7.1, §7.2).
public struct HubUserAgent: UserAgent {
    private let hub: CallbackHub
    private let browser: any BrowserOpener

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - hub: where the application hands in the addresses that the system opens it with.
    ///   - browser: what opens the page.
    public init(_ hub: CallbackHub, browser: any BrowserOpener) {
        self.hub = hub
        self.browser = browser
    }

    #if os(macOS) || os(Linux)
        /// Makes an agent that opens the user's browser.
        ///
        /// - Parameter hub: where the application hands in the addresses that the system opens it with.
        public init(_ hub: CallbackHub) { self.init(hub, browser: SystemBrowser()) }
    #endif

    /// Takes redirect URIs that the system can hand over.
    ///
    /// - Throws: ``/TernProtocol/TernError`` with `unsupportedRedirect` for one of the loopback interface, at which nobody
    ///   listens here.
    public func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        func unsupported(_ problem: String) -> TernError { TernError(.unsupportedRedirect(problem), at: .userAgent) }
        switch redirectURI.kind {
        case .privateUseScheme, .claimedHTTPS: break
        case .loopback:
            throw unsupported("addresses of the loopback interface come to a listener, not through the system")
        case .outOfBand: throw unsupported("the page shows a text, which has to be typed: ask the user for it")
        }
        return HubVisit(redirectURI: redirectURI, hub: hub, browser: browser)
    }
}

private final class HubVisit: UserAgentVisit {
    let redirectURI: RedirectURI
    // Any program on the device can open such an address.
    var delivery: CallbackDelivery { .open }

    private let hub: CallbackHub
    private let browser: any BrowserOpener
    private let outcome = OneShot<Result<URI, TernError>>()
    private let place = Locked<UInt64?>(nil)

    init(redirectURI: RedirectURI, hub: CallbackHub, browser: any BrowserOpener) {
        self.redirectURI = redirectURI
        self.hub = hub
        self.browser = browser
    }

    func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
        let id = hub.enter(judge) { [outcome] in outcome.resolve(.success($0)) }
        place.withLock { $0 = id }
        defer { hub.leave(id) }
        // The callback may come while a slow browser command still runs, and must not wait for it.
        let opening = Task { [browser, outcome] in
            do throws(TernError) { try await browser.open(page) } catch { outcome.resolve(.failure(error)) }
        }
        do throws(TernError) {
            return try await outcome.value(whenCancelled: .failure(TernError(.cancelled, at: .userAgent))).get()
        } catch {
            opening.cancel()
            throw error
        }
    }

    func dismiss() async {
        if let id = place.withLock({ $0 }) { hub.leave(id) }
        outcome.resolve(.failure(TernError(.cancelled, at: .userAgent)))
    }
}
