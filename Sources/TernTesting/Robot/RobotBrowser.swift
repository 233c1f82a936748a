public import Tern
public import TernProtocol

/// A browser without a window and without scripts: it follows redirects, keeps cookies and fragments, and fills in forms.
///
/// ``signIn(at:stoppingAt:)`` does what a user does between the authorization request and the callback: logs in, says
/// yes or no to the consent page, presses the button that goes on. It knows the pages of this library's server and
/// guesses well at others, as long as they work without scripts.
public actor RobotBrowser {
    /// What the robot answers when it is asked to allow something.
    public enum Consent: Sendable, Hashable {
        /// Yes.
        case give
        /// No.
        case deny
    }

    /// A page that was reached.
    public struct Page: Sendable, CustomStringConvertible {
        /// Its address, with the fragment that redirects brought along.
        public let url: URI
        /// The answer.
        public let response: HTTPResponse
        /// Its forms.
        public let forms: [WebForm]
        /// Its title.
        public let title: String?

        /// Address without query, status and title.
        public var description: String { "\(url.redacted) \(response.status) \(title ?? "")" }
    }

    /// Where a way through redirects ended.
    public enum Arrival: Sendable {
        /// At a page.
        case page(Page)
        /// At an address at which the browser was to stop; it was not opened.
        case stopped(URI)

        /// The page, where the way ended at one.
        public var page: Page? { if case .page(let page) = self { page } else { nil } }
    }

    /// The user as whom the robot logs in; `nil` for one who cannot.
    public var user: TestUser?
    /// What the robot answers when it is asked to allow something.
    public var consent: Consent

    private let transport: any HTTPTransport
    private var cookies = CookieJar()

    /// The most redirects in one go.
    public static let maximumRedirectCount = 20
    /// The most pages on the way of a sign-in.
    public static let maximumPageCount = 20

    /// Makes a browser.
    ///
    /// - Parameters:
    ///   - transport: the way to the servers.
    ///   - user: as whom it logs in.
    ///   - consent: what it answers when it is asked to allow something.
    public init(transport: any HTTPTransport, user: TestUser? = .ada, consent: Consent = .give) {
        self.transport = transport
        self.user = user
        self.consent = consent
    }

    /// Sets the user and what is answered.
    public func become(_ user: TestUser?, consent: Consent = .give) {
        self.user = user
        self.consent = consent
    }

    /// Forgets all cookies.
    public func forgetCookies() { cookies = CookieJar() }

    /// Opens an address and follows redirects, up to an address for which `stop` is true.
    ///
    /// - Throws: `TernError` of the transport; `browserUnavailable` after too many redirects or one that
    ///   leads nowhere.
    public func open(
        _ url: URI, stoppingAt stop: @Sendable (URI) -> Bool = { _ in false }
    ) async throws(TernError) -> Arrival {
        try await go(HTTPRequest(.get, url), stop)
    }

    /// Sends a form of a page, with a button pressed, and follows redirects.
    ///
    /// - Throws: what ``open(_:stoppingAt:)`` throws.
    public func submit(
        _ form: WebForm, on page: Page, pressing button: WebForm.Button? = nil,
        stoppingAt stop: @Sendable (URI) -> Bool = { _ in false }
    ) async throws(TernError) -> Arrival {
        let action = form.action.isEmpty ? page.url.withoutFragment : form.action
        guard let target = page.url.resolving(action) else { throw Self.lost("a form leads nowhere") }
        let parameters = form.parameters(pressing: button ?? form.buttons.first)
        guard !form.isPost else { return try await go(HTTPRequest(.post, target, body: .form(parameters)), stop) }
        // A form that is sent by GET replaces the query of its address.
        guard let url = URI(target.withoutQueryAndFragment)?.appendingQuery(parameters), let url = URI(url) else {
            throw Self.lost("a form leads nowhere")
        }
        return try await go(HTTPRequest(.get, url), stop)
    }

    /// Goes the user's way from the authorization request to the callback.
    ///
    /// - Parameters:
    ///   - page: the authorization request, or another page at which a way of forms begins.
    ///   - redirect: where the way ends; its address is returned without being opened. An answer that comes as a form is
    ///     returned as `RedirectURI.callback(posting:)` makes it. `nil` goes on until no form is left to fill in, for
    ///     redirects at which somebody listens, and returns the address of the last page.
    /// - Throws: `TernError` of the transport; `browserUnavailable` with the title of the page at which the
    ///   robot did not know how to go on, for example because the login was refused.
    public func signIn(at page: URI, stoppingAt redirect: RedirectURI?) async throws(TernError) -> URI {
        let stop: @Sendable (URI) -> Bool = { url in redirect?.matches(url) ?? false }
        var arrival = try await open(page, stoppingAt: stop)
        var loginCount = 0
        for _ in 0..<Self.maximumPageCount {
            guard case .page(let page) = arrival else { break }
            if let form = Self.handOver(on: page) {
                arrival = try await submit(form, on: page, stoppingAt: stop)
                continue
            }
            guard let choice = choice(on: page, loginCount: loginCount) else {
                let wantsLogin = page.forms.contains { $0.field(ofType: "password") != nil }
                if redirect == nil, !wantsLogin, page.response.isSuccess { return page.url }
                let title = page.title ?? "without a title"
                throw Self.lost("the page \"\(title)\" (status \(page.response.status)) goes no further")
            }
            if choice.isLogin { loginCount += 1 }
            if let redirect, let answer = Self.answer(of: choice.form, on: page, at: redirect) { return answer }
            arrival = try await submit(choice.form, on: page, pressing: choice.button, stoppingAt: stop)
        }
        guard case .stopped(let url) = arrival else { throw Self.lost("too many pages") }
        return url
    }

    private func go(_ request: HTTPRequest, _ stop: @Sendable (URI) -> Bool) async throws(TernError) -> Arrival {
        var request = request
        if stop(request.url), request.method == .get { return .stopped(request.url) }
        for _ in 0..<Self.maximumRedirectCount {
            var sent = request
            let fragment = request.url.encodedFragment
            guard let plain = URI(request.url.withoutFragment) else { throw Self.lost("an address cannot be read") }
            sent.url = plain
            sent.fields["Cookie"] = cookies.field(for: plain)
            sent.fields["Accept"] = "text/html"
            let response = try await transport.send(sent, step: .userAgent)
            cookies.take(response, from: plain)
            guard [301, 302, 303, 307, 308].contains(response.status), let location = response.fields["Location"] else {
                return .page(
                    Page(
                        url: request.url, response: response, forms: WebForm.forms(in: response.body),
                        title: WebForm.title(of: response.body)))
            }
            guard var target = plain.resolving(location) else { throw Self.lost("a redirect leads nowhere") }
            // A redirect without a fragment of its own keeps the one from before (RFC 9110 §10.2.2).
            if target.encodedFragment == nil, let fragment, let kept = URI(target.text + "#" + fragment) {
                target = kept
            }
            if stop(target) { return .stopped(target) }
            let keepsMethod = response.status == 307 || response.status == 308
            request = keepsMethod ? HTTPRequest(request.method, target, body: request.body) : HTTPRequest(.get, target)
        }
        throw Self.lost("more than \(Self.maximumRedirectCount) redirects")
    }

    static func lost(_ problem: String) -> TernError { TernError(.browserUnavailable(problem), at: .userAgent) }

    /// The answer that a page carries as a form to the redirect URI.
    private static func answer(of form: WebForm, on page: Page, at redirect: RedirectURI) -> URI? {
        guard form.isPost, let target = page.url.resolving(form.action), redirect.matches(target) else { return nil }
        return redirect.callback(posting: form.parameters(pressing: form.buttons.first))
    }

    /// What the script of the loopback agent's page does: it posts the fragment of the page's address.
    private static func handOver(on page: Page) -> WebForm? {
        guard let fragment = page.url.encodedFragment, !fragment.isEmpty,
            var form = page.forms.first(where: { $0.isPost && $0.fields.map(\.name) == ["key", "fragment"] })
        else { return nil }
        form.fill("fragment", fragment)
        return form
    }
}
