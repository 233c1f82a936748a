internal import Tern

/// How the answer of the sign-in page comes back, where that is not as usual.
struct ResponseOptions: Sendable {
    static let specifications = [
        OptionSpecification(
            "--response-type", value: "\"A B\"",
            "what the answer brings: \"code\" by default, or a code with \"id_token\", \"token\" or both beside it"),
        OptionSpecification(
            "--response-mode", value: "MODE",
            "how it comes back: \(AuthorizationRequest.ResponseMode.allCases.map(\.rawValue).joined(separator: ", "))"),
    ]

    var type: ResponseType?
    var mode: AuthorizationRequest.ResponseMode?

    /// As usual.
    init() {}

    init(_ arguments: Arguments) throws(UsageError) {
        let given = ["--response-type", "--response-mode"].filter { arguments.value($0) != nil }
        guard let first = given.first else { return }
        if arguments.has("--device") { throw UsageError("\(first) has no use with --device") }
        if SavedOAuth1.isMeant(arguments) { throw UsageError("OAuth 1.0a knows no \(first)") }
        if let text = arguments.value("--response-type") {
            guard let known = try? ResponseType(text) else {
                throw UsageError.unknown("response type", text, among: ResponseType.all.filter(\.hasCode).map(\.text))
            }
            guard known.hasCode else {
                throw UsageError(
                    "--response-type wants a code in it: nothing else can be exchanged for tokens that last")
            }
            type = known
        }
        if let text = arguments.value("--response-mode") {
            guard let known = AuthorizationRequest.ResponseMode(rawValue: text) else {
                throw UsageError.unknown(
                    "response mode", text, among: AuthorizationRequest.ResponseMode.allCases.map(\.rawValue))
            }
            try Self.check(known, arguments)
            mode = known
        }
    }

    /// A posted form reaches only who listens.
    private static func check(
        _ mode: AuthorizationRequest.ResponseMode, _ arguments: Arguments
    ) throws(UsageError) {
        guard mode == .formPost || mode == .formPostJWT else { return }
        if arguments.has("--paste") { throw UsageError("a form that is posted cannot be pasted: leave out --paste") }
        let redirect = arguments.value("--redirect").flatMap { try? RedirectURI($0) }
        if redirect?.kind == .privateUseScheme {
            throw UsageError("no browser posts a form to a scheme of your own: use another --response-mode")
        }
    }

    /// Reads what ``write(to:)`` wrote.
    init(_ object: JSONObject) {
        type = object["response_type"]?.string.flatMap { try? ResponseType($0) }
        mode = object["response_mode"]?.string.flatMap(AuthorizationRequest.ResponseMode.init)
    }

    func write(to object: inout JSONObject) {
        object["response_type"] = type.map { .string($0.text) }
        object["response_mode"] = mode.map { .string($0.rawValue) }
    }

    func apply(to configuration: inout ClientConfiguration) {
        if let type { configuration.responseType = type }
        configuration.responseMode = mode
    }
}
