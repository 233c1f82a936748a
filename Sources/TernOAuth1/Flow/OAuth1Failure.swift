internal import TernJOSE
public import TernProtocol

/// What a service of OAuth 1.0a says when it refuses. RFC 5849 leaves the form open; known are `oauth_problem` in a
/// challenge or a form, JSON with `error` or `errors`, XML, and a plain sentence.
public enum OAuth1Failure {
    /// The object in a good answer.
    ///
    /// - Throws: ``/TernProtocol/TernError``: `serverError`, `transient`, `httpStatus`, `malformedResponse`.
    static func checked(_ response: HTTPResponse, step: Step) throws(TernError) -> JSONObject {
        if AnswerBody.isTransient(response.status) { throw AnswerBody.failure(of: response, step: step) }
        let object = (try? AnswerBody.object(response.body)) ?? nil
        if let error = problem(in: object, response) { throw TernError(.serverError(error), at: step) }
        guard response.isSuccess else { throw failure(response, step: step) }
        guard let object else { throw TernError(.malformedResponse(field: "body"), at: step) }
        return object
    }

    /// Why an answer is no good, by its status and words.
    private static func failure(_ response: HTTPResponse, step: Step) -> TernError {
        guard !(300...399).contains(response.status), let text = words(of: response) else {
            return AnswerBody.failure(of: response, step: step)
        }
        return TernError(
            .serverError(ServerError(code: "http_status_\(response.status)", detail: text, status: response.status)),
            at: step)
    }

    /// The problem that an answer names: in a challenge, in form data, or in JSON.
    public static func problem(in response: HTTPResponse) -> ServerError? {
        problem(in: (try? AnswerBody.object(response.body)) ?? nil, response)
    }

    private static func problem(in object: JSONObject?, _ response: HTTPResponse) -> ServerError? {
        for challenge in AuthenticateChallenge.all(in: response.fields) {
            guard let code = challenge.parameters["oauth_problem"], !code.isEmpty else { continue }
            return ServerError(
                code: code, detail: challenge.parameters["oauth_problem_advice"], status: response.status)
        }
        guard let object else { return nil }
        if let code = object["oauth_problem"]?.string, !code.isEmpty {
            return ServerError(
                code: code, detail: text(object["oauth_problem_advice"]), status: response.status, members: object)
        }
        if let first = object["errors"]?.array?.first?.object ?? object["error"]?.object {
            return ServerError(
                code: text(first["code"]) ?? "unknown_error", detail: text(first["message"]), status: response.status,
                members: object)
        }
        guard let code = text(object["error"]) else { return nil }
        return ServerError(
            code: code, detail: text(object["error_description"]), uri: text(object["error_uri"]),
            status: response.status, members: object)
    }

    private static func text(_ json: JSON?) -> String? {
        switch json {
        case .string(let text): text.isEmpty ? nil : text
        case .number(let number): number.text
        default: nil
        }
    }

    /// The text of a body that is XML or a plain sentence, without the marks; web pages say nothing that belongs into an
    /// error.
    private static func words(of response: HTTPResponse) -> String? {
        guard response.body.count <= maximumTextByteCount, response.mediaType != "text/html" else { return nil }
        let body = String(decoding: response.body, as: UTF8.self)
        guard !body.lowercased().contains("<html") else { return nil }
        var text = ""
        var isInside = false
        for character in body {
            switch character {
            case "<": (isInside, text) = (true, text + " ")
            case ">" where isInside: isInside = false
            case _ where !isInside: text.append(character)
            default: break
            }
        }
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return words.isEmpty ? nil : words
    }

    /// The largest body that is searched for words, in bytes.
    private static let maximumTextByteCount = 16 << 10
}
