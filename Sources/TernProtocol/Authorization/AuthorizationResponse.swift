public import TernCrypto

/// A good answer of the authorization endpoint (RFC 6749 §4.1.2, RFC 9207).
public struct AuthorizationResponse: Sendable, Hashable {
    /// The code.
    public let code: AuthorizationCode
    /// Parameters that the standard does not name, as they came.
    public let additionalParameters: FormParameters

    /// What an answer is held against.
    public struct Expectation: Sendable, Hashable {
        /// Where the answer arrives.
        public var redirectURI: RedirectURI
        /// The state that was sent.
        public var state: String
        /// The issuer that was asked; `nil` where the server has none.
        public var issuer: String?
        /// Whether the metadata promises `iss` in answers (RFC 9207 §3), so that an answer without it is refused.
        public var requiresIssuer: Bool
        /// The part of the address that the answer is in.
        public var responseMode: AuthorizationRequest.ResponseMode
        /// How the callback reaches the application.
        public var delivery: CallbackDelivery

        /// Makes an expectation.
        public init(
            redirectURI: RedirectURI, state: String, issuer: String?, requiresIssuer: Bool = false,
            responseMode: AuthorizationRequest.ResponseMode = .query, delivery: CallbackDelivery = .open
        ) {
            self.redirectURI = redirectURI
            self.state = state
            self.issuer = issuer
            self.requiresIssuer = requiresIssuer
            self.responseMode = responseMode
            self.delivery = delivery
        }
    }

    /// Reads a callback.
    ///
    /// - Returns: `nil` when the address did not arrive at the redirect URI and so is somebody else's.
    /// - Throws: ``TernError``: `serverError` with the server's words; `stateMismatch`; `issuerMismatch`;
    ///   `malformedCallback` for repeated, missing or empty parameters; `unexpectedResponseMode`.
    public init?(callback: URI, expecting expected: Expectation) throws(TernError) {
        guard expected.redirectURI.matches(callback) else { return nil }
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
        guard let code = parameters["code"], !code.isEmpty else {
            throw TernError(.malformedCallback("it brings neither a code nor an error"), at: Self.step)
        }
        try Self.checkIssuer(parameters["iss"], expected, isRequired: expected.requiresIssuer)
        self.code = AuthorizationCode(code)
        additionalParameters = FormParameters(
            parameters.parameters.filter { $0.name != "code" && $0.name != "state" && $0.name != "iss" })
    }

    /// The first name that may stand only once and stands there again.
    private static func repeatedName(in parameters: FormParameters) -> String? {
        var seen = (code: false, state: false, error: false, iss: false)
        for parameter in parameters.parameters {
            let isRepeated: Bool
            switch parameter.name {
            case "code": (isRepeated, seen.code) = (seen.code, true)
            case "state": (isRepeated, seen.state) = (seen.state, true)
            case "error": (isRepeated, seen.error) = (seen.error, true)
            case "iss": (isRepeated, seen.iss) = (seen.iss, true)
            default: isRepeated = false
            }
            if isRepeated { return parameter.name }
        }
        return nil
    }

    private static let step = Step.authorizationResponse

    private static func parameters(
        of callback: URI, expecting mode: AuthorizationRequest.ResponseMode
    ) throws(TernError) -> FormParameters {
        func read(_ text: String?) throws(TernError) -> FormParameters {
            guard let parameters = FormParameters(decoding: text ?? "") else {
                throw TernError(.malformedCallback("it holds too many parameters"), at: step)
            }
            return parameters
        }
        func isAnswer(_ parameters: FormParameters) -> Bool {
            parameters.parameters.contains { $0.name == "code" || $0.name == "error" || $0.name == "state" }
        }
        let query = try read(callback.encodedQuery)
        switch mode {
        case .fragment:
            let fragment = try read(callback.encodedFragment)
            guard isAnswer(fragment) || !isAnswer(query) else {
                throw TernError(.unexpectedResponseMode(expected: "fragment", received: "query"), at: step)
            }
            return fragment
        case .query, .formPost:
            if isAnswer(query) { return query }
            guard !isAnswer(try read(callback.encodedFragment)) else {
                throw TernError(.unexpectedResponseMode(expected: "query", received: "fragment"), at: step)
            }
            return query
        }
    }

    /// An error ends a sign-in only when it is known to be this one's: by its state, or, since some servers forget the
    /// state with errors, because only this sign-in can have received it.
    private static func checkErrorAnswer(
        _ parameters: FormParameters, stateFits: Bool?, _ expected: Expectation
    ) throws(TernError) {
        guard stateFits ?? (expected.delivery != .open) else { throw TernError(.stateMismatch, at: step) }
        try checkIssuer(parameters["iss"], expected, isRequired: false)
    }

    private static func checkIssuer(
        _ received: String?, _ expected: Expectation, isRequired: Bool
    ) throws(TernError) {
        guard let received else {
            guard isRequired else { return }
            throw TernError(.issuerMismatch(expected: expected.issuer ?? "", received: nil), at: step)
        }
        guard let issuer = expected.issuer, !issuer.hasSameOctets(as: received),
            !IssuerRule.fits(received, template: issuer)
        else { return }
        throw TernError(.issuerMismatch(expected: issuer, received: ServerError.cleaned(received)), at: step)
    }
}
