internal import Tern

#if canImport(Glibc)
    internal import Glibc
#else
    internal import Darwin
#endif

/// Whole ID tokens, signature and claims, with keys that were parsed beforehand; beside them the bare signature check.
struct Verification {
    let inputs: Inputs
    let meter: Meter

    func run() throws {
        for (algorithm, name) in zip(Inputs.algorithms, ["rs256", "es256", "eddsa"]) {
            guard let text = inputs.tokens[algorithm] else { continue }
            try refuseForged(text)
            let encoded = EncodedIDToken(text)
            let now = SystemWallClock().now
            let expected = expectation
            let keys = inputs.keys
            let work = { _ = try IDToken(verifying: encoded, keys: keys, expecting: expected, now: now) }
            #if TERN_OPENSSL
                let bare = try BareVerification(text: text, keys: keys, algorithm: algorithm)
                try meter.measure("verify_" + name, work, beside: "bare_" + name) { try bare.verify() }
            #else
                try meter.measure("verify_" + name, work)
            #endif
        }
        try scaleOverThreads()
    }

    private var expectation: IDToken.Expectation {
        IDToken.Expectation(issuer: inputs.issuer, clientID: inputs.clientID, nonce: .required(inputs.nonce))
    }

    private func refuseForged(_ text: String) throws {
        var bytes = Array(text.utf8)
        bytes[bytes.count - 20] = bytes[bytes.count - 20] == 0x41 ? 0x42 : 0x41
        let forged = EncodedIDToken(String(decoding: bytes, as: UTF8.self))
        let accepted = try? IDToken(
            verifying: forged, keys: inputs.keys, expecting: expectation, now: SystemWallClock().now)
        if accepted != nil { throw Failure("a forged token was accepted") }
    }

    /// How much two threads do against one, in wall time.
    private func scaleOverThreads() throws {
        guard let text = inputs.tokens[.rs256] else { return }
        let one = rate(threads: 1, text)
        let two = rate(threads: 2, text)
        print("verify_two_threads_gain \(two / one)")
    }

    private func rate(threads: Int, _ text: String) -> Double {
        let total = Locked(0)
        let (keys, expected) = (inputs.keys, expectation)
        let now = SystemWallClock().now
        let rounds = 20_000
        let start = Meter.clock(CLOCK_MONOTONIC)
        DispatchThreads.run(threads) {
            let encoded = EncodedIDToken(text)
            var done = 0
            for _ in 0..<rounds
            where (try? IDToken(verifying: encoded, keys: keys, expecting: expected, now: now)) != nil { done += 1 }
            total.withLock { $0 += done }
        }
        return Double(total.withLock { $0 }) / (Meter.clock(CLOCK_MONOTONIC) - start)
    }
}

struct Failure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
