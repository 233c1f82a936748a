internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The authorization endpoint: checks the request and leads the user to the pages, or answers at once.
    mutating func authorize(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        let parameters = request.method == .post ? request.formParameters : request.queryParameters
        guard let parameters else { return Pages.problem("The request cannot be read.") }
        do throws(AuthorizationRefusal) {
            let (parameters, wasPushed) = try self.parameters(behind: parameters, at: now)
            let input = try AuthorizationInput(parameters, clients: clients(for: parameters), settings: settings)
            guard wasPushed || !settings.requests.demandsPushed else {
                throw .answer(input.target, code: "invalid_request", detail: "requests have to be pushed")
            }
            try check(input)
            let (browser, cookie) = session(of: request, at: now)
            let id = token("interaction")
            state.interactions[id] = Interaction(
                input: input, browser: browser, expiresAt: now + Self.interactionLifetime)
            var response = advance(id, at: now)
            if let cookie { response.fields.append("Set-Cookie", cookie) }
            return response
        } catch {
            return answer(error)
        }
    }

    static let interactionLifetime = Duration.seconds(3600)

    mutating func answer(_ refusal: AuthorizationRefusal) -> HTTPResponse {
        switch refusal {
        case .page(let problem): Pages.problem(problem)
        case .unanswerable(let code, let detail): Pages.problem("\(code): \(detail)")
        case .answer(let target, let code, let detail):
            answer(at: target, ["error": code, "error_description": detail])
        }
    }

    /// Takes an authorization request one step further: to the next page, or to the answer.
    mutating func advance(_ id: String, at now: NumericDate) -> HTTPResponse {
        guard let interaction = state.interactions[id], let client = client(interaction.input.clientID) else {
            return Pages.problem("This page is too old. Go back to the application and start again.")
        }
        let input = interaction.input
        let isSilent = input.prompts.contains("none")
        let session = state.sessions[interaction.browser]
        func fail(_ code: String, _ detail: String) -> HTTPResponse {
            answer(.answer(input.target, code: code, detail: detail))
        }

        let accounts = (session?.accounts ?? []).compactMap { user($0.subject) }
        if input.prompts.contains("select_account"), !interaction.hasChosenAccount, !accounts.isEmpty {
            return Pages.accounts(accounts, interaction: id, action: address(of: .interaction), client: client.name)
        }
        guard let account = session?.current, let user = user(account.subject),
            interaction.hasLoggedIn || !needsLogin(input, account, at: now)
        else {
            if isSilent {
                state.interactions[id] = nil
                return fail("login_required", "nobody is logged in, or not lately enough")
            }
            return Pages.login(
                interaction: id, action: address(of: .interaction), client: client.name,
                username: interaction.failedUsername ?? input.loginHint ?? "",
                hasFailed: interaction.failedUsername != nil, users: settings.showsUsersOnLoginPage ? users : [])
        }
        let consent = ConsentKey(subject: user.subject, clientID: client.clientID)
        // Services of OAuth 1.0a ask each time.
        let isAllowed =
            !client.asksForConsent
            || input.temporaryToken == nil
                && state.consents[consent].map { $0.isSuperset(of: input.scopes) } ?? false
        if !interaction.hasConsented, !isAllowed || input.prompts.contains("consent") {
            if isSilent {
                state.interactions[id] = nil
                return fail("consent_required", "the user has not allowed this yet")
            }
            return Pages.consent(
                interaction: id, action: address(of: .interaction), client: client.name, user: user,
                scopes: input.temporaryToken == nil ? input.scopes : nil)
        }
        state.interactions[id] = nil
        if let temporaryToken = input.temporaryToken { return answerOAuth1(temporaryToken, subject: user.subject) }
        if let deviceCode = input.deviceCode {
            return answerDevice(
                deviceCode,
                .allowed(
                    subject: user.subject, authenticatedAt: account.authenticatedAt, sessionID: account.sessionID))
        }
        guard input.responseType.hasCode else {
            return answer(to: input, code: nil, account, in: interaction.browser, at: now)
        }
        let code = token("code")
        state.codes[code] = IssuedCode(
            input: input, subject: user.subject, authenticatedAt: account.authenticatedAt,
            sessionID: account.sessionID, expiresAt: now + settings.codeLifetime)
        return answer(to: input, code: code, account, in: interaction.browser, at: now)
    }

    private func needsLogin(_ input: AuthorizationInput, _ account: BrowserSession.Account, at now: NumericDate) -> Bool
    {
        if input.prompts.contains("login") { return true }
        if let hint = input.idTokenHint, state.idTokens[hint].map({ $0.subject != account.subject }) ?? true {
            return true
        }
        guard let maximumAge = input.maximumAge else { return false }
        return now.secondsSince1970 - account.authenticatedAt.secondsSince1970 > maximumAge
    }
}
