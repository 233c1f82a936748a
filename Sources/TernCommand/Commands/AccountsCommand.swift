internal import Tern

/// `tern accounts`: who is signed in.
struct AccountsCommand: Command {
    static let specification = CommandSpecification("accounts", "list the accounts that are signed in")

    init(_ arguments: Arguments) {}

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        var list: [JSON] = []
        for name in try await accounts.names() {
            if let entry = await describe(name, accounts) { list.append(.object(entry)) }
        }
        guard !context.console.isJSON else {
            context.console.print(["accounts": .array(list)])
            return .success
        }
        if list.isEmpty { context.console.note("Nobody is signed in. `tern login --help` says how to sign in.") }
        for entry in list {
            let name = context.console.styled(entry["account"]?.string ?? "", .strong)
            let problem = entry["problem"]?.string
            let details =
                problem ?? [entry["sub"]?.string, entry["issuer"]?.string].compactMap(\.self).joined(separator: " at ")
            context.console.print("\(name)  \(Console.plain(details))")
        }
        return .success
    }

    /// One account; `nil` when it was signed out meanwhile. One that cannot be read hides no other one.
    private func describe(_ name: StoreKey, _ accounts: Accounts) async -> JSONObject? {
        var object: JSONObject = ["account": .string(name.name)]
        do throws(TernError) {
            guard let record = try await accounts.credentials.load(name) else { return nil }
            let credential = try Credential(record)
            object["issuer"] = .string(try await accounts.client(of: name).issuer)
            object["sub"] = credential.subject.map(JSON.string)
            object["client_id"] = .string(credential.clientID)
            object["scope"] = .string(credential.scope.text)
            object["expires_at"] = credential.expiration.map { .string($0.description) }
        } catch {
            object["problem"] = .string(error.explanation.whatHappened)
        }
        return object
    }
}
