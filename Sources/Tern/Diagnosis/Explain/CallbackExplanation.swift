internal import TernCrypto
internal import TernJOSE
internal import TernOAuth1
internal import TernProtocol

/// A callback, read as a sign-in of Tern's reads it.
enum CallbackExplanation {
    static func findings(of text: String, _ context: ExplanationContext) -> [Finding] {
        guard let callback = address(text, context) else {
            return [Finding(.failed, "verdict", "It cannot be read as an address", fix: "copy the whole address")]
        }
        let parameters = AddressParameters(callback)
        let isInFragment =
            parameters.fragment.parameters.contains { SpecimenRecognition.callbackNames.contains($0.name) }
            && !parameters.query.parameters.contains { SpecimenRecognition.callbackNames.contains($0.name) }
        let answer = isInFragment ? parameters.fragment : parameters.query
        var findings: [Finding] = []
        let redirect = redirect(of: callback, isWhole: URI(text) != nil, context, &findings)
        if answer["oauth_token"] != nil || answer["oauth_verifier"] != nil || answer["denied"] != nil {
            findings.insert(oauth1Verdict(callback, redirect, answer), at: 0)
        } else {
            findings.append(stateFinding(answer, context))
            findings += issuerFinding(answer, context)
            if let redirect {
                findings.insert(
                    contentsOf: verdict(on: callback, redirect, answer, isInFragment: isInFragment, context), at: 0)
            }
        }
        return findings + notes(on: answer)
    }

    /// Whether a text is an address without its beginning, as logs of servers and forms show it.
    static func isPartOfAddress(_ text: String) -> Bool {
        let first = text.unicodeScalars.first
        guard first == "?" || first == "#" || first == "/" || requestTarget(text) != nil else { return false }
        let target = requestTarget(text) ?? text
        guard let uri = URI("https://callback.invalid/").flatMap({ $0.resolving(target) }) else { return false }
        return !AddressParameters(uri).names.isDisjoint(with: SpecimenRecognition.callbackNames)
    }

    /// The target of a request line, such as `GET /callback?code=… HTTP/1.1`.
    private static func requestTarget(_ text: String) -> String? {
        let words = text.split(separator: " ")
        guard words.count >= 2, ["GET", "POST"].contains(words[0]), words[1].hasPrefix("/") else { return nil }
        return String(words[1])
    }

    private static func address(_ text: String, _ context: ExplanationContext) -> URI? {
        if let whole = URI(text) { return whole }
        let standIn = URI("https://callback.invalid/")
        guard let base = context.redirectURI.flatMap({ URI($0) }) ?? standIn else { return nil }
        let target = requestTarget(text) ?? text
        if target.hasPrefix("/") { return base.resolving(target) }
        if target.hasPrefix("?") || target.hasPrefix("#") { return URI(base.withoutQueryAndFragment + target) }
        guard let form = FormParameters(decoding: target), !target.contains(" ") else { return nil }
        guard context.responseMode?.carrier == .formPost, let redirect = try? RedirectURI(base.withoutQueryAndFragment)
        else { return URI(base.withoutQueryAndFragment + "?" + form.encoded) }
        return redirect.callback(posting: form)
    }

    private static func redirect(
        of callback: URI, isWhole: Bool, _ context: ExplanationContext, _ findings: inout [Finding]
    ) -> RedirectURI? {
        let place = callback.hasUserInformation ? callback.redacted : callback.withoutQueryAndFragment
        let own = try? RedirectURI(place)
        guard let text = context.redirectURI else {
            if own == nil {
                findings.append(
                    Finding(
                        .failed, "redirect_uri", "No redirect URI of an application is like its address",
                        "\(Shown.address(place)): plain http is for loopback alone, and there must be no user name.",
                        fix: "register an https address, one on loopback, or a scheme of your own"))
            } else {
                findings.append(
                    Finding(
                        .note, "redirect_uri",
                        "It arrived at \(isWhole ? Shown.address(place) : "an address that is not told")",
                        "It was not compared: name the redirect URI (--redirect-uri)."))
            }
            return own
        }
        do throws(TernError) {
            let redirect = try RedirectURI(text)
            if redirect.matches(callback) {
                findings.append(Finding(.passed, "redirect_uri", "It arrived at the redirect URI"))
            } else {
                findings.append(
                    Finding(
                        .failed, "redirect_uri", "It did not arrive at the redirect URI",
                        fix: "register and configure the same address, character by character",
                        comparison: Comparison(
                            "arrived at", place, "redirect URI", redirect.uri.withoutQueryAndFragment)))
            }
            return redirect
        } catch {
            findings.append(.refusal(error, "redirect_uri", "The redirect URI cannot be used"))
            return own
        }
    }

