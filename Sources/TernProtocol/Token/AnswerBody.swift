package import TernJOSE

/// Reads the bodies of token, revocation and other endpoints that answer with an object (RFC 6749 §5).
package enum AnswerBody {
    /// The object in a body, whatever its label says: JSON first, then form data.
    ///
    /// - Returns: `nil` when the body is neither, or form data that names something twice.
    package static func object(_ body: [UInt8]) throws(JSONError) -> JSONObject? {
        guard let start = body.firstIndex(where: { !isBlankOrMark($0) }) else { return nil }
        let first = body[start]
        if first == UInt8(ascii: "{") { return try JSON(parsing: body).object }
        guard first != UInt8(ascii: "<"), first != UInt8(ascii: "["), first != UInt8(ascii: "\"") else { return nil }
        return formObject(body[start...])
    }

    /// Blanks around form data are no part of its first name and last value.
    private static func formObject(_ body: ArraySlice<UInt8>) -> JSONObject? {
        guard let end = body.lastIndex(where: { !isBlankOrMark($0) }), body.contains(UInt8(ascii: "=")),
            let form = FormParameters(decoding: String(decoding: body[...end], as: UTF8.self))
        else { return nil }
        var object: JSONObject = [:]
        for parameter in form.parameters {
            guard object[parameter.name] == nil else { return nil }
            object[parameter.name] = .string(parameter.value)
        }
        // Old services that answer with form data call the lifetime so.
        if object["expires_in"] == nil { object["expires_in"] = object["expires"] }
        return object
    }

    /// White space, or a byte of the byte-order mark.
    private static func isBlankOrMark(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF: true
        default: false
        }
    }

    /// The object in an answer, after looking for an error in it.
    ///
    /// An `error` makes the answer an error whatever the status; but with 408, 429 and 5xx only a code of the standards
    /// says more than the status, since frameworks fill the member with anything. Without an `error` these are passing
    /// trouble and every other bad status is only a number.
    static func object(
        in response: HTTPResponse, step: Step, format: TokenAnswerFormat = TokenAnswerFormat()
    ) throws(TernError) -> JSONObject {
        let object: JSONObject?
        do { object = try Self.object(response.body) } catch {
            guard response.isSuccess else { throw failure(of: response, step: step) }
            throw TernError(.malformedResponse(field: "body"), at: step)
        }
        if let object, let error = serverError(in: object, status: response.status, format: format) {
            if transientCodes.contains(error.code) || isTransient(response.status) && !isFinal(error.code, format) {
                throw transient(response, step: step)
            }
            throw TernError(.serverError(error), at: step)
        }
        guard response.isSuccess else { throw failure(of: response, step: step) }
        guard let object else { throw TernError(.malformedResponse(field: "body"), at: step) }
        return object
    }

    /// What a bad status without an error object means.
    package static func failure(of response: HTTPResponse, step: Step) -> TernError {
        if isTransient(response.status) { return transient(response, step: step) }
        let location = response.fields["Location"].map { URI($0)?.redacted ?? "another address" }
        return TernError(
            .httpStatus(response.status, location: (300...399).contains(response.status) ? location : nil), at: step)
    }

    private static let transientCodes: Set<String> = ["temporarily_unavailable", "server_error"]

    /// RFC 6749 §5.2 and §4.1.2.1, RFC 8628 §3.5, RFC 8707 §2, RFC 9449 §5 and §8.
    private static let finalCodes: Set<String> = [
        "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client", "unsupported_grant_type",
        "invalid_scope", "access_denied", "authorization_pending", "slow_down", "expired_token", "invalid_target",
        "invalid_dpop_proof", "use_dpop_nonce", "transaction_failed",
    ]

    private static func isFinal(_ code: String, _ format: TokenAnswerFormat) -> Bool {
        finalCodes.contains(code) || format.deadGrantCodes.contains(code)
    }

    package static func isTransient(_ status: Int) -> Bool {
        status == 408 || status == 429 || (500...599).contains(status)
    }

    private static func transient(_ response: HTTPResponse, step: Step) -> TernError {
        TernError(.transient(status: response.status, retryAfter: RetryAfter(response.fields)?.delay), at: step)
    }

    static func serverError(in object: JSONObject, status: Int, format: TokenAnswerFormat) -> ServerError? {
        let named = format.errorCodeMember.flatMap { object[$0] }.flatMap { isSet($0) ? $0 : nil }
        guard let error = named ?? object["error"], isSet(error) else { return nil }
        let nested = error.object
        func text(_ json: JSON?) -> String? {
            switch json {
            case .string(let text): text.isEmpty ? nil : text
            case .number(let number): number.text
            default: nil
            }
        }
        let code: String?
        if let nested {
            code = [nested["type"], nested["status"], nested["code"]].lazy.compactMap { text($0) }.first
        } else {
            code = text(error)
        }
        let detail =
            text(format.errorDescriptionMember.flatMap { object[$0] }) ?? text(object["error_description"])
            ?? text(nested?["message"])
        return ServerError(
            code: code ?? "unknown_error", detail: detail, uri: text(object["error_uri"]), status: status,
            members: object)
    }

    /// Some providers send `"error": null`, `""`, `0` or `false` with a good answer.
    private static func isSet(_ error: JSON) -> Bool {
        switch error {
        case .null, .bool(false): false
        case .string(let text): !text.isEmpty
        case .number(let number): number.int64 != 0
        default: true
        }
    }
}
