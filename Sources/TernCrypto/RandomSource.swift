#if TERN_OPENSSL
    internal import COpenSSL
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Where random bytes come from. Tests put in a source that repeats itself; everybody else uses ``SystemRandomSource``.
public protocol RandomSource: Sendable {
    /// Returns `count` bytes that nobody can predict.
    func bytes(_ count: Int) -> [UInt8]
}

/// The operating system's random numbers, fit for keys.
public struct SystemRandomSource: RandomSource {
    /// Makes the source; it has no state.
    public init() {}

    /// Returns `count` random bytes.
    public func bytes(_ count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: max(0, count)) { buffer, filled in
            Self.fill(UnsafeMutableRawBufferPointer(buffer), count: max(0, count))
            filled = max(0, count)
        }
    }

    private static func fill(_ buffer: UnsafeMutableRawBufferPointer, count: Int) {
        guard count > 0, let start = buffer.baseAddress else { return }
        #if TERN_OPENSSL
            // A call gives up to 256 bytes whole; libcrypto's generator takes three times as long for so few.
            var done = 0
            while done < count {
                let got = tern_getrandom(start + done, min(256, count - done))
                if got < 0 { break }
                done += got
            }
            if done == count { return }
        #elseif canImport(Darwin)
            arc4random_buf(start, count)
            return
        #endif
        // The standard library's generator asks the system for every eight bytes: slower, and it cannot fail.
        var generator = SystemRandomNumberGenerator()
        for index in 0..<count { buffer[index] = UInt8.random(in: 0...255, using: &generator) }
    }
}
