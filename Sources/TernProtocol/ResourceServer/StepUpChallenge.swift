/// What is wanted of a new sign-in before an API takes a call whose token is good otherwise: a stronger or newer login
/// (RFC 9470 §3), or more scope (RFC 6750 §3.1). No refresh helps.
public struct StepUpChallenge: Sendable, Hashable {
    /// The authentication contexts (`acr`) of which one is wanted, the best first; none where any will do.
    public let acrValues: [String]
    /// How old the login may be, in whole seconds.
    public let maxAge: Duration?
    /// What is wanted beside the scope that was granted already.
    public let scope: Scope

    /// The most authentication contexts that are read of an answer.
    public static let maximumAuthenticationContextCount = 20

    /// What an application wants by itself, such as more scope for a part of it that the user opens now.
    public init(acrValues: [String] = [], maxAge: Duration? = nil, scope: Scope = []) {
        self.acrValues = acrValues
        self.maxAge = maxAge
        self.scope = scope
    }

    /// Reads what an API wants; `nil` for an answer that wants nothing of the kind, and for one that wants more scope
    /// without saying which.
    public init?(_ response: HTTPResponse) {
        let challenge = AuthenticateChallenge.all(in: response.fields).first { challenge in
            challenge.isAboutToken && Self.codes[challenge.parameters["error"] ?? ""] == response.status
        }
        guard let parameters = challenge?.parameters else { return nil }
        scope = Scope(parameters["scope"] ?? "")
        guard parameters["error"] == Self.authenticationCode else {
            guard !scope.isEmpty else { return nil }
            (acrValues, maxAge) = ([], nil)
            return
        }
        acrValues = (parameters["acr_values"] ?? "").split(separator: " ")
            .prefix(Self.maximumAuthenticationContextCount).map(String.init)
        let seconds = parameters["max_age"].flatMap { Int64($0) }
        // What names nothing means a login, and now.
        let standard: Int64? = acrValues.isEmpty ? 0 : nil
        maxAge = (seconds.map { max(0, $0) } ?? standard).map { .seconds($0) }
    }

    private static let authenticationCode = "insufficient_user_authentication"
    private static let codes = [authenticationCode: 401, "insufficient_scope": 403]
}
