internal import TernCrypto

/// The parameters of a good answer of the authorization endpoint, whatever the response type: it arrived at the redirect URI
/// in the right way, it belongs to this sign-in and comes from the right server, and it is no error.
struct AuthorizationAnswer {
    let parameters: FormParameters

    static let step = Step.authorizationResponse

    /// The parameters that make an address an answer.
    private static let names: Set<String> = ["code", "error", "state", "id_token", "access_token", "response"]

    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    init?(_ callback: URI, expecting expected: AuthorizationResponse.Expectation) throws(TernError) {
        guard expected.redirectURI.matches(callback) else { return nil }
        guard !expected.responseMode.isSigned else {
            throw TernError(
                .invalidConfiguration(
                    field: "response_mode", problem: "a signed answer has to be verified before it is read"),
                at: Self.step)
        }
        let parameters = try Self.parameters(of: callback, expecting: expected.responseMode)
        if let name = Self.repeatedName(in: parameters) {
            throw TernError(.malformedCallback("\"\(name)\" stands in it more than once"), at: Self.step)
        }
        let state = parameters["state"]
        let stateFits = state.map { constantTimeEqual($0.utf8, expected.state.utf8) }
        // RFC 6749 §3.1: a parameter without a value counts as left out.
        if let error = parameters["error"], !error.isEmpty {
            try Self.checkErrorAnswer(parameters, stateFits: stateFits, expected)
            throw TernError(
                .serverError(
                    ServerError(
                        code: error, detail: parameters["error_description"], uri: parameters["error_uri"],
                        stateWasMissing: state == nil)),
                at: Self.step)
        }
        guard stateFits == true || (state == nil && expected.delivery == .pasted) else {
            throw TernError(.stateMismatch, at: Self.step)
        }
        self.parameters = parameters
    }

    /// A parameter that the response type promises.
    func required(_ name: String, _ problem: String) throws(TernError) -> String {
        guard let value = parameters[name], !value.isEmpty else {
            throw TernError(.malformedCallback(problem), at: Self.step)
        }
        return value
    }

    /// Everything that no standard names. Tokens are never among it: they are secrets.
    var additionalParameters: FormParameters {
        FormParameters(parameters.parameters.filter { !Self.namesOfStandards.contains($0.name) })
    }

    private static let namesOfStandards: Set<String> = [
        "code", "state", "iss", "id_token", "access_token", "refresh_token",
    ]

    /// RFC 9207 §2.4. Where an ID token comes along, its own `iss` is checked before anything is believed and says the same
    /// with a signature; some servers that promise the parameter leave it out of such answers.
    func checkIssuer(_ expected: AuthorizationResponse.Expectation) throws(TernError) {
        try Self.checkIssuer(
            parameters["iss"], expected, isRequired: expected.requiresIssuer && !expected.responseType.hasIDToken)
    }

    /// The first name that may stand only once and stands there again.
    private static func repeatedName(in parameters: FormParameters) -> String? {
        var seen: Set<String> = []
        return parameters.parameters.first { parameter in
            (names.contains(parameter.name) || parameter.name == "iss") && !seen.insert(parameter.name).inserted
        }?.name
    }

    /// The parameters of a part of an address.
    static func read(_ text: String?) throws(TernError) -> FormParameters {
        guard let parameters = FormParameters(decoding: text ?? "") else {
            throw TernError(.malformedCallback("it holds too many parameters"), at: step)
        }
        return parameters
    }

    /// The part of the address that the answer must be in.
    ///
    /// - Throws: `unexpectedResponseMode` when it is in another one, or signed where it must not be and the other way round.
    static func parameters(
        of callback: URI, expecting mode: AuthorizationRequest.ResponseMode
    ) throws(TernError) -> FormParameters {
        let query = try read(callback.encodedQuery)
        let fragment = callback.wasPosted ? [:] : try read(callback.encodedFragment)
        func isAnswer(_ parameters: FormParameters) -> Bool {
            parameters.parameters.contains { names.contains($0.name) }
        }
        let inQuery: AuthorizationRequest.ResponseMode = callback.wasPosted ? .formPost : .query
        // Some providers put something into the fragment of any answer, so it counts only where it was asked for or where
        // nothing else is there.
        let (found, carrier) =
            isAnswer(query) && (mode.carrier != .fragment || !isAnswer(fragment))
            ? (query, inQuery) : (fragment, AuthorizationRequest.ResponseMode.fragment)
        guard isAnswer(found) else { return [:] }
        let isSigned = found["response"] != nil
        guard carrier == mode.carrier, isSigned || !mode.isSigned else {
            throw TernError(
                .unexpectedResponseMode(
                    expected: mode.rawValue, received: carrier.rawValue + (isSigned ? ".jwt" : "")), at: step)
        }
        let isPlain = found.parameters.contains { names.contains($0.name) && $0.name != "response" }
        guard mode.isSigned || isPlain else {
            throw TernError(
                .unexpectedResponseMode(expected: mode.rawValue, received: carrier.rawValue + ".jwt"), at: step)
        }
        return found
    }

    /// An error ends a sign-in only when it is known to be this one's: by its state, or, since some servers forget the
    /// state with errors, because only this sign-in can have received it.
    private static func checkErrorAnswer(
        _ parameters: FormParameters, stateFits: Bool?, _ expected: AuthorizationResponse.Expectation
    ) throws(TernError) {
        guard stateFits ?? (expected.delivery != .open) else { throw TernError(.stateMismatch, at: step) }
        try checkIssuer(parameters["iss"], expected, isRequired: false)
    }

    private static func checkIssuer(
        _ received: String?, _ expected: AuthorizationResponse.Expectation, isRequired: Bool
    ) throws(TernError) {
        guard let received else {
            guard isRequired else { return }
            throw TernError(.issuerMismatch(expected: expected.issuer ?? "", received: nil), at: step)
        }
        guard let issuer = expected.issuer, !issuer.hasSameOctets(as: received),
            !IssuerRule.fits(received, template: issuer)
        else { return }
        // Glewlwyd escapes what it posts once too often. No issuer is written like that, so none is taken for another.
        if expected.responseMode == .formPost, received.hasSameOctets(as: PercentCodec.encode(issuer)) { return }
        throw TernError(.issuerMismatch(expected: issuer, received: ServerError.cleaned(received)), at: step)
    }
}
