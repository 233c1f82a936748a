/// What an API says about the token it was called with (RFC 6750 §3).
extension HTTPResponse {
    /// Whether the answer says that the access token is not accepted, so that another one may help: status 401 with the
    /// error `invalid_token`, with a Bearer or DPoP challenge that names no error, or, as some servers do it, without any
    /// challenge. A 401 for want of another scheme, or with another error, is not about the token.
    public var refusesToken: Bool {
        guard status == 401 else { return false }
        let challenges = AuthenticateChallenge.all(in: fields)
        if challenges.isEmpty { return true }
        let errors = challenges.filter(\.isAboutToken).compactMap { $0.parameters["error"] }.filter { !$0.isEmpty }
        guard errors.isEmpty else { return errors.contains("invalid_token") }
        return challenges.contains { $0.isAboutToken && !$0.scheme.isEmpty }
    }

    /// The scope that the API wants, when the token is good but was not granted enough (`insufficient_scope`, RFC 6750
    /// §3.1); empty where it does not name one, `nil` for every other answer. No refresh helps: the user has to sign in
    /// with more scope.
    public var wantedScope: Scope? {
        AuthenticateChallenge.all(in: fields)
            .first { $0.isAboutToken && $0.parameters["error"] == "insufficient_scope" }
            .map { Scope($0.parameters["scope"] ?? "") }
    }

    /// Where the API says that its own metadata is (RFC 9728 §5.1); `nil` where it does not, or names no address.
    public var resourceMetadataAddress: URI? {
        AuthenticateChallenge.all(in: fields).lazy
            .compactMap { $0.parameters["resource_metadata"].flatMap { URI($0) } }.first
    }
}
