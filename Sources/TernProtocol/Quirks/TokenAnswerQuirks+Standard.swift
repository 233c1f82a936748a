package import TernJOSE

extension TokenAnswerQuirks {
    /// The standard answer for one of the provider's. What is no object stays as it is.
    ///
    /// - Parameters:
    ///   - response: what came.
    ///   - step: the step, which is one of the token endpoint's or else nothing is changed.
    ///   - now: the time, from which an absolute end of a token is counted.
    package func standard(_ response: HTTPResponse, step: Step, now: NumericDate) -> HTTPResponse {
        guard self != Self(), [.tokenRequest, .refresh].contains(step) else { return response }
        let body = isCallback ? Self.argument(of: response.body) : response.body
        guard let top = (try? AnswerBody.object(body)) ?? nil else { return response }
        var out = response
        if let error = error(in: top, response) {
            out.body = JSON.object(error).serialized()
            // A refusal with a status of success would be read as an answer without tokens.
            if response.isSuccess { out.status = 400 }
        } else {
            guard let tokens = tokens(in: top, now: now) else { return response }
            out.body = JSON.object(tokens).serialized()
        }
        out.fields["Content-Type"] = "application/json"
        return out
    }

    /// What stands between the brackets of `callback( {...} );`.
    private static func argument(of body: [UInt8]) -> [UInt8] {
        guard let open = body.firstIndex(of: UInt8(ascii: "{")), let close = body.lastIndex(of: UInt8(ascii: "}")),
            open < close
        else { return body }
        return Array(body[open...close])
    }

    /// The standard error; `nil` for a success.
    private func error(in top: JSONObject, _ response: HTTPResponse) -> JSONObject? {
        var hasFailed = !response.isSuccess
        if let success {
            hasFailed =
                top[success.member].map { !success.values.contains(Self.text($0) ?? "") } ?? !success.allowsMissing
        }
        let code = Self.value(at: errorCodePath, in: top).flatMap(Self.text)
        guard hasFailed, success != nil || code != nil else { return nil }
        let known = code.flatMap { errorCodes[$0] }
        var error: JSONObject = ["error": .string(known ?? code ?? "unknown_error")]
        let words = Self.value(at: errorTextPath, in: top).flatMap(Self.text)
        // The provider's own code is what its documentation speaks of.
        let detail = [known == nil ? nil : code, words].compactMap(\.self).joined(separator: ": ")
        if !detail.isEmpty { error["error_description"] = .string(detail) }
        return error
    }

    /// The standard members; `nil` where the path leads nowhere.
    private func tokens(in top: JSONObject, now: NumericDate) -> JSONObject? {
        guard let inner = Self.value(at: path, in: top)?.object ?? (path.isEmpty ? top : nil) else { return nil }
        // What stands beside the tokens is kept, as what no standard names is.
        var out = path.first.map { top.removing($0) } ?? [:]
        for (name, value) in inner { out[name] = value }
        for (standard, name) in memberNames.sorted(by: { $0.key < $1.key }) {
            guard let value = inner[name] else { continue }
            out[name] = nil
            out[standard] = value
        }
        if let expiryMember, out["expires_in"] == nil, let end = inner[expiryMember]?.double {
            out["expires_in"] = .number(JSONNumber(Int64(max(0, min(1e12, end - now.secondsSince1970)))))
        }
        if out["expires_in"] == nil, let defaultLifetime {
            out["expires_in"] = .number(JSONNumber(Int64(defaultLifetime)))
        }
        if let scopeSeparator, let scope = out["scope"]?.string {
            out["scope"] = .string(scope.split { scopeSeparator.contains($0) || $0 == " " }.joined(separator: " "))
        }
        if let type = out["token_type"]?.string, bearerLikeTypes.contains(where: type.equalsIgnoringASCIICase) {
            out["token_type"] = "Bearer"
        }
        return out
    }

    private static func value(at path: [String], in object: JSONObject) -> JSON? {
        guard let first = path.first, let value = object[first] else { return nil }
        let rest = Array(path.dropFirst())
        return rest.isEmpty ? value : value.object.flatMap { self.value(at: rest, in: $0) }
    }

    private static func text(_ json: JSON) -> String? {
        switch json {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.text
        case .bool(let value): value ? "true" : "false"
        case .null, .array, .object: nil
        }
    }
}
