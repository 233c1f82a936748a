internal import Tern

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// The whole of `tern token` with a valid stored token, from start to end, as a script meets it. The program is the one
/// that `$BENCH_TERN` names.
struct ColdStart {
    func run() async throws {
        guard let program = Surroundings.variable("BENCH_TERN") else { return }
        var template = Array("/tmp/tern-bench-XXXXXX".utf8CString)
        guard let folder = mkdtemp(&template).map({ String(cString: $0) }) else { throw Failure("no folder") }
        try await fill(folder)
        var (walls, peaks) = ([Double](), [Double]())
        for _ in 0..<41 {
            let start = Meter.clock(CLOCK_MONOTONIC)
            peaks.append(try Self.run(program, ["token", "--store", folder]))
            walls.append((Meter.clock(CLOCK_MONOTONIC) - start) * 1_000)
        }
        print("token_cold_start_ms \(walls.sorted()[20])")
        print("token_cold_start_fastest_ms \(walls.min() ?? .nan)")
        print("token_peak_memory_mib \(peaks.sorted()[20])")
    }

    private func fill(_ folder: String) async throws {
        let account = try StoreKey("bench")
        let now = Int64(SystemWallClock().now.secondsSince1970)
        let credential: JSONObject = [
            "version": 1, "access_token": .string(Base64URL.encode(SystemRandomSource().bytes(96))),
            "client_id": "bench-client", "scope": "openid", "obtained_at": .number(JSONNumber(now)), "lifetime": 3600,
        ]
        let client: JSONObject = ["issuer": "https://issuer.bench.example", "client_id": "bench-client"]
        for (name, record) in [("credentials", credential), ("clients", client)] {
            let store = try FileStore(folder: folder + "/" + name)
            try await store.save(StoredRecord(JSON.object(record).serialized()), for: account)
        }
    }

    /// Runs a program to its end, with its output thrown away.
    ///
    /// - Returns: its peak memory in MiB.
    private static func run(_ program: String, _ words: [String]) throws -> Double {
        #if canImport(Glibc)
            var actions = posix_spawn_file_actions_t()
        #else
            var actions: posix_spawn_file_actions_t?
        #endif
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] = ([program] + words).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        var child = pid_t()
        guard posix_spawn(&child, program, &actions, nil, &words, environ) == 0 else {
            throw Failure("\(program) cannot be started")
        }
        var (status, usage) = (Int32(), rusage())
        while wait4(child, &status, 0, &usage) < 0 {
            if errno != EINTR { throw Failure("\(program) was lost") }
        }
        guard status == 0 else { throw Failure("\(program) did not print the token") }
        #if canImport(Glibc)
            return Double(usage.ru_maxrss) / 1_024
        #else
            return Double(usage.ru_maxrss) / 1_048_576
        #endif
    }
}
