#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Programs that are started beside this one.
enum OtherProgram {
    /// Runs a program to its end, with its output thrown away.
    ///
    /// - Returns: its peak memory in MiB.
    static func run(_ program: String, _ words: [String]) throws -> Double {
        let child = try start(program, words, output: "/dev/null")
        var usage = rusage()
        guard end(of: child, &usage) else { throw Failure("\(program) did not print the token") }
        #if canImport(Glibc)
            return Double(usage.ru_maxrss) / 1_024
        #else
            return Double(usage.ru_maxrss) / 1_048_576
        #endif
    }

    /// Starts a program.
    ///
    /// - Parameter output: the file that gets its standard output.
    static func start(_ program: String, _ words: [String], output: String) throws -> pid_t {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT, 0o600)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else {
            throw Failure("\(program) cannot be started")
        }
        return child
    }

    /// Waits for the end of a program.
    ///
    /// - Returns: whether it succeeded.
    static func end(of child: pid_t) -> Bool {
        var usage = rusage()
        return end(of: child, &usage)
    }

    private static func end(of child: pid_t, _ usage: inout rusage) -> Bool {
        var status = Int32()
        while wait4(child, &status, 0, &usage) < 0 {
            if errno != EINTR { return false }
        }
        return status == 0
    }
}
