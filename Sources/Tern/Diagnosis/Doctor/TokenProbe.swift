internal import TernCrypto
internal import TernJOSE
internal import TernProtocol

/// Shows the token endpoint a code that nobody issued, without any secret, and reads from the refusal whether the client may use
/// it.
enum TokenProbe {
    static func findings(_ metadata: ServerMetadata, _ examination: Examination) async -> [Finding] {
        let setUp = examination.setUp
        guard setUp.grants.contains("authorization_code"), let endpoint = metadata[.token],
            endpoint.isSecure || endpoint.isLoopback
        else { return [] }
        guard let clientID = setUp.clientID else {
            return [
                Finding(
                    .unchecked, "token_request", "The token endpoint was not tried",
                    "It reacts to a client, and none is named.",
                    fix: "name the client (--client-id)")
            ]
        }
        var form: FormParameters = [
            "grant_type": "authorization_code", "code": "tern-" + Base64URL.encode(examination.random.bytes(18)),
            "client_id": clientID,
            "code_verifier": CodeVerifier(from: examination.random).secret.exposedText,
        ]
        if let redirect = setUp.redirectURI { form.append("redirect_uri", redirect) }
        let request = HTTPRequest(.post, endpoint, fields: ["Accept": "application/json"], body: .form(form))
        switch await examination.visitor.visit(request, step: .tokenRequest) {
        case .notAllowed(let finding): return [finding.named("token_request")]
        case .failure(let error): return [.refusal(error, "token_request", "The token endpoint does not answer")]
        case .answer(let response):
            return [reading(response, isPublic: setUp.authenticationMethod.map { $0 == "none" })]
        }
    }

    private static func reading(_ response: HTTPResponse, isPublic: Bool?) -> Finding {
        let name = "token_request"
        guard let error = ServerWords.error(in: response) else { return readingWithoutError(response) }
        let words = [error.code, error.detail].compactMap(\.self).joined(separator: ": ")
        let said = "It says: \(Shown.words(words))"
        func refusal(_ name: String, _ title: String) -> Finding {
            let failure = TernError(.serverError(error), at: .tokenRequest)
            return .refusal(isPublic == false ? failure : failure.with(Evidence([.publicClient])), name, title)
        }
        switch (error.code, isPublic) {
        case ("invalid_grant", _):
            return Finding(.passed, name, "It takes the client, and refuses a code that nobody issued")
        case ("invalid_client", true):
            return refusal("client_known", "The token endpoint does not take this client without a secret")
        case ("invalid_client", false):
            return Finding(.passed, name, "It refuses the client without its secret, as it should")
        case ("invalid_client", nil):
            return Finding(
                .note, name, "It wants the client to prove who it is", said,
                fix: "say how the client authenticates (--client-auth); a public client is `none`")
        case ("unauthorized_client", true), ("unauthorized_client", nil):
            return refusal("grant_allowed", "The token endpoint does not let this client exchange codes")
        case ("unsupported_grant_type", _):
            return refusal("grant_allowed", "The token endpoint does not know the authorization code grant")
        default:
            return Finding(
                .note, name, "It refuses a code that nobody issued, in its own way", said)
        }
    }

    /// RFC 6749 §5.2: a refusal is a JSON object with an error, and a status of 400 or 401.
    private static func readingWithoutError(_ response: HTTPResponse) -> Finding {
        let said = PageText.words(of: response).map { "It says: \($0)" }
        switch response.status {
        case 200..<300:
            return Finding(
                .failed, "token_request", "The token endpoint does not refuse a code that nobody issued", said,
                fix: "make sure that token_endpoint is the right address")
        case 300..<400:
            return Finding(
                .failed, "token_request", "The token endpoint sends its callers somewhere else",
                "Redirects are not followed there, since they would carry codes and secrets along.",
                fix: "correct token_endpoint in the server's metadata")
        case 404, 405, 410, 501:
            return Finding(
                .failed, "token_request", "There is no token endpoint: status \(response.status)", said,
                fix: "correct token_endpoint in the server's metadata")
        case 500...:
            return Finding(
                .warning, "token_request", "The token endpoint has trouble: status \(response.status)", said,
                fix: "try again later; if it stays, a wrong code breaks the server")
        default:
            return Finding(
                .warning, "token_error_form", "The token endpoint does not refuse in the standard's form", said,
                fix: "answer with a JSON object that has an error (RFC 6749 §5.2); Tern can only tell the status")
        }
    }
}
