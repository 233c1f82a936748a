internal import Tern

/// `tern logout`: forgets the tokens here and revokes them at the server.
struct LogoutCommand: Command {
    static let specification = CommandSpecification(
        "logout", "sign out: forget the tokens here and revoke them at the server",
        discussion: "Trouble at the server is reported and never keeps the account signed in here.",
        options: [
            .account,
            OptionSpecification("--browser", "end the session in the browser too, where the server offers that"),
            OptionSpecification("--no-browser", "as --browser, but print the address instead of opening it"),
        ])

    private let account: String?
    private let opensBrowser: Bool
    private let announces: Bool

    init(_ arguments: Arguments) {
        account = arguments.value("--account")
        announces = arguments.has("--no-browser")
        opensBrowser = arguments.has("--browser") || announces
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        let accounts = try context.accounts()
        let name = try await accounts.chosen(account)
        let report: SignOutReport
        do throws(TernError) {
            let session = try await context.session(name.name)
            let agent: (any UserAgent)? =
                opensBrowser
                ? Agents.loopback(announcing: announces, console: context.console) : nil
            report = try await session.signOut(with: agent)
        } catch {
            // A record or a setting that cannot be read, or is not there, must not keep anybody signed in.
            switch error.reason {
            case .corruptedRecord, .invalidConfiguration, .signedOut: break
            default: throw error
            }
            guard try await accounts.names().contains(name) else { throw error }
            try await accounts.credentials.delete(name)
            report = SignOutReport(revocation: .failed(error), endSession: .notNeeded)
        }
        try await accounts.forget(name)
        if context.console.isJSON {
            context.console.print([
                "account": .string(name.name), "signed_out": true, "revocation": .string(Self.word(report.revocation)),
                "end_session": .string(Self.word(report.endSession)),
            ])
        } else {
            context.console.print("Signed out \(name.name). Tokens at the server: \(Self.words(report.revocation))")
            if opensBrowser {
                context.console.print("Session in the browser: \(Self.words(report.endSession))")
            }
        }
        return .success
    }

    private static func word(_ outcome: SignOutReport.Outcome) -> String {
        switch outcome {
        case .done: "done"
        case .notOffered: "not_offered"
        case .notNeeded: "not_needed"
        case .failed(let error): "failed: " + error.code
        }
    }

    private static func words(_ outcome: SignOutReport.Outcome) -> String {
        switch outcome {
        case .done: "ended."
        case .notOffered: "the server offers no way to end it."
        case .notNeeded: "left alone."
        case .failed(let error): "not ended. \(error.explanation.whatHappened)"
        }
    }
}
