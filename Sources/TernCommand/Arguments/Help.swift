/// The texts of `--help`.
enum Help {
    static func text(of commands: [CommandSpecification]) -> String {
        let width = (commands.map(\.name.count).max() ?? 0) + 2
        let list = commands.map { "  \($0.name.padded(to: width))\($0.summary)" }.joined(separator: "\n")
        return """
            tern: sign in with OAuth 2 and OpenID Connect, stay signed in, and call APIs.

            usage: tern SUBCOMMAND [OPTIONS]

            \(list)

            Begin with `tern demo`, which shows a whole sign-in without any account anywhere.
            `tern SUBCOMMAND --help` teaches each of them.

            Exit statuses: 0 done; 1 refused by the server or a check; 2 the call or the configuration is wrong;
            3 a sign-in is needed; 4 the network or the server has passing trouble; 5 the store cannot be used;
            130 cancelled. Results go to standard output, everything else to standard error; with --json an error is
            {"error": {"code": …}} on standard error. Secrets are never arguments: name a variable that holds them.

            Accounts are kept in the folder that --store or TERN_STORE names. They are encrypted where TERN_STORE_KEY
            (32 random bytes in base64url) or TERN_STORE_PASSPHRASE is set; then every later call needs it too.
            """
    }

    static func text(of command: CommandSpecification) -> String {
        let usage = "usage: tern \(command.name)\(command.operand.map { " \($0)" } ?? "") [OPTIONS]"
        let left = command.options.map { $0.name + ($0.value.map { " \($0)" } ?? "") }
        let width = (left.map(\.count).max() ?? 0) + 2
        var parts = ["tern \(command.name): \(command.summary)", usage]
        if !command.discussion.isEmpty { parts.append(command.discussion) }
        parts.append(
            zip(left, command.options).map { "  \($0.padded(to: width))\($1.help)" }.joined(separator: "\n"))
        if !command.examples.isEmpty {
            parts.append(
                "examples:\n"
                    + command.examples.map { "  \($0.call)\n      \($0.meaning)" }.joined(separator: "\n"))
        }
        return parts.joined(separator: "\n\n")
    }
}

extension String {
    fileprivate func padded(to width: Int) -> String { self + String(repeating: " ", count: max(1, width - count)) }
}
