#if os(macOS) || os(Linux)
    public import TernProtocol

    /// The user's browser: what `BROWSER` in the environment names, else `open` on macOS and `xdg-open` on Linux.
    ///
    /// `BROWSER` may hold several commands with colons between them, each with `%s` where the address belongs; the first
    /// that works is used. Commands are run directly and never through a shell.
    public struct SystemBrowser: BrowserOpener {
        private let commands: [[String]]
        private let isWithoutScreen: Bool
        private let patience: Duration

        /// Makes an opener for this process's environment.
        public init() {
            self.init(environment: { ProcessEnvironment.value($0) })
        }

        init(environment: (String) -> String?, patience: Duration = .seconds(3)) {
            let chosen = (environment("BROWSER") ?? "").split(separator: ":").map { command in
                command.split(separator: " ").map(String.init)
            }.filter { !$0.isEmpty }
            self.patience = patience
            #if os(macOS)
                commands = chosen + [["/usr/bin/open"]]
                isWithoutScreen = false
            #else
                // Without a screen xdg-open starts browsers for the terminal, which would wait there unseen.
                let screens = [environment("DISPLAY"), environment("WAYLAND_DISPLAY")]
                let hasScreen = screens.contains { $0?.isEmpty == false }
                commands = chosen + (hasScreen ? [["xdg-open"]] : [])
                isWithoutScreen = !hasScreen
            #endif
        }

        /// Starts the browser and returns when it has taken the address, or after three seconds: some programs run for as
        /// long as the page is open.
        ///
        /// - Throws: ``/TernProtocol/TernError``: `browserUnavailable` when no command works, there is no screen, or the
        ///   address is not an http one; `cancelled`.
        public func open(_ page: URI) async throws(TernError) {
            guard ["http", "https"].contains(page.normalizedScheme) else {
                throw Self.unavailable("only http and https addresses are opened")
            }
            var problem = isWithoutScreen ? "there is no screen (DISPLAY is not set)" : "no command was found"
            for command in commands {
                switch await run(Self.arguments(command, page)) {
                case .success: return
                case .failure(let status): problem = "\"\(command[0])\" ended with status \(status)"
                case .missing: problem = "\"\(command[0])\" cannot be started"
                case .cancelled: throw TernError(.cancelled, at: .userAgent)
                }
            }
            throw Self.unavailable(problem)
        }

        static func arguments(_ command: [String], _ page: URI) -> [String] {
            let hasPlace = command.contains { $0.contains("%s") }
            return hasPlace ? command.map { $0.replacing("%s", with: page.text) } : command + [page.text]
        }

        private enum Outcome: Sendable {
            case success
            case failure(Int32)
            case missing
            case cancelled
        }

        private func run(_ arguments: [String]) async -> Outcome {
            guard let process = ChildProcess.start(arguments) else { return .missing }
            let outcome = OneShot<Outcome>()
            // The thread lives until the program ends, so that nothing is left of it in the system's table.
            let isWatched = DedicatedThread.start {
                let status = ChildProcess.waitForEnd(of: process)
                outcome.resolve(status == 0 ? .success : .failure(status))
            }
            guard isWatched else { return .success }
            let timer = Task { [patience] in
                try? await Task.sleep(for: patience)
                outcome.resolve(.success)
            }
            defer { timer.cancel() }
            return await outcome.value(whenCancelled: .cancelled)
        }

        private static func unavailable(_ problem: String) -> TernError {
            TernError(.browserUnavailable(problem), at: .userAgent)
        }
    }
#endif
