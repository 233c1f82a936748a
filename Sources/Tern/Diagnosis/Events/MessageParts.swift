internal import TernJOSE
internal import TernProtocol

/// What may be told of messages. A value is told in words only under a name that is known to hold no secret; any other value
/// becomes an ``EventSecret``, so that what no standard knows stays hidden too.
enum MessageParts {
    /// Names whose values are no secrets and say nothing about a person.
    private static let plain: Set<String> = [
        "response_type", "response_mode", "grant_type", "client_id", "scope", "code_challenge_method", "prompt",
        "display",
        "max_age", "ui_locales", "acr_values", "resource", "audience", "token_type", "expires_in",
        "refresh_token_expires_in", "token_type_hint", "error", "subject_token_type", "actor_token_type",
        "requested_token_type", "issued_token_type", "client_assertion_type", "interval", "active", "iss", "issuer",
        "oauth_signature_method", "oauth_version", "oauth_callback_confirmed", "oauth_problem", "verification_uri",
        "application_type", "client_id_issued_at", "client_secret_expires_at", "grant_types", "response_types",
        "token_endpoint_auth_method",
    ]

    /// Names whose values are addresses, told without query and fragment.
    private static let addresses: Set<String> = [
        "redirect_uri", "post_logout_redirect_uri", "oauth_callback",
    ]

    /// The longest value that is told, in characters, and the most parts of a message.
    private static let (maximumLength, maximumCount) = (300, 60)

    static func field(_ name: String, _ value: String) -> Event.Field {
        let shown = String(name.prefix(64))
        if plain.contains(name) { return Event.Field(name: shown, value: .text(String(value.prefix(maximumLength)))) }
        if addresses.contains(name), let address = URI(value) {
            return Event.Field(name: shown, value: .text(String(address.withoutQueryAndFragment.prefix(maximumLength))))
        }
        return Event.Field(name: shown, value: .secret(EventSecret(value)))
    }

    static func fields(_ parameters: FormParameters?) -> [Event.Field] {
        (parameters?.parameters ?? []).prefix(maximumCount).map { field($0.name, $0.value) }
    }

    /// The parameters of an address, in whichever part of it they are.
    static func fields(ofAddress address: URI) -> [Event.Field] {
        [address.encodedQuery, address.encodedFragment].flatMap { part in
            fields(part.flatMap { FormParameters(decoding: $0) })
        }
    }

    /// The parameters of a request, and how it shows who sends it.
    static func fields(of request: HTTPRequest) -> [Event.Field] {
        var found: [Event.Field] = []
        if let authorization = request.fields["Authorization"] {
            let parts = authorization.split(separator: " ", maxSplits: 1)
            let scheme = String(parts.first ?? "")
            let secret = parts.count > 1 ? String(parts[1]) : ""
            let isToken = ["bearer", "dpop"].contains(scheme.lowercased())
            found.append(Event.Field(name: "Authorization", value: .text(String(scheme.prefix(20)))))
            found.append(
                Event.Field(name: isToken ? "access_token" : "credentials", value: .secret(EventSecret(secret))))
        }
        if let proof = request.fields["DPoP"] {
            found.append(Event.Field(name: "DPoP", value: .secret(EventSecret(proof))))
        }
        found += fields(request.url.encodedQuery.flatMap { FormParameters(decoding: $0) })
        if case .form(let form) = request.body { found += fields(form) }
        return found
    }

    /// The members of an answer; of a document that everybody may read, such as the server's metadata, none.
    static func fields(of response: HTTPResponse, at step: Step) -> [Event.Field] {
        var found: [Event.Field] = []
        for name in ["WWW-Authenticate", "Location", "Retry-After", "DPoP-Nonce"] {
            guard let value = response.fields[name] else { continue }
            switch name {
            case "WWW-Authenticate":
                let scheme = value.split { $0 == " " || $0 == "," }.first.map(String.init) ?? ""
                found.append(Event.Field(name: name, value: .text(String(scheme.prefix(20)))))
            case "Location":
                let address = URI(value)?.withoutQueryAndFragment ?? ""
                found.append(Event.Field(name: name, value: .text(String(address.prefix(maximumLength)))))
            case "Retry-After": found.append(Event.Field(name: name, value: .text(String(value.prefix(40)))))
            default: found.append(Event.Field(name: name, value: .secret(EventSecret(value))))
            }
        }
        guard ![.discovery, .keys, .resourceRequest].contains(step),
            let object = (try? JSON(parsing: response.body))?.object
        else { return found }
        for (name, value) in object.prefix(maximumCount) {
            switch value {
            case .string(let text): found.append(field(name, text))
            case .number, .bool: found.append(field(name, value.text))
            case .null, .array, .object: found.append(field(name, value.text))
            }
        }
        return found
    }
}
