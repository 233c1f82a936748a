internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// An answer of the token endpoint, good or bad.
enum TokenAnswerExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        let body = Array(text.utf8)
        let object: JSONObject
        do throws(JSONError) {
            guard let found = try AnswerBody.object(body) else {
                return [Finding(.failed, "verdict", "It is neither a JSON object nor form data")]
            }
            object = found
        } catch {
            return [Finding(.failed, "verdict", "It cannot be read", "\(error).")]
        }
        // The status of a bad answer is not in the text; 400 is the usual one (RFC 6749 §5.2).
        let status = object["access_token"] == nil ? 400 : 200
        var verdict: Finding
        do throws(TernError) {
            let answer = try TokenResponse(reading: HTTPResponse(status: status, body: body))
            return [accepted(answer)] + details(of: answer, object, context) + notes(on: object)
        } catch {
            verdict = Self.verdict(error, object)
        }
        let code = (object["error"]?.string ?? "")
        return [verdict] + ErrorCodeExplanation.meanings(of: code) + notes(on: object)
    }

    private static func verdict(_ error: TernError, _ object: JSONObject) -> Finding {
        let quiet = CallbackExplanation.scrubbed(error)
        switch error.reason {
        case .serverError(let said) where ErrorCodeExplanation.isPassing(said.code):
            return .refusal(quiet, "verdict", "No failure yet: the server says \(Shown.words(said.code))", level: .note)
        case .serverError(let said):
            return .refusal(quiet, "verdict", "The server refused: \(Shown.words(said.code))")
        case .httpStatus where object["error"] == nil:
            return .refusal(
                TernError(.malformedResponse(field: "access_token"), at: .tokenRequest), "verdict",
                "Tern would refuse it: it has neither an access token nor an error")
        default: return .refusal(quiet, "verdict", "Tern would refuse it")
        }
    }

    private static func accepted(_ answer: TokenResponse) -> Finding {
        let refresh =
            answer.refreshToken == nil
            ? "When the access token ends the user has to sign in again: there is no refresh token."
            : "It would store the tokens and renew the access token when it is due."
        return Finding(.passed, "verdict", "Tern would take it", refresh)
    }

    private static func details(
        of answer: TokenResponse, _ object: JSONObject, _ context: ExplanationContext
    ) -> [Finding] {
        var findings: [Finding] = []
        if object["token_type"]?.string == nil {
            findings.append(
                Finding(.warning, "token_type", "It does not say how the token is sent", "Tern takes it for Bearer."))
        } else if answer.tokenType == .dpop {
            findings.append(
                Finding(
                    .note, "token_type", "The access token is bound to a key", "It works with a proof only (RFC 9449).")
            )
        }
        switch (object["expires_in"], answer.lifetime) {
        case (nil, _):
            findings.append(
                Finding(
                    .warning, "expires_in", "It does not say how long the access token lives",
                    "Tern uses the token until an API refuses it.", fix: "have the server send expires_in"))
        case (_, nil):
            findings.append(
                Finding(
                    .warning, "expires_in", "Its lifetime makes no sense",
                    "A number of seconds above zero is wanted; Tern passes it over."))
        case (_, let lifetime?):
            findings.append(
                Finding(.passed, "expires_in", "The access token lives \(lifetime.components.seconds) seconds"))
        }
        if answer.refreshToken == nil {
            let isEmpty = object["refresh_token"]?.string?.isEmpty == true
            findings.append(
                Finding(
                    .note, "refresh_token", isEmpty ? "The refresh token is empty" : "There is no refresh token",
                    fix: "ask for the scope offline_access, or whatever the provider wants for it"))
        }
        if let scope = answer.scope {
            findings.append(Finding(.note, "scope", "Granted: \(Shown.words(scope.text))"))
            if scope.values.count == 1, scope.text.contains(",") {
                findings.append(
                    Finding(
                        .warning, "scope", "The scopes have commas between them, where the standard has blanks",
                        "Tern reads them as one scope.", fix: "set the provider's scope separator"))
            }
        }
        if let token = answer.idToken {
            findings.append(idToken(token.exposedText))
        }
        return findings
    }

    private static func idToken(_ text: String) -> Finding {
        guard let token = CompactToken(text) else {
            return Finding(
                .failed, "id_token", "The ID token in it cannot be read", fix: "look at what the server sends")
        }
        return Finding(
            .note, "id_token",
            token.isEncrypted ? "There is an encrypted ID token in it" : "There is an ID token in it",
            "Explain it by itself: it was not checked here.")
    }

    /// The members with their values as far as they may be seen.
    static func notes(on object: JSONObject) -> [Finding] {
        object.prefix(ParameterGlossary.maximumShownCount).map { name, value in
            Finding(.note, "member", Shown.text(name), ParameterGlossary.shown(value, of: name))
        }
    }
}

