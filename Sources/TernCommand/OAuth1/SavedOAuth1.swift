internal import Tern

/// A service of OAuth 1.0a as the command keeps it.
struct SavedOAuth1: Sendable {
    var requestTokenURL: String
    var authorizeURL: String
    var accessTokenURL: String
    var signing: SigningOptions

    static let specifications = [
        OptionSpecification(
            "--request-token-url", value: "URL", "OAuth 1.0a: where the service gives temporary credentials"),
        OptionSpecification("--authorize-url", value: "URL", "OAuth 1.0a: the page at which you allow the access"),
        OptionSpecification("--access-token-url", value: "URL", "OAuth 1.0a: where the service gives the token"),
    ]

    /// Whether the options speak of OAuth 1.0a.
    static func isMeant(_ arguments: Arguments) -> Bool { specifications.contains { arguments.value($0.name) != nil } }

    init(_ arguments: Arguments) throws(UsageError) {
        requestTokenURL = try arguments.required("--request-token-url")
        authorizeURL = try arguments.required("--authorize-url")
        accessTokenURL = try arguments.required("--access-token-url")
        signing = try SigningOptions(arguments)
    }

    init(_ object: JSONObject) throws(TernError) {
        guard let requestTokenURL = object["request_token_url"]?.string,
            let authorizeURL = object["authorize_url"]?.string, let accessTokenURL = object["access_token_url"]?.string
        else { throw TernError(.corruptedRecord("the settings of its client cannot be read"), at: .storage) }
        self.requestTokenURL = requestTokenURL
        self.authorizeURL = authorizeURL
        self.accessTokenURL = accessTokenURL
        signing = try SigningOptions(object)
    }

    var json: JSONObject {
        var object: JSONObject = [
            "request_token_url": .string(requestTokenURL), "authorize_url": .string(authorizeURL),
            "access_token_url": .string(accessTokenURL),
        ]
        signing.write(to: &object)
        return object
    }

    func server() throws(TernError) -> OAuth1Server {
        var server = try OAuth1Server(
            temporaryCredentialEndpoint: requestTokenURL, authorizationEndpoint: authorizeURL,
            tokenEndpoint: accessTokenURL)
        server.realm = signing.realm
        server.placement = signing.placement
        server.endpointPlacement = signing.placement
        return server
    }
}
