internal import Tern

/// `tern callback`: finishes a sign-in whose answer started this process.
struct CallbackCommand: Command {
    static let specification = CommandSpecification(
        "callback", "finish a pending sign-in with the address that came back", operand: "URL",
        discussion: """
            The desktop calls this with addresses of a scheme that `tern scheme install` has claimed. The sign-in was begun by
            `tern login`, which learns how it ended if it still runs. An address that no pending sign-in fits uses nothing up.
            """)

    private let callback: URI

    init(_ arguments: Arguments) throws(UsageError) {
        guard let address = arguments.operand else { throw UsageError("the address is missing: tern callback URL") }
        guard let callback = URI(address) else { throw UsageError("\"URL\" is not an absolute address") }
        self.callback = callback
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        let mine = try await accounts.credentials.pendingSignIn(answeredBy: callback)
        let name = try StoreKey(mine.account)
        var settings: SavedClient
        do throws(TernError) {
            settings = try SavedClient(attachment: mine.attachment)
            let client = try await settings.client(account: name, store: accounts.credentials)
            try await client.finish(mine, callback: callback)
            settings.note(client.acceptedAuthentication)
        } catch {
            // Nobody will bring this callback again, so a `tern login` that waits is told now.
            if error.reason != .strayCallback(.alreadyUsed) {
                await accounts.credentials.abandon(mine, because: error)
            }
            throw error
        }
        try await accounts.save(settings, for: name)
        if context.console.isJSON {
            context.console.print(["account": .string(name.name), "issuer": .string(settings.serverName)])
        } else {
            context.console.print("Signed in, kept as \(name.name).")
        }
        return .success
    }
}

extension SavedClient {
    /// The settings as they travel with a pending sign-in, so that another process can finish it and no half account is
    /// seen meanwhile.
    var attachment: JSONObject { (try? JSON(parsing: record.exposedBytes).object) ?? [:] }

    init(attachment: JSONObject) throws(TernError) { try self.init(StoredRecord(attachment.serialized())) }
}
