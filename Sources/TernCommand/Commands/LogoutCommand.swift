internal import Tern

/// `tern logout`: forgets the tokens here and revokes them at the server.
struct LogoutCommand: Command {
    static let specification = CommandSpecification(
        "logout", "sign out: forget the tokens here and revoke them at the server",
        discussion: """
            Trouble at the server is reported and never keeps the account signed in here. With --all every account is signed
            out whatever becomes of the others; the status is that of the first one that is still signed in afterwards.
            """,
        options: [
            .account,
            OptionSpecification("--all", "sign out all accounts"),
            OptionSpecification("--browser", "end the session in the browser too, where the server offers that"),
            OptionSpecification("--no-browser", "as --browser, but print the address instead of opening it"),
        ])

    private let account: String?
    private let isForAll: Bool
    private let opensBrowser: Bool
    private let announces: Bool

    init(_ arguments: Arguments) throws(UsageError) {
        account = arguments.value("--account")
        isForAll = arguments.has("--all")
        announces = arguments.has("--no-browser")
        opensBrowser = arguments.has("--browser") || announces
        guard account == nil || !isForAll else { throw UsageError("--all and --account cannot stand together") }
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        guard isForAll else {
            let name = try await accounts.chosen(account, context.console)
            let report = try await signOut(name, accounts, context)
            if context.console.isJSON {
                context.console.print(Self.object(name, report))
            } else {
                tell(name, report, context.console)
            }
            return .success
        }
        return try await signOutAll(accounts, context)
    }

    private func signOutAll(_ accounts: Accounts, _ context: CommandContext) async throws(TernError) -> ExitStatus {
        let console = context.console
        var status = ExitStatus.success
        var objects: [JSONObject] = []
        for name in try await accounts.names() {
            do throws(TernError) {
                let report = try await signOut(name, accounts, context)
                objects.append(Self.object(name, report))
                if !console.isJSON { tell(name, report, console) }
            } catch {
                if status == .success { status = ExitStatus(error) }
                objects.append(["account": .string(name.name), "signed_out": false, "error": .string(error.code)])
                if !console.isJSON {
                    console.print("Still signed in: \(name.name).")
                    console.fail(error)
                }
            }
        }
        if console.isJSON {
            console.print(["accounts": .array(objects.map(JSON.object))])
        } else if objects.isEmpty {
            console.note("Nobody is signed in.")
        }
        return status
    }

    private func signOut(
        _ name: StoreKey, _ accounts: Accounts, _ context: CommandContext
    ) async throws(TernError) -> SignOutReport {
        let report: SignOutReport
        do throws(TernError) {
            let session = try await context.session(of: name, accounts)
            report = try await session.signOut(
                opensBrowser
                    ? .browserToo(Agents.loopback(announcing: announces, console: context.console)) : .thisApp)
        } catch {
            // A record or a setting that cannot be read, or is not there, must not keep anybody signed in.
            switch error.reason {
            case .corruptedRecord, .invalidConfiguration, .signedOut: break
            default: throw error
            }
            guard try await accounts.names().contains(name) else { throw error }
            try await accounts.credentials.delete(name)
            let isOAuth1 = (try? await accounts.client(of: name))?.oauth1 != nil
            report = SignOutReport(revocation: isOAuth1 ? .notOffered : .failed(error), endSession: .notNeeded)
        }
        try await accounts.forget(name)
        return report
    }

    private static func object(_ name: StoreKey, _ report: SignOutReport) -> JSONObject {
        [
            "account": .string(name.name), "signed_out": true, "revocation": .string(word(report.revocation)),
            "end_session": .string(word(report.endSession)),
        ]
    }

    private func tell(_ name: StoreKey, _ report: SignOutReport, _ console: Console) {
        console.print("Signed out \(name.name). Tokens at the server: \(Self.words(report.revocation))")
        if opensBrowser { console.print("Session in the browser: \(Self.words(report.endSession))") }
    }

    private static func word(_ outcome: SignOutReport.Outcome) -> String {
        switch outcome {
        case .done: "done"
        case .doneWithoutState: "done_without_state"
        case .notOffered: "not_offered"
        case .notNeeded: "not_needed"
        case .failed(let error): "failed: " + error.code
        }
    }

    private static func words(_ outcome: SignOutReport.Outcome) -> String {
        switch outcome {
        case .done: "ended."
        case .doneWithoutState: "ended, as it seems: the server's answer lacks the state that was sent."
        case .notOffered: "the server offers no way to end it."
        case .notNeeded: "left alone."
        case .failed(let error): "not ended. \(error.explanation.whatHappened)"
        }
    }
}
