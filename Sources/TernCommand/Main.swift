internal import Dispatch
internal import Tern

#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

@main
enum Main {
    static let commands: [any Command.Type] = [
        DemoCommand.self, ServeCommand.self, LoginCommand.self, TokenCommand.self, CallCommand.self, SignCommand.self,
        WhoAmICommand.self, AccountsCommand.self, UseCommand.self, WatchCommand.self, LogoutCommand.self,
        SchemeCommand.self, CallbackCommand.self, ExchangeCommand.self, JWTCommand.self, IntrospectCommand.self,
        RevokeCommand.self, KeysCommand.self, RegisterCommand.self, ExplainCommand.self, DoctorCommand.self,
    ]

    static func main() async {
        Process.holdStandardStreams()
        let words = Array(CommandLine.arguments.dropFirst())
        let console = Console(isJSON: words.contains("--json"))
        do throws(UsageError) {
            let status = try await run(words, console)
            guard status == .success, console.hasLostOutput else { Process.exit(status) }
            console.note("tern: standard output could not be written")
            Process.exit(.refused)
        } catch {
            console.fail(error, of: words.first)
            Process.exit(.usage)
        }
    }

    private static func run(_ words: [String], _ console: Console) async throws(UsageError) -> ExitStatus {
        guard let name = words.first, !["--help", "-h", "help"].contains(name) else {
            console.print(Help.text(of: commands.map { $0.specification }))
            return words.isEmpty ? .usage : .success
        }
        guard name != "--version" else {
            console.print(Version.text)
            return .success
        }
        guard let command = commands.first(where: { $0.specification.name == name }) else {
            throw UsageError.unknown("subcommand", name, among: commands.map { $0.specification.name })
        }
        let arguments = try Arguments(Array(words.dropFirst()), for: command.specification)
        guard !arguments.has("--help") else {
            console.print(Help.text(of: command.specification))
            return .success
        }
        let ready = try command.init(arguments)
        let context = CommandContext(
            console: console, storeFolder: try storeFolder(arguments))
        let trace = try arguments.value("--trace").map { (path) throws(UsageError) in try TraceFile(path) }
        return await interruptible { () async -> ExitStatus in
            let run = { @Sendable () async -> ExitStatus in
                do throws(TernError) {
                    return try await ready.run(context)
                } catch {
                    console.fail(error)
                    return ExitStatus(error)
                }
            }
            guard let trace else { return await run() }
            return await trace.recording("tern \(name)", console, run)
        }
    }

    /// An empty name would mean the root of the file system; an empty variable counts as none.
    private static func storeFolder(_ arguments: Arguments) throws(UsageError) -> String? {
        if let folder = arguments.value("--store") {
            guard !folder.isEmpty else { throw UsageError("--store wants a folder") }
            return folder
        }
        return Process.environment("TERN_STORE").flatMap { $0.isEmpty ? nil : $0 }
    }

    /// Runs a body that Ctrl-C cancels, so that it ends in order and leaves nothing behind; a
    /// second Ctrl-C ends the process at once.
    private static func interruptible(_ body: @escaping @Sendable () async -> ExitStatus) async -> ExitStatus {
        let task = Task(operation: body)
        signal(SIGINT, SIG_IGN)
        signal(SIGTERM, SIG_IGN)
        signal(SIGPIPE, SIG_IGN)
        let sources = [SIGINT, SIGTERM].map { DispatchSource.makeSignalSource(signal: $0) }
        for source in sources {
            source.setEventHandler {
                if task.isCancelled { Process.exit(.cancelled) }
                task.cancel()
            }
            source.resume()
        }
        let status = await task.value
        for source in sources { source.cancel() }
        return status
    }
}
