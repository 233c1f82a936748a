internal import Tern

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Runs work for a while and prints how often it was done, per second of wall clock and per second of CPU time.
///
/// Arguments of the program are beginnings of names: where there are some, everything else is left out.
struct Meter {
    let seconds: Double
    private let wanted = Array(CommandLine.arguments.dropFirst())

    init() { seconds = Surroundings.variable("BENCH_SECONDS").flatMap(Double.init) ?? 0.5 }

    /// Whether a figure is to be printed.
    func wants(_ name: String) -> Bool { wanted.isEmpty || wanted.contains(where: name.hasPrefix) }

    /// Measures `work`, prints `name` and `name.cpu`, and returns the rate per CPU second.
    @discardableResult
    func measure(_ name: String, _ work: () throws -> Void) rethrows -> Double {
        guard wanted.isEmpty || wanted.contains(where: name.hasPrefix) else { return .nan }
        for _ in 0..<50 { try work() }
        let turn = try turn(of: seconds, work)
        print("\(name) \(turn.perSecond)")
        print("\(name).cpu \(turn.perProcessorSecond)")
        return turn.perProcessorSecond
    }

    /// Measures work beside its floor in short turns, so that a slow spell of the machine meets both alike, and prints
    /// the median of what the work reaches of the floor.
    func measure(_ name: String, _ work: () throws -> Void, beside floor: String, _ bare: () throws -> Void) rethrows {
        guard wanted.isEmpty || wanted.contains(where: name.hasPrefix) else { return }
        var (works, bares, shares) = ([Turn](), [Turn](), [Double]())
        for _ in 0..<9 {
            works.append(try turn(of: seconds / 4, work))
            bares.append(try turn(of: seconds / 4, bare))
            shares.append(works[works.count - 1].perProcessorSecond / bares[bares.count - 1].perProcessorSecond)
        }
        for (name, turns) in [(name, works), (floor, bares)] {
            print("\(name) \(turns.map(\.perSecond).sorted()[4])")
            print("\(name).cpu \(turns.map(\.perProcessorSecond).sorted()[4])")
        }
        print("\(name)_share \(shares.sorted()[4])")
    }

    private struct Turn {
        let perSecond: Double
        let perProcessorSecond: Double
    }

    private func turn(of seconds: Double, _ work: () throws -> Void) rethrows -> Turn {
        let (wall, processor) = (Self.clock(CLOCK_MONOTONIC), Self.clock(CLOCK_PROCESS_CPUTIME_ID))
        var count = 0.0
        var now = wall
        while now - wall < seconds {
            for _ in 0..<20 { try work() }
            count += 20
            now = Self.clock(CLOCK_MONOTONIC)
        }
        let used = Self.clock(CLOCK_PROCESS_CPUTIME_ID) - processor
        return Turn(perSecond: count / (now - wall), perProcessorSecond: count / used)
    }

    /// The same for work that waits; prints nothing without a name.
    @discardableResult
    func measure(_ name: String?, _ work: @Sendable () async throws -> Void) async rethrows -> Double {
        guard wanted.isEmpty || wanted.contains(where: (name ?? "").hasPrefix) else { return .nan }
        for _ in 0..<50 { try await work() }
        let (wall, processor) = (Self.clock(CLOCK_MONOTONIC), Self.clock(CLOCK_PROCESS_CPUTIME_ID))
        var count = 0.0
        var now = wall
        while now - wall < seconds {
            for _ in 0..<20 { try await work() }
            count += 20
            now = Self.clock(CLOCK_MONOTONIC)
        }
        let used = Self.clock(CLOCK_PROCESS_CPUTIME_ID) - processor
        if let name {
            print("\(name) \(count / (now - wall))")
            print("\(name).cpu \(count / used)")
        }
        return count / used
    }

    static func clock(_ id: clockid_t) -> Double {
        var time = timespec()
        clock_gettime(id, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// Variables and files of the surroundings.
enum Surroundings {
    static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    static func file(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    /// The memory of this process; where the system does not say it, the most that it ever had. What was freed is given
    /// back first: the allocator keeps as much of it as its arenas happen to need, which may be more than what is weighed.
    static var residentBytes: Int {
        #if canImport(Glibc)
            typealias Trim = @convention(c) (Int) -> Int32
            if let trim = dlsym(nil, "malloc_trim") { _ = unsafeBitCast(trim, to: Trim.self)(0) }
            let fields = file("/proc/self/statm").map { String(decoding: $0, as: UTF8.self) } ?? ""
            let pages = fields.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            return pages * sysconf(Int32(_SC_PAGESIZE))
        #else
            var usage = rusage()
            getrusage(RUSAGE_SELF, &usage)
            return usage.ru_maxrss
        #endif
    }
}
