internal import TernJOSE
internal import TernProtocol

/// An authorization request that was pushed and waits for its browser.
struct PushedRequest: Sendable {
    let clientID: String
    let parameters: FormParameters
    let expiresAt: NumericDate
}

extension AuthorizationServer {
    static let pushedPrefix = "urn:ietf:params:oauth:request_uri:"

    /// The pushed authorization request endpoint (RFC 9126 §2).
    mutating func push(_ request: HTTPRequest, at now: NumericDate) -> HTTPResponse {
        do throws(EndpointFailure) {
            let form = try Self.form(of: request)
            let client = try authenticate(request, form)
            guard form["request_uri"] == nil else {
                throw EndpointFailure("invalid_request", "a pushed request cannot refer to another one")
            }
            var parameters = form
            for name in ["client_secret", "client_assertion", "client_assertion_type"] { parameters[name] = nil }
            guard parameters.value("client_id") ?? client.clientID == client.clientID else {
                throw EndpointFailure("invalid_request", "client_id is another client")
            }
            parameters["client_id"] = client.clientID
            let proofKey = request.fields["DPoP"] == nil ? nil : try checkProof(of: request, at: now)
            parameters = try checked(parameters, proofKey, at: now)
            let reference = Self.pushedPrefix + token("request")
            state.pushed[reference] = PushedRequest(
                clientID: client.clientID, parameters: parameters, expiresAt: now + settings.requests.pushedLifetime)
            return .json(
                [
                    "request_uri": .string(reference),
                    "expires_in": .number(JSONNumber(settings.requests.pushedLifetime.wholeSeconds)),
                ], status: 201, fields: ["Cache-Control": "no-store"])
        } catch {
            return error.response
        }
    }

    /// A pushed request has to be good already, so that its mistakes are told to the client and not to the user (§2.1).
    private func checked(
        _ form: FormParameters, _ proofKey: String?, at now: NumericDate
    ) throws(EndpointFailure) -> FormParameters {
        do throws(AuthorizationRefusal) {
            var parameters = try signedParameters(in: form, at: now)
            let input = try AuthorizationInput(parameters, clients: clients(for: parameters), settings: settings)
            try check(input)
            if let proofKey {
                guard input.keyThumbprint ?? proofKey == proofKey else {
                    throw .unanswerable(code: "invalid_dpop_proof", detail: "the proof is not of the key of dpop_jkt")
                }
                parameters["dpop_jkt"] = proofKey
            }
            return parameters
        } catch {
            switch error {
            case .page(let problem): throw EndpointFailure("invalid_request", problem)
            case .answer(_, let code, let detail), .unanswerable(let code, let detail):
                throw EndpointFailure(code, detail)
            }
        }
    }

    /// The parameters of a request at the authorization endpoint, wherever they stand, and whether they were pushed. A
    /// pushed request is used up.
    mutating func parameters(
        behind parameters: FormParameters, at now: NumericDate
    ) throws(AuthorizationRefusal) -> (FormParameters, wasPushed: Bool) {
        guard let reference = parameters.value("request_uri") else {
            return (try signedParameters(in: parameters, at: now), false)
        }
        guard parameters.value("request") == nil else {
            throw .unanswerable(code: "invalid_request", detail: "request and request_uri stand together")
        }
        if reference.hasPrefix(Self.pushedPrefix) {
            guard let pushed = state.pushed.removeValue(forKey: reference), pushed.expiresAt > now,
                pushed.clientID == parameters.value("client_id")
            else {
                throw .unanswerable(
                    code: "invalid_request_uri", detail: "the pushed request is not known, was used, or is too old")
            }
            return (pushed.parameters, true)
        }
        guard let object = settings.requests.published[reference] else {
            throw .unanswerable(code: "invalid_request_uri", detail: "nothing is at the address of the request")
        }
        var fetched = parameters
        fetched["request_uri"] = nil
        fetched["request"] = object
        return (try signedParameters(in: fetched, at: now), false)
    }
}
