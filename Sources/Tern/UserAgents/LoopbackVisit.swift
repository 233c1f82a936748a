internal import TernCrypto
internal import TernProtocol

/// One sign-in's listener, with what it has seen so far.
final class LoopbackVisit: UserAgentVisit {
    let redirectURI: RedirectURI
    var delivery: CallbackDelivery { .open }

    private let listener: HTTPListener
    private let browser: any BrowserOpener
    private let callbacks: LoopbackCallbacks

    init(
        at redirectURI: RedirectURI, hosts: [LoopbackHost], port: Int, browser: any BrowserOpener, page: CallbackPage
    ) throws(TernError) {
        let callbacks = LoopbackCallbacks(page: page)
        do throws(TernError) {
            listener = try HTTPListener(hosts: hosts, port: port) { callbacks.answer($0) }
        } catch {
            guard case .network(.other(let problem)) = error.reason else { throw error.at(.userAgent) }
            throw TernError(.unsupportedRedirect(problem), at: .userAgent)
        }
        guard let final = redirectURI.withPort(listener.port) else {
            throw TernError(.unsupportedRedirect("it takes no port"), at: .userAgent)
        }
        self.redirectURI = final
        self.browser = browser
        self.callbacks = callbacks
    }

    func open(_ page: URI, judge: @escaping CallbackJudge) async throws(TernError) -> URI {
        callbacks.begin(at: redirectURI, judge: judge)
        do throws(TernError) { try listener.start() } catch { throw error.at(.userAgent) }
        // The callback may come while a slow browser command still runs, and must not wait for it.
        let opening = Task { [browser, callbacks] in
            do throws(TernError) { try await browser.open(page) } catch { callbacks.end(.failure(error)) }
        }
        do throws(TernError) {
            return try await callbacks.outcome.value(whenCancelled: .failure(TernError(.cancelled, at: .userAgent)))
                .get()
        } catch {
            opening.cancel()
            throw error
        }
    }

    var evidence: Evidence { callbacks.hasSeenAnything ? Evidence() : Evidence([.nothingArrived]) }

    func dismiss() async {
        callbacks.end(.failure(TernError(.cancelled, at: .userAgent)))
        await listener.stop()
    }
}

/// What the listener of a sign-in answers, and the end of the wait.
final class LoopbackCallbacks: Sendable {
    private struct State {
        var redirect: RedirectURI?
        var judge: CallbackJudge?
        var hasSeenAnything = false
        /// The address that ended the wait, with the page that its browser was shown.
        var ended: (callback: URI, page: HTTPResponse)?
    }

    let outcome = OneShot<Result<URI, TernError>>()
    private let page: CallbackPage
    /// What the page posts along with the fragment of its address; nobody can guess it.
    private let handOverKey: String
    private let state = Locked(State())

    init(page: CallbackPage, random: some RandomSource = SystemRandomSource()) {
        self.page = page
        handOverKey = Base64URL.encode(random.bytes(16))
    }

    func begin(at redirect: RedirectURI, judge: @escaping CallbackJudge) {
        state.withLock { state in
            state.redirect = redirect
            state.judge = judge
        }
    }

    func end(_ result: Result<URI, TernError>) { outcome.resolve(result) }

    /// Whether any request came to the port.
    var hasSeenAnything: Bool { state.withLock(\.hasSeenAnything) }

    func answer(_ request: HTTPRequest) -> HTTPResponse {
        let (redirect, judge) = state.withLock { state in
            state.hasSeenAnything = true
            return (state.redirect, state.judge)
        }
        guard let redirect, let judge else { return CallbackPage.plain(status: 503, "Not ready.") }
        func path(_ uri: URI) -> String { uri.encodedPath.isEmpty ? "/" : uri.encodedPath }
        // The browser may have used another name of this machine than the redirect URI does.
        let place = redirect.uri.withoutQueryAndFragment
        guard path(request.url) == path(redirect.uri) else {
            return CallbackPage.plain(status: 404, "Nothing is here.")
        }
        switch request.method {
        case .get: break
        case .head: return CallbackPage.plain(status: 204, "")
        case .post where request.fields["Content-Type"] != nil:
            guard let form = Self.form(of: request) else {
                return CallbackPage.plain(status: 415, "Only forms are taken here.")
            }
            if let key = form[CallbackPage.keyField], constantTimeEqual(key.utf8, handOverKey.utf8) {
                return answer(URI(place + "#" + (form[CallbackPage.fragmentField] ?? "")), judge)
            }
            return answer(redirect.callback(posting: form), judge)
        default:
            return CallbackPage.plain(
                status: 405, "Only GET and forms are answered here.", fields: ["Allow": "GET, HEAD, POST"])
        }
        guard !Self.isGuess(request) else { return CallbackPage.plain(status: 503, "Not for loading ahead.") }
        let query = request.url.encodedQuery.map { "?" + $0 } ?? ""
        let callback = URI(place + query)
        if let callback, !Self.isAnswer(callback), case .refused = judge(callback) {
            return page.handOver(to: path(redirect.uri), key: handOverKey)
        }
        return answer(callback, judge)
    }

    private func answer(_ callback: URI?, _ judge: CallbackJudge) -> HTTPResponse {
        guard let callback else { return page.failure("the address cannot be read") }
        if let ended = state.withLock({ $0.ended }) {
            return ended.callback == callback ? ended.page : page.failure("this sign-in is already over")
        }
        switch judge(callback) {
        case .success: return end(with: callback, page.success)
        case .signedOut: return end(with: callback, page.signedOut)
        case .failure(let reason): return end(with: callback, page.failure(reason))
        case .refused(let reason): return page.failure(reason)
        case .notMine: return page.failure("this address does not belong to the sign-in that is under way")
        }
    }

    /// The largest form, in bytes.
    private static let maximumFormByteCount = 256 << 10

    /// The form that a request posts; `nil` for anything else. It comes from the server's page, so any origin will do.
    private static func form(of request: HTTPRequest) -> FormParameters? {
        let type = request.fields["Content-Type"]?.split(separator: ";").first.map { $0.filter { $0 != " " } }
        guard type?.lowercased() == "application/x-www-form-urlencoded", case .bytes(let bytes) = request.body,
            bytes.count <= maximumFormByteCount
        else { return nil }
        return FormParameters(decoding: String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the query of an address holds an answer of any kind; otherwise it may be in the fragment.
    private static func isAnswer(_ callback: URI) -> Bool {
        let names = ["code", "error", "state", "response", "id_token", "access_token", "oauth_token", "denied"]
        return (FormParameters(decoding: callback.encodedQuery ?? "") ?? [:]).parameters.contains {
            names.contains($0.name)
        }
    }

    private func end(with callback: URI, _ response: HTTPResponse) -> HTTPResponse {
        state.withLock { state in
            if state.ended == nil { state.ended = (callback, response) }
        }
        outcome.resolve(.success(callback))
        return response
    }

    /// Whether the browser loads the page although nobody has asked to see it, which would use up the code.
    private static func isGuess(_ request: HTTPRequest) -> Bool {
        ["Sec-Purpose", "Purpose", "X-Purpose", "X-Moz"].contains { name in
            request.fields.values(of: name).contains { value in
                ["prefetch", "prerender", "preview"].contains { value.lowercased().contains($0) }
            }
        }
    }
}