/// The answers of other endpoints.
enum OtherAnswerExplanation {
    private static let endpoint = URI("https://server.invalid/")

    static func deviceFindings(of text: String) -> [Finding] {
        guard let endpoint else { return [] }
        return findings(of: text) { (response) throws(TernError) in
            let answer = try DeviceAuthorizationRequest(endpoint: endpoint, scope: []).answer(from: response)
            let lifetime = answer.lifetime.map { "\($0.components.seconds) seconds" } ?? "a time that it does not tell"
            return [
                Finding(
                    .passed, "verdict",
                    "Tern would show the page \(Shown.address(answer.verificationURI.text)) and the code",
                    "It would then ask every \(answer.interval.components.seconds) seconds until the user is done. The codes "
                        + "are good for \(lifetime)."),
                answer.lifetime == nil
                    ? Finding(
                        .warning, "expires_in", "It does not say how long the codes are good",
                        "RFC 8628 §3.2 demands it.")
                    : nil,
                answer.completeVerificationURI == nil
                    ? Finding(
                        .note, "verification_uri_complete", "The user has to type the code: no address has it in it")
                    : nil,
            ].compactMap(\.self)
        }
    }

    static func pushedFindings(of text: String) -> [Finding] {
        guard let endpoint else { return [] }
        return findings(of: text) { (response) throws(TernError) in
            let answer = try PushedAuthorizationRequest(endpoint: endpoint, parameters: [:]).answer(from: response)
            let isUsual = answer.requestURI.hasPrefix("urn:ietf:params:oauth:request_uri:")
            return [
                Finding(
                    .passed, "verdict", "Tern would open the page with this reference in the place of the request",
                    "It is good once" + (answer.lifetime.map { ", for \($0.components.seconds) seconds." } ?? ".")),
                isUsual
                    ? nil
                    : Finding(
                        .note, "request_uri", "The reference has not the usual form", "RFC 9126 §2.2 suggests one."),
                answer.lifetime == nil
                    ? Finding(.warning, "expires_in", "It does not say how long the reference is good (RFC 9126 §2.2)")
                    : nil,
            ].compactMap(\.self)
        }
    }

    static func introspectionFindings(of text: String, _ context: ExplanationContext) -> [Finding] {
        findings(of: text) { (response) throws(TernError) in
            let members = (try? AnswerBody.object(response.body)) ?? nil
            let answer = try Introspection(members: members ?? [:])
            guard answer.isActive else {
                return [
                    Finding(
                        .failed, "verdict", "The token is not good",
                        "It expired, was revoked, was never issued, or is not for the one who asked; the server does not say which.",
                        fix: "get a new token")
                ]
            }
            var findings = [Finding(.passed, "verdict", "The token is good, says the server")]
            if let end = answer.expiration {
                let isOver = end <= context.now
                findings.append(
                    Finding(
                        isOver ? .failed : .passed, "exp",
                        "It \(isOver ? "ended" : "ends"): \(Shown.time(end.secondsSince1970, now: context.now))",
                        fix: isOver ? "compare the clocks of the server and of this device" : nil))
            }
            if let issuer = context.issuer, let received = members?["iss"]?.string {
                findings.append(ClaimsExplanation.issuer(received, issuer))
            }
            if answer.confirmation != nil {
                findings.append(
                    Finding(.note, "cnf", "It is bound to a key or a certificate, which the caller must prove"))
            }
            return findings
        }
    }

    /// The verdict, and the members behind it.
    private static func findings(
        of text: String, _ body: (HTTPResponse) throws(TernError) -> [Finding]
    ) -> [Finding] {
        let bytes = Array(text.utf8)
        let notes = ((try? AnswerBody.object(bytes)) ?? nil).map { TokenAnswerExplanation.notes(on: $0) } ?? []
        do throws(TernError) {
            return try body(HTTPResponse(status: 200, body: bytes)) + notes
        } catch {
            return [.refusal(CallbackExplanation.scrubbed(error), "verdict", "Tern would refuse it")] + notes
        }
    }
}
