internal import TernProtocol

/// What came to the redirect, as an address that the browser would have opened.
struct AuthorizationArrival {
    private let parameters: FormParameters
    private let state: String
    private let metadata: ServerMetadata

    /// Answers that only say that nobody is logged in (OpenID Connect Core 1.0 §3.1.2.6).
    private static let quietRefusals: Set<String> = [
        "login_required", "interaction_required", "consent_required", "account_selection_required", "access_denied",
    ]

    init(_ location: URI, state: String, _ metadata: ServerMetadata) {
        parameters = location.answerParameters
        self.state = state
        self.metadata = metadata
    }

    var findings: [Finding] { [request] + [returnedState, issuer].compactMap(\.self) }

    private var request: Finding {
        let name = "authorization_request"
        guard let code = parameters["error"], !code.isEmpty else {
            return Finding(
                .warning, name, "The server answers at once, without asking anybody to log in",
                fix: "make sure that this server is one for tests")
        }
        if Self.quietRefusals.contains(code) {
            return Finding(.passed, name, "It takes the request, and would now ask the user to log in")
        }
        let error = TernError(
            .serverError(ServerError(code: code, detail: parameters["error_description"])), at: .authorizationResponse)
        return .refusal(error, name, "The server refuses the request: \(Shown.text(code))")
    }

    private var returnedState: Finding? {
        guard parameters["state"] != state else { return nil }
        return Finding(
            .warning, "state_returned", "Its answer does not repeat the state",
            "A sign-in whose answer lacks it cannot be told from a forged one (RFC 6749 §4.1.2.1).",
            fix: "have the server repaired")
    }

    private var issuer: Finding? {
        let name = "issuer_in_answer"
        guard let received = parameters["iss"] else {
            return metadata.promisesIssuerInAnswers
                ? Finding(
                    .warning, name, "Its answer does not name the issuer, although its metadata promise it",
                    "Answers with an ID token are taken all the same; others are refused (RFC 9207 §2.4).",
                    fix: "have the server repaired")
                : nil
        }
        guard let expected = metadata.issuer, received != expected else {
            return Finding(.passed, name, "Its answer names the issuer (RFC 9207)")
        }
        return Finding(
            .failed, name, "Its answer names another issuer", "Every sign-in is refused for that (RFC 9207 §2.4).",
            fix: "have the server repaired", comparison: Shown.comparison("iss", received, "published", expected))
    }
}

extension URI {
    /// The parameters of an answer in the query, or else in the fragment.
    var answerParameters: FormParameters {
        let query = encodedQuery.flatMap { FormParameters(decoding: $0) } ?? [:]
        guard query["error"] == nil, query["code"] == nil else { return query }
        return encodedFragment.flatMap { FormParameters(decoding: $0) } ?? query
    }

    var errorCode: String? { answerParameters["error"].flatMap { $0.isEmpty ? nil : $0 } }

    var errorDetail: String? { answerParameters["error_description"] }
}
