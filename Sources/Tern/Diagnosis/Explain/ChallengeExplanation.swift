internal import TernJOSE
internal import TernProtocol

/// How an API refuses a call, and what a session makes of it.
enum ChallengeExplanation {
    static func findings(of text: String) -> [Finding] {
        let (fields, named) = fields(of: text)
        let challenges = AuthenticateChallenge.all(in: fields)
        guard !challenges.isEmpty else {
            return [Finding(.failed, "verdict", "There is no challenge in it that can be read")]
        }
        let codes = challenges.compactMap { $0.parameters["error"] }
        let status =
            named ?? (codes.contains("insufficient_scope") ? 403 : codes.contains("invalid_request") ? 400 : 401)
        let response = HTTPResponse(status: status, fields: fields)
        var findings = [reaction(to: response, challenges)]
        for (index, challenge) in challenges.enumerated() {
            findings += Self.findings(challenge, title: challenges.count > 1 ? "challenge \(index + 1)" : "challenge")
        }
        if let address = response.resourceMetadataAddress {
            let isSafe = address.isSecure || address.isLoopback
            findings.append(
                Finding(
                    isSafe ? .note : .failed, "resource_metadata",
                    isSafe
                        ? "The API describes itself at \(Shown.address(address.text))"
                        : "The metadata lie at an address without TLS",
                    isSafe ? "There it says whose tokens it takes (RFC 9728 §5.1)." : nil,
                    fix: isSafe ? nil : "serve them by https"))
        }
        return findings
    }

    /// The challenges of a text, for those who look for secrets in it.
    static func challenges(in text: String) -> (challenges: [AuthenticateChallenge], status: Int?) {
        let (fields, status) = fields(of: text)
        return (AuthenticateChallenge.all(in: fields), status)
    }

    /// The fields of a text: of an answer with its head, of lines with the field's name, or the bare value.
    private static func fields(of text: String) -> (HTTPFields, Int?) {
        let name = "www-authenticate:"
        var fields = HTTPFields()
        var status: Int?
        for line in text.split(whereSeparator: \.isNewline).prefix(200) {
            let line = String(String(line).trimmingASCIIWhitespace)
            if line.asciiLowercased.hasPrefix("http/") {
                status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            } else if line.asciiLowercased.hasPrefix(name) {
                fields.append("WWW-Authenticate", String(String(line.dropFirst(name.count)).trimmingASCIIWhitespace))
            }
        }
        if fields.fields.isEmpty {
            let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
            fields.append("WWW-Authenticate", line)
        }
        return (fields, status)
    }

    /// What a session does when its call is refused so.
    private static func reaction(to response: HTTPResponse, _ challenges: [AuthenticateChallenge]) -> Finding {
        let errors = challenges.compactMap { $0.parameters["error"] }
        if errors.contains("use_dpop_nonce") {
            return Finding(
                .note, "verdict", "A session would repeat the call once, with the nonce of the field DPoP-Nonce",
                "The API wants a nonce in each proof (RFC 9449 §9).")
        }
        if let challenge = StepUpChallenge(response) {
            let wants = wants(challenge)
            return Finding(
                .failed, "verdict", "A session would not renew: the token is good, and the API wants \(wants)",
                "Where it may show the page, it signs the user in again with that; otherwise the answer is handed on.",
                fix: "session.signIn(meeting: challenge, with: userAgent), or `tern login` with more --scope")
        }
        if response.wantedScope != nil {
            return Finding(
                .failed, "verdict",
                "A session would not renew: the token is good, and the API wants more scope without saying which",
                fix: "look the scope up in the API's documentation, and sign in with it")
        }
        if response.refusesToken {
            return Finding(
                .failed, "verdict", "A session would renew the access token once, and repeat the call once",
                "If the new token is refused too, the answer is handed on. Likely causes: the token has ended or was revoked; it is "
                    + "for another API (aud); no token was sent.",
                fix: "look at the token with `tern explain`, above all at exp, iss and aud")
        }
        return Finding(
            .failed, "verdict", "A session would hand the answer on",
            "It is not about an access token that another one could replace.")
    }

    private static func wants(_ challenge: StepUpChallenge) -> String {
        var wants: [String] = []
        if !challenge.scope.isEmpty { wants.append("the scope \(Shown.words(challenge.scope.text))") }
        if !challenge.acrValues.isEmpty {
            wants.append("a login of the kind \(Shown.words(challenge.acrValues.joined(separator: " or ")))")
        }
        if let age = challenge.maxAge { wants.append("a login no older than \(age.components.seconds) seconds") }
        return wants.isEmpty ? "another login" : wants.joined(separator: " and ")
    }

    private static func findings(_ challenge: AuthenticateChallenge, title: String) -> [Finding] {
        var findings: [Finding] = []
        let scheme = challenge.scheme.asciiLowercased
        if scheme.isEmpty {
            findings.append(
                Finding(
                    .warning, "scheme", "\(title) has no scheme", "Tern takes it for Bearer.",
                    fix: "begin it with Bearer"))
        } else if scheme == "bearer" || scheme == "dpop" {
            findings.append(
                Finding(
                    .note, "scheme", "\(title): \(scheme == "dpop" ? "DPoP" : "Bearer")",
                    scheme == "dpop" ? "A token with a proof of its key is wanted (RFC 9449 §7.1)." : nil))
        } else {
            findings.append(
                Finding(
                    .note, "scheme", "\(title): \(Shown.text(challenge.scheme))",
                    "A session has nothing for this scheme."))
        }
        if let token = challenge.token {
            findings.append(
                Finding(
                    .warning, "credentials", "\(title) has a token in the place of parameters: \(Shown.secret(token))",
                    "So a client sends its token; if this is one, keep it to yourself.",
                    fix: "give the field WWW-Authenticate of the answer"))
        }
        for (name, value) in challenge.parameters.sorted(by: { $0.key < $1.key }).prefix(30) {
            findings.append(Finding(.note, "parameter", Shown.text(name), Shown.value(value, of: name)))
        }
        findings += ErrorCodeExplanation.meanings(of: challenge.parameters["error"] ?? "")
        if let code = challenge.parameters["oauth_problem"] { findings += ErrorCodeExplanation.meanings(of: code) }
        return findings
    }
}
