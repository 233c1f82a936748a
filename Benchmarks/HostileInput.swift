internal import Tern

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Input made to be slow: the time until it is refused, in milliseconds.
struct HostileInput {
    func run() throws {
        let megabyte = String(repeating: "A", count: 1 << 20)
        time("refuse_token_1mb_ms") { (try? JWS(compact: megabyte + "." + megabyte + "." + megabyte)) == nil }
        let answer = HTTPResponse(
            status: 200, body: Array(#"{"access_token":""#.utf8) + [UInt8](repeating: 0x78, count: 8 << 20))
        time("refuse_answer_8mb_ms") { (try? TokenResponse(reading: answer)) == nil }
        let pairs = String(repeating: "a=b&", count: 100_000)
        time("refuse_query_100k_ms") { FormParameters(decoding: pairs) == nil }
        let deep = [UInt8](repeating: 0x5B, count: 10_000)
        time("refuse_json_depth_10k_ms") { (try? JSON(parsing: deep)) == nil }
    }

    private func time(_ name: String, _ refused: () -> Bool) {
        let start = Meter.clock(CLOCK_MONOTONIC)
        let isRefused = refused()
        print("\(name) \(isRefused ? (Meter.clock(CLOCK_MONOTONIC) - start) * 1_000 : .infinity)")
    }
}
