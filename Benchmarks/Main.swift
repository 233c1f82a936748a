internal import Tern
internal import TernTesting

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Prints `name value` lines: rates per second, `.cpu` rates per second of CPU time, ratios and counts.
@main
enum Benchmarks {
    static func main() async {
        do {
            if try await Crowd.runAsChild() { return }
            // First: the memory of a program that is started counts at least as much as this one has used by then.
            try await ColdStart().run()
            let inputs = try Inputs()
            let meter = Meter()
            try Verification(inputs: inputs, meter: meter).run()
            try Decryption(inputs: inputs, meter: meter).run()
            try Proofs(inputs: inputs, meter: meter).run()
            try Messages(inputs: inputs, meter: meter).run()
            try OAuth1Signatures(meter: meter).run()
            try await Requests(meter: meter).run()
            try await Counts().run()
            try await Crowd(meter: meter).run()
            try await Stores(meter: meter).run()
            try HostileInput().run()
        } catch {
            print("# failed: \(error)")
            exit(1)
        }
    }
}