    private static func stateFinding(_ answer: FormParameters, _ context: ExplanationContext) -> Finding {
        guard let received = answer["state"] else {
            return Finding(
                answer["response"] == nil ? .failed : .note, "state", "It has no state",
                answer["response"] == nil
                    ? "Nothing ties it to a sign-in, and Tern sends a state with each."
                    : "It is inside of the signed answer.")
        }
        guard let expected = context.state else {
            return Finding(.note, "state", "Its state was not compared", "Name the one that was sent (--state).")
        }
        if received.hasSameOctets(as: expected) {
            return Finding(.passed, "state", "The state is the one that was sent")
        }
        return Finding(
            .failed, "state", "The state is another one",
            "It has \(Shown.count(received.unicodeScalars.count, "character")), the sent one "
                + "\(expected.unicodeScalars.count)\(fate(of: received, expected)).",
            fix: "start a new sign-in and use its page")
    }

    /// How a state was changed on its way, where that can be told without showing it.
    private static func fate(of received: String, _ expected: String) -> String {
        if PercentCodec.decodeForm(received).hasSameOctets(as: expected)
            || PercentCodec.decodeForm(expected).hasSameOctets(as: received)
        {
            return "; one of them is percent-encoded once more"
        }
        if received.equalsIgnoringASCIICase(expected) { return "; capital and small letters differ" }
        if !received.isEmpty, expected.hasPrefix(received) { return "; its end was cut off" }
        return ""
    }

    private static func issuerFinding(_ answer: FormParameters, _ context: ExplanationContext) -> [Finding] {
        guard let expected = context.issuer else {
            return answer["iss"].map {
                [
                    Finding(
                        .note, "issuer", "It says that it comes from \(Shown.address($0))",
                        "It was not compared (--issuer).")
                ]
            } ?? []
        }
        guard let received = answer["iss"] else {
            return answer["response"] != nil
                ? []
                : [
                    Finding(
                        .note, "issuer", "It does not say who issued it",
                        "That is refused only where the server's metadata promises it (RFC 9207).")
                ]
        }
        if received.hasSameOctets(as: expected) { return [Finding(.passed, "issuer", "The issuer is the right one")] }
        return [
            Finding(
                .failed, "issuer", "The issuer is another one",
                fix: "configure the issuer exactly as the server writes it",
                comparison: Comparison("received", Shown.text(received), "expected", expected))
        ]
    }

    private static func verdict(
        on callback: URI, _ redirect: RedirectURI, _ answer: FormParameters, isInFragment: Bool,
        _ context: ExplanationContext
    ) -> [Finding] {
        let words = ["code", "id_token", "access_token"].filter { !(answer[$0] ?? "").isEmpty }
            .map { $0 == "access_token" ? "token" : $0 }.joined(separator: " ")
        let type = (try? ResponseType(words)) ?? .code
        let isSigned = answer["response"] != nil
        let here: AuthorizationRequest.ResponseMode = isInFragment ? .fragment : .query
        let signedHere: AuthorizationRequest.ResponseMode = isInFragment ? .fragmentJWT : .queryJWT
        let usual = words.isEmpty ? here : type.standardMode
        var expected = AuthorizationResponse.Expectation(
            redirectURI: redirect, state: context.state ?? answer["state"] ?? "", issuer: context.issuer,
            responseMode: context.responseMode ?? (isSigned ? signedHere : usual))
        expected.responseType = type
        expected.responseMode = expected.responseMode.resolved(for: type)
        if isSigned { return SignedCallbackExplanation.findings(of: callback, expected, context) }
        return [plainVerdict(callback, expected, context)]
    }

    static func plainVerdict(
        _ callback: URI, _ expected: AuthorizationResponse.Expectation, _ context: ExplanationContext
    ) -> Finding {
        do throws(TernError) {
            let isTaken =
                expected.responseType.hasCode
                ? try AuthorizationResponse(callback: callback, expecting: expected) != nil
                : try ImplicitResponse(callback: callback, expecting: expected) != nil
            guard isTaken else {
                return CallbackExplanation.stray
            }
        } catch {
            if case .serverError(let said) = error.reason {
                return .refusal(
                    scrubbed(error), "verdict", "The sign-in failed: the server says \(Shown.words(said.code))")
            }
            return .refusal(scrubbed(error), "verdict", "Tern would refuse it")
        }
        let next = expected.responseType.hasCode ? "exchange the code for tokens" : "take the tokens from it"
        guard context.redirectURI != nil, context.state != nil else {
            return Finding(
                .unchecked, "verdict", "Tern would take it, if redirect URI and state are those of the sign-in",
                "It would then \(next). Name both (--redirect-uri, --state) to find out.")
        }
        return Finding(.passed, "verdict", "Tern would take it", "It would then \(next).")
    }

