internal import Tern

/// How the request of a login reaches the server, and what its tokens are good for.
struct RequestOptions: Sendable {
    static let specifications = [
        OptionSpecification("--par", "hand the request to the server ahead of the browser (RFC 9126)"),
        OptionSpecification("--jar", "sign the request with --client-key (RFC 9101)"),
        OptionSpecification("--dpop", "bind the tokens to a key, which is made and kept with them (RFC 9449)"),
        OptionSpecification(
            "--resource", value: "URL",
            "the API that the tokens are for (RFC 8707); without --issuer, the API says which server (RFC 9728)"),
        OptionSpecification(
            "--profile", value: "NAME",
            "keep to a stricter text: \(profiles.map(\.word).joined(separator: ", "))"),
    ]

    private static let profiles: [(word: String, profile: Profile)] = [
        ("oauth21", .oauth21), ("fapi2", .fapi2()), ("fapi2-certificate", .fapi2(.certificate)),
        ("fapi2-message-signing", .fapi2MessageSigning()), ("atproto", .atproto), ("mcp", .mcp),
    ]

    private var pushes = false
    private var signs = false
    var binds = false
    var resource: URI?
    private var profile: Profile?

    /// As usual.
    init() {}

    init(_ arguments: Arguments) throws(UsageError) {
        pushes = arguments.has("--par")
        signs = arguments.has("--jar")
        binds = arguments.has("--dpop")
        if let text = arguments.value("--resource") {
            guard let uri = URI(text), uri.host != nil, uri.encodedFragment == nil else {
                throw UsageError("--resource wants an https address without a fragment")
            }
            resource = uri
        }
        if let word = arguments.value("--profile") {
            guard let known = Self.profiles.first(where: { $0.word == word }) else {
                throw UsageError.unknown("profile", word, among: Self.profiles.map(\.word))
            }
            profile = known.profile
        }
        let flags = ["--par", "--jar", "--dpop"].filter(arguments.has)
        let given = flags + ["--resource", "--profile"].filter { arguments.value($0) != nil }
        guard let first = given.first else { return }
        if SavedOAuth1.isMeant(arguments) { throw UsageError("OAuth 1.0a knows no \(first)") }
        // Of a registered client the key is kept already.
        if signs, arguments.value("--client-key") == nil, arguments.value("--client-id") != nil {
            throw UsageError("--jar wants --client-key")
        }
        let secrets = ["--client-secret-env", "--client-secret-file"]
        if resource != nil, arguments.value("--issuer") == nil,
            let secret = secrets.first(where: { arguments.value($0) != nil })
        {
            throw UsageError("\(secret) wants --issuer: an API does not choose to which server a secret goes")
        }
        if arguments.has("--device"), let useless = given.first(where: { $0 == "--par" || $0 == "--jar" }) {
            throw UsageError("\(useless) has no use with --device")
        }
    }

    /// Reads what ``write(to:)`` wrote.
    init(_ object: JSONObject) {
        pushes = object["par"]?.bool ?? false
        signs = object["jar"]?.bool ?? false
        binds = object["dpop"]?.bool ?? false
        resource = object["resource"]?.string.flatMap { URI($0) }
        profile = object["profile"]?.string.flatMap { word in Self.profiles.first { $0.word == word }?.profile }
    }

    func write(to object: inout JSONObject) {
        if pushes { object["par"] = true }
        if signs { object["jar"] = true }
        if binds { object["dpop"] = true }
        object["resource"] = resource.map { .string($0.text) }
        object["profile"] = Self.profiles.first { $0.profile == profile }.map { .string($0.word) }
    }

    /// Puts the options into a configuration that is complete otherwise.
    ///
    /// - Parameter keys: where the client's key is.
    func apply(to configuration: inout ClientConfiguration, _ keys: ClientKeyFiles) throws(TernError) {
        if pushes { configuration.requestDelivery.pushing = .always }
        if signs {
            guard let key = try keys.signingKey() else {
                throw TernError(
                    .invalidConfiguration(field: "--client-key", problem: "it is missing, and --jar signs with it"),
                    at: .configuration)
            }
            configuration.requestDelivery.signing = RequestObject(key: key)
        }
        if binds { configuration.dpop = DPoP() }
        if let resource { configuration.resources = [resource] }
        if let profile { try configuration.adopt(profile) }
    }

    /// The settings of a login that names an API and no server, with what the API says about itself.
    func complete(
        _ settings: SavedClient, setsScope: Bool, _ console: Console
    ) async throws(TernError) -> SavedClient {
        guard settings.issuer == nil, settings.oauth1 == nil, let resource else { return settings }
        let metadata = try await ProtectedResourceMetadata.discover(
            resource, over: SystemTransport(policy: try settings.transportPolicy()))
        guard let issuer = metadata.authorizationServers.first else {
            throw TernError(.missingMetadata(field: "authorization_servers"), at: .discovery)
        }
        console.note("note: the API takes the tokens of \(Console.plain(issuer.text))")
        var settings = settings
        settings.issuer = issuer.text
        settings.requests.resource = metadata.resource
        if metadata.requiresDPoP { settings.requests.binds = true }
        if !setsScope { settings.scope = metadata.scopes ?? [] }
        return settings
    }
}
