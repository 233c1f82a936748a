internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

extension HTTPRequest {
    /// The parameters of the query; `nil` when there are too many.
    var queryParameters: FormParameters? { FormParameters(decoding: url.encodedQuery ?? "") }

    /// The parameters of a form body; `nil` when the body is no form.
    var formParameters: FormParameters? {
        switch body {
        case .form(let parameters): return parameters
        case .none: return nil
        case .bytes(let bytes):
            let type = fields["Content-Type"]?.split(separator: ";").first?.lowercased()
            guard type?.filter({ $0 != " " }) == "application/x-www-form-urlencoded" else { return nil }
            return FormParameters(decoding: String(decoding: bytes, as: UTF8.self))
        }
    }

    /// The value of a cookie (RFC 6265 §5.4).
    func cookie(_ name: String) -> String? {
        for line in fields.values(of: "Cookie") {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard pair.hasPrefix(name + "=") else { continue }
                return String(pair.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// What follows the name of a scheme in the field `Authorization`; the name counts in any case (RFC 9110 §11.1).
    func credentials(of scheme: String) -> String? {
        guard let value = fields["Authorization"] else { return nil }
        let parts = value.split(separator: " ", maxSplits: 1)
        guard let first = parts.first, first.lowercased() == scheme.lowercased() else { return nil }
        return parts.count == 2 ? String(parts[1].drop { $0 == " " }) : ""
    }
}

extension FormParameters {
    /// The name of a parameter that stands there twice, which OAuth forbids (RFC 6749 §3.1); `resource` may (RFC 8707), and
    /// `audience` (RFC 8693 §2.1).
    var repeatedName: String? {
        var seen: Set<String> = []
        for parameter in parameters where !["resource", "audience"].contains(parameter.name) {
            if !seen.insert(parameter.name).inserted { return parameter.name }
        }
        return nil
    }

    /// A value that is there and not empty; an empty parameter counts as none (RFC 6749 §3.1).
    func value(_ name: String) -> String? { self[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension HTTPResponse {
    static func json(_ object: JSONObject, status: Int = 200, fields: HTTPFields = ["Cache-Control": "no-store"])
        -> HTTPResponse
    {
        var fields = fields
        fields["Content-Type"] = "application/json"
        return HTTPResponse(status: status, fields: fields, body: object.serialized())
    }

    /// A redirect that a browser follows with GET, whatever brought it here (RFC 9700 §4.12).
    static func redirect(to address: String) -> HTTPResponse {
        HTTPResponse(status: 303, fields: ["Location": address, "Cache-Control": "no-store"])
    }

    static func methodNotAllowed(_ allowed: String) -> HTTPResponse {
        HTTPResponse(status: 405, fields: ["Allow": allowed])
    }
}

/// An error answer of an endpoint that programs call (RFC 6749 §5.2, RFC 6750 §3.1).
struct EndpointFailure: Error {
    let status: Int
    let code: String
    let detail: String
    var challenge: String?
    /// Further header fields.
    var fields: HTTPFields

    init(
        _ code: String, _ detail: String, status: Int = 400, challenge: String? = nil, fields: HTTPFields = [:]
    ) {
        self.fields = fields
        self.status = status
        self.code = code
        self.detail = detail
        self.challenge = challenge
    }

    var response: HTTPResponse {
        var fields = fields
        fields["Cache-Control"] = "no-store"
        fields["WWW-Authenticate"] = challenge
        return .json(["error": .string(code), "error_description": .string(detail)], status: status, fields: fields)
    }

    static let internalTrouble = EndpointFailure("server_error", "the server cannot sign", status: 500)
}

extension Duration {
    var wholeSeconds: Int64 { components.seconds }
}
