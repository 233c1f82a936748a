internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// The device authorization endpoint (RFC 8628 §3.1).
    mutating func authorizeDevice(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let parameters = try Self.form(of: request)
            let client = try authenticate(request, parameters)
            guard client.furtherGrants.contains(.deviceCode) else {
                throw EndpointFailure("unauthorized_client", "this client is not registered for devices")
            }
            let scopes = try scopes(parameters, among: client.scopes)
            let code = token("device")
            let userCode = newUserCode()
            state.devices[code] = WaitingDevice(
                userCode: userCode,
                grant: WaitingGrant(
                    clientID: client.clientID, scopes: scopes,
                    authenticationContext: parameters.value("acr_values")?.split(separator: " ").first.map(String.init),
                    expiresAt: now + settings.deviceCodeLifetime, interval: settings.pollInterval))
            let page = address(of: .deviceVerification)
            return .json([
                "device_code": .string(code), "user_code": .string(userCode), "verification_uri": .string(page),
                "verification_uri_complete": .string(page + "?user_code=" + userCode),
                "expires_in": .number(JSONNumber(settings.deviceCodeLifetime.wholeSeconds)),
                "interval": .number(JSONNumber(settings.pollInterval.wholeSeconds)),
            ])
        } catch {
            return error.response
        }
    }

    /// Eight consonants, which spell no words and are hard to mistake for one another (§6.1).
    private func newUserCode() -> String {
        let letters = Array("BCDFGHJKLMNPQRSTVWXZ")
        let code = random.bytes(8).map { letters[Int($0) % letters.count] }
        return String(code[..<4]) + "-" + String(code[4...])
    }

    /// The page at which the user types the code (§3.3).
    mutating func verifyDevice(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        let parameters = request.method == .post ? request.formParameters : request.queryParameters
        let typed = parameters?.value("user_code")
        // An address with the code in it shows the code all the same: whoever was sent there by a stranger shall see what
        // they are about to allow (§5.4).
        guard request.method == .post, let typed else {
            return Pages.deviceCode(typed ?? "", action: address(of: .deviceVerification), hasFailed: false)
        }
        let found = state.devices.first { Self.letters(of: $0.value.userCode) == Self.letters(of: typed) }
        guard let (code, device) = found, device.grant.expiresAt > now, device.grant.answer == nil else {
            return Pages.deviceCode(typed, action: address(of: .deviceVerification), hasFailed: true)
        }
        let (browser, cookie) = session(of: request, at: now)
        let id = token("interaction")
        state.interactions[id] = Interaction(
            input: AuthorizationInput(deviceCode: code, device.grant), browser: browser,
            expiresAt: now + Self.interactionLifetime)
        var response = HTTPResponse.redirect(
            to: address(of: .interaction) + "?" + (["interaction": id] as FormParameters).encoded)
        if let cookie { response.fields.append("Set-Cookie", cookie) }
        return response
    }

    private static func letters(of code: String) -> String { code.uppercased().filter(\.isLetter) }

    /// Ends the pages of a device.
    mutating func answerDevice(_ code: String, _ answer: WaitingGrant.Answer) -> HTTPResponse {
        guard state.devices[code] != nil else { return Pages.problem("This code is too old.") }
        state.devices[code]?.grant.answer = answer
        if case .denied = answer { return Pages.deviceDone(isAllowed: false) }
        return Pages.deviceDone(isAllowed: true)
    }

    /// The device's question at the token endpoint (§3.4).
    mutating func grantToDevice(
        _ parameters: FormParameters, _ client: TestClient, at now: NumericDate
    ) throws(EndpointFailure) -> HTTPResponse {
        guard let code = parameters.value("device_code") else {
            throw EndpointFailure("invalid_request", "device_code is missing")
        }
        guard let device = state.devices[code], device.grant.clientID == client.clientID else {
            throw EndpointFailure("invalid_grant", "the device code is not known")
        }
        var grant = device.grant
        defer { state.devices[code]?.grant = grant }
        let (subject, time, sessionID) = try grant.question(at: now)
        let id = newGrant(
            client, subject: subject, grant.scopes, at: time, sessionID: sessionID,
            authenticationContext: grant.authenticationContext)
        return try issue(
            id, client, scopes: grant.scopes, withRefreshToken: wantsRefreshToken(client, grant.scopes), isFirst: true,
            at: now)
    }
}

extension AuthorizationInput {
    /// What the pages need for a device.
    init(deviceCode: String, _ grant: WaitingGrant) {
        self.init(
            clientID: grant.clientID, scopes: grant.scopes, authenticationContext: grant.authenticationContext)
        self.deviceCode = deviceCode
    }
}

extension Pages {
    static func deviceCode(_ typed: String, action: String, hasFailed: Bool) -> HTTPResponse {
        let alarm: HTML =
            hasFailed
            ? #"<p class="alarm" role="alert" id="alarm">This code is not known, or too old.</p>"# : ""
        let described: HTML = hasFailed ? #" aria-invalid="true" aria-describedby="alarm""# : ""
        return page(
            "Sign in on a device", status: 200,
            """
            <h1>Sign in on a device</h1>
            <p class="soft">Type the code that the device shows. Go on only if it is before you.</p>
            \(alarm)
            <form method="post" action="\(action)">
            <label for="user_code">Code</label>
            <input id="user_code" name="user_code" type="text" value="\(typed)" autocomplete="off" \
            autocapitalize="characters" spellcheck="false" required autofocus\(described)>
            <button class="main">Continue</button>
            </form>
            """)
    }

    static func deviceDone(isAllowed: Bool) -> HTTPResponse {
        isAllowed
            ? page("Device signed in", status: 200, "<h1>The device is signed in.</h1><p>Go back to it.</p>")
            : page("Device not signed in", status: 200, "<h1>The device was not signed in.</h1>")
    }
}
