internal import Tern

/// `tern scheme`: lets the answers of sign-ins come back through a scheme of one's own.
struct SchemeCommand: Command {
    static let specification = CommandSpecification(
        "scheme", "let answers come back through a scheme of your own (Linux)", operand: "install|remove SCHEME",
        discussion: """
            Writes a desktop entry that opens addresses of the scheme with `tern callback`, and makes it the default. Other
            applications for the scheme stay behind it, and come first again after `remove`. A --store that is named here is
            where `tern callback` looks.
            """,
        examples: [
            ("tern scheme install com.example.app", "then: tern login … --redirect com.example.app:/callback"),
            ("tern scheme remove com.example.app", "undo it"),
        ])

    private enum Action: String, CaseIterable { case install, remove }

    private let action: Action
    private let scheme: String

    init(_ arguments: Arguments) throws(UsageError) {
        guard let word = arguments.operands.first else { throw UsageError("say install or remove, and a scheme") }
        guard let action = Action(rawValue: word) else {
            throw UsageError.unknown("action", word, among: Action.allCases.map(\.rawValue))
        }
        guard arguments.operands.count == 2 else { throw UsageError("the scheme is missing") }
        self.action = action
        scheme = try DesktopEntry.checked(arguments.operands[1])
    }

    func run(_ context: CommandContext) async throws(TernError) -> ExitStatus {
        #if os(Linux)
            let handler = try SchemeHandler(scheme: scheme, store: context.storeFolder)
            let report = action == .install ? try handler.install() : try handler.remove()
            if context.console.isJSON {
                context.console.print([
                    "scheme": .string(scheme), "installed": .bool(action == .install),
                    "changed": .bool(report.didSomething), "entry": .string(handler.entryPath),
                    "list": .string(handler.listPath),
                ])
            } else {
                say(report, handler, context.console)
            }
            return .success
        #else
            throw TernError(
                .unsupportedRedirect("on this system a scheme belongs to an application bundle"), at: .configuration)
        #endif
    }

    private func say(_ report: SchemeHandler.Report, _ handler: SchemeHandler, _ console: Console) {
        let verb = action == .install ? "Wrote" : "Removed"
        if report.wroteEntry { console.print("\(verb) \(handler.entryPath)") }
        if report.wroteList {
            let change = action == .install ? "Made it the default" : "Took it out as the default"
            console.print("\(change) for \(scheme): in \(handler.listPath)")
        }
        if !report.didSomething {
            console.print(action == .install ? "It was installed already." : "It was not installed.")
        }
        if action == .install, !handler.entry.command.allSatisfy(DesktopEntry.isPlain) {
            console.note(
                "note: the path of tern or of the store has blanks or other special characters: desktops take that, and "
                    + "xdg-open without a desktop does not")
        }
    }

    /// Tells a user in time that no answer may come back.
    static func warn(unlessInstalled redirect: RedirectURI, _ context: CommandContext) {
        #if os(Linux)
            let scheme = redirect.uri.normalizedScheme
            guard (try? SchemeHandler(scheme: scheme, store: nil))?.isInstalled != true else { return }
            context.console.note(
                "note: nothing of tern's is installed for \(scheme); `tern scheme install \(scheme)` does that")
        #endif
    }
}
