internal import Tern

/// `tern exchange`: a token for another one.
struct ExchangeCommand: Command {
    static let specification = CommandSpecification(
        "exchange", "exchange an account's token for another one, and print that one (RFC 8693)",
        discussion: """
            The account's access token is the subject: whose rights the new token has. With --actor-account another account
            acts on its behalf. Nothing is stored.
            """,
        options: [
            .account,
            OptionSpecification("--subject", value: "TYPE", "access_token or id_token; access_token by default"),
            OptionSpecification("--actor-account", value: "NAME", "the account that acts for the subject"),
            OptionSpecification(
                "--requested-type", value: "TYPE", "access_token, jwt, refresh_token, id_token, saml1, saml2 or a URI"),
            OptionSpecification("--audience", value: "NAME", "the service that the token is for, by its name"),
            OptionSpecification("--resource", value: "URL", "the service that the token is for, by its address"),
            OptionSpecification("--scope", value: "\"A B\"", "what is asked for"),
        ],
        examples: [
            ("tern exchange --audience orders --scope orders.read", "a token for the service \"orders\"")
        ])

    private let account: String?
    private let actor: String?
    private let takesIDToken: Bool
    private let type: TokenType?
    private let audience: String?
    private let resource: URI?
    private let scope: Scope?

    private static let names: [(name: String, type: TokenType)] = [
        ("access_token", .accessToken), ("refresh_token", .refreshToken), ("id_token", .idToken), ("jwt", .jwt),
        ("saml1", .saml1), ("saml2", .saml2),
    ]

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        actor = arguments.value("--actor-account")
        let subject = arguments.value("--subject") ?? "access_token"
        guard ["access_token", "id_token"].contains(subject) else {
            throw UsageError.unknown("subject", subject, among: ["access_token", "id_token"])
        }
        takesIDToken = subject == "id_token"
        type = try arguments.value("--requested-type").map { (word) throws(UsageError) -> TokenType in
            if let known = Self.names.first(where: { $0.name == word }) { return known.type }
            guard word.contains(":") else {
                throw UsageError.unknown("type", word, among: Self.names.map(\.name))
            }
            return TokenType(rawValue: word)
        }
        audience = arguments.value("--audience")
        resource = try arguments.value("--resource").map { (text) throws(UsageError) -> URI in
            guard let address = URI(text) else { throw UsageError("--resource wants an absolute address") }
            return address
        }
        scope = arguments.value("--scope").map { Scope($0) }
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let actor = try await actorToken(context)
        let issued = try await context.withSession(account) { (session) async throws(TernError) in
            let subject = try await subject(session)
            return try await session.client.exchangeToken(subject, actor: actor) { grant in
                grant.requestedTokenType = type
                grant.audiences = audience.map { [$0] } ?? []
                grant.resources = resource.map { [$0] } ?? []
                grant.scope = scope
            }
        }
        guard context.console.isJSON else {
            context.console.print(issued.token.exposedText)
            return .success
        }
        var object: JSONObject = [
            "access_token": .string(issued.token.exposedText), "issued_token_type": .string(issued.type.rawValue),
            "token_type": issued.accessToken == nil ? "N_A" : "Bearer",
        ]
        object["scope"] = issued.scope.map { .string($0.text) }
        object["expires_in"] = issued.lifetime.map { .number(JSONNumber($0.components.seconds)) }
        context.console.print(object)
        return .success
    }

    private func subject(_ session: Session) async throws(TernError) -> TypedToken {
        guard takesIDToken else { return TypedToken(try await session.accessToken()) }
        guard let token = try await session.credential().idToken else {
            throw TernError(.unsupported("an ID token: the sign-in brought none"), at: .tokenRequest)
        }
        return TypedToken(token)
    }

    private func actorToken(_ context: CommandContext) async throws(TernError) -> TypedToken? {
        guard let actor else { return nil }
        return TypedToken(
            try await context.withSession(actor) { (session) async throws(TernError) in
                try await session.accessToken()
            })
    }
}
