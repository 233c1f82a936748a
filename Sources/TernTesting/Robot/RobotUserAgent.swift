public import Tern
public import TernProtocol

/// A ``RobotBrowser`` in the place of the user's browser, so that a whole sign-in runs in a unit test.
///
/// It takes any redirect URI and hands the callback over as a web authentication session of the system does; nothing
/// listens anywhere.
public struct RobotUserAgent: UserAgent {
    private let browser: RobotBrowser

    /// Makes a user agent of a browser, whose cookies stay from one sign-in to the next.
    public init(_ browser: RobotBrowser) { self.browser = browser }

    /// Makes a user agent with a browser of its own; see ``RobotBrowser/init(transport:user:consent:)``.
    public init(transport: any HTTPTransport, user: TestUser? = .ada, consent: RobotBrowser.Consent = .give) {
        browser = RobotBrowser(transport: transport, user: user, consent: consent)
    }

    /// Nothing has to be got ready, and it never throws. A loopback redirect without a port gets one that a callback may
    /// carry.
    public func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        let needsPort = redirectURI.kind == .loopback && (redirectURI.uri.port ?? 0) == 0
        return RobotVisit(
            browser: browser, redirectURI: needsPort ? redirectURI.withPort(49_152) ?? redirectURI : redirectURI)
    }
}

private struct RobotVisit: UserAgentVisit {
    let browser: RobotBrowser
    let redirectURI: RedirectURI
    let delivery = CallbackDelivery.system

    func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
        let callback = try await browser.signIn(at: page, stoppingAt: redirectURI)
        switch judge(callback) {
        case .success, .signedOut, .failure: return callback
        // Nothing else will come, so waiting on would be for ever.
        case .refused(let problem): throw TernError(.flowExpired(refused: [problem]), at: .userAgent)
        case .notMine: throw TernError(.flowExpired(refused: []), at: .userAgent)
        }
    }

    func dismiss() async {}
}
