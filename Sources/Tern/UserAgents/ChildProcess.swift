#if os(macOS) || os(Linux)
    #if canImport(Darwin)
        internal import Darwin
    #elseif canImport(Musl)
        internal import Musl
    #else
        internal import Glibc
    #endif

    enum ProcessEnvironment {
        static func value(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }
    }

    /// Starts programs without a shell, with nothing to read, nowhere to write, and in a process group of their own, so
    /// that Ctrl-C in the terminal does not end the user's browser.
    enum ChildProcess {
        /// Starts a program that is looked for in `PATH`; `nil` when there is none.
        static func start(_ arguments: [String]) -> pid_t? {
            guard let program = arguments.first else { return nil }
            #if canImport(Glibc)
                var actions = posix_spawn_file_actions_t()
                var attributes = posix_spawnattr_t()
            #else
                var actions: posix_spawn_file_actions_t?
                var attributes: posix_spawnattr_t?
            #endif
            guard posix_spawn_file_actions_init(&actions) == 0 else { return nil }
            defer { posix_spawn_file_actions_destroy(&actions) }
            guard posix_spawnattr_init(&attributes) == 0 else { return nil }
            defer { posix_spawnattr_destroy(&attributes) }
            posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
            posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
            var noSignals = sigset_t()
            sigemptyset(&noSignals)
            posix_spawnattr_setsigmask(&attributes, &noSignals)
            posix_spawnattr_setpgroup(&attributes, 0)
            // What this process ignores the program would ignore too, and could not even be ended.
            var usual = sigset_t()
            sigemptyset(&usual)
            for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE] { sigaddset(&usual, signal) }
            posix_spawnattr_setsigdefault(&attributes, &usual)
            let flags = [POSIX_SPAWN_SETPGROUP, POSIX_SPAWN_SETSIGMASK, POSIX_SPAWN_SETSIGDEF]
            posix_spawnattr_setflags(&attributes, flags.reduce(0) { $0 | Int16($1) })
            var pointers: [UnsafeMutablePointer<CChar>?] = arguments.map { strdup($0) }
            defer { pointers.forEach { free($0) } }
            pointers.append(nil)
            var process: pid_t = 0
            guard posix_spawnp(&process, program, &actions, &attributes, pointers, environ) == 0 else { return nil }
            return process
        }

        /// Waits for the end, on a thread that may wait: the exit status, or 128 and the number of the signal.
        static func waitForEnd(of process: pid_t) -> Int32 {
            var status: Int32 = 0
            while waitpid(process, &status, 0) < 0 {
                // Somebody else has already collected the process, or ends of children are ignored.
                guard errno == EINTR else { return 0 }
            }
            let signal = status & 0x7F
            return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
        }
    }
#endif
