internal import Tern

/// `tern revoke`: ends a token at the server.
struct RevokeCommand: Command {
    static let specification = CommandSpecification(
        "revoke", "end a token at the server (RFC 7009)",
        discussion: """
            Ends an account's refresh token, and with it, at most servers, the access tokens that came from it; its access token
            where it has no other or with --type access. The account stays in the list and needs a new login; `tern logout`
            revokes and forgets. With --stdin the token comes on standard input; a token that the server does not know counts
            as revoked.
            """,
        options: TokenSubject.specifications,
        examples: [
            ("tern revoke --account work", "end an account's tokens and keep its settings"),
            ("tern revoke --stdin --type refresh < token", "end a token that was found somewhere"),
        ])

    private let subject: TokenSubject

    init(_ arguments: Arguments) throws(UsageError) { subject = try TokenSubject(arguments) }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (client, token, account) = try await subject.resolve(context, prefersRefresh: true)
        switch token {
        case .access(let token): try await client.revoke(token)
        case .refresh(let token): try await client.revoke(token)
        }
        if context.console.isJSON {
            var object: JSONObject = ["revoked": .string(token.name)]
            object["account"] = account.map { .string($0.name) }
            context.console.print(object)
        } else {
            context.console.print("Revoked the \(token.name)\(account.map { " of \($0.name)" } ?? "").")
            if account != nil { context.console.note("The account is still kept; `tern logout` forgets it.") }
        }
        return .success
    }
}