    private static func oauth1Verdict(_ callback: URI, _ redirect: RedirectURI?, _ answer: FormParameters) -> Finding {
        guard let redirect else { return Finding(.failed, "verdict", "Tern would refuse it") }
        let token = AccessToken(answer["oauth_token"] ?? answer["denied"] ?? "")
        do throws(TernError) {
            let expected = OAuth1AuthorizationResponse.Expectation(redirectURI: redirect, token: token)
            guard try OAuth1AuthorizationResponse(callback: callback, expecting: expected) != nil else {
                return CallbackExplanation.stray
            }
        } catch {
            return .refusal(error, "verdict", "Tern would refuse this answer of OAuth 1.0a")
        }
        return Finding(
            .unchecked, "verdict", "Tern would take this answer of OAuth 1.0a, if its token is the one of the sign-in",
            "It would then exchange the verifier for a token. There is no state in OAuth 1.0a.")
    }

    /// What becomes of an address that is not the redirect URI's.
    static let stray = Finding(
        .failed, "verdict", "Tern would not take it: it did not arrive at the redirect URI",
        "It would be left alone as somebody else's, and the sign-in would wait on until its time is over. [stray_callback]"
    )

    /// The server's words without what looks like a secret.
    static func scrubbed(_ error: TernError) -> TernError {
        guard case .serverError(let said) = error.reason else { return error }
        let quiet = ServerError(
            code: Shown.words(said.code), detail: said.detail.map(Shown.words), uri: nil, status: said.status,
            stateWasMissing: said.stateWasMissing)
        return TernError(.serverError(quiet), at: error.step)
    }

    private static func notes(on answer: FormParameters) -> [Finding] {
        var seen: Set<String> = []
        return answer.parameters.prefix(ParameterGlossary.maximumShownCount).map { parameter in
            let isFirst = seen.insert(parameter.name).inserted
            return Finding(
                isFirst ? .note : .warning, "parameter",
                Shown.text(parameter.name) + (isFirst ? "" : ", once more")
                    + (ParameterGlossary.meaning(of: parameter.name).map { " (\($0))" } ?? ""),
                ParameterGlossary.shown(parameter))
        }
    }
}

/// A callback whose answer is a signed token.
enum SignedCallbackExplanation {
    static func findings(
        of callback: URI, _ expected: AuthorizationResponse.Expectation, _ context: ExplanationContext
    ) -> [Finding] {
        do throws(TernError) {
            guard let signed = try SignedAuthorizationResponse(callback: callback, expecting: expected) else {
                return [
                    CallbackExplanation.stray
                ]
            }
            if JWE.isCompact(signed.token.exposedText) {
                return [
                    Finding(.unchecked, "verdict", "The signed answer in it is encrypted, so it cannot be looked at")
                ]
            }
            guard let keys = context.keys, let clientID = context.clientID, context.issuer != nil else {
                return try unverified(signed, expected, context)
            }
            let plain = try signed.plainCallback(
                verifiedWith: keys, for: clientID, expecting: expected, now: context.now)
            return [
                CallbackExplanation.plainVerdict(plain, adapted(expected, to: plain, context), context),
                Finding(.passed, "signed_answer", "The signature of the answer is good"),
            ] + inside(plain)
        } catch {
            return [.refusal(CallbackExplanation.scrubbed(error), "verdict", "Tern would refuse it")]
        }
    }

    private static func unverified(
        _ signed: SignedAuthorizationResponse, _ expected: AuthorizationResponse.Expectation,
        _ context: ExplanationContext
    ) throws(TernError) -> [Finding] {
        let plain = try signed.unverifiedCallback()
        let inner = CallbackExplanation.plainVerdict(plain, adapted(expected, to: plain, context), context)
        return [
            inner,
            Finding(
                .unchecked, "signed_answer", "The signature of the answer was not checked",
                "Name the keys, the issuer and the client (--jwks, --issuer, --client-id)."),
        ] + inside(plain)
    }

    /// The state inside of the token is the one that counts.
    private static func adapted(
        _ expected: AuthorizationResponse.Expectation, to plain: URI, _ context: ExplanationContext
    ) -> AuthorizationResponse.Expectation {
        var adapted = expected.withoutSignature
        let parameters = AddressParameters(plain)
        if context.state == nil { adapted.state = parameters.query["state"] ?? parameters.fragment["state"] ?? "" }
        return adapted
    }

    private static func inside(_ plain: URI) -> [Finding] {
        let parameters = AddressParameters(plain)
        let all = parameters.query.parameters + parameters.fragment.parameters
        return all.prefix(ParameterGlossary.maximumShownCount).map {
            Finding(.note, "signed_parameter", "inside: \(Shown.text($0.name))", ParameterGlossary.shown($0))
        }
    }
}
