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
        let folder = try Crowd.newFolder()
        try await fill(folder)
        var (walls, peaks) = ([Double](), [Double]())
        for _ in 0..<41 {
            let start = Meter.clock(CLOCK_MONOTONIC)
            peaks.append(try OtherProgram.run(program, ["token", "--store", folder]))
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
}
