public import TernProtocol

/// Shows the page in a browser and catches the callback on the loopback interface (RFC 8252 §7.3).
///
/// The redirect URI decides where it listens: `127.0.0.1` or `[::1]` there alone, `localhost` at both where both exist.
/// A port in the redirect URI is used as it is; without one any free port is taken, which RFC 8252 obliges servers to
/// accept.
public struct LoopbackUserAgent: UserAgent {
    private let browser: any BrowserOpener
    private let ports: [Int]
    private let page: CallbackPage

    #if os(macOS) || os(Linux)
        /// Makes an agent that opens the user's browser.
        ///
        /// - Parameter application: the name of the application, for the page at the end.
        public init(application: String? = nil) {
            self.init(browser: SystemBrowser(), page: CallbackPage(application: application))
        }
    #endif

    /// Makes an agent.
    ///
    /// - Parameters:
    ///   - application: the name of the application, for the page at the end.
    ///   - browser: what opens the page.
    ///   - ports: the ports to try, in order, instead of the redirect URI's; for servers that want every port registered.
    public init(application: String? = nil, browser: any BrowserOpener, ports: [Int] = []) {
        self.init(browser: browser, ports: ports, page: CallbackPage(application: application))
    }

    /// Makes an agent with a page of the application's own texts.
    ///
    /// - Parameters:
    ///   - browser: what opens the page.
    ///   - ports: the ports to try, in order, instead of the redirect URI's.
    ///   - page: what the user sees at the end.
    public init(browser: any BrowserOpener, ports: [Int] = [], page: CallbackPage) {
        self.browser = browser
        self.ports = ports
        self.page = page
    }

    /// Takes a port. The visit's redirect URI has it.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `portInUse` when no wanted port is free, `unsupportedRedirect` when the
    ///   redirect URI is not one of the loopback interface or this machine does not have its address.
    public func prepare(for redirectURI: RedirectURI) async throws(TernError) -> any UserAgentVisit {
        let hosts = try Self.hosts(for: redirectURI)
        let wanted = ports.isEmpty ? [redirectURI.uri.port ?? 0] : ports
        for port in wanted {
            do throws(TernError) {
                return try LoopbackVisit(at: redirectURI, hosts: hosts, port: port, browser: browser, page: page)
            } catch {
                guard case .portInUse = error.reason else { throw error }
            }
        }
        throw TernError(.portInUse(wanted), at: .userAgent)
    }

    private static func hosts(for redirectURI: RedirectURI) throws(TernError) -> [LoopbackHost] {
        func unsupported(_ problem: String) -> TernError { TernError(.unsupportedRedirect(problem), at: .userAgent) }
        guard redirectURI.kind == .loopback else {
            throw unsupported("it is not an http address of the loopback interface, such as http://127.0.0.1/callback")
        }
        switch redirectURI.uri.host?.lowercased() {
        case "127.0.0.1": return [.ipv4]
        case "[::1]": return [.ipv6]
        case "localhost": return [.ipv4, .ipv6]
        default: throw unsupported("of the loopback addresses only 127.0.0.1 and [::1] are listened at")
        }
    }
}
