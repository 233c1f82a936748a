internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Finds out what a text is, by its form and by the names in it.
enum SpecimenRecognition {
    /// The text without what comes along when somebody copies it: blanks, line ends, quotes around it, a byte-order mark,
    /// and in addresses and tokens the line ends of a narrow window.
    static func tidied(_ text: String) -> String {
        var tidy = String(text.drop { $0 == "\u{FEFF}" }).trimmingASCIIWhitespace
        for quote in ["\"", "'", "`"] as [Character] where tidy.count > 2 && tidy.first == quote && tidy.last == quote {
            tidy = String(tidy.dropFirst().dropLast()).trimmingASCIIWhitespace[...]
        }
        for name in ["authorization:", "dpop:"] where String(tidy.prefix(name.count)).asciiLowercased == name {
            tidy = String(tidy.dropFirst(name.count)).trimmingASCIIWhitespace
        }
        // A token as it is sent, with its scheme.
        let words = tidy.split(separator: " ", maxSplits: 1)
        if words.count == 2, ["bearer", "dpop"].contains(String(words[0]).asciiLowercased),
            CompactToken(String(words[1])) != nil
        {
            tidy = words[1]
        }
        let whole = String(tidy)
        guard whole.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return whole }
        let joined = String(whole.unicodeScalars.filter { $0.value > 0x20 })
        return URI(joined)?.host != nil && !whole.contains(": ") || CompactToken(joined) != nil ? joined : whole
    }

    static func kind(of text: String) -> (Specimen.Kind?, String?) {
        guard let first = text.unicodeScalars.first else { return (nil, "it is empty") }
        if first == "{" || first == "[" { return kind(ofJSON: text) }
        if let token = CompactToken(text) { return (token.isEncrypted ? .jwe : .jwt, nil) }
        if let kind = kind(ofField: text) { return (kind, nil) }
        if OAuth1BaseString(text) != nil { return (.oauth1BaseString, nil) }
        if let address = URI(text) { return kind(of: address) }
        if ErrorCodeExplanation.isCode(text) { return (.errorCode, nil) }
        if let kind = kind(ofForm: text) { return (kind, nil) }
        return (nil, reason(for: text))
    }

    private static func kind(ofJSON text: String) -> (Specimen.Kind?, String?) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: text) } catch {
            return (nil, "it begins like JSON, but \(error)")
        }
        guard let object = json.object else { return (nil, "it is JSON and no object") }
        return kind(of: object).map { ($0, nil) }
            ?? (nil, "it is a JSON object, and none of its members is known here")
    }

    /// By the names of the members; what can be in several kinds is asked later.
    static func kind(of object: JSONObject) -> Specimen.Kind? {
        func has(_ names: String...) -> Bool { names.contains { object[$0] != nil } }
        if object["keys"]?.array != nil { return .keySet }
        if has("kty") { return .key }
        if has("device_code", "user_code") { return .deviceAnswer }
        if object["active"]?.bool != nil { return .introspectionAnswer }
        if has("access_token", "refresh_token", "id_token") { return .tokenAnswer }
        if has("error", "oauth_problem") { return .errorAnswer }
        if has("request_uri"), !has("issuer", "client_id") { return .pushedAnswer }
        if has("issuer", "authorization_endpoint", "token_endpoint") { return .serverMetadata }
        let isAboutUser = has("iss", "sub", "aud", "exp", "iat")
        if has("authorization_servers", "bearer_methods_supported") || object["resource"]?.string != nil && !isAboutUser
        {
            return .resourceMetadata
        }
        return isAboutUser || has("nbf", "jti", "email", "preferred_username", "scope") ? .claims : nil
    }

    /// The parameters that make an address a callback, of OAuth 2 and of OAuth 1.0a.
    static let callbackNames: Set<String> = [
        "code", "error", "state", "id_token", "access_token", "response", "oauth_verifier", "oauth_problem", "denied",
    ]

    private static func kind(of address: URI) -> (Specimen.Kind?, String?) {
        let names = AddressParameters(address).names
        if names.contains("response_type") || names.contains("client_id") { return (.authorizationURL, nil) }
        if !names.isDisjoint(with: callbackNames) { return (.callback, nil) }
        if names.contains("request_uri") || names.contains("request") { return (.authorizationURL, nil) }
        return (
            nil,
            "it is an address, and no parameter in it is of a sign-in; nothing is fetched from it here, so give what is behind it"
        )
    }

    /// By the first word of a header field.
    private static func kind(ofField text: String) -> Specimen.Kind? {
        let lower = String(text.prefix(200)).asciiLowercased
        if lower.hasPrefix("www-authenticate:")
            || lower.hasPrefix("http/") && text.asciiLowercased.contains("www-authenticate:")
        {
            return .challenge
        }
        let word = String(lower.prefix { $0 != " " && $0 != "," && $0 != "\t" })
        if word == "oauth", lower.contains("oauth_") {
            return lower.contains("oauth_problem") && !lower.contains("oauth_consumer_key") ? .challenge : .oauth1Header
        }
        return ["bearer", "dpop", "basic", "digest", "negotiate", "oauth"].contains(word) && lower != word
            || lower == "bearer" || lower == "dpop" ? .challenge : nil
    }

    private static func kind(ofForm text: String) -> Specimen.Kind? {
        guard !text.contains(where: \.isNewline) else { return nil }
        if CallbackExplanation.isPartOfAddress(text) { return .callback }
        guard text.contains("="), !text.contains(" "), let form = FormParameters(decoding: text) else { return nil }
        let names = Set(form.parameters.map(\.name))
        if names.contains("access_token"), !names.contains("state") { return .tokenAnswer }
        if names.contains("response_type") || names.contains("client_id") { return nil }
        if names.contains("error"), !names.contains("state") { return .errorAnswer }
        return names.isDisjoint(with: callbackNames) ? nil : .callback
    }

    private static func reason(for text: String) -> String {
        if text.hasPrefix("-----BEGIN") { return "it is PEM, which `tern keys show` reads" }
        let dots = text.utf8.filter { $0 == UInt8(ascii: ".") }.count
        if (dots == 2 || dots == 4) && !text.contains(" ") {
            return "it has the \(dots + 1) parts of a token, but its header cannot be read"
        }
        if !text.contains(" "), text.utf8.count >= 16 {
            return
                "it is one word; a token that is no JWT is text which its server alone understands (introspection tells)"
        }
        return "it is neither JSON, nor an address, a token, a header field or an error code"
    }
}

/// The parameters in the query and in the fragment of an address.
struct AddressParameters {
    let query: FormParameters
    let fragment: FormParameters

    init(_ address: URI) {
        query = address.encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
        fragment = address.encodedFragment.flatMap { FormParameters(decoding: $0) } ?? [:]
    }

    var names: Set<String> { Set((query.parameters + fragment.parameters).map(\.name)) }
}
