internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// What the user does on the pages. Every form ends in a redirect back to here, so that reloading a page repeats
    /// nothing.
    mutating func interact(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        let parameters = request.method == .post ? request.formParameters : request.queryParameters
        guard let id = parameters?.value("interaction"), let parameters, let interaction = state.interactions[id],
            interaction.expiresAt > now
        else { return Pages.problem("This page is too old. Go back to the application and start again.") }
        // Who does not bring the cookie is another browser than the one that the page was shown to.
        guard request.cookie(cookieName) == interaction.browser, state.sessions[interaction.browser] != nil else {
            return Pages.problem("This page belongs to another browser, or cookies are turned off.", status: 403)
        }
        guard request.method == .post else { return advance(id, at: now) }

        var cookie: String?
        switch parameters.value("decision") {
        case "log-in": cookie = logIn(id, parameters, at: now)
        case "allow":
            guard let subject = state.sessions[interaction.browser]?.currentSubject else { break }
            let key = ConsentKey(subject: subject, clientID: interaction.input.clientID)
            state.consents[key, default: []].formUnion(interaction.input.scopes)
            state.interactions[id]?.hasConsented = true
        case "deny":
            state.interactions[id] = nil
            if let temporaryToken = interaction.input.temporaryToken { return denyOAuth1(temporaryToken) }
            if let deviceCode = interaction.input.deviceCode { return answerDevice(deviceCode, .denied) }
            return answer(
                .answer(interaction.input.target, code: "access_denied", detail: "the user said no"))
        case "choose":
            state.interactions[id]?.hasChosenAccount = true
            let subject = parameters.value("account")
            let isKnown = state.sessions[interaction.browser]?.accounts.contains { $0.subject == subject } ?? false
            state.sessions[interaction.browser]?.currentSubject = isKnown ? subject : nil
        default: break
        }
        var response = HTTPResponse.redirect(
            to: address(of: .interaction) + "?" + (["interaction": id] as FormParameters).encoded)
        if let cookie { response.fields.append("Set-Cookie", cookie) }
        return response
    }

    /// Checks name and password. Returns the cookie of the new session: an identifier that was there before the login
    /// is not kept, so that nobody can plant one.
    private mutating func logIn(_ id: String, _ parameters: FormParameters, at now: NumericDate) -> String? {
        let name = parameters["username"] ?? ""
        let password = Secret<TestUser>(parameters["password"] ?? "")
        let user = users.first { $0.username == name || $0.claims["email"]?.string == name }
        guard let interaction = state.interactions[id], let user, user.password == password else {
            state.interactions[id]?.failedUsername = name
            return nil
        }
        var session = state.sessions.removeValue(forKey: interaction.browser) ?? BrowserSession(expiresAt: now)
        session.expiresAt = now + settings.sessionLifetime
        session.signIn(.init(subject: user.subject, authenticatedAt: now, sessionID: token("sid")))
        let browser = token("browser")
        state.sessions[browser] = session
        var successor = Interaction(input: interaction.input, browser: browser, expiresAt: interaction.expiresAt)
        successor.hasChosenAccount = true
        successor.hasLoggedIn = true
        successor.hasConsented = interaction.hasConsented
        state.interactions[id] = successor
        return cookie(for: browser)
    }

    /// The browser that sent a request, and the cookie to set when it is a new one.
    mutating func session(of request: HTTPRequest, at now: NumericDate) -> (browser: String, cookie: String?) {
        if let browser = request.cookie(cookieName), let session = state.sessions[browser], session.expiresAt > now {
            return (browser, nil)
        }
        let browser = token("browser")
        state.sessions[browser] = BrowserSession(expiresAt: now + settings.sessionLifetime)
        return (browser, cookie(for: browser))
    }

    /// Cookies know no ports (RFC 6265 §8.5), and several servers may run on one host.
    var cookieName: String { "tern_session" + (issuer.port.map { "_\($0)" } ?? "") }

    private func cookie(for browser: String) -> String {
        "\(cookieName)=\(browser); Path=\(pathPrefix.isEmpty ? "/" : pathPrefix); HttpOnly; SameSite=Lax"
            + (issuer.isSecure ? "; Secure" : "")
    }
}
