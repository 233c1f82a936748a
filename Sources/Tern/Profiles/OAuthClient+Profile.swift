internal import TernProtocol

extension OAuthClient {
    /// Holds a sign-in against the profile: the configuration as it is now, with what the options say in its place.
    func checkProfile(
        _ options: SignInOptions, _ redirectURI: RedirectURI, _ metadata: ServerMetadata
    ) throws(TernError) {
        guard let profile = configuration.profile else { return }
        var asked = configuration
        asked.redirectURI = redirectURI
        asked.scope = options.scope ?? asked.scope
        asked.responseType = options.responseType ?? asked.responseType
        asked.responseMode = options.responseMode ?? asked.responseMode
        if !options.resources.isEmpty { asked.resources = options.resources }
        try profile.check(asked)
        try profile.check(metadata)
    }
}
