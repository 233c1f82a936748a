internal import Tern

/// `tern accounts`: who is signed in.
struct AccountsCommand: Command {
    static let specification = CommandSpecification(
        "accounts", "list the accounts that are signed in",
        discussion: "No credential is read or unlocked for it. The default account has a star.",
        options: [OptionSpecification("--names", "print the names alone, one a line")])

    private let printsNames: Bool

    init(_ arguments: Arguments) { printsNames = arguments.has("--names") }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let (accounts, console) = (try context.accounts(), context.console)
        let entries = try await accounts.directory.list()
        if printsNames, !console.isJSON {
            for entry in entries { console.print(entry.account.name) }
            return .success
        }
        let standard = try await accounts.directory.defaultAccount()
        var list: [JSONObject] = []
        for entry in entries { list.append(await describe(entry, standard, accounts)) }
        guard !console.isJSON else {
            console.print(["accounts": .array(list.map(JSON.object))])
            return .success
        }
        if list.isEmpty { console.note("Nobody is signed in. `tern login --help` says how to sign in.") }
        for object in list {
            func text(_ name: String) -> String? { object[name]?.string.map(Console.plain) }
            let mark = object["default"]?.bool == true ? "*" : " "
            let label = text("label").map { " (\($0))" } ?? ""
            let user = text("email") ?? text("name") ?? text("sub")
            let details = text("problem") ?? [user, text("issuer")].compactMap(\.self).joined(separator: " at ")
            console.print("\(mark) \(console.styled(text("account") ?? "", .strong))\(label)  \(details)")
        }
        return .success
    }

    /// One account. One whose settings cannot be read hides no other one.
    private func describe(
        _ entry: AccountDirectory.Entry, _ standard: StoreKey?, _ accounts: Accounts
    ) async -> JSONObject {
        var object: JSONObject = ["account": .string(entry.account.name), "default": .bool(entry.account == standard)]
        object["label"] = entry.label.map(JSON.string)
        object["issuer"] = entry.issuer.map(JSON.string)
        object["sub"] = entry.subject.map(JSON.string)
        object["name"] = entry.name.map(JSON.string)
        object["email"] = entry.email.map(JSON.string)
        object["client_id"] = entry.clientID.map(JSON.string)
        object["last_sign_in"] = entry.lastSignIn.map { .string($0.description) }
        do throws(TernError) {
            let settings = try await accounts.client(of: entry.account)
            object["issuer"] = .string(settings.serverName)
            object["client_id"] = .string(settings.clientID)
        } catch {
            let isMissing = error.reason == .signedOut
            object["problem"] = .string(
                isMissing ? "The settings of its client are missing; sign in again." : error.explanation.whatHappened)
        }
        return object
    }
}
