internal import TernProtocol

extension OAuthClient {
    /// Tells an event where anybody listens.
    func tell(
        _ name: Event.Name, _ failure: TernError? = nil, _ fields: () -> [Event.FieldName: Event.Value]
    ) {
        guard let events = environment.events else { return }
        var fields = fields()
        if let failure {
            fields[.step] = .text(failure.step.rawValue)
            fields[.code] = .text(failure.code)
        }
        events.record(Event(name, fields, failure: failure))
    }

    /// Announces what happened to an account, to those who wait for it and to the sink.
    func announce(_ event: AccountEvent) {
        announcements.announce(event)
        let (name, failure): (Event.Name, TernError?) =
            switch event.event {
            case .signedIn: (.signedIn, nil)
            case .refreshed: (.refreshed, nil)
            case .signInNeeded(let error): (.signInNeeded, error)
            case .signedOut: (.signedOut, nil)
            }
        tell(name, failure) { [.account: .text(event.account.name)] }
    }
}

extension SignIn {
    /// What a callback of this sign-in was held against.
    var checksOfCallback: [String] {
        guard case .codeVerifier = proof else {
            return ["it came to the redirect URI", "its token is that of this sign-in"]
        }
        var checks = [
            "it came to the redirect URI", "its state is that of this sign-in", "it came as \(responseMode.rawValue)",
        ]
        if requiresIssuer { checks.append("it names the issuer") }
        if responseMode.isSigned { checks.append("its signature is the server's") }
        return checks
    }
}

extension IDToken.Expectation {
    /// What an ID token was held against.
    var checks: [String] {
        var checks = [
            "a key of the server signed it", "its issuer is \(issuer)", "it is for \(clientID)", "its times are good",
        ]
        if case .required = nonce { checks.append("its nonce is that of this sign-in") }
        if accessToken != nil { checks.append("its at_hash, where it has one, fits the access token") }
        if code != nil { checks.append("its c_hash, where it has one, fits the code") }
        if maxAge != nil { checks.append("the login is new enough") }
        if !acrValues.isEmpty { checks.append("the login is of the demanded kind") }
        if subject != nil { checks.append("it is about the same user") }
        return checks
    }
}
