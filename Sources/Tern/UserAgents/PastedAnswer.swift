internal import TernOAuth1
internal import TernProtocol

/// What a user pastes in the place of a callback, made into a callback. Out of band it is the text that the page shows.
///
/// Accepted are the whole address (also without `http://`, as some browsers copy it), its query, the bare code, and the
/// code with its state behind a number sign; with blanks, quotes and line ends around.
enum PastedAnswer {
    /// Why a text is no answer, in words that fit behind "This".
    struct Refusal: Error, Sendable, Hashable {
        let problem: String
    }

    static func callback(from text: String, at redirectURI: RedirectURI) throws(Refusal) -> URI {
        let text = trimmed(text)
        guard !text.isEmpty else { throw Refusal(problem: "is empty") }
        if redirectURI.kind == .outOfBand {
            guard let callback = OAuth1AuthorizationResponse.callback(pin: text, at: redirectURI) else {
                throw Refusal(problem: "is no PIN")
            }
            return callback
        }
        let redirect = redirectURI.uri
        if let address = address(text, redirect) {
            let parameters = FormParameters(decoding: address.encodedQuery ?? address.encodedFragment ?? "") ?? [:]
            if parameters["code"] != nil, parameters["state"] == nil {
                throw Refusal(problem: "has lost its state: copy the whole address")
            }
            return address
        }
        guard !text.contains(where: \.isWhitespace) else { throw Refusal(problem: "has blanks inside") }
        let parts = text.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        guard let code = parts.first, !code.isEmpty, !code.contains("://") else {
            throw Refusal(problem: "is neither an address nor a code")
        }
        var parameters: FormParameters = ["code": String(code)]
        if parts.count == 2, !parts[1].isEmpty { parameters.append("state", String(parts[1])) }
        return try uri(redirect.withoutQueryAndFragment + "?" + parameters.encoded)
    }

    private static func address(_ text: String, _ redirect: URI) -> URI? {
        if let uri = URI(text), text.contains("://") || uri.normalizedScheme == redirect.normalizedScheme {
            return uri
        }
        let authority = redirect.withoutQueryAndFragment.split(separator: "://", maxSplits: 1).last ?? ""
        if redirect.hasAuthority, text.hasPrefix(authority) { return URI("\(redirect.scheme)://\(text)") }
        if text.hasPrefix("#"), text.contains("=") { return URI(redirect.withoutQueryAndFragment + text) }
        let isQuery =
            text.hasPrefix("?")
            || ["code=", "state=", "error=", "oauth_token=", "oauth_verifier="].contains { text.hasPrefix($0) }
        guard isQuery else { return nil }
        return URI(redirect.withoutQueryAndFragment + (text.hasPrefix("?") ? text : "?" + text))
    }

    private static func uri(_ text: String) throws(Refusal) -> URI {
        guard let uri = URI(text) else { throw Refusal(problem: "is neither an address nor a code") }
        return uri
    }

    private static func trimmed(_ text: String) -> String {
        func isAround(_ scalar: Unicode.Scalar) -> Bool {
            scalar.properties.isWhitespace || scalar.value < 0x20
                || "\"'`<>“”‘’\u{FEFF}\u{200B}".unicodeScalars.contains(scalar)
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: { !isAround($0) }),
            let last = scalars.lastIndex(where: { !isAround($0) })
        else { return "" }
        return String(scalars[first...last])
    }
}
