internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension AuthorizationServer {
    /// How long a signed answer is good (JWT Secured Authorization Response Mode §2.1: at most ten minutes).
    private static let signedAnswerLifetime = Duration.seconds(600)

    /// Sends the answer to the client, with `state` and `iss`, in the way that was asked for.
    mutating func answer(at target: AnswerTarget, _ parameters: FormParameters) -> HTTPResponse {
        var parameters = parameters
        parameters.append("state", ifPresent: target.state)
        if settings.identifiesItself, !target.mode.isSigned { parameters.append("iss", issuer.text) }
        if target.mode.isSigned {
            do throws(EndpointFailure) {
                parameters = ["response": try signedAnswer(parameters, to: target.clientID)]
            } catch {
                return Pages.problem("The answer cannot be signed or encrypted.", status: 500)
            }
        }
        switch target.mode.carrier {
        case .formPost: return Pages.answerForm(to: target.redirectURI, parameters)
        case .fragment: return .redirect(to: target.redirectURI + "#" + parameters.encoded)
        default: return .redirect(to: URI(target.redirectURI)?.appendingQuery(parameters) ?? target.redirectURI)
        }
    }

    /// The parameters as claims (§2.1), encrypted where the client wants that (§2.2).
    private mutating func signedAnswer(
        _ parameters: FormParameters, to clientID: String
    ) throws(EndpointFailure) -> String {
        guard let client = client(clientID) else { throw EndpointFailure.internalTrouble }
        var claims: JSONObject = [
            "iss": .string(issuer.text), "aud": .string(clientID),
            "exp": .date(state.now + Self.signedAnswerLifetime),
        ]
        for parameter in parameters.parameters { claims[parameter.name] = .string(parameter.value) }
        return try encrypt(
            try sign(claims, client.answerAlgorithm, for: client), client.authorizationResponseEncryption, for: client)
    }

    /// What a client is told about a user who has said yes.
    mutating func answer(
        to input: AuthorizationInput, code: String?, _ account: BrowserSession.Account, in browser: String,
        at now: NumericDate
    ) -> HTTPResponse {
        var parameters: FormParameters = [:]
        parameters.append("code", ifPresent: code)
        parameters.append("session_state", ifPresent: sessionState(for: input, in: browser)?.text)
        guard input.responseType != .code else { return answer(at: input.target, parameters) }
        do throws(EndpointFailure) {
            for parameter in try tokens(for: input, code: code, account, at: now).parameters {
                parameters.append(parameter.name, parameter.value)
            }
            return answer(at: input.target, parameters)
        } catch {
            return answer(at: input.target, ["error": error.code, "error_description": error.detail])
        }
    }

    /// What comes through the browser beside a code or in its place (RFC 6749 §4.2.2, OpenID Connect Core 1.0 §3.2.2.5,
    /// §3.3.2.5).
    private mutating func tokens(
        for input: AuthorizationInput, code: String?, _ account: BrowserSession.Account, at now: NumericDate
    ) throws(EndpointFailure) -> FormParameters {
        guard let client = client(input.clientID) else { throw EndpointFailure.internalTrouble }
        let grantID = token("grant")
        let grant = Grant(
            clientID: client.clientID, subject: account.subject, scopes: input.scopes,
            authenticatedAt: account.authenticatedAt, sessionID: account.sessionID,
            authenticationContext: input.authenticationContext, nonce: input.nonce)
        var parameters: FormParameters = [:]
        var access: String?
        if input.responseType.hasToken {
            let text = try makeAccessToken(
                of: grant, scopes: input.scopes, resources: input.resources, thumbprint: nil, certificate: nil, at: now)
            access = text
            state.grants[grantID] = grant
            state.accessTokens[text] = IssuedToken(
                grantID: grantID, scopes: input.scopes, expiresAt: now + settings.accessTokenLifetime,
                resources: input.resources)
            // A code that comes twice ends this token as well (RFC 6749 §4.1.2).
            if let code { state.codes[code]?.frontChannelGrantID = grantID }
            parameters.append("access_token", text)
            parameters.append("token_type", "Bearer")
            if settings.announcesLifetimes {
                parameters.append("expires_in", String(settings.accessTokenLifetime.wholeSeconds))
            }
            if !input.scopes.isEmpty { parameters.append("scope", input.scopes.joined(separator: " ")) }
        }
        if input.responseType.hasIDToken {
            parameters.append(
                "id_token",
                try makeIDToken(
                    for: grant, client, scopes: input.scopes, nonce: input.nonce, accessToken: access, code: code,
                    state: input.target.state, isAlone: input.responseType == .idToken, at: now))
        }
        return parameters
    }

    /// What the metadata says about answers (OAuth 2.0 Multiple Response Types, JWT Secured Authorization Response Mode §4).
    func answerMetadata(_ metadata: inout JSONObject) {
        func list(_ values: some Sequence<String>) -> JSON { .array(values.map(JSON.string)) }
        let types = ResponseType.all.filter(settings.responseTypes.contains)
        metadata["response_types_supported"] = list(types.map(\.text))
        metadata["response_modes_supported"] = list(AuthorizationRequest.ResponseMode.allCases.map(\.rawValue))
        if types.contains(where: { $0.hasIDToken || $0.hasToken }) {
            metadata["grant_types_supported"] = .array(
                (metadata["grant_types_supported"]?.array ?? []) + ["implicit"])
        }
        metadata["authorization_signing_alg_values_supported"] = list(
            SignatureAlgorithm.asymmetric.map(\.rawValue).sorted())
        metadata["authorization_encryption_alg_values_supported"] = list(
            KeyManagementAlgorithm.allCases.map(\.rawValue))
        metadata["authorization_encryption_enc_values_supported"] = list(ContentEncryption.allCases.map(\.rawValue))
    }
}

extension TestClient {
    /// The algorithm that signs answers.
    var answerAlgorithm: SignatureAlgorithm {
        authorizationResponseAlgorithm ?? (idTokenAlgorithm.isAsymmetric ? idTokenAlgorithm : .rs256)
    }
}
